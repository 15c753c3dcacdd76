import { expect, test } from 'vitest'
import { minuteMs } from '@overture/ground/time/spans.ts'
import { FullLogs } from './full-logs.ts'

test('a complete count is kept for a quarter of an hour, for the last ten thousand lists', () => {
  const full = new FullLogs()
  full.note('first', 0)
  expect(full.has('first', 15 * minuteMs - 1)).toBe(true)
  expect(full.has('first', 15 * minuteMs)).toBe(false)
  expect(full.has('other', 0)).toBe(false)
  full.note('again', 0)
  full.note('first', 0)
  for (let at = 0; at < 9_999; at++) full.note(`list ${at}`, 0)
  expect([full.has('first', 1), full.has('again', 1), full.has('list 9998', 1)]).toEqual([true, false, true])
})
