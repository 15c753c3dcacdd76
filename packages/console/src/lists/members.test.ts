import { membersAtOnceMax } from '@overture/contract/lists/lists.ts'
import { expect, test } from 'vitest'
import { joinResults, membersPerCall, splitMembers, variablesText } from './members.ts'

test('every person is sent once, in parts that the API accepts', () => {
  for (const count of [0, 1, membersPerCall, membersPerCall + 1, 2_000]) {
    const people = Array.from({ length: count }, (_none, at) => at)
    const parts = splitMembers(people)
    expect(parts.flat()).toEqual(people)
    for (const part of parts) {
      expect(part.length).toBeGreaterThan(0)
      expect(part.length).toBeLessThanOrEqual(membersAtOnceMax)
    }
  }
})

test('the answers of all parts are counted together', () => {
  const result = { index: 0, email: 'ada@example.com' }
  const added = { added: 1, updated: 0, invalid: 0, results: [{ ...result, outcome: 'added' as const }] }
  const invalid = { added: 0, updated: 0, invalid: 1, results: [{ ...result, outcome: 'invalid' as const }] }
  expect(joinResults([added, invalid, added])).toEqual({
    added: 2,
    updated: 0,
    invalid: 1,
    results: [
      { ...result, index: 0, outcome: 'added' },
      { ...result, index: 1, outcome: 'invalid' },
      { ...result, index: 2, outcome: 'added' },
    ],
  })
})

test.each([
  [{}, ''],
  [{ plan: 'gold', seats: 12 }, 'plan: gold, seats: 12'],
  [{ a: 1, b: true, c: null, d: 4, e: 5 }, 'a: 1, b: true, c: null and 2 more'],
  [{ note: 'x'.repeat(100) }, `note: ${'x'.repeat(73)}…`],
])('variables %j are shown as %j', (variables, words) => expect(variablesText(variables)).toBe(words))
