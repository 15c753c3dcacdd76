import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '@overture/testing/database.ts'
import { insertTestAccount, insertTestSender } from '@overture/testing/delivery/delivery-fixtures.sql.ts'
import type { Database } from '../platform/db/database.ts'
import { readSenderWithSecrets } from './sender-reads.shell.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(async () => {
  await database.drop()
})

/** Counts the queries. */
function watched(): [Database, () => number] {
  let queryCount = 0
  const query: Database['query'] = (...args) => {
    queryCount++
    return database.db.query(...args)
  }
  return [{ ...database.db, query }, () => queryCount]
}

test('reads of one tenant in the same turn share a statement, and each gets its own sender', async () => {
  const [one, two] = [await insertTestAccount(database.db), await insertTestAccount(database.db)]
  const ids: string[] = []
  for (let at = 0; at < 5; at++) ids.push(await insertTestSender(database.db, one, { port: 1 }))
  const foreign = await insertTestSender(database.db, two, { port: 1 })
  const [db, queryCount] = watched()
  const wanted = [...ids, ids[0]!, 'snd_gone', foreign]
  const found = await Promise.all(wanted.map((id) => readSenderWithSecrets(db, one, id)))
  expect(found.map((sender) => sender?.id ?? null)).toEqual([...ids, ids[0], null, null])
  expect(queryCount()).toBe(1)
  const both = await Promise.all([readSenderWithSecrets(db, one, foreign), readSenderWithSecrets(db, two, foreign)])
  expect(both.map((sender) => sender?.id ?? null)).toEqual([null, foreign])
  expect(queryCount()).toBe(3)
})

test('a read sees earlier writes, and a failed statement fails all its reads', async () => {
  const tenant = await insertTestAccount(database.db)
  const id = await insertTestSender(database.db, tenant, { port: 1 })
  const [db] = watched()
  await readSenderWithSecrets(db, tenant, id)
  await database.db.execute(`update sending_accounts set from_name = 'New' where id = $1`, [id])
  expect((await readSenderWithSecrets(db, tenant, id))?.fromName).toBe('New')
  const broken: Database = { ...database.db, query: () => Promise.reject(new Error('away')) }
  const reads = await Promise.allSettled([id, id].map((one) => readSenderWithSecrets(broken, tenant, one)))
  expect(reads.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
})
