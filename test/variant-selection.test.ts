import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Analytics } from '@overture/contract/analytics/analytics.ts'
import type { TestServer } from '@overture/testing/server.ts'
import { startWholeServer } from '@overture/testing/server/whole-server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startWholeServer()
  await post('/v2/sandbox/clock', { frozen: true })
  await post('/v2/sandbox/clock/advance', { to: '2027-02-01T07:00:00.000Z' })
})
afterAll(() => server.stop())

const post = async (path: string, body: unknown) => {
  const answer = await server.call('POST', path, { key: server.keys.test, body })
  expect([path, answer.status < 300, answer.text]).toEqual([path, true, expect.anything()])
  return answer.body
}
const get = async (path: string) => (await server.call('GET', path, { key: server.keys.test })).body

const leads = Array.from({ length: 400 }, (_, index) => ({
  email: `lead${index}@prospects.test`,
  firstName: `N${index}`,
}))
const perDay = 80

async function launch(variantSelection: 'weighted' | 'auto'): Promise<string> {
  const sender = await post('/v2/sending-accounts', {
    email: `mara@${variantSelection}.test`,
    fromName: 'Mara Vogel',
    provider: 'sandbox',
    timezone: 'UTC',
    dailyLimit: perDay,
    minGapSeconds: 0,
    maxGapSeconds: 0,
  })
  const variants = ['A', 'B'].map((label) => ({ label, subject: `Question ${label}`, body: 'Hi {{ firstName }}' }))
  const launched = await post('/v2/campaigns/launch', {
    name: variantSelection,
    sendingAccountIds: [sender.id],
    schedule: { timezone: 'UTC', windows: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '08:00', to: '18:00' }] },
    steps: [{ variantSelection, variants }],
    leads,
  })
  expect(launched.steps[0].variantSelection).toBe(variantSelection)
  return launched.id
}

const variantsOf = async (id: string): Promise<Analytics['variants']> =>
  (await get(`/v2/campaigns/${id}/analytics`)).variants.toSorted((a: { label: string }, b: { label: string }) =>
    a.label.localeCompare(b.label),
  )

/** Simulates one day in which every third recipient of B replies, and none of A. Returns how many messages each variant got. */
async function day(id: string, answered: Set<string>): Promise<[number, number]> {
  const before = await variantsOf(id)
  await post('/v2/sandbox/clock/advance', { by: '1d' })
  const sent = (await get(`/v2/campaigns/${id}/activity?type=message.sent&limit=100`)).results
  const good = (await variantsOf(id))[1]!.variantId
  for (const event of sent.filter(({ data }: { data: { variantId: string } }) => data.variantId === good)) {
    if (answered.has(event.leadId) || Number(/\d+/.exec(event.leadEmail)![0]) % 3 > 0) continue
    answered.add(event.leadId)
    await post('/v2/sandbox/inbound', { leadId: event.leadId, kind: 'reply', text: 'Tell me more' })
  }
  const after = await variantsOf(id)
  return [after[0]!.sent - before[0]!.sent, after[1]!.sent - before[1]!.sent]
}

test('the variant with replies gets most of the next leads after enough deliveries', async () => {
  const auto = await launch('auto')
  const answered = new Set<string>()
  expect((await variantsOf(auto)).map(({ nextShare }) => nextShare)).toEqual([0.5, 0.5])
  const first = await day(auto, answered)
  expect(first[0] + first[1]).toBe(perDay)
  expect(Math.min(...first)).toBeGreaterThan(perDay / 4)
  // With fewer than 50 deliveries of either variant, the shares follow the weights whatever the replies are.
  expect((await variantsOf(auto)).map(({ nextShare }) => nextShare)).toEqual([0.5, 0.5])
  await day(auto, answered)
  const known = await variantsOf(auto)
  expect(Math.min(...known.map(({ delivered }) => delivered))).toBeGreaterThanOrEqual(50)
  expect(known[1]!.uniqueReplied).toBeGreaterThan(15)
  expect(known[1]!.nextShare).toBeGreaterThan(0.95)
  const [a, b] = await day(auto, answered)
  expect(a + b).toBe(perDay)
  expect(b).toBeGreaterThan(perDay * 0.9)
})

test('preview, message and statistics agree, and weights alone stay fair', async () => {
  const weighted = await launch('weighted')
  const pending = (await get(`/v2/campaigns/${weighted}/leads?limit=5`)).results
  const previews = new Map<string, string>()
  for (const { id: leadId } of pending) {
    previews.set(leadId, (await post(`/v2/campaigns/${weighted}/preview`, { leadId })).variantId)
  }
  const answered = new Set<string>()
  for (let round = 0; round < 2; round++) {
    const [a, b] = await day(weighted, answered)
    expect(Math.min(a, b)).toBeGreaterThan(perDay / 4)
  }
  for (const [leadId, variantId] of previews) {
    const { messages } = await get(`/v2/campaigns/${weighted}/leads/${leadId}/thread`)
    if (messages.length > 0) expect(messages[0].variantId).toBe(variantId)
  }
  expect((await variantsOf(weighted)).map(({ nextShare }) => nextShare)).toEqual([0.5, 0.5])
})
