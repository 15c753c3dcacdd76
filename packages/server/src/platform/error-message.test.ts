import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '@overture/testing/database.ts'
import { plainMessage } from './error-message.ts'
import { errorFacts } from './log.shell.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const casts = ['jsonb', 'integer', 'timestamptz', 'uuid', 'numeric', 'xid8', 'bigint[]', 'interval', 'boolean']

test('logged database errors never contain the refused value', async () => {
  const word = fc.stringMatching(/^[a-z]{8,20}$/)
  await fc.assert(
    fc.asyncProperty(word, fc.constantFrom(...casts), async (name, type) => {
      const value = `${name}@example.com`
      const error = await database.db.query(`select $1::text::${type}`, [value]).then(
        () => null,
        (refused: Error) => refused,
      )
      expect(error?.message).toBeDefined()
      expect(plainMessage(error!)).toMatch(/^The database refused a value \(22\w{3}\)\.$/)
      expect(JSON.stringify(errorFacts(error!))).not.toContain(name)
    }),
    { numRuns: 60 },
  )
})

test('other errors are logged unchanged', () => {
  const error = new Error('no luck')
  expect(errorFacts(error)).toEqual({ reason: 'no luck', stack: error.stack })
})
