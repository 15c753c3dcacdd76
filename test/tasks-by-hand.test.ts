import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { AnswerBody, TestServer } from '@overture/testing/server.ts'
import { startWholeServer } from '@overture/testing/server/whole-server.ts'

// Several days of the test clock in one test.
vi.setConfig({ testTimeout: 120_000 })

let server: TestServer
beforeAll(async () => {
  server = await startWholeServer()
  await post('/v2/sandbox/clock', { frozen: true })
  await post('/v2/sandbox/clock/advance', { to: '2027-02-01T18:00:00.000Z' })
})
afterAll(() => server.stop())

const ask = (method: string, path: string, body?: unknown) =>
  server.call(method, path, { key: server.keys.test, ...(body !== undefined && { body }) })
async function done(method: string, path: string, body?: unknown): Promise<AnswerBody> {
  const answer = await ask(method, path, body)
  expect([path, answer.status < 300 ? null : answer.text]).toEqual([path, null])
  return answer.body
}
const post = (path: string, body: unknown = {}) => done('POST', path, body)
const get = (path: string) => done('GET', path)
const clock = async (): Promise<string> => (await get('/v2/sandbox/clock')).now
const advance = (by: string) => post('/v2/sandbox/clock/advance', { by })

const officeHours = { days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], from: '09:00', to: '17:00' }

async function launch(name: string, fields: object = {}): Promise<AnswerBody> {
  const sender = await post('/v2/sending-accounts', {
    email: `${name}@sender.example.com`,
    fromName: 'Mara',
    provider: 'sandbox',
    timezone: 'UTC',
    dailyLimit: 50,
    minGapSeconds: 0,
    maxGapSeconds: 0,
  })
  return post('/v2/campaigns/launch', {
    name,
    sendingAccountIds: [sender.id],
    schedule: { timezone: 'UTC', windows: [officeHours] },
    steps: [
      {
        byHand: true,
        variants: [{ subject: 'For {{ firstName }}', body: 'Hello {{ firstName }}, from {{ sender.fromName }}.' }],
      },
      { waitBefore: { value: 1, unit: 'hours' }, variants: [{ body: 'A second mail.' }] },
    ],
    leads: [{ email: `${name}@prospects.test`, firstName: 'Ada {{ sender.email }}' }],
    ...fields,
  })
}

async function stateOf(campaignId: string) {
  const [lead] = (await get(`/v2/campaigns/${campaignId}/leads`)).results
  const { messages } = await get(`/v2/campaigns/${campaignId}/leads/${lead.id}/thread`)
  const [task] = (await get(`/v2/tasks?campaignId=${campaignId}`)).results
  const [text] = (await get(`/v2/campaigns/${campaignId}/approvals`)).results
  return { lead, messages, task, text }
}

test('an email by hand that is approved outside of the window is sent once, at its opening', async () => {
  const campaign = await launch('approved')
  expect(campaign.steps[0]).toMatchObject({ type: 'email', byHand: true })
  await advance('1h')
  const { lead, messages, task, text } = await stateOf(campaign.id)
  expect(messages).toEqual([])
  expect(lead).toMatchObject({ status: 'pending', blockedReason: 'awaiting_approval' })
  expect(text).toMatchObject({
    status: 'waiting',
    modelId: null,
    subject: 'For Ada { { sender.email }}',
    body: 'Hello Ada { { sender.email }}, from {{ sender.fromName }}.',
  })
  expect(task).toMatchObject({
    channel: 'email',
    approvalId: text.id,
    status: 'open',
    title: text.subject,
    leadId: lead.id,
  })
  const path = `/v2/campaigns/${campaign.id}/approvals/${text.id}`
  expect(await ask('PUT', path, { body: 'Hello {{ firstName }}' })).toMatchObject({ status: 400 })
  await done('PUT', path, { subject: 'For Ada', body: 'Good morning, {{ sender.fromName }}' })
  const closed = await post(`/v2/tasks/${task.id}/complete`)
  expect(closed).toMatchObject({ status: 'done', outcome: 'done', closedBy: expect.any(String) })
  expect(await ask('POST', `/v2/tasks/${task.id}/skip`, {})).toMatchObject({ status: 409 })
  expect(await ask('POST', `${path}/approve`, {})).toMatchObject({ status: 409 })
  await advance('2h')
  expect((await stateOf(campaign.id)).messages).toEqual([])
  await advance('12h')
  expect(await clock()).toBe('2027-02-02T09:00:00.000Z')
  await advance('30m')
  const after = await stateOf(campaign.id)
  expect(after.messages).toHaveLength(1)
  expect(after.messages[0]).toMatchObject({ subject: 'For Ada', status: 'sent' })
  expect(after.messages[0].sentAt.slice(0, 13)).toBe('2027-02-02T09')
  const mail = (await get(`/v2/sandbox/messages?leadId=${lead.id}`)).results
  expect((await get(`/v2/sandbox/messages/${mail[0].id}`)).text).toContain('Good morning, Mara')
  await advance('2h')
  expect((await stateOf(campaign.id)).messages).toHaveLength(2)
})

test('skipping an email by hand rejects its text, and its lead continues', async () => {
  const campaign = await launch('skipped')
  await advance('1h')
  const { task, text } = await stateOf(campaign.id)
  await post(`/v2/tasks/${task.id}/skip`, { note: 'Not now.' })
  const rejected = (await get(`/v2/campaigns/${campaign.id}/approvals?status=rejected`)).results
  expect(rejected).toMatchObject([{ id: text.id }])
  expect((await stateOf(campaign.id)).lead).toMatchObject({ status: 'pending', currentStep: 1 })
  await advance('1d')
  const { messages, lead } = await stateOf(campaign.id)
  expect(messages).toHaveLength(1)
  const { path } = await get(`/v2/campaigns/${campaign.id}/leads/${lead.id}`)
  expect(path.map(({ type, outcome }: AnswerBody) => [type, outcome])).toEqual([
    ['task', 'skipped'],
    ['email', 'sent'],
  ])
})

test('a decision where texts are approved closes the task', async () => {
  const [first, second] = [await launch('listed'), await launch('refused')]
  await advance('1h')
  const [one, two] = [await stateOf(first.id), await stateOf(second.id)]
  await post(`/v2/campaigns/${first.id}/approvals/${one.text.id}/approve`)
  await post(`/v2/campaigns/${second.id}/approvals/${two.text.id}/reject`)
  expect(await get(`/v2/tasks/${one.task.id}`)).toMatchObject({ status: 'done', closedBy: expect.any(String) })
  expect(await get(`/v2/tasks/${two.task.id}`)).toMatchObject({ status: 'skipped' })
  expect((await stateOf(second.id)).lead).toMatchObject({ status: 'pending', currentStep: 1 })
})

test('the end of a lead cancels its email by hand, and a lead without a value gets none', async () => {
  const campaign = await launch('ended', {
    leads: [{ email: 'ended@prospects.test', firstName: 'Eve' }, { email: 'unnamed@prospects.test' }],
  })
  await advance('1h')
  const tasks = (await get(`/v2/tasks?campaignId=${campaign.id}`)).results
  expect(tasks).toHaveLength(1)
  const leads = (await get(`/v2/campaigns/${campaign.id}/leads`)).results
  expect(leads.map(({ blockedReason }: AnswerBody) => blockedReason)).toEqual(['awaiting_approval', 'missing_variable'])
  await done('PUT', `/v2/campaigns/${campaign.id}/leads/${tasks[0].leadId}`, { status: 'stopped' })
  expect(await get(`/v2/tasks/${tasks[0].id}`)).toMatchObject({ status: 'canceled' })
})

test('a text by a model is refused in a step by hand', async () => {
  const steps = [{ byHand: true, variants: [{ ai: { presetId: 'prs_x', modelId: 'demo' } }] }]
  const refused = await ask('POST', '/v2/campaigns', { name: 'Model', steps })
  expect(refused.body.error.details.issues).toMatchObject([{ path: 'steps[0].variants[0].ai', rule: 'by_hand' }])
})

test('a queue of more than 100 waiting texts has pages and a count, and each text is read by its id', async () => {
  const people = Array.from({ length: 130 }, (_, index) => ({
    email: `many${index}@prospects.test`,
    firstName: `N${index}`,
  }))
  const campaign = await launch('many', { leads: people })
  const path = `/v2/campaigns/${campaign.id}/approvals`
  await advance('1h')
  const first = await get(`${path}?limit=100`)
  expect([first.results.length, first.pagination.totalCount, first.pagination.totalPages]).toEqual([100, 130, 2])
  const second = await get(`${path}?limit=100&cursor=${first.nextCursor}`)
  expect([second.results.length, second.nextCursor]).toEqual([30, null])
  const all: AnswerBody[] = [...first.results, ...second.results]
  expect(new Set(all.map(({ leadId }) => leadId)).size).toBe(130)
  expect((await get(`${path}?limit=100&page=2`)).results).toEqual(second.results)
  expect((await get(`/v2/tasks?campaignId=${campaign.id}&limit=1`)).pagination.totalCount).toBe(130)

  const last = all.at(-1)
  expect(await get(`${path}/${last.id}`)).toEqual(last)
  const edited = await done('PUT', `${path}/${last.id}`, { body: 'Hello by hand.' })
  expect(edited.textDigest).not.toBe(last.textDigest)
  expect(await get(`${path}/${last.id}`)).toEqual(edited)
  const stale = await ask('POST', `${path}/${last.id}/approve`, { textDigest: last.textDigest })
  expect([stale.status, stale.body.error.code]).toEqual([409, 'CONFLICT'])
  await post(`${path}/${last.id}/approve`, { textDigest: edited.textDigest })
  await post(`${path}/${all[0].id}/reject`)
  expect(await get(`${path}/${last.id}`)).toMatchObject({ status: 'approved', body: 'Hello by hand.' })
  expect(await get(`${path}/${all[0].id}`)).toMatchObject({ status: 'rejected' })
  expect((await get(`${path}?limit=1`)).pagination.totalCount).toBe(128)
  expect((await get(`${path}?limit=1&status=approved`)).pagination.totalCount).toBe(1)

  const other = await launch('another')
  for (const answer of [
    await ask('GET', `/v2/campaigns/${other.id}/approvals/${last.id}`),
    await ask('GET', `${path}/gen_unknown`),
    await server.call('GET', `${path}/${last.id}`, { key: server.keys.live }),
    await server.call('GET', `${path}/${last.id}`, { key: server.other.keys.test }),
  ])
    expect([answer.status, answer.body.error.code]).toEqual([404, 'NOT_FOUND'])
})
