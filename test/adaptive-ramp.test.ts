import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { TestServer } from '@overture/testing/server.ts'
import { startWholeServer } from '@overture/testing/server/whole-server.ts'

// Each test plays weeks of a campaign.
vi.setConfig({ testTimeout: 300_000 })

/** Source: docs/deliverability.md. */
let server: TestServer
beforeAll(async () => {
  server = await startWholeServer()
  await ask('POST', '/v2/sandbox/clock', { frozen: true })
  await ask('POST', '/v2/sandbox/clock/advance', { to: '2027-03-01T00:00:00Z' })
})
afterAll(() => server.stop())

const ask = async (method: string, path: string, body?: unknown) => {
  const answer = await server.call(method, path, { key: server.keys.test, body })
  expect([path, answer.status < 300, answer.body.error]).toEqual([path, true, undefined])
  return answer.body
}
const nextDay = () => ask('POST', '/v2/sandbox/clock/advance', { by: '1d' })

interface Ramp {
  email: string
  rampUp?: object
  protects?: boolean
}

async function launch({ email, rampUp, protects = true }: Ramp, leads: readonly string[]) {
  const sender = { email, fromName: 'Ada', provider: 'sandbox', minGapSeconds: 0, maxGapSeconds: 0, timezone: 'UTC' }
  const { id: senderId } = await ask('POST', '/v2/sending-accounts', { ...sender, dailyLimit: 60, rampUp })
  const { id } = await ask('POST', '/v2/campaigns/launch', {
    name: email,
    steps: [{ variants: [{ subject: 'Hello', body: 'A question.' }] }],
    schedule: {
      timezone: 'UTC',
      windows: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], from: '08:00', to: '18:00' }],
    },
    settings: { bounceProtection: { enabled: protects } },
    sendingAccountIds: [senderId],
    leads: leads.map((address) => ({ email: address })),
  })
  return { id, senderId }
}

const adaptive = { enabled: true, mode: 'adaptive', startPerDay: 10, incrementPerDay: 5 }
const people = (count: number, name: string, tag = '') =>
  Array.from({ length: count }, (_, at) => `${name}${at}${tag}@prospects.test`)

const daysOf = async (id: string) => (await ask('GET', `/v2/campaigns/${id}/analytics?interval=day`)).series
const sentByDay = async (id: string): Promise<number[]> => (await daysOf(id)).map((day: { sent: number }) => day.sent)

test('the ramp slows down on the day of bounces, recovers after clean days, and the forecast agrees', async () => {
  // Days 1 to 4 send 10, 15, 20 and 25 messages. Of the 30 of day 5, three bounce: 3 of the last 100.
  const leads = [...people(70, 'a'), ...people(3, 'gone', '+bounce'), ...people(927, 'b')]
  const rampUp = { ...adaptive, ceiling: 30 }
  const { id, senderId } = await launch({ email: 'adaptive@example.com', rampUp }, leads)
  for (let day = 1; day <= 5; day++) await nextDay()
  const after = await ask('GET', `/v2/sending-accounts/${senderId}`)
  expect(after.deliverability).toMatchObject({
    state: 'cooling',
    reviewAt: '2027-03-13T00:00:00.000Z',
    reasons: [{ signal: 'bounces', value: 0.03, threshold: 0.03, sample: 100, scope: 'mailbox' }],
  })
  const forecast = await ask('GET', `/v2/campaigns/${id}/forecast`)
  const planned = forecast.days.map((day: { first: number; followUp: number }) => day.first + day.followUp).slice(0, 35)
  expect(await ask('GET', '/v2/deliverability/domains/example.com')).toMatchObject({
    state: 'cooling',
    score: 40,
    senders: [{ sendingAccountId: senderId, state: 'cooling', reasons: after.deliverability.reasons }],
  })
  for (let day = 6; day <= 40; day++) await nextDay()
  const sent = await sentByDay(id)
  expect(sent.slice(0, 4)).toEqual([10, 15, 20, 25])
  expect(sent.slice(5, 40)).toEqual(planned)
  expect(sent.slice(5, 40)).toEqual([16, 12, 10, 10, 10, 10, 10, 15, 20, 25, ...Array<number>(25).fill(30)])
  expect(await ask('GET', '/v2/deliverability/domains/example.com')).toMatchObject({
    state: 'healthy',
    score: 100,
    senders: [{ state: 'healthy', reasons: [] }],
  })
  const events = (await ask('GET', '/v2/events?type=sending_account.deliverability_changed')).results
  expect(events.map(({ data }: { data: { from: string; to: string } }) => [data.from, data.to])).toEqual([
    ['healthy', 'watch'],
    ['watch', 'cooling'],
    ['cooling', 'healthy'],
  ])
})

test('explain has the state with its reason, and a fixed ramp reports the state without slowing down', async () => {
  const leads = [...people(58, 'c'), ...people(2, 'away', '+bounce'), ...people(100, 'd')]
  const rampUp = { enabled: true, startPerDay: 40, incrementPerDay: 10 }
  const { id, senderId } = await launch({ email: 'fixed@example.com', rampUp }, leads)
  await nextDay()
  await nextDay()
  const { deliverability, rampUp: shown } = await ask('GET', `/v2/sending-accounts/${senderId}`)
  expect(shown).toEqual(rampUp)
  expect(deliverability).toMatchObject({ state: 'watch', allowanceToday: 60 })
  const { results } = await ask('GET', `/v2/campaigns/${id}/leads?status=pending`)
  const explained = await ask('GET', `/v2/campaigns/${id}/leads/${results.at(-1).id}/explain`)
  const { detail } = explained.gates.find(({ gate }: { gate: string }) => gate === 'sender_daily_limit')
  expect(detail).toMatch(/watch since \d+ April: bounces 2\.\d+ %/)
})

test('bounces without the protection of a campaign cool the sender down and never pause it', async () => {
  const leads = [...people(20, 'e'), ...people(5, 'lost', '+bounce'), ...people(40, 'f')]
  const open = await launch({ email: 'open@example.com', rampUp: adaptive, protects: false }, leads)
  for (let day = 1; day <= 3; day++) await nextDay()
  const sender = await ask('GET', `/v2/sending-accounts/${open.senderId}`)
  expect(sender).toMatchObject({ status: 'active', deliverability: { state: 'cooling' } })
})

test('a person who resumes a held sender lets it cool down first', async () => {
  const leads = [...people(20, 'g'), ...people(5, 'none', '+bounce'), ...people(40, 'h')]
  const { senderId } = await launch({ email: 'held@example.com', rampUp: adaptive }, leads)
  for (let day = 1; day <= 3; day++) await nextDay()
  const path = `/v2/sending-accounts/${senderId}`
  expect(await ask('GET', path)).toMatchObject({
    status: 'paused',
    statusReason: 'bounce_rate',
    deliverability: { state: 'held', reviewAt: null },
  })
  expect((await ask('POST', `${path}/resume`)).deliverability).toMatchObject({ state: 'cooling' })
})

test('a ceiling below the start, and a ceiling of another type, are refused by field', async () => {
  const body = { email: 'x@example.com', provider: 'sandbox', rampUp: { ...adaptive, ceiling: 5 } }
  const low = await server.call('POST', '/v2/sending-accounts', { key: server.keys.test, body })
  expect([low.status, low.body.error.details.issues[0].path]).toEqual([400, 'rampUp.ceiling'])
  const wrong = { ...body, rampUp: { ...adaptive, mode: 'quick' } }
  const refused = await server.call('POST', '/v2/sending-accounts', { key: server.keys.test, body: wrong })
  expect([refused.status, refused.body.error.details.issues[0].path]).toEqual([400, 'rampUp.mode'])
})
