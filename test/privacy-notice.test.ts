import { afterAll, beforeAll, expect, test } from 'vitest'
import { anyTime } from '@overture/testing/schedules.ts'
import type { TestServer } from '@overture/testing/server.ts'
import { startWholeServer } from '@overture/testing/server/whole-server.ts'

let server: TestServer
let senderId: string

const ask = (method: string, path: string, body?: unknown, key = server.keys.test) =>
  server.call(method, path, { key, ...(body !== undefined && { body }) })
const done = async (method: string, path: string, body?: unknown, key = server.keys.test) => {
  const answer = await ask(method, path, body, key)
  expect([path, answer.status < 300 ? null : answer.text]).toEqual([path, null])
  return answer.body
}
const post = (path: string, body: unknown) => done('POST', path, body)

beforeAll(async () => {
  server = await startWholeServer()
  await post('/v2/sandbox/clock', { frozen: true })
  const sender = { email: 'mara@sender.example.com', fromName: 'Mara', provider: 'sandbox', timezone: 'UTC' }
  senderId = (await post('/v2/sending-accounts', sender)).id
})
afterAll(() => server.stop())

const page = 'https://example.com/privacy'
const leads = [
  { email: 'paris@example.com', country: 'France', dataSource: 'Trade fair' },
  { email: 'zurich@example.com', country: 'CH', dataSource: 'Trade fair' },
  { email: 'unknown@example.com', dataSource: 'Trade fair' },
  { email: 'boston@example.com', country: 'US', dataSource: 'Trade fair' },
]

async function create(settings: object): Promise<string> {
  const waitBefore = { value: 2, unit: 'days' }
  const campaign = await post('/v2/campaigns', {
    name: 'Noticed',
    schedule: { timezone: 'UTC', ...anyTime },
    sendingAccountIds: [senderId],
    settings,
    steps: [
      { variants: [{ subject: 'Hello', body: '<p>First</p>' }] },
      { waitBefore, variants: [{ subject: '', body: '<p>Second</p>' }] },
    ],
  })
  await post(`/v2/campaigns/${campaign.id}/leads`, { leads })
  return campaign.id
}

const warningsOf = async (campaignId: string) => {
  const { warnings } = await done('GET', `/v2/campaigns/${campaignId}/preflight`)
  const about = warnings.filter(({ code }: { code: string }) => code === 'privacy_notice')
  return about.map(({ ref, count }: { ref: string; count: number | null }) => [ref, count])
}

test('the contact and the page belong to the account, and the page must be https', async () => {
  const change = (body: object) => ask('PUT', '/v2/account', body, server.keys.live)
  expect((await done('GET', '/v2/account')).privacyUrl).toBeNull()
  const refused = await change({ privacyUrl: 'http://example.com/' })
  expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('privacyUrl')])
  const set = { privacyContact: 'privacy@example.com', privacyUrl: page }
  expect((await change(set)).body).toMatchObject(set)
  expect((await change({ privacyUrl: null })).body).toMatchObject({ ...set, privacyUrl: null })
})

test('preflight reports a missing page and leads without a source', async () => {
  const id = await create({ privacyNotice: 'link' })
  await post(`/v2/campaigns/${id}/leads`, {
    leads: [{ email: 'a@example.com' }, { email: 'b@example.com', country: 'US' }],
  })
  expect(await warningsOf(id)).toEqual([
    ['privacyUrl', null],
    ['dataSource', 1],
  ])
  await done('PUT', '/v2/account', { privacyUrl: page }, server.keys.live)
  expect(await warningsOf(id)).toEqual([['dataSource', 1]])
})

test('the first message has the notice where it is due, in previews and sent messages', async () => {
  await done('PUT', '/v2/account', { privacyUrl: page }, server.keys.live)
  const id = await create({ privacyNotice: 'link', linkTracking: true })
  const path = `/v2/campaigns/${id}`
  const { steps } = await done('GET', path)
  const added = (await done('GET', `${path}/leads`)).results
  const notice = `We have your data from this source: Trade fair. Privacy policy: ${page}`
  const isNoticed = ({ text, html }: { text: string; html: string }) => [
    text.includes(notice),
    html.includes(`<a href="${page}">Privacy policy</a>`),
  ]
  const found = new Map<string, unknown[]>()
  for (const { id: leadId, email } of added) {
    const previews = steps.map(({ id: stepId }: { id: string }) => post(`${path}/preview`, { leadId, stepId }))
    found.set(email, (await Promise.all(previews)).map(isNoticed))
  }
  await post(`${path}/start`, {})
  await post('/v2/sandbox/clock/advance', { by: '5d' })
  for (const { id: leadId, email } of added) {
    const { messages } = await done('GET', `${path}/leads/${leadId}/thread`)
    found.get(email)?.push(...messages.map(isNoticed))
  }
  const [yes, no] = [
    [true, true],
    [false, false],
  ]
  const due = [yes, no, yes, no]
  expect(Object.fromEntries(found)).toEqual({
    'paris@example.com': due,
    'zurich@example.com': due,
    'unknown@example.com': due,
    'boston@example.com': [no, no, no, no],
  })
})

test('a lead that got the first message has no second notice after its step was deleted', async () => {
  await done('PUT', '/v2/account', { privacyUrl: page }, server.keys.live)
  const path = `/v2/campaigns/${await create({ privacyNotice: 'link' })}`
  await post(`${path}/start`, {})
  await post('/v2/sandbox/clock/advance', { by: '1d' })
  const [, { id, variants }] = (await done('GET', path)).steps
  const only = { id, variants: [{ id: variants[0].id, subject: 'Second', body: '<p>Second</p>' }] }
  await post(`${path}/pause`, {})
  await done('PUT', path, { steps: [only] })
  await post(`${path}/resume`, {})
  await post('/v2/sandbox/clock/advance', { by: '5d' })
  const [lead] = (await done('GET', `${path}/leads?email=paris@example.com`)).results
  const { messages } = await done('GET', `${path}/leads/${lead.id}/thread`)
  expect(messages.map(({ text }: { text: string }) => text.includes('Privacy policy'))).toEqual([true, false])
})

test('campaigns have no notice unless it is set', async () => {
  const id = await create({})
  const [lead] = (await done('GET', `/v2/campaigns/${id}/leads`)).results
  expect((await post(`/v2/campaigns/${id}/preview`, { leadId: lead.id })).text).not.toContain('Privacy policy')
  expect(await warningsOf(id)).toEqual([])
})
