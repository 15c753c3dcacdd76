import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '@overture/testing/database.ts'
import { isTransactionPooler, openSession, type Session } from './pooler.client.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

/** A pooler that lends processes by session or by transaction; `next` chooses among the free ones. */
function pooler(backends: number, mode: 'session' | 'transaction', next: (free: number) => number) {
  const free = Array.from({ length: backends }, (_, index) => index + 1)
  const take = (): number => {
    if (free.length === 0) throw new Error('A caller would wait for ever.')
    return free.splice(next(free.length), 1)[0] as number
  }
  let open = 0
  const connect = async (): Promise<Session> => {
    open++
    let held = mode === 'session' ? take() : null
    return {
      async backend() {
        if (held !== null) return held
        const pid = take()
        free.push(pid)
        return pid
      },
      async begin() {
        held ??= take()
      },
      async rollback() {
        if (mode === 'session' || held === null) return
        free.push(held)
        held = null
      },
      async end() {
        open--
        if (held !== null) free.push(held)
      },
    }
  }
  return { connect, left: () => open }
}

const orders: Record<string, (free: number) => number> = { oldest: () => 0, newest: (free) => free - 1 }

test('a transaction pooler is detected with any number and order of connections', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 30 }), fc.constantFrom('oldest', 'newest'), async (backends, order) => {
      const { connect, left } = pooler(backends, 'transaction', orders[order] as (free: number) => number)
      expect(await isTransactionPooler(connect)).toBe(true)
      expect(left()).toBe(0)
    }),
  )
})

test('a session pooler and the server itself are accepted', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 2, max: 30 }), fc.constantFrom('oldest', 'newest'), async (backends, order) => {
      const { connect, left } = pooler(backends, 'session', orders[order] as (free: number) => number)
      expect(await isTransactionPooler(connect)).toBe(false)
      expect(left()).toBe(0)
    }),
  )
  expect(await isTransactionPooler(() => openSession(database.url))).toBe(false)
})
