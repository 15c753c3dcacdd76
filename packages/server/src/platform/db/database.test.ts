import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestDatabase } from '@overture/testing/database.ts'
import { createTestDatabase } from '@overture/testing/database.ts'
import type { Executor } from './database.ts'
import { isUniqueViolation } from './errors.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
  await database.db.execute(
    'create table things (id bigint primary key, some_name text, day date, big numeric, at timestamptz, tags bigint[])',
  )
})
afterAll(() => database.drop())

test('rows have camelCase keys and the agreed types', async () => {
  const at = new Date('2026-03-01T10:00:00.123Z')
  await database.db.execute('insert into things values (1, $1, $2, 12.5, $3, $4)', ['a', '2026-03-29', at, [1, 2]])
  const [row] = await database.db.query('select * from things where id = $1', [1], 'find_thing')
  expect(row).toEqual({ id: 1, someName: 'a', day: '2026-03-29', big: 12.5, at, tags: [1, 2] })
})

test('an error rolls back, runs no callback and leaves the connection usable', async () => {
  let called = false
  const run = database.db.transaction(async (tx) => {
    tx.afterCommit(() => (called = true))
    await tx.execute('insert into things (id) values (2)')
    throw new Error('no')
  })
  await expect(run).rejects.toThrow('no')
  expect(called).toBe(false)
  expect(await database.db.query('select id from things where id = 2')).toEqual([])
})

test('a swallowed error inside a transaction is never committed', async () => {
  const run = database.db.transaction(async (tx) => {
    await tx.execute('insert into things (id) values (3)')
    await tx.execute('insert into things (id) values (3)').catch((error: unknown) => {
      expect(isUniqueViolation(error, 'things_pkey')).toBe(true)
    })
    return 'done'
  })
  await expect(run).rejects.toThrow('rolled back')
})

test('a snapshot transaction sees no later commits, and a conflict restarts it', async () => {
  await database.db.execute('insert into things (id, big) values (70, 1)')
  const big = async (tx: Executor) => (await tx.query<{ big: number }>('select big from things where id = 70'))[0]?.big
  let begun = 0
  const run = database.db.transaction(
    async (tx) => {
      const seen = await big(tx)
      if (++begun === 1) await database.db.execute('update things set big = 5 where id = 70')
      expect(await big(tx)).toBe(seen)
      await tx.execute('update things set big = big + 1 where id = 70')
      return seen
    },
    { oneSnapshot: true },
  )
  expect([await run, begun, await big(database.db)]).toEqual([5, 2, 6])
})

test('a transaction that runs once throws the conflict', async () => {
  await database.db.execute('insert into things (id, big) values (71, 5)')
  let begun = 0
  const run = database.db.transaction(
    async (tx) => {
      begun++
      await tx.query('select big from things where id = 71')
      await database.db.execute('update things set big = 6 where id = 71')
      await tx.execute('update things set big = big + 1 where id = 71')
    },
    { oneSnapshot: true, once: true },
  )
  await expect(run).rejects.toMatchObject({ code: '40001' })
  expect(begun).toBe(1)
})

test('a closed transaction refuses further statements', async () => {
  const tx = await database.db.transaction(async (open) => open)
  await expect(tx.query('select 1')).rejects.toThrow('has ended')
})

test('two transactions in a deadlock both succeed in the end', async () => {
  await database.db.execute('insert into things (id, big) values (10, 0), (11, 0)')
  let arrived = 0
  const both = signal()
  const bump = (first: number, second: number) =>
    database.db.transaction(async (tx) => {
      await tx.execute('update things set big = big + 1 where id = $1', [first])
      if (++arrived === 2) both.resolve()
      await both.promise
      await tx.execute('update things set big = big + 1 where id = $1', [second])
    })
  await Promise.all([bump(10, 11), bump(11, 10)])
  expect(await database.db.query('select big from things where id in (10, 11)')).toEqual([{ big: 2 }, { big: 2 }])
})

test('copies rows in and notifies listeners after the commit', async () => {
  const woken = signal()
  let calls = 0
  const stop = database.db.listen('test_channel', () => (++calls === 2 ? woken.resolve() : undefined))
  await expect.poll(() => calls).toBe(1)
  const rows = await database.db.transaction(async (tx) => {
    tx.wake('test_channel')
    return tx.copyFrom('copy things (id, some_name) from stdin', ['20\tx\n', '21\ty\n'])
  })
  expect(rows).toBe(2)
  await woken.promise
  stop()
})

test('connections ended by the server are replaced transparently', async () => {
  await database.db.query('select 1')
  await database.db.execute(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`,
  )
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => database.db.transaction((tx) => tx.query('select 1 as one'))),
  )
  expect(answers).toEqual(Array.from({ length: 5 }, () => [{ one: 1 }]))
})

function signal() {
  let resolve = (): void => undefined
  const promise = new Promise<void>((settle) => (resolve = settle))
  return { promise, resolve }
}
