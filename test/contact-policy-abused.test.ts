import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AnswerBody, TestServer } from '@overture/testing/server.ts'
import { noContactPolicy } from '@overture/contract/contact-policy/contact-policy.ts'
import { anyTime } from '@overture/testing/schedules.ts'
import { startWholeServer } from '@overture/testing/server/whole-server.ts'

/** Source: docs/contract.md, "Contact policy". */
let server: TestServer
beforeAll(async () => {
  server = await startWholeServer()
  await done('POST', '/v2/sandbox/clock', { frozen: true })
  await done('POST', '/v2/sandbox/clock/advance', { to: '2027-02-01T07:00:00.000Z' })
})
afterAll(() => server.stop())

async function done(method: string, path: string, body?: unknown): Promise<AnswerBody> {
  const answer = await server.call(method, path, { key: server.keys.test, ...(body !== undefined && { body }) })
  expect([path, answer.status < 300 ? null : answer.text]).toEqual([path, null])
  return answer.body
}

const policy = (changes: object) => done('PUT', '/v2/account/contact-policy', { ...noContactPolicy, ...changes })
const advance = (by: string) => done('POST', '/v2/sandbox/clock/advance', { by })
const always = { timezone: 'UTC', ...anyTime }

let names = 0

/** Launches a campaign of one step with its own sender. */
async function launch(leads: object[]): Promise<string> {
  const email = `mara@sender${++names}.example.com`
  const fields = { provider: 'sandbox', timezone: 'UTC', minGapSeconds: 0, maxGapSeconds: 0, dailyLimit: 500 }
  const { id } = await done('POST', '/v2/sending-accounts', { email, fromName: 'Mara', ...fields })
  const steps = [{ waitBefore: { value: 0, unit: 'days' }, variants: [{ subject: 'Hello', body: 'Hello' }] }]
  const body = { name: `campaign ${names}`, sendingAccountIds: [id], schedule: always, steps, leads }
  return (await done('POST', '/v2/campaigns/launch', body)).id
}

async function leadsOf(campaignId: string): Promise<AnswerBody[]> {
  return (await done('GET', `/v2/campaigns/${campaignId}/leads`)).results
}

/** The gate, or else the status, of each lead by address. */
async function statesOf(campaignId: string): Promise<string[]> {
  const leads = await leadsOf(campaignId)
  return leads
    .toSorted((a, b) => (a.email < b.email ? -1 : 1))
    .map(({ status, blockedReason }) => blockedReason ?? status)
}

describe('a message that came back', () => {
  test('because of its sender does not count, and a message that it held back is due', async () => {
    await policy({ perPerson: { messages: 1, days: 30 } })
    const lead = { email: 'returned+quota@prospects.test' }
    const first = await launch([lead])
    const second = await launch([lead])
    await advance('1d')
    expect([await statesOf(first), await statesOf(second)]).toEqual([['returned'], ['returned']])
  })

  test('is sent again when a person says so, and counts then', async () => {
    await policy({ perPerson: { messages: 1, days: 30 } })
    const first = await launch([{ email: 'again+quota@prospects.test' }])
    await advance('1d')
    await done('POST', `/v2/campaigns/${first}/returned/resolve`, { action: 'send_again', all: true })
    await advance('1d')
    const sent = await done('GET', `/v2/campaigns/activity?type=message.sent&campaignId=${first}`)
    expect(sent.results).toHaveLength(2)
  })

  test('as a bounce does not count for its company', async () => {
    await policy({ perCompany: { people: 1, days: 30 } })
    const leads = ['a+bounce', 'b', 'c'].map((name) => ({
      email: `${name}@prospects.test`,
      companyDomain: 'came-back.example',
    }))
    const campaign = await launch(leads.slice(0, 1))
    await advance('1d')
    const others = await launch(leads.slice(1))
    await advance('1d')
    expect([await statesOf(campaign), await statesOf(others)]).toEqual([['bounced'], ['completed', 'company_limit']])
  })
})
