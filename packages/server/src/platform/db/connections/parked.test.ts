import pg from 'pg'
import { afterEach, beforeAll, afterAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '@overture/testing/database.ts'
import { until } from '@overture/testing/server/until.ts'
import { ParkedConnections } from './parked.client.ts'

let database: TestDatabase
let pool: pg.Pool
const lost: Error[] = []
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())
afterEach(() => pool.end())

function open(connectionsMax: number) {
  lost.length = 0
  pool = new pg.Pool({ connectionString: database.url, max: connectionsMax })
  pool.on('error', (error) => lost.push(error))
  const parked = new ParkedConnections(pool, { connectionsMax, onLost: (error) => lost.push(error) })
  const take = async (use: string) => parked.take(use) ?? (await pool.connect())
  return { parked, take }
}

test('the same user gets its previous connection', async () => {
  const { parked, take } = open(20)
  const own = await take('own')
  parked.giveBack(own, 'own')
  const first = await take('a')
  expect(first).not.toBe(own)
  parked.giveBack(first, 'a')
  expect(await take('own')).toBe(own)
  expect(await take('a')).toBe(first)
  for (const [client, use] of [
    [own, 'own'],
    [first, 'a'],
  ] as const)
    parked.giveBack(client, use)
  parked.close()
  expect([pool.idleCount, pool.totalCount]).toEqual([2, 2])
})

test('a full pool lends the oldest parked connection, and waiting requests come before parking', async () => {
  const { parked, take } = open(2)
  const [a, b] = [await take('a'), await take('b')]
  parked.giveBack(a, 'a')
  parked.giveBack(b, 'b')
  expect(await take('c')).toBe(a)
  expect(await take('d')).toBe(b)
  const waiting = take('e')
  await until(() => Promise.resolve(pool.waitingCount === 1), Boolean)
  parked.giveBack(a, 'c')
  expect(await waiting).toBe(a)
  expect(parked.count).toBe(0)
  a.release()
  b.release()
})

test('at most as many connections are parked as accounts are active, and unused ones return', async () => {
  const { parked, take } = open(20)
  const clients = await Promise.all(Array.from({ length: 12 }, (_, index) => take(String(index))))
  for (const [index, client] of clients.entries()) parked.giveBack(client, String(index))
  expect([parked.count, pool.idleCount]).toEqual([8, 4])
  expect(await take('another')).toBe(clients[4])
  clients[4]!.release()
  await until(() => Promise.resolve(parked.count === 0), Boolean)
  expect(pool.idleCount).toBe(12)
})

test('a connection that ends while parked is reported and never lent again', async () => {
  const { parked, take } = open(20)
  const client = await take('a')
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  parked.giveBack(client, 'a')
  await database.db.query('select pg_terminate_backend($1)', [rows[0]?.pid])
  await until(() => Promise.resolve(lost.length === 1), Boolean)
  expect([parked.count, pool.totalCount]).toEqual([0, 0])
  const next = await take('a')
  expect(next).not.toBe(client)
  next.release()
})

test('a connection that ended in use is not parked', async () => {
  const { parked, take } = open(20)
  const client = await take('a')
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const ended = expect(client.query('select pg_sleep(60)')).rejects.toThrow(/terminat/)
  await database.db.query('select pg_terminate_backend($1)', [rows[0]?.pid])
  await ended
  await until(
    () =>
      client.query('select 1').then(
        () => null,
        (error: unknown) => error,
      ),
    (error) => error !== null,
  )
  parked.giveBack(client, 'a')
  expect([parked.count, pool.totalCount]).toEqual([0, 0])
})
