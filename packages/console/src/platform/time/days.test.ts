import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dayStart, typedMoment, toTyped } from './days.ts'
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

test('a field for date and time shows the moment that it stands for', () => {
  for (const [typed, zone] of [
    ['2026-07-01T09:30', 'Europe/Berlin'],
    ['2026-12-31T23:59', 'America/New_York'],
    ['2026-03-02T00:05', 'Asia/Kathmandu'],
    ['2026-03-02T00:00', 'UTC'],
  ] as const) {
    const moment = typedMoment(typed, zone)
    expect(moment === null ? null : toTyped(moment, zone)).toBe(typed)
  }
  expect(toTyped('2026-07-01T07:30:59.999Z', 'Europe/Berlin')).toBe('2026-07-01T09:30')
})
