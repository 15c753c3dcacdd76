import fc from 'fast-check'
import { expect, test } from 'vitest'
import { heatRows, highest, weekdayNames } from './hours.ts'

const hours = Array.from({ length: 24 }, (_none, hour) => String(hour).padStart(2, '0'))
const week = weekdayNames.flatMap((weekday) => hours.map((hour) => [weekday, hour]))

test('each of the 168 hours has its own number, in any order of the input', () => {
  const numbers = fc.array(fc.nat(1_000), { minLength: week.length, maxLength: week.length })
  fc.assert(
    fc.property(numbers, fc.nat(167), (all, turn) => {
      const groups = week.map((key, index) => ({ key, replied: all[index]! }))
      const rows = heatRows([...groups.slice(turn), ...groups.slice(0, turn)])
      expect(rows.flatMap(({ values }) => values)).toEqual(all)
      expect(highest(rows).value).toBe(Math.max(...all))
    }),
  )
})

test('the best hour has its weekday', () => {
  expect(highest(heatRows([{ key: ['sun', '19'], replied: 1 }]))).toEqual({ weekday: 'sun', hour: 19, value: 1 })
  expect(highest(heatRows([]))).toEqual({ weekday: 'mon', hour: 0, value: 0 })
})
