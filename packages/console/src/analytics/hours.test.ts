import fc from 'fast-check'
import { expect, test } from 'vitest'
import { heatRows, highest } from './hours.ts'

const second = 1_000
const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Pacific/Auckland']

test('each reply stands in one of 168 hours, whatever the zone', () => {
  const times = fc.array(
    fc.integer({ min: 1_700_000_000, max: 1_900_000_000 }).map((at) => new Date(at * second).toISOString()),
  )
  fc.assert(
    fc.property(times, fc.constantFrom(...zones), (all, zone) => {
      const rows = heatRows(all, zone)
      const cells = rows.flatMap(({ values }) => values)
      expect(cells).toHaveLength(168)
      expect(cells.reduce((sum, value) => sum + value, 0)).toBe(all.length)
      expect(highest(rows).value).toBe(Math.max(0, ...cells))
    }),
  )
})

test.each([
  ['2026-11-23T09:30:00.000Z', 'UTC', 'mon', 9],
  ['2026-11-22T23:30:00.000Z', 'Europe/Berlin', 'mon', 0],
  ['2026-11-23T00:30:00.000Z', 'America/New_York', 'sun', 19],
])('%s in %s is %s at %i', (time, zone, weekday, hour) => {
  expect(highest(heatRows([time], zone))).toEqual({ weekday, hour, value: 1 })
})
