import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dayStart } from './days.ts'
import { localDay } from './format.ts'

const zones = Intl.supportedValuesOf('timeZone')
const minuteMs = 60_000

test('a day starts at its first minute in the time zone', () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date('2024-01-02'), max: new Date('2032-01-01'), noInvalidDate: true }),
      fc.constantFrom('UTC', 'Africa/Cairo', 'Europe/Berlin', 'Asia/Kathmandu', ...zones),
      (day, zone) => {
        const date = day.toISOString().slice(0, 10)
        const start = dayStart(date, zone)
        expect(localDay(start, zone)).toBe(date)
        expect(localDay(new Date(Date.parse(start) - minuteMs).toISOString(), zone) < date).toBe(true)
      },
    ),
  )
})

test("a day whose midnight is skipped by a clock change starts at one o'clock", () => {
  expect(dayStart('2026-04-24', 'Africa/Cairo')).toBe('2026-04-23T22:00:00.000Z')
  expect(dayStart('2026-07-01', 'Europe/Berlin')).toBe('2026-06-30T22:00:00.000Z')
})
