import { expect, test } from 'vitest'
import { datesUntil } from './days.ts'

test('days are listed without gaps across a month and a change of the clock', () => {
  expect(datesUntil('2026-03-30', 4)).toEqual(['2026-03-27', '2026-03-28', '2026-03-29', '2026-03-30'])
  expect(datesUntil('2026-03-01', 2)).toEqual(['2026-02-28', '2026-03-01'])
})
