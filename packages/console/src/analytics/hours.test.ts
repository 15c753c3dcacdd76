import fc from 'fast-check'
import { expect, test } from 'vitest'
import { busiestHour, heatRows, weekdayNames } from './hours.ts'

const hours = Array.from({ length: 24 }, (_none, hour) => String(hour).padStart(2, '0'))
const week = weekdayNames.flatMap((weekday) => hours.map((hour) => [weekday, hour]))

test('each of the 168 hours has its own number, in any order of the input', () => {
  const numbers = fc.array(fc.nat(1_000), { minLength: week.length, maxLength: week.length })
  fc.assert(
    fc.property(numbers, fc.nat(167), (all, turn) => {
      const groups = week.map((key, index) => ({ key, replied: all[index]! }))
      const rows = heatRows([...groups.slice(turn), ...groups.slice(0, turn)])
      expect(rows.flatMap(({ values }) => values)).toEqual(all)
    }),
  )
})

test('the busiest hour is named only from 20 replies on, and only if no other hour has as many', () => {
  const busiest = (...groups: [string, string, number][]) =>
    busiestHour(heatRows(groups.map(([weekday, hour, replied]) => ({ key: [weekday, hour], replied }))))
  expect(busiest()).toEqual({ kind: 'none' })
  expect(busiest(['sun', '19', 4], ['mon', '08', 1])).toEqual({ kind: 'few', replies: 5, least: 20 })
  expect(busiest(['sun', '19', 15], ['mon', '08', 5])).toEqual({ kind: 'hour', weekday: 'sun', hour: 19, replies: 15 })
  expect(busiest(['sun', '19', 10], ['mon', '08', 10])).toEqual({ kind: 'tie' })
})
