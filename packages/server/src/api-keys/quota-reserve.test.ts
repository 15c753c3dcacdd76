import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../platform/db/database.ts'
import { createTestDatabase, type TestDatabase } from '@overture/testing/database.ts'
import { insertTestAccount } from '@overture/testing/delivery/delivery-fixtures.sql.ts'
import { findRequestsTaken } from './api-keys.sql.ts'
import { reserveSize, QuotaReserve, reserveBlock } from './quota-reserve.shell.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

test('a block is at most the rest, and at least one while any is left', () => {
  fc.assert(
    fc.property(fc.nat(3_000_000), fc.nat(3_000_000), fc.integer({ min: 1, max: 256 }), (taken, limit, wanted) => {
      const block = reserveSize(taken, { limit, block: wanted })
      expect(block).toBeLessThanOrEqual(Math.max(0, limit - taken))
      expect(block > 0).toBe(taken < limit)
      expect(block).toBeLessThanOrEqual(wanted)
      if (limit - taken < 2_000) expect(block).toBeLessThanOrEqual(200)
    }),
  )
})

test('many nodes use a quota exactly, separately per month', async () => {
  const { accountId } = await insertTestAccount(database.db)
  const limit = 5_003
  for (const month of [new Date('2026-01-01T00:00:00Z'), new Date('2026-02-01T00:00:00Z')]) {
    const node = async (): Promise<number> => {
      let own = 0
      for (let block = 1; ; block = Math.min(256, block * 2)) {
        const { granted, total } = await reserveBlock(database.db, accountId, { month, limit, block })
        expect(total).toBeLessThanOrEqual(limit)
        if (granted === 0) return own
        // Never more than a tenth of the remaining quota, except for the last requests.
        expect(granted).toBeLessThanOrEqual(Math.max(1, (limit - total + granted) / 10))
        own += granted
      }
    }
    const taken = await Promise.all(Array.from({ length: 8 }, node))
    expect(taken.reduce((sum, own) => sum + own, 0)).toBe(limit)
    expect(await findRequestsTaken(database.db, accountId, month)).toBe(limit)
    // A quota that was reduced meanwhile has nothing left.
    expect(await reserveBlock(database.db, accountId, { month, limit: 10, block: 1 })).toEqual({
      granted: 0,
      total: limit,
    })
  }
})

test('few requests reserve single ones, and many reserve growing blocks', async () => {
  const { accountId } = await insertTestAccount(database.db)
  let statements = 0
  const counting: Database = {
    ...database.db,
    relaxed: () => counting,
    query: <Row>(text: string, values?: readonly unknown[], name?: string) => {
      statements++
      return database.db.query<Row>(text, values, name)
    },
    execute: (text: string, values?: readonly unknown[], name?: string) => {
      statements++
      return database.db.execute(text, values, name)
    },
  }
  const reserve = new QuotaReserve(counting)
  let now = Date.parse('2026-03-03T03:03:03Z')
  for (let second = 0; second < 10; second++, now += 1_000) {
    expect(await reserve.take(accountId, 100_000, new Date(now))).toBe(true)
    await reserve.returnIdle(new Date(now + 500))
  }
  expect(statements).toBe(10)
  expect(await findRequestsTaken(database.db, accountId, new Date('2026-03-01T00:00:00Z'))).toBe(10)
  for (let request = 0; request < 2_000; request++) await reserve.take(accountId, 100_000, new Date(now))
  expect(statements).toBeLessThan(10 + 20)
  expect(await reserve.usage(accountId, new Date(now))).toBe(2_010)
  await reserve.returnAll()
  expect(await findRequestsTaken(database.db, accountId, new Date('2026-03-01T00:00:00Z'))).toBe(2_010)
})
