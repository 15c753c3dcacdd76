import { expect, test } from 'vitest'
import { createDenialCounts } from './denial-counts.ts'

test('the first refusal of a minute is written, with the number of earlier unwritten ones', () => {
  const counts = createDenialCounts()
  expect([0, 1, 30_000, 59_999].map((nowMs) => counts.count('a', nowMs))).toEqual([0, null, null, null])
  expect(counts.count('a', 60_000)).toBe(3)
  expect(counts.count('a', 60_001)).toBeNull()
  expect(counts.count('a', 200_000)).toBe(1)
  expect(counts.count('a', 300_000)).toBe(0)
})

test('callers and actions are counted separately, in limited number', () => {
  const counts = createDenialCounts()
  expect([counts.count('a', 0), counts.count('b', 0), counts.count('a', 1)]).toEqual([0, 0, null])
  for (let index = 0; index < 10_000; index++) counts.count(`other ${index}`, 2)
  expect(counts.count('a', 3)).toBe(0)
})
