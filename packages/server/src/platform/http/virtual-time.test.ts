import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { endpoint } from '@overture/contract/endpoint.ts'
import { startTestServer, type TestServer } from '@overture/testing/server.ts'
import { command } from './route.ts'

const addThing = endpoint({
  tag: 'Things',
  summary: 'Thing',
  scope: 'write',
  success: [200],
  output: z.strictObject({ now: z.string() }),
  operationId: 'addThing',
  call: 'things.addThing',
  method: 'POST',
  path: '/v2/things',
  environment: 'both',
})
const before = '2027-02-01T07:00:00.000Z'
const after = '2027-02-02T07:00:00.000Z'

let server: TestServer
let onThing: () => Promise<void>

beforeAll(async () => {
  server = await startTestServer({
    routes: () => [
      command(addThing, async ({ now }) => {
        await onThing()
        return { now: now.toISOString() }
      }),
    ],
  })
})
afterAll(() => server.stop())

beforeEach(async () => {
  onThing = () => Promise.resolve()
  await server.app.db.execute('delete from sandbox_clocks')
  await server.app.db.execute('insert into sandbox_clocks (account_id, frozen_at) values ($1, $2)', [
    server.testTenant.accountId,
    new Date(before),
  ])
})

const moveClock = 'update sandbox_clocks set frozen_at = $1'
const addWith = (key?: string) =>
  server.call('POST', '/v2/things', {
    key: server.keys.test,
    ...(key && { headers: { 'idempotency-key': key } }),
  })

async function waitersForLocks(): Promise<number> {
  const [row] = await server.app.db.query<{ count: number }>(
    `select count(*) as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return row?.count ?? 0
}

test.each([undefined, 'key-1'])('a command during a clock move runs after it (key: %s)', async (key) => {
  const { answer } = await server.app.db.transaction(async (tx) => {
    await tx.execute(moveClock, [new Date(after)])
    const adding = addWith(key)
    await expect.poll(waitersForLocks).toBe(1)
    return { answer: adding }
  })
  expect((await answer).body).toEqual({ now: after })
})

test('a clock move waits for a running command', async () => {
  let moved = false
  let moving: Promise<unknown> = Promise.resolve()
  onThing = async () => {
    moving = server.app.db.execute(moveClock, [new Date(after)]).then(() => (moved = true))
    await expect.poll(waitersForLocks).toBe(1)
    expect(moved).toBe(false)
  }
  expect((await addWith()).body).toEqual({ now: before })
  await moving
  expect(moved).toBe(true)
})
