import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '@overture/testing/database.ts'
import { insertTestAccount } from '@overture/testing/delivery/delivery-fixtures.sql.ts'
import { findRequestsTaken } from './api-keys.sql.ts'
import { blockOf, reserveBlock } from './quota-reserve.shell.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

test('a block is never more than is left, and at least one while any is', () => {
  fc.assert(
    fc.property(fc.nat(3_000_000), fc.nat(3_000_000), (taken, limit) => {
      const block = blockOf(taken, limit)
      expect(block).toBeLessThanOrEqual(Math.max(0, limit - taken))
      expect(block > 0).toBe(taken < limit)
      expect(block).toBeLessThanOrEqual(256)
      if (limit - taken < 2_000) expect(block).toBeLessThanOrEqual(200)
    }),
  )
})

test('many nodes at once take a quota to its last request and not beyond, each month by itself', async () => {
  const { accountId } = await insertTestAccount(database.db)
  const limit = 5_003
  for (const month of [new Date('2026-01-31T23:59:59Z'), new Date('2026-02-01T00:00:00Z')]) {
    const node = async (): Promise<number> => {
      let own = 0
      for (;;) {
        const { granted, total } = await reserveBlock(database.db, accountId, { month, limit })
        expect(total).toBeLessThanOrEqual(limit)
        if (granted === 0) return own
        own += granted
      }
    }
    const taken = await Promise.all(Array.from({ length: 8 }, node))
    expect(taken.reduce((sum, own) => sum + own, 0)).toBe(limit)
    expect(await findRequestsTaken(database.db, accountId, month)).toBe(limit)
    // A quota that was made smaller meanwhile has nothing left.
    expect(await reserveBlock(database.db, accountId, { month, limit: 10 })).toEqual({ granted: 0, total: limit })
  }
})
