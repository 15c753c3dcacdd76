import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { endpoint } from '@overture/contract/endpoint.ts'
import { startTestServer, type TestServer } from '@overture/testing/server.ts'
import { until } from '@overture/testing/server/until.ts'
import { query } from '../http/route.ts'
import type { Executor } from './database.ts'

const lockKey = 42
const common = { tag: 'Things', scope: 'read', success: [200], output: z.strictObject({ ok: z.boolean() }) } as const
const holdThing = endpoint({
  ...common,
  operationId: 'holdThing',
  method: 'GET',
  path: '/v2/hold',
  environment: 'both',
  summary: 'Hold',
  call: 'things.hold',
})
const slowThing = endpoint({
  ...common,
  operationId: 'slowThing',
  method: 'GET',
  path: '/v2/slow',
  environment: 'both',
  summary: 'Slow',
  call: 'things.slow',
})

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({
    routes: () => [
      query(holdThing, async ({ app }) => {
        await app.db.query('select pg_advisory_xact_lock_shared($1)', [lockKey])
        return { ok: true }
      }),
      query(slowThing, async ({ app }) => {
        await app.db.transaction(async (tx) => {
          await tx.execute(`set local statement_timeout = '20ms'`)
          await tx.query('select pg_sleep(600)')
        })
        return { ok: true }
      }),
    ],
  })
})
afterAll(() => server.stop())

test('statements of requests end after ten seconds, and our own after two minutes', async () => {
  const { db } = server.app
  const seconds = async (of: Executor) => (await of.query<{ statementTimeout: string }>('show statement_timeout'))[0]
  const { accountId } = server.tenant
  for (let round = 0; round < 3; round++) {
    expect(await seconds(db.within(accountId))).toEqual({ statementTimeout: '10s' })
    expect(await seconds(db)).toEqual({ statementTimeout: '2min' })
    expect(await seconds(db.within(accountId).beyondWall())).toEqual({ statementTimeout: '10s' })
    expect(await db.within(accountId).transaction(seconds)).toEqual({ statementTimeout: '10s' })
    expect(await seconds(db.within(accountId).within(null))).toEqual({ statementTimeout: '2min' })
  }
})

test('beyondWall sees every row', async () => {
  const { db } = server.app
  const { accountId } = server.other.tenant
  const names = (of: typeof db) => of.query<{ accountId: string }>('select account_id from accounts')
  expect(await names(db.within(accountId))).toEqual([{ accountId }])
  expect((await names(db.within(accountId).beyondWall())).length).toBeGreaterThan(1)
  expect(await names(db.within(accountId).beyondWall().within(accountId))).toEqual([{ accountId }])
})

test('a request with a slow statement gets 503 with advice', async () => {
  const answer = await server.call('GET', '/v2/slow', { key: server.keys.liveRead })
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5'])
  expect(answer.body.error).toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    message: expect.stringContaining('use a narrower filter'),
  })
})

test("an account with too many requests doesn't slow down other accounts, keys and health checks", async () => {
  const { db } = server.app
  const requestCount = 40
  let answers: Promise<number[]> = Promise.resolve([])
  await db.transaction(async (tx) => {
    await tx.query('select pg_advisory_xact_lock($1)', [lockKey])
    answers = Promise.all(
      Array.from(
        { length: requestCount },
        async () => (await server.call('GET', '/v2/hold', { key: server.keys.live })).status,
      ),
    )
    const held = () =>
      tx.query(`select pid from pg_locks where locktype = 'advisory' and objid = $1 and not granted`, [lockKey])
    await until(held, (found) => found.length > 0)
    const fresh = await server.newKey({ scopes: ['read'] })
    for (let go = 0; go < 5; go++) {
      expect((await server.call('GET', '/v2/account', { key: server.other.keys.live })).status).toBe(200)
      expect((await server.call('GET', '/readyz')).status).toBe(200)
      expect((await server.call('GET', '/v2/nothing', { key: fresh.key })).status).toBe(404)
    }
    expect((await held()).length).toBeLessThanOrEqual(4)
  })
  expect(new Set(await answers)).toEqual(new Set([200]))
})
