import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestServer } from '@overture/testing/server.ts'
import { startWholeServer } from '@overture/testing/server/whole-server.ts'
import type { StoredPace } from '@overture/planner/deliverability/pace.ts'
import { dayIn } from '@overture/ground/time/time-zone.ts'
import { dailyAllowance } from '@overture/planner/pacing.ts'

/** The planner decides how many messages a mailbox may send today, and the overview computes the same number in SQL. Both must agree. */
let server: TestServer
beforeAll(async () => {
  server = await startWholeServer()
  const created = await server.call('POST', '/v2/sending-accounts', {
    key: server.keys.test,
    body: { provider: 'sandbox', email: 'ada@sender.test', fromName: 'Ada' },
  })
  expect(created.status).toBe(201)
})
afterAll(() => server.stop())

const dayMs = 86_400_000
const startMs = Date.parse('2026-03-01T00:00:00Z')
// Times around changes of daylight saving time and on both sides of midnight, in distant time zones.
const instants = fc.integer({ min: 0, max: 400 * 24 * 4 }).map((quarter) => new Date(startMs + quarter * (dayMs / 96)))
const senders = fc.record({
  dailyLimit: fc.integer({ min: 0, max: 500 }),
  reservedPerDay: fc.integer({ min: 0, max: 300 }),
  rampUp: fc.option(
    fc.record({
      enabled: fc.boolean(),
      startPerDay: fc.integer({ min: 1, max: 100 }),
      incrementPerDay: fc.integer({ min: 0, max: 50 }),
      mode: fc.constantFrom('fixed' as const, 'adaptive' as const),
      ceiling: fc.option(fc.integer({ min: 1, max: 300 })),
    }),
  ),
  allowance: fc.option(fc.integer({ min: 1, max: 400 })),
  rampStartedAt: fc.option(instants),
  timezone: fc.constantFrom('UTC', 'Europe/Berlin', 'America/Los_Angeles', 'Pacific/Kiritimati', 'Asia/Kathmandu'),
  status: fc.constantFrom('active', 'active', 'paused'),
})

type SenderCase = typeof senders extends fc.Arbitrary<infer S> ? S : never

async function capacityAt(sender: SenderCase, now: Date): Promise<number> {
  const { db } = server.app
  const { accountId } = server.testTenant
  await db.execute(
    `insert into sandbox_clocks (account_id, frozen_at) values ($1, $2)
     on conflict (account_id) do update set frozen_at = excluded.frozen_at`,
    [accountId, now],
  )
  await db.execute(
    `update sending_accounts set daily_limit = $2, ramp_up = $3, ramp_started_at = $4, timezone = $5, status = $6,
       reserved_per_day = $7, pace = $8
     where account_id = $1 and environment = 'test'`,
    [
      accountId,
      sender.dailyLimit,
      sender.rampUp === null ? null : JSON.stringify(sender.rampUp),
      sender.rampStartedAt,
      sender.timezone,
      sender.status,
      sender.reservedPerDay,
      JSON.stringify(paceOf(sender, now)),
    ],
  )
  const answer = await server.call('GET', '/v2/campaigns/summary', { key: server.keys.test })
  expect(answer.status).toBe(200)
  return (answer.body as { today: { capacity: number } }).today.capacity
}

/** The pace as it is stored after the first message of the day. */
function paceOf({ allowance, timezone, rampUp }: SenderCase, now: Date): StoredPace | null {
  const stored = { state: 'healthy' as const, since: now.toISOString(), badDay: null, reasons: [], used: 0 }
  const started = allowance ?? (rampUp?.mode === 'adaptive' ? rampUp.startPerDay : null)
  return started === null ? null : { ...stored, day: dayIn(timezone, now), allowance: started }
}

test("the overview's capacity equals the planner's allowance", async () => {
  await fc.assert(
    fc.asyncProperty(senders, instants, async (sender, now) => {
      const allowance =
        sender.status === 'active' ? dailyAllowance({ ...sender, pace: paceOf(sender, now) }, now.getTime()) : 0
      expect(await capacityAt(sender, now)).toBe(allowance)
    }),
    { numRuns: 40 },
  )
})
