import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { setBalance } from '../packages/server/src/credits/index.ts'
import { type AiServer, modelId, startAiServer } from '@overture/testing/server/ai-server.ts'
import { until } from '@overture/testing/server/until.ts'

// Each test plays days of whole campaigns.
vi.setConfig({ testTimeout: 300_000 })

let ai: AiServer
let { model, server, db, advance, textsOf }: AiServer = {} as AiServer

beforeAll(async () => {
  ai = await startAiServer((body) => ({ text: JSON.stringify({ body: textFor(body), subjects: ['An idea'] }) }))
  ;({ model, server, db, advance, textsOf } = ai)
})
afterAll(() => ai.stop())
beforeEach(async () => {
  model.reset()
  await ai.toSaturday()
})

// The model's text contains the lead's fields from the prompt, so that a test sees what the text is based on.
function textFor(body: string): string {
  const request = JSON.parse(body) as { messages: { role: string; content: string | { text: string }[] }[] }
  const content = request.messages.at(-1)?.content ?? ''
  const user = typeof content === 'string' ? content : content.map((part) => part.text).join('')
  const name = /"firstName": "([^"]*)"/.exec(user)?.[1] ?? 'nobody'
  const task = /Task:\n(\w+)/.exec(user)?.[1] ?? ''
  return `Hi ${name}, ${task.toLowerCase()} whether we should talk.`
}

let number = 0

interface LaunchOptions {
  aiApproval?: string
  plain?: boolean
  names?: string[]
  followUp?: boolean
  waitDays?: number
}

async function launch(options: LaunchOptions = {}) {
  const { aiApproval = 'none', plain = false, names = ['One', 'Two'], followUp = false, waitDays = 3 } = options
  number += 1
  const sendingAccountId = await ai.newSender()
  const presetId = await ai.newPreset()
  const writer = { presetId, modelId }
  const text = { subject: 'Hello', body: 'Hi {{ firstName }}' }
  const steps = [{ variants: [plain ? text : { ai: writer }] }]
  const next = {
    waitBefore: { value: waitDays, unit: 'days' },
    variants: [plain ? { body: text.body } : { ai: writer }],
  }
  const launched = await server.test('POST', '/v2/campaigns/launch', {
    name: `c${number}`,
    sendingAccountIds: [sendingAccountId],
    settings: { aiApproval },
    steps: followUp ? [...steps, next] : steps,
    leads: names.map((name, index) => ({ email: `p${number}x${index}@prospects.test`, firstName: name })),
  })
  expect(launched.status).toBe(201)
  return { id: launched.body.id as string, presetId, steps: launched.body.steps }
}

const leadsOf = async (id: string) => (await server.test('GET', `/v2/campaigns/${id}/leads`)).body.results
const messagesOf = async (id: string) => {
  const threads = await Promise.all(
    (await leadsOf(id)).map((lead: { id: string }) =>
      server.test('GET', `/v2/campaigns/${id}/leads/${lead.id}/thread`),
    ),
  )
  return threads.flatMap((thread) => thread.body.messages)
}

test('texts are ready for approval before the window, follow-ups half a wait before they are due', async () => {
  const { id } = await launch({ aiApproval: 'all', followUp: true })
  const waiting = await until(
    () => textsOf(id, 'waiting'),
    (texts) => texts.length === 2,
  )
  expect((await leadsOf(id)).map((lead: { currentStep: number }) => lead.currentStep)).toEqual([0, 0])
  for (const text of waiting) await server.test('POST', `/v2/campaigns/${id}/approvals/${text.id}/approve`)
  await advance('2d')
  expect(await messagesOf(id)).toHaveLength(2)
  // The message is due on Thursday, so its text is written by Wednesday night.
  await advance('2d')
  expect(await messagesOf(id)).toHaveLength(2)
  expect(await textsOf(id, 'waiting')).toHaveLength(2)
  for (const text of await textsOf(id, 'waiting'))
    await server.test('POST', `/v2/campaigns/${id}/approvals/${text.id}/approve`)
  await advance('4d')
  expect(await messagesOf(id)).toHaveLength(4)
})

test('messages with AI are sent at the same times as without', async () => {
  const names = ['A', 'B', 'C', 'D', 'E']
  const written = await launch({ names, followUp: true })
  const plain = await launch({ names, plain: true, followUp: true })
  await advance('14d')
  const times = async (id: string) =>
    (await messagesOf(id)).map((message: { sentAt: string }) => message.sentAt.slice(0, 16)).toSorted()
  const expected = await times(plain.id)
  expect(expected).toHaveLength(10)
  expect(await times(written.id)).toEqual(expected)
})

test('a changed lead or preset gets a new text, and a text edited by a person stays', async () => {
  const { id, presetId } = await launch({ aiApproval: 'none', names: ['Old', 'Kept'] })
  await until(
    () => textsOf(id, 'approved'),
    (texts) => texts.length === 2,
  )
  const [first] = await leadsOf(id)
  const changed = (await leadsOf(id)).find((lead: { firstName: string }) => lead.firstName === 'Old') ?? first
  await server.test('PUT', `/v2/campaigns/${id}/leads/${changed.id}`, { firstName: 'New' })
  await until(
    () => textsOf(id, 'approved'),
    (texts) => texts.some((text: { body: string }) => text.body.includes('Hi New,')),
  )
  await server.test('PUT', `/v2/campaigns/ai-prompts/${presetId}`, { prompt: 'Wonder about {{ firstName }}.' })
  await advance('3d')
  const bodies = (await messagesOf(id)).map((message: { text: string }) => message.text)
  expect(bodies.toSorted()).toEqual([
    expect.stringContaining('Hi Kept, wonder'),
    expect.stringContaining('Hi New, wonder'),
  ])

  await ai.toSaturday()
  const second = await launch({ aiApproval: 'all', names: ['Mine'] })
  const [text] = await until(
    () => textsOf(second.id, 'waiting'),
    (texts) => texts.length === 1,
  )
  const path = `/v2/campaigns/${second.id}/approvals/${text.id}`
  await server.test('PUT', path, { body: 'My own words.' })
  await server.test('POST', `${path}/approve`)
  await server.test('PUT', `/v2/campaigns/ai-prompts/${second.presetId}`, { prompt: 'Wonder about {{ firstName }}.' })
  await advance('3d')
  expect((await messagesOf(second.id))[0].text).toContain('My own words.')
})

test('a failing model is retried with growing waits, and only checked texts are sent and charged', async () => {
  const before = (await server.test('GET', '/v2/account')).body.credits.balance
  model.turns = [
    { status: 400 },
    { nonsense: 'no JSON' },
    { text: 'no JSON' },
    { text: '{"body":"[Name]","subjects":["a"]}' },
  ]
  const { id } = await launch({ names: ['Eve'] })
  await advance('4d')
  expect((await messagesOf(id)).map((message: { text: string }) => message.text)).toEqual([
    expect.stringContaining('Hi Eve,'),
  ])
  expect((await server.test('GET', '/v2/account')).body.credits.balance).toBe(before - 1)
})

test('a batch that failed completely is written after the model works again', async () => {
  model.usual = { status: 500 }
  const { id } = await launch({ names: ['Eve', 'Ida'] })
  await advance('3h')
  const requested = await textsOf(id, 'requested')
  expect(requested).toHaveLength(2)
  for (const text of requested) expect(text.error).toContain('Nothing was charged')
  const callCount = model.calls.length
  await advance('1h')
  // Each of the two texts is requested once in the hour, plus the provider's own retries.
  expect(model.calls.length - callCount).toBeLessThanOrEqual(2 * 6)
  const [mine] = requested
  const path = `/v2/campaigns/${id}/approvals/${mine.id}`
  expect((await server.test('PUT', path, { subject: 'Hello', body: 'By hand.' })).body.status).toBe('waiting')
  model.reset()
  await advance('1h')
  expect((await textsOf(id, 'approved')).map((text: { leadId: string }) => text.leadId)).toEqual([requested[1].leadId])
  expect((await textsOf(id, 'waiting'))[0]).toMatchObject({ id: mine.id, body: 'By hand.', edited: true })
})

test('a text approved while the planner holds its lead is sent', async () => {
  const { id } = await launch({ aiApproval: 'all', names: ['Eve'] })
  await until(
    () => textsOf(id, 'waiting'),
    (texts) => texts.length === 1,
  )
  // The approval happens after the planner read the text and before it holds the lead, so the approval finds no held lead to release.
  await db.execute(`create function approve() returns trigger language plpgsql as $$ begin
    update step_drafts set status = 'approved' where lead_id = new.lead_id; return new; end $$`)
  await db.execute(`create trigger approve before update on lead_progress for each row
    when (new.blocked_reason = 'awaiting_approval') execute function approve()`)
  try {
    // Lets the planner plan the lead again.
    await db.execute(`update lead_progress set blocked_reason = null, attempt_at = due_at where campaign_id = $1`, [id])
    await server.test('PUT', `/v2/campaigns/${id}`, { name: 'Looked at' })
    await advance('3d')
    expect(await messagesOf(id)).toHaveLength(1)
  } finally {
    await db.execute('drop trigger approve on lead_progress')
  }
})

test("a text that the model can't write is shown as failed, and is sent when a person writes it", async () => {
  model.usual = { status: 400 }
  const { id } = await launch({ names: ['Eve'] })
  await advance('47h')
  expect(await messagesOf(id)).toEqual([])
  const [failed] = await textsOf(id, 'failed')
  expect(failed.error).toContain('Nothing was charged')
  const path = `/v2/campaigns/${id}/approvals/${failed.id}`
  expect((await server.test('POST', `${path}/approve`)).status).toBe(409)
  expect((await server.test('PUT', path, { subject: 'Hello', body: 'By hand.' })).body.status).toBe('waiting')
  expect((await server.test('POST', `${path}/approve`)).body.status).toBe('approved')
  await advance('3d')
  expect((await messagesOf(id))[0]).toMatchObject({ subject: 'Hello', text: expect.stringContaining('By hand.') })
})

test('missing credits pause a campaign when a lead is due, and new credits resume it', async () => {
  const [account] = await db.query<{ accountId: string }>('select account_id from accounts')
  const tenant = { accountId: account?.accountId ?? '', environment: 'test' as const }
  const set = (balance: number) => db.transaction((tx) => setBalance(tx, tenant, { balance }))
  await set(1)
  const { id } = await launch({ names: ['Poor'], followUp: true })
  const campaign = async () => (await server.test('GET', `/v2/campaigns/${id}`)).body
  // The first message is sent on Monday. The follow-up is due on Thursday morning, and its text can't be written on Wednesday.
  await advance('2d')
  expect(await messagesOf(id)).toHaveLength(1)
  await advance('50h')
  expect((await textsOf(id, 'failed'))[0].error).toBe('insufficient_credits')
  expect((await campaign()).status).toBe('active')
  await advance('1d')
  expect(await campaign()).toMatchObject({ status: 'paused', statusReason: 'credits_exhausted' })
  expect(await messagesOf(id)).toHaveLength(1)
  expect((await server.test('POST', `/v2/campaigns/${id}/resume`)).body.error.details.blockers[0].code).toBe(
    'insufficient_credits',
  )
  await set(10)
  expect((await server.test('POST', `/v2/campaigns/${id}/resume`)).status).toBe(200)
  await advance('4d')
  expect(await messagesOf(id)).toHaveLength(2)
  expect(await campaign()).toMatchObject({ status: 'completed' })
})

test("a campaign's AI costs are the sum of its generations, each with one ledger entry", async () => {
  const { id } = await launch({ names: ['A', 'B', 'C'] })
  await advance('4d')
  const [lead] = await leadsOf(id)
  await server.test('POST', '/v2/ai/generate-email', { modelId, prompt: 'Ask.', campaignId: id, leadId: lead.id })
  await server.test('POST', '/v2/ai/generate-email', { modelId, prompt: 'Ask.', lead: { firstName: 'Elsewhere' } })
  const stats = (await server.test('GET', `/v2/campaigns/${id}/stats`)).body
  expect(stats.ai).toEqual({ generations: 4, credits: 4, promptTokens: 40, completionTokens: 20 })
  const rows = (await server.test('GET', `/v2/ai/generations?campaignId=${id}`)).body
  expect(rows.pagination.totalCount).toBe(4)
  expect(rows.results.map((row: { kind: string }) => row.kind).toSorted()).toEqual(['email', 'step', 'step', 'step'])
  const ledger = (await server.test('GET', '/v2/billing/ledger?limit=100')).body.results
  for (const row of rows.results) {
    const entries = ledger.filter((entry: { reference: string }) => entry.reference === row.id)
    expect(entries).toMatchObject([{ type: 'charge', amount: -row.creditsCharged }])
  }
  expect((await server.test('GET', `/v2/ai/generations?campaignId=${id}&kind=email`)).body.results).toHaveLength(1)
})

test("an erasure deletes a person's generated texts and keeps their costs", async () => {
  const { id } = await launch({ names: ['Secretname'] })
  await advance('4d')
  const [lead] = await leadsOf(id)
  await server.test('POST', '/v2/ai/generate-email', { modelId, prompt: 'Ask.', campaignId: id, leadId: lead.id })
  const people = (await server.test('GET', `/v2/leads?q=${encodeURIComponent(lead.email)}`)).body.results
  expect((await server.test('DELETE', `/v2/leads/${people[0].id}`)).status).toBe(200)
  const left = await db.query<{ left: string }>(
    `select g::text as left from generations g where campaign_id = $1
     union all select d::text from step_drafts d where campaign_id = $1`,
    [id],
  )
  expect(left).toHaveLength(2)
  expect(JSON.stringify(left)).not.toContain('Secretname')
  expect((await server.test('GET', `/v2/campaigns/${id}/stats`)).body.ai.credits).toBe(2)
})

test('live texts are written ahead with few calls at a time, and a busy provider is retried', async () => {
  await server.live('PUT', '/v2/account', { postalAddress: '1 Example Street' })
  // No server listens on this port, since nothing should be sent.
  const smtp = { host: '127.0.0.1', port: 9, security: 'none', username: 'ada', password: 'secret' }
  const sender = { email: 'live@sender.example.com', fromName: 'Ada', provider: 'smtp', smtp }
  const sendingAccountId = (await server.live('POST', '/v2/sending-accounts', sender)).body.id
  const preset = await server.live('POST', '/v2/campaigns/ai-prompts', { name: 'P', prompt: 'Ask {{ firstName }}.' })
  const day = new Date()
  // The campaign starts days later, so nothing is sent at any hour of this test run.
  const startDate = new Date(day.getTime() + 5 * 86_400_000).toISOString().slice(0, 10)
  model.turns = [{ status: 429, headers: { 'retry-after': '4' } }]
  const launched = await server.live('POST', '/v2/campaigns/launch', {
    name: 'live',
    sendingAccountIds: [sendingAccountId],
    settings: { aiApproval: 'all' },
    schedule: { startDate },
    steps: [{ variants: [{ ai: { presetId: preset.body.id, modelId } }] }],
    leads: Array.from({ length: 12 }, (_, index) => ({ email: `live${index}@example.com`, firstName: `L${index}` })),
  })
  expect(launched.body).toMatchObject({ status: 'scheduled' })
  const texts = async () =>
    (await server.live('GET', `/v2/campaigns/${launched.body.id}/approvals?limit=100`)).body.results
  await until(texts, (waiting) => waiting.length === 12)
  expect(model.calls).toHaveLength(13)
  expect(model.runningMax).toBeLessThanOrEqual(2)
  const [refused = 0, ...later] = model.calls.map((call) => call.startedMs)
  // One other call may have been in progress when the first was refused.
  expect(later.filter((at) => at - refused < 3900).length).toBeLessThanOrEqual(1)
})
