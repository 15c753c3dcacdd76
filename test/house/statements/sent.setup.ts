import { subscribe } from 'node:diagnostics_channel'
import { afterAll, expect } from 'vitest'
import { type SentStatement, sentFrom } from './texts.ts'

/** The statements that the tests of this file made the product send, by text. */
const sent = new Map<string, SentStatement | null>()

subscribe('overture.statement', (message) => {
  const text = String(message)
  if (!sent.has(text)) sent.set(text, sentFrom(text, new Error().stack ?? ''))
})

// Loads the parser only if statements were sent.
afterAll(async () => {
  const statements = [...sent.values()].filter((one) => one !== null)
  if (statements.length === 0) return
  const { breachesIn, excepted } = await import('./held.ts')
  const allowed = excepted()
  const unplanned = [...breachesIn(statements)].filter(([key]) => !allowed.includes(key))
  expect(unplanned, 'Statements that were sent and break a rule of test/house/statements/rules.ts').toEqual([])
})
