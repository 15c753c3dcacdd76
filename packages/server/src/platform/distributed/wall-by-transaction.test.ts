import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createTestDatabase, type TestDatabase } from '@overture/testing/database.ts'
import { createLogger } from '../log.shell.ts'
import { createDatabase, type PoolDatabase } from '../db/pool.client.ts'

let database: TestDatabase
let db: PoolDatabase
const accounts = ['acc_one', "acc_with_'quotes"]

beforeAll(async () => {
  database = await createTestDatabase()
  for (const accountId of accounts)
    await database.db.execute(
      `insert into monthly_usage (account_id, month, requests) values ($1, '2026-01-01', 1), ($1, '2026-02-01', 2)`,
      [accountId],
    )
  db = createDatabase({
    url: database.url,
    log: createLogger('silent'),
    connectionsMax: 4,
    plans: 'generic',
    distributed: true,
  })
})
afterAll(async () => {
  await db.close()
  await database.drop()
})

const all = 'select account_id, month::text as month from monthly_usage'
const mayPutOnWall = async () =>
  (
    await db.query<{ has: boolean }>(`select exists (select from pg_roles where rolname = 'overture_request') as has`)
  )[0]!.has

test('requests see only their account, and no state stays in the session', async () => {
  expect(await mayPutOnWall()).toBe(true)
  const seen = async (accountId: string) => {
    const within = db.within(accountId)
    const one = await within.query<{ accountId: string }>(all)
    const many = await within.transaction((tx) => tx.query<{ accountId: string }>(all))
    return [...one, ...many].map((row) => row.accountId)
  }
  const rounds = Array.from({ length: 12 }, (_, index) => accounts[index % 2]!)
  const answers = await Promise.all(rounds.map(seen))
  expect(answers).toEqual(rounds.map((accountId) => Array.from({ length: 4 }, () => accountId)))
  // The next user of any connection is outside of every account.
  const settings = await Promise.all(
    Array.from({ length: 8 }, () =>
      db.query<{ role: string; account: string | null }>(
        `select current_user = session_user as role, nullif(current_setting('overture.account', true), '') as account`,
      ),
    ),
  )
  for (const [row] of settings) expect(row).toEqual({ role: true, account: null })
})

test('a transaction begins in a query of its own, which other servers do not get with a setting', async () => {
  const sent = vi.spyOn(pg.Client.prototype, 'query')
  await db.within(accounts[0]!).transaction((tx) => tx.query(all))
  const texts = sent.mock.calls.map(([first]) => String(first)).filter((text) => text.includes('begin'))
  sent.mockRestore()
  expect(texts).toEqual(['begin'])
})

test('a failed statement leaves no open transaction, and writes for other accounts are refused', async () => {
  const within = db.within(accounts[0]!)
  const foreign = `insert into monthly_usage (account_id, month, requests) values ('acc_other', '2026-01-01', 1)`
  for (let tries = 0; tries < 6; tries++) await expect(within.execute(foreign)).rejects.toThrow(/row-level security/)
  await expect(within.transaction((tx) => tx.execute(foreign))).rejects.toThrow(/row-level security/)
  expect(await within.execute(`update monthly_usage set requests = 3`)).toBe(2)
  const rows = await db.query<{ requests: number }>(`select requests from monthly_usage where requests = 3`)
  expect(rows).toHaveLength(2)
})

test('plan_cache_mode is auto, and transaction settings are sent to all servers', async () => {
  const [row] = await db.query(
    `select current_setting('plan_cache_mode') as plans, current_setting('citus.propagate_set_commands') as told`,
  )
  expect(row).toEqual({ plans: 'auto', told: 'local' })
})
