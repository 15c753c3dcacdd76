import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ForecastOutput } from '@overture/contract/delivery/delivery.ts'
import type { TestServer } from '@overture/testing/server.ts'
import { startRunningServer, type RunningProduct } from '@overture/testing/server/running-server.ts'
import { until } from '@overture/testing/server/until.ts'
import { startWholeServer } from '@overture/testing/server/whole-server.ts'

let server: TestServer
let senderId: string
const dayMs = 24 * 3_600_000
const everyDay = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
const sender = { email: 'ada@example.com', fromName: 'Ada', provider: 'sandbox', minGapSeconds: 0, maxGapSeconds: 0 }
beforeAll(async () => {
  server = await startWholeServer()
  await ask('POST', '/v2/sandbox/clock', { frozen: true })
  senderId = (await ask('POST', '/v2/sending-accounts', sender)).id
})
afterAll(() => server.stop())

const call = (method: string, path: string, body?: unknown) =>
  server.call(method, path, { key: server.keys.test, body })
const ask = async (method: string, path: string, body?: unknown) => {
  const answer = await call(method, path, body)
  expect([path, answer.status < 300, answer.body.error?.message]).toEqual([path, true, undefined])
  return answer.body
}
const content = (sendingAccountId: string) => ({
  name: 'Later',
  steps: [
    { variants: [{ subject: 'Hello', body: 'A question.' }] },
    { waitBefore: { value: 2, unit: 'days' }, variants: [{ body: 'Again.' }] },
  ],
  schedule: { timezone: 'UTC', windows: [{ days: everyDay, from: '00:00', to: '24:00' }] },
  sendingAccountIds: [sendingAccountId],
})
async function launch(count: number): Promise<{ path: string; ids: string[] }> {
  const { id } = await ask('POST', '/v2/campaigns', content(senderId))
  const leads = Array.from({ length: count }, (_, at) => ({ email: `${id}.${at}@prospects.test` }))
  const { results } = await ask('POST', `/v2/campaigns/${id}/leads`, { leads })
  await ask('POST', `/v2/campaigns/${id}/start`, {})
  return { path: `/v2/campaigns/${id}`, ids: results.map(({ leadId }: { leadId: string }) => leadId) }
}
const now = async () => new Date((await ask('GET', '/v2/sandbox/clock')).now).getTime()
const inDays = async (days: number) => new Date((await now()) + days * dayMs).toISOString()
const advance = (by: string) => ask('POST', '/v2/sandbox/clock/advance', { by })
const sentAt = async ({ path }: { path: string }, leadId: string): Promise<number[]> =>
  (await ask('GET', `${path}/leads/${leadId}/thread`)).messages
    .filter((one: { sentAt: string | null }) => one.sentAt !== null)
    .map((one: { sentAt: string }) => Date.parse(one.sentAt))

test('a lead paused until a time continues then, as forecast and explain predict', async () => {
  const campaign = await launch(3)
  const [first, between, going] = campaign.ids as [string, string, string]
  const toFirst = await inDays(4)
  const paused = await ask('PUT', `${campaign.path}/leads/${first}`, { status: 'paused', resumeAt: toFirst })
  expect(paused).toMatchObject({ status: 'paused', resumeAt: toFirst })
  await advance('1h')
  const toBetween = await inDays(10)
  await ask('PUT', `${campaign.path}/leads/${between}`, { status: 'paused', resumeAt: toBetween })

  const { next, gates } = await ask('GET', `${campaign.path}/leads/${between}/explain`)
  expect(next).toMatchObject({ position: 2, at: toBetween })
  expect(gates.find(({ gate }: { gate: string }) => gate === 'wait_not_over')).toMatchObject({
    passed: false,
    until: toBetween,
  })
  const forecast: ForecastOutput = await ask('GET', `${campaign.path}/forecast`)
  await advance('20d')
  const sent = (await Promise.all(campaign.ids.map((id) => sentAt(campaign, id)))).flat()
  const days = new Map<string, number>()
  for (const at of sent.filter((one) => one > Date.parse(toFirst) - 4 * dayMs + 3_600_000))
    days.set(new Date(at).toISOString().slice(0, 10), (days.get(new Date(at).toISOString().slice(0, 10)) ?? 0) + 1)
  expect(forecast.days.map((day) => [day.date, day.first + day.followUp])).toEqual(
    [...days].sort(([a], [b]) => (a < b ? -1 : 1)),
  )
  const [firstTimes, betweenTimes, goingTimes] = [
    await sentAt(campaign, first),
    await sentAt(campaign, between),
    await sentAt(campaign, going),
  ]
  expect([firstTimes.length, betweenTimes.length, goingTimes.length]).toEqual([2, 2, 2])
  expect(firstTimes[0]).toBeGreaterThanOrEqual(Date.parse(toFirst))
  expect(firstTimes[0]).toBeLessThan(Date.parse(toFirst) + 3_600_000)
  expect(betweenTimes[1]).toBeGreaterThanOrEqual(Date.parse(toBetween))
  expect(betweenTimes[1]).toBeLessThan(Date.parse(toBetween) + 3_600_000)
  const { results } = await ask('GET', '/v2/events?type=lead.status_changed&order=desc&limit=100')
  const resumed = results.filter(({ data }: { data: { reason: string } }) => data.reason === 'resume_at')
  expect(
    resumed.map(({ data, occurredAt }: { data: { leadId: string }; occurredAt: string }) => [data.leadId, occurredAt]),
  ).toEqual([
    [between, toBetween],
    [first, toFirst],
  ])
  expect((await ask('GET', campaign.path)).status).toBe('completed')
})

test('a bulk pause until a time applies to leads by id or filter', async () => {
  const campaign = await launch(4)
  await advance('1h')
  const [first, second, third, fourth] = campaign.ids as [string, string, string, string]
  const bulk = (body: object) => call('POST', `${campaign.path}/leads/bulk`, body)
  const resumeAt = await inDays(5)
  for (const [body, path] of [
    [{ status: 'active', resumeAt }, 'resumeAt'],
    [{ interest: 'won', resumeAt }, 'resumeAt'],
    [{ status: 'paused', resumeAt: await inDays(-1) }, 'resumeAt'],
    [{ status: 'paused', resumeAt: await inDays(400) }, 'resumeAt'],
  ] as const) {
    const refused = await bulk({ ids: [first], ...body })
    expect([refused.status, refused.body.error.details.issues[0].path]).toEqual([400, path])
  }
  expect((await bulk({ ids: [first, second], status: 'paused', resumeAt })).body).toMatchObject({ changed: 2 })
  const later = await inDays(9)
  expect((await bulk({ filter: {}, status: 'paused', resumeAt: later })).body).toMatchObject({
    changed: 2,
    skipped: { unchanged: 2 },
    more: false,
  })
  const { results } = await ask('GET', `${campaign.path}/leads`)
  expect(results.map((lead: { resumeAt: string }) => lead.resumeAt)).toEqual([resumeAt, resumeAt, later, later])
  await advance('6d')
  expect(
    await Promise.all([first, second, third, fourth].map(async (id) => (await sentAt(campaign, id)).length)),
  ).toEqual([2, 2, 1, 1])
  await advance('6d')
  expect(await Promise.all([third, fourth].map(async (id) => (await sentAt(campaign, id)).length))).toEqual([2, 2])
})

test('a later stop, resume, longer pause or campaign pause takes precedence', async () => {
  const campaign = await launch(5)
  const [stopped, byHand, longer, forgotten, held] = campaign.ids as [string, string, string, string, string]
  const put = (leadId: string, body: object) => ask('PUT', `${campaign.path}/leads/${leadId}`, body)
  const [soon, late] = [await inDays(2), await inDays(9)]
  for (const id of campaign.ids) await put(id, { status: 'paused', resumeAt: soon })
  await put(stopped, { status: 'stopped' })
  await put(byHand, { status: 'active' })
  expect(await put(longer, { resumeAt: late })).toMatchObject({ status: 'paused', resumeAt: late })
  expect(await put(forgotten, { resumeAt: null })).toMatchObject({ status: 'paused', resumeAt: null })
  // A lead from a response is valid input for an update.
  const read = await ask('GET', `${campaign.path}/leads/${held}`)
  expect(await put(held, read)).toMatchObject({ status: 'paused', resumeAt: soon })
  await advance('1h')
  await ask('POST', `${campaign.path}/pause`, {})
  await advance('3d')
  const status = async (id: string) => {
    const lead = await ask('GET', `${campaign.path}/leads/${id}`)
    return [lead.status, lead.resumeAt, lead.blockedReason]
  }
  expect(await Promise.all([stopped, longer, forgotten, held].map(status))).toEqual([
    ['stopped', null, null],
    ['paused', late, null],
    ['paused', null, null],
    ['pending', null, 'campaign_not_active'],
  ])
  await ask('POST', `${campaign.path}/resume`, {})
  await advance('20d')
  const counts = await Promise.all(campaign.ids.map(async (id) => (await sentAt(campaign, id)).length))
  expect(counts).toEqual([0, 2, 2, 0, 2])
  expect((await sentAt(campaign, longer))[0]).toBeGreaterThanOrEqual(Date.parse(late))
})

test("a time that is past, too far, or for a lead that isn't paused is refused", async () => {
  const { path, ids } = await launch(1)
  for (const body of [
    { status: 'paused', resumeAt: await inDays(-1) },
    { status: 'paused', resumeAt: await inDays(400) },
    { status: 'paused', resumeAt: 'tomorrow' },
    { resumeAt: await inDays(1) },
  ]) {
    const { status, body: refusal } = await call('PUT', `${path}/leads/${ids[0]}`, body)
    expect([body, status, refusal.error.details.issues[0].path]).toEqual([body, 400, 'resumeAt'])
  }
  expect(await ask('PUT', `${path}/leads/${ids[0]}`, { resumeAt: null })).toMatchObject({
    status: 'pending',
    resumeAt: null,
  })
})

test('a paused lead is resumed while the clock runs', async () => {
  const product: RunningProduct = await startRunningServer()
  try {
    const { body: made } = await product.test('POST', '/v2/sending-accounts', sender)
    const { body: campaign } = await product.test('POST', '/v2/campaigns', content(made.id))
    const path = `/v2/campaigns/${campaign.id}`
    const { body: added } = await product.test('POST', `${path}/leads`, { leads: [{ email: 'real@prospects.test' }] })
    const lead = `${path}/leads/${added.results[0].leadId}`
    const { body: clock } = await product.test('GET', '/v2/sandbox/clock')
    const resumeAt = new Date(Date.parse(clock.now) + 3_000).toISOString()
    await product.test('PUT', lead, { status: 'paused', resumeAt })
    await product.test('POST', `${path}/start`, {})
    await until(
      async () => (await product.test('GET', lead)).body.currentStep as number,
      (step) => step === 1,
    )
    const { body: thread } = await product.test('GET', `${lead}/thread`)
    expect(thread.messages[0].sentAt >= resumeAt).toBe(true)
  } finally {
    await product.stop()
  }
})
