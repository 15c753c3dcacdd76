import type { TestServer } from '@overture/testing/server.ts'
import { startWholeServer } from '@overture/testing/server/whole-server.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

let server: TestServer
beforeAll(async () => {
  server = await startWholeServer()
})
afterAll(() => server.stop())

const call = (method: string, path: string, body?: unknown) =>
  server.call(method, path, { key: server.keys.test, body })
const change = async (body: object) => {
  const answer = await call('POST', '/v2/leads/company', body)
  return [answer.status, answer.body]
}

async function campaignWith(leads: object[]): Promise<string> {
  const { body } = await call('POST', '/v2/campaigns', { name: 'Company' })
  await call('POST', `/v2/campaigns/${body.id}/leads`, { leads })
  return `/v2/campaigns/${body.id}/leads`
}
const statuses = async (path: string): Promise<string[]> =>
  (await call('GET', `${path}?limit=100`)).body.results.map((lead: { status: string }) => lead.status)

test('the leads of a company are paused and resumed in all campaigns, and others are not', async () => {
  const one = await campaignWith([
    { email: 'a@acme.test' },
    { email: 'b@other.test', companyDomain: 'acme.test' },
    { email: 'c@other.test' },
  ])
  const two = await campaignWith([{ email: 'a@acme.test' }, { email: 'd@acme.test', companyDomain: 'elsewhere.test' }])
  const [first] = (await call('GET', two)).body.results
  await call('PUT', `${two}/${first.id}`, { status: 'stopped' })

  const counted = { matched: 3, changed: 0, skipped: { stopped: 1 }, more: true }
  expect(await change({ domain: 'acme.test', status: 'paused', dryRun: true })).toEqual([200, counted])
  expect(await statuses(one)).toEqual(['pending', 'pending', 'pending'])

  const paused = { matched: 3, changed: 2, skipped: { stopped: 1 }, more: false }
  expect(await change({ domain: 'ACME.test', status: 'paused' })).toEqual([200, paused])
  expect(await statuses(one)).toEqual(['paused', 'paused', 'pending'])
  expect(await statuses(two)).toEqual(['stopped', 'pending'])

  const again = { matched: 3, changed: 0, skipped: { stopped: 1, unchanged: 2 }, more: false }
  expect(await change({ domain: 'acme.test', status: 'paused' })).toEqual([200, again])
  expect(await change({ domain: 'acme.test', status: 'active' })).toEqual([200, paused])
  expect(await statuses(one)).toEqual(['pending', 'pending', 'pending'])
})

test('a provider of free mail, a time without a pause and a past time are refused with their field', async () => {
  const path = async (body: object) => (await call('POST', '/v2/leads/company', body)).body.error.details.issues[0].path
  expect(await path({ domain: 'gmail.com', status: 'paused' })).toBe('domain')
  expect(await path({ domain: 'acme.test', status: 'active', resumeAt: '2099-01-01T00:00:00Z' })).toBe('resumeAt')
  expect(await path({ domain: 'acme.test', status: 'paused', resumeAt: '2001-01-01T00:00:00Z' })).toBe('resumeAt')
})
