import fc from 'fast-check'
import { expect, test } from 'vitest'
import { retryAfterMs } from './retry-after.ts'

const now = new Date('2026-03-01T00:00:00Z')

test.each([
  ['2', 2_000],
  [' 120 ', 120_000],
  ['0.25', 250],
  ['Sun, 01 Mar 2026 00:10:00 GMT', 600_000],
  ['Sun, 01 Mar 2026 00:00:00 GMT', 0],
  ['Sat, 28 Feb 2026 00:00:00 GMT', 0],
  ['', null],
  ['soon', null],
  [null, null],
  [undefined, null],
])('%j means %j ms', (header, waitMs) => {
  expect(retryAfterMs(header, now)).toBe(waitMs)
})

test('the wait is never negative, whatever the server sends', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.integer().map(String), fc.double().map(String)), (header) => {
      const waitMs = retryAfterMs(header, now)
      expect(waitMs === null || (Number.isFinite(waitMs) && waitMs >= 0)).toBe(true)
    }),
  )
})
