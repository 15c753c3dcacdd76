import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp } from '@overture/testing/app.ts'
import { createTestDatabase, type TestDatabase } from '@overture/testing/database.ts'
import { formatKey } from './api-key.ts'
import { createMemoryAdmission } from './index.ts'
import { createPostgresAdmission } from './postgres-admission.shell.ts'
import { UnknownKeys } from './unknown-keys.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const random = fc.string({ unit: fc.constantFrom('a', 'B', '7'), minLength: 24, maxLength: 24 })

describe.each([
  ['in memory', createMemoryAdmission],
  ['in the database', createPostgresAdmission],
])('counting in %s', (_name, create) => {
  test('repeated unknown keys are looked up once each', async () => {
    let statements = 0
    const db = Object.assign(Object.create(database.db) as typeof database.db, {
      query<Row>(text: string, values?: readonly unknown[], name?: string) {
        statements++
        return database.db.query<Row>(text, values, name)
      },
    })
    const admission = create(createTestApp({ db, url: database.url }))
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(random, { minLength: 1, maxLength: 20 }), async (parts) => {
        const keys = parts.map((part) => `Bearer ${formatKey('live', part)}`)
        for (const key of keys) expect(await admission.admit(key)).toEqual({ outcome: 'unknown_key' })
        const before = statements
        for (const key of [...keys, ...keys]) expect(await admission.admit(key)).toEqual({ outcome: 'unknown_key' })
        expect(statements).toBe(before)
      }),
      { numRuns: 20 },
    )
    await admission.stop()
  })
})

test('unknown keys are remembered in limited number and time', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(5_000), fc.nat(3)), { maxLength: 4_000, size: 'max' }), (tries) => {
      const unknown = new UnknownKeys()
      let nowMs = 0
      for (const [key, stepMs] of tries) {
        unknown.add(String(key), (nowMs += stepMs))
        if (!unknown.has(String(key), nowMs) || unknown.size > 1_000) expect.fail()
      }
      expect(tries.some(([key]) => unknown.has(String(key), nowMs + 10_000))).toBe(false)
    }),
    { numRuns: 4 },
  )
})
