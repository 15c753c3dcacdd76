import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
  for (const id of ['acc_a', 'acc_b']) await database.db.execute(insertUsage, [id])
})
afterAll(() => database.drop())

const insertUsage = `insert into monthly_usage (account_id, month, requests) values ($1, '2026-11-01', 1)`
const count = `select count(*) as count from monthly_usage`

test('a statement that forgot its where sees and changes one account', async () => {
  const within = database.db.within('acc_a')
  expect(await within.query(count)).toEqual([{ count: 1 }])
  expect(await within.transaction((tx) => tx.query(count))).toEqual([{ count: 1 }])
  expect(await within.execute('update monthly_usage set requests = 2')).toBe(1)
  expect(await within.execute('delete from monthly_usage where account_id = $1', ['acc_b'])).toBe(0)
  const others = await database.db.query('select account_id, requests from monthly_usage order by 1')
  expect(others).toEqual([
    { accountId: 'acc_a', requests: 2 },
    { accountId: 'acc_b', requests: 1 },
  ])
})

test('nothing is written for another account', async () => {
  await expect(database.db.within('acc_a').execute(insertUsage, ['acc_c'])).rejects.toThrow(/row-level security/)
  const move = database.db.within('acc_a').execute(`update monthly_usage set account_id = 'acc_b'`)
  await expect(move).rejects.toThrow(/row-level security/)
})

test('a connection serves one account after another, and all of them, whatever was rolled back', async () => {
  const seen = async (account: string | null) => {
    const db = account === null ? database.db : database.db.within(account)
    return (await db.query<{ accountId: string }>('select account_id from monthly_usage order by 1'))
      .map(({ accountId }) => accountId)
      .join(' ')
  }
  for (let round = 0; round < 3; round++) {
    expect(await seen('acc_a')).toBe('acc_a')
    await expect(database.db.within('acc_b').transaction((tx) => tx.query('select 1 / 0'))).rejects.toThrow('zero')
    expect(await seen(null)).toBe('acc_a acc_b')
    expect(await seen('acc_b')).toBe('acc_b')
    expect(await seen('acc_none')).toBe('')
  }
  expect(database.db.usage().total).toBe(1)
})

test('every table of accounts has the wall', async () => {
  const rows = await database.db.query<{ name: string; walled: boolean }>(
    `select c.relname as name, c.relrowsecurity and exists (select from pg_policy p where p.polrelid = c.oid) as walled
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'account_id' and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')`,
  )
  expect(rows.length).toBeGreaterThan(40)
  expect(rows.filter(({ walled }) => !walled)).toEqual([])
})
