import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '@overture/testing/database.ts'
import { createLogger } from '../../log.shell.ts'
import type { Executor } from '../database.ts'
import { createDatabase } from '../pool.client.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const commitOf = async (db: Executor) =>
  (await db.query<{ commit: string }>(`select current_setting('synchronous_commit') as commit`))[0]?.commit

test.each([1, 4])(
  'only relaxed work commits before it is on disk, on any reused connection (%i of them)',
  async (connectionsMax) => {
    const db = createDatabase({ url: database.url, log: createLogger('silent'), connectionsMax })
    for (let round = 0; round < 3; round++) {
      expect(await commitOf(db.relaxed())).toBe('off')
      expect(await commitOf(db)).toBe('on')
      expect(await db.relaxed().transaction(commitOf)).toBe('off')
      expect(await commitOf(db.within('acc_a'))).toBe('on')
      expect(await commitOf(db.relaxed())).toBe('off')
      expect(await db.transaction(commitOf)).toBe('on')
    }
    await db.close()
  },
)

test("a request's work is never relaxed", async () => {
  expect(await commitOf(database.db.within('acc_a').relaxed())).toBe('on')
  expect(await commitOf(database.db.relaxed().within('acc_a'))).toBe('on')
})

test("a changed commit mode keeps the connection's account, which changes only through row-level security", async () => {
  const db = createDatabase({ url: database.url, log: createLogger('silent'), connectionsMax: 1 })
  const placeOf = async (at: Executor) => {
    const [row] = await at.query<{ role: string; account: string; limit: string }>(
      `select current_user::text as role, current_setting('overture.account', true) as account,
         current_setting('statement_timeout') as limit`,
    )
    return row
  }
  const own = await placeOf(db)
  for (const at of [db.relaxed(), db, db.relaxed()]) expect(await placeOf(at)).toEqual(own)
  for (const account of ['acc_a', 'acc_b', 'acc_a']) {
    expect(await placeOf(db.within(account))).toEqual({ role: 'overture_request', account, limit: '10s' })
    expect(await placeOf(db.relaxed())).toMatchObject({ role: own?.role, limit: own?.limit })
  }
  await db.close()
})
