import fc from 'fast-check'
import { Temporal } from 'temporal-polyfill'
import { describe, expect, test } from 'vitest'
import {
  dueAfter,
  isOpen,
  resolveLocalDays,
  nextOpening,
  zoneFor,
  type LocalDays,
  type SendingSchedule,
  type Wait,
} from './sending-window.ts'
import { dayIn, toInstant, startOfDayMs } from './time-zone.ts'

const base: SendingSchedule = {
  timezone: 'Europe/Berlin',
  useLeadTimezone: false,
  windows: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '09:00', to: '17:00' }],
  startDate: null,
  endDate: null,
  blackoutDates: [],
}
const everyDay = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const

function window(from: string, to: string, fields: Partial<SendingSchedule> = {}): SendingSchedule {
  return { ...base, windows: [{ days: everyDay, from, to }], ...fields }
}

const daysIn = (zone: string): LocalDays => ({ zone, calendar: null })

describe('nextOpening', () => {
  const cases: [string, SendingSchedule, string, string | null][] = [
    ['is the time itself inside a window', base, '2026-11-20T10:00:00.000Z', '2026-11-20T10:00:00.000Z'],
    ['includes the first instant', base, '2026-11-20T08:00:00.000Z', '2026-11-20T08:00:00.000Z'],
    ['excludes the last', base, '2026-11-20T16:00:00.000Z', '2026-11-23T08:00:00.000Z'],
    ['goes over the weekend', base, '2026-11-21T10:00:00.000Z', '2026-11-23T08:00:00.000Z'],
    [
      'skips blackout dates',
      { ...base, blackoutDates: ['2026-11-23', '2026-11-24'] },
      '2026-11-21T10:00:00.000Z',
      '2026-11-25T08:00:00.000Z',
    ],
    [
      'waits for the start date',
      { ...base, startDate: '2027-03-01' },
      '2026-11-20T10:00:00.000Z',
      '2027-03-01T08:00:00.000Z',
    ],
    [
      'includes the end date',
      { ...base, endDate: '2026-11-20' },
      '2026-11-20T15:59:00.000Z',
      '2026-11-20T15:59:00.000Z',
    ],
    ['is never after the end date', { ...base, endDate: '2026-11-20' }, '2026-11-20T16:00:00.000Z', null],
    ['is never without windows', { ...base, windows: [] }, '2026-11-20T16:00:00.000Z', null],
    [
      'opens an hour of the gap not at all in spring',
      window('02:00', '03:00'),
      '2026-03-28T12:00:00.000Z',
      '2026-03-30T00:00:00.000Z',
    ],
    [
      'opens after the gap what begins inside it',
      window('02:30', '04:00'),
      '2026-03-28T12:00:00.000Z',
      '2026-03-29T01:00:00.000Z',
    ],
    [
      'opens the repeated hour a second time in autumn',
      window('02:00', '02:30'),
      '2026-10-25T00:40:00.000Z',
      '2026-10-25T01:00:00.000Z',
    ],
    ['runs past midnight', window('22:00', '02:00'), '2026-11-20T00:30:00.000Z', '2026-11-20T00:30:00.000Z'],
    ['opens in the evening', window('22:00', '02:00'), '2026-11-20T01:00:00.000Z', '2026-11-20T21:00:00.000Z'],
    [
      'takes 00:00 as the end of the day',
      window('23:00', '00:00'),
      '2026-11-20T22:59:59.000Z',
      '2026-11-20T22:59:59.000Z',
    ],
    [
      'finds a yearly gap of many blackout dates',
      {
        ...base,
        windows: [{ days: ['mon'], from: '09:00', to: '10:00' }],
        blackoutDates: ['2026-11-23', '2026-11-30', '2026-12-07', '2026-12-14', '2026-12-21', '2026-12-28'],
      },
      '2026-11-20T10:00:00.000Z',
      '2027-01-04T08:00:00.000Z',
    ],
  ]
  test.each(cases)('%s', (_name, schedule, at, expected) => {
    expect(nextOpening(schedule, resolveLocalDays(schedule, null), new Date(at))?.toISOString() ?? null).toBe(expected)
  })

  test('agrees with the wall clock: open at the result, closed before it', () => {
    fc.assert(
      fc.property(schedules, zones, instants, (schedule, zone, at) => {
        const opening = nextOpening(schedule, daysIn(zone), at)
        if (opening === null) return
        expect(openByWallClock(schedule, zone, opening)).toBe(true)
        expect(opening.getTime()).toBeGreaterThanOrEqual(at.getTime())
        const span = opening.getTime() - at.getTime()
        for (let part = 0; part < 24 && span > 0; part++) {
          const between = new Date(at.getTime() + Math.floor((span * part) / 24))
          expect(openByWallClock(schedule, zone, between)).toBe(false)
        }
      }),
      { numRuns: 400 },
    )
  })

  test('isOpen agrees with Temporal at any instant', () => {
    fc.assert(
      fc.property(schedules, zones, instants, (schedule, zone, at) => {
        expect(isOpen(schedule, daysIn(zone), at)).toBe(openByWallClock(schedule, zone, at))
      }),
      { numRuns: 400 },
    )
  })
})

describe('dueAfter', () => {
  const cases: [string, string, Wait, string][] = [
    ['minutes are exact', '2026-03-28T23:30:00.000Z', { value: 90, unit: 'minutes' }, '2026-03-29T01:00:00.000Z'],
    ['hours are exact', '2026-03-28T23:30:00.000Z', { value: 24, unit: 'hours' }, '2026-03-29T23:30:00.000Z'],
    ['days keep the wall time', '2026-10-24T10:00:00.000Z', { value: 1, unit: 'days' }, '2026-10-25T11:00:00.000Z'],
    [
      'a short day still counts 24 hours',
      '2026-03-28T10:00:00.000Z',
      { value: 1, unit: 'days' },
      '2026-03-29T10:00:00.000Z',
    ],
    [
      'business days skip the weekend',
      '2026-11-20T10:00:00.000Z',
      { value: 1, unit: 'business_days' },
      '2026-11-23T10:00:00.000Z',
    ],
    [
      'from a Saturday the first is Monday',
      '2026-11-21T10:00:00.000Z',
      { value: 1, unit: 'business_days' },
      '2026-11-23T10:00:00.000Z',
    ],
    ['no wait is no wait', '2026-11-21T10:00:00.000Z', { value: 0, unit: 'business_days' }, '2026-11-21T10:00:00.000Z'],
  ]
  test.each(cases)('%s', (_name, sentAt, wait, expected) => {
    expect(dueAfter(new Date(sentAt), wait, base, null).toISOString()).toBe(expected)
  })

  test('business days skip blackout dates', () => {
    const schedule = { ...base, blackoutDates: ['2026-11-23'] }
    const due = dueAfter(new Date('2026-11-20T10:00:00.000Z'), { value: 2, unit: 'business_days' }, schedule, null)
    expect(due.toISOString()).toBe('2026-11-25T10:00:00.000Z')
  })

  test('is never earlier than 24 hours per day', () => {
    fc.assert(
      fc.property(zones, instants, fc.integer({ min: 1, max: 40 }), (zone, at, value) => {
        const schedule = { ...base, timezone: zone }
        for (const unit of ['days', 'business_days'] as const) {
          const due = dueAfter(at, { value, unit }, schedule, null)
          expect(due.getTime() - at.getTime()).toBeGreaterThanOrEqual(value * 86_400_000)
        }
      }),
    )
  })
})

describe('time zones', () => {
  test("the lead's time zone is used only if the schedule says so and the zone is known", () => {
    expect(zoneFor(base, 'Asia/Tokyo')).toBe('Europe/Berlin')
    expect(zoneFor({ ...base, useLeadTimezone: true }, 'Asia/Tokyo')).toBe('Asia/Tokyo')
    expect(zoneFor({ ...base, useLeadTimezone: true }, null)).toBe('Europe/Berlin')
    expect(zoneFor({ ...base, useLeadTimezone: true }, 'Mars/Olympus')).toBe('Europe/Berlin')
  })

  test('days and their starts agree with Temporal', () => {
    fc.assert(
      fc.property(zones, instants, (zone, at) => {
        const zoned = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(zone)
        expect(dayIn(zone, at)).toBe(zoned.toPlainDate().toString())
        const day = Math.floor(Date.parse(`${dayIn(zone, at)}T00:00:00Z`) / 86_400_000)
        expect(startOfDayMs(zone, day)).toBe(zoned.startOfDay().epochMilliseconds)
        const local = at.getTime() - (at.getTime() % 60_000)
        const plain = Temporal.PlainDateTime.from(new Date(local).toISOString().slice(0, 19))
        expect(toInstant(zone, local)).toBe(plain.toZonedDateTime(zone).epochMilliseconds)
      }),
      { numRuns: 400 },
    )
  })
})

const zones = fc.constantFrom(
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'America/Sao_Paulo',
  'Africa/Cairo',
  'Pacific/Kiritimati',
)
const clocks = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.constantFrom(0, 15, 30))
  .map(([hour, minute]) => `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`)
const dates = fc
  .integer({ min: 20_400, max: 20_900 })
  .map((day) => new Date(day * 86_400_000).toISOString().slice(0, 10))
// Half of the instants are within two days of a clock change in some zone.
const instants = fc
  .oneof(
    fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2027, 0, 31) }),
    fc
      .tuple(
        fc.constantFrom(
          '2026-03-08',
          '2026-03-29',
          '2026-04-05',
          '2026-04-24',
          '2026-10-04',
          '2026-10-25',
          '2026-10-30',
          '2026-11-01',
        ),
        fc.integer({ min: -86_400_000, max: 172_800_000 }),
      )
      .map(([day, offset]) => Date.parse(`${day}T00:00:00Z`) + offset),
  )
  .map((ms) => new Date(ms))
const schedules: fc.Arbitrary<SendingSchedule> = fc.record({
  timezone: zones,
  useLeadTimezone: fc.boolean(),
  windows: fc.array(fc.record({ days: fc.subarray([...everyDay], { minLength: 1 }), from: clocks, to: clocks }), {
    minLength: 1,
    maxLength: 3,
  }),
  startDate: fc.option(dates),
  endDate: fc.option(dates),
  blackoutDates: fc.array(dates, { maxLength: 5 }),
})

/** A simple implementation of the rule, with Temporal and without a cache. */
function openByWallClock(schedule: SendingSchedule, zone: string, at: Date): boolean {
  const zoned = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(zone)
  const date = zoned.toPlainDate().toString()
  if (schedule.startDate !== null && date < schedule.startDate) return false
  if (schedule.endDate !== null && date > schedule.endDate) return false
  if (schedule.blackoutDates.includes(date)) return false
  const today = everyDay[zoned.dayOfWeek - 1] ?? 'mon'
  const yesterday = everyDay[(zoned.dayOfWeek + 5) % 7] ?? 'mon'
  const time = zoned.toPlainTime().toString().slice(0, 5)
  return schedule.windows.some(({ days, from, to }) => {
    if (to === '00:00') return days.includes(today) && time >= from
    if (to > from) return days.includes(today) && time >= from && time < to
    return to !== from && ((days.includes(today) && time >= from) || (days.includes(yesterday) && time < to))
  })
}
