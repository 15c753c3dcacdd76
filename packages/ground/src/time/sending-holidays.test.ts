import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  differsByLead,
  dueAfter,
  holidayAt,
  isOpen,
  resolveLocalDays,
  nextOpening,
  type LeadLocation,
  type SendingSchedule,
} from './sending-window.ts'
import { dayIn, parseDayNumber } from './time-zone.ts'

const names: Record<string, Record<string, string>> = {
  DE: { '2026-04-03': 'Good Friday', '2026-04-06': 'Easter Monday', '2026-10-03': 'National Holiday' },
  FR: { '2026-04-06': 'Easter Monday', '2026-07-14': 'Bastille Day' },
}
const nameOn = (calendar: string, day: number) =>
  names[calendar]?.[new Date(day * 86_400_000).toISOString().slice(0, 10)] ?? null

const office: SendingSchedule = {
  timezone: 'Europe/Berlin',
  useLeadTimezone: true,
  windows: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '09:00', to: '17:00' }],
  startDate: null,
  endDate: null,
  blackoutDates: [],
}
const inGermany = { ...office, holidays: { calendar: 'DE', nameOn } }
const byLead = { ...office, holidays: { calendar: 'lead', nameOn } }
const daily = {
  ...byLead,
  windows: [{ days: [...office.windows[0]!.days, 'sat', 'sun'], from: '09:00', to: '17:00' }],
} as const
const berlin = { timezone: 'Europe/Berlin', country: 'Germany' }
const paris = { timezone: 'Europe/Paris', country: 'France' }

const opening = (schedule: SendingSchedule, lead: LeadLocation | null, at: string) =>
  nextOpening(schedule, resolveLocalDays(schedule, lead), new Date(at))?.toISOString() ?? null

describe('holidays of a schedule', () => {
  test.each<[string, SendingSchedule, LeadLocation | null, string]>([
    ['no calendar', office, berlin, '2026-04-03T07:00:00.000Z'],
    ['a null calendar', { ...office, holidays: null }, berlin, '2026-04-03T07:00:00.000Z'],
    ['a country, over the whole of Easter', inGermany, null, '2026-04-07T07:00:00.000Z'],
    ['a country, for a lead elsewhere', inGermany, paris, '2026-04-07T07:00:00.000Z'],
    ['the country of a lead', byLead, berlin, '2026-04-07T07:00:00.000Z'],
    ['the country of another lead', byLead, paris, '2026-04-03T07:00:00.000Z'],
    ['an unknown country', byLead, { timezone: null, country: 'Atlantis' }, '2026-04-03T07:00:00.000Z'],
    ['no country', byLead, { timezone: null, country: null }, '2026-04-03T07:00:00.000Z'],
    ['no lead', byLead, null, '2026-04-03T07:00:00.000Z'],
  ])('opens after the holidays of %s', (_name, schedule, lead, expected) => {
    expect(opening(schedule, lead, '2026-04-02T15:00:00.000Z')).toBe(expected)
  })

  test('sends on 3 October in Paris, not in Berlin', () => {
    const at = new Date('2026-10-03T10:00:00.000Z')
    expect(isOpen(daily, resolveLocalDays(daily, paris), at)).toBe(true)
    expect(isOpen(daily, resolveLocalDays(daily, berlin), at)).toBe(false)
    expect(opening(daily, berlin, at.toISOString())).toBe('2026-10-04T07:00:00.000Z')
  })

  test('closes by the date in the zone of the lead', () => {
    const days = resolveLocalDays(daily, { timezone: 'Asia/Tokyo', country: 'DE' })
    expect(isOpen(daily, days, new Date('2026-10-03T00:30:00.000Z'))).toBe(false)
    expect(isOpen(daily, days, new Date('2026-10-04T00:30:00.000Z'))).toBe(true)
  })

  test('closes the part of a night window that belongs to the holiday', () => {
    const night: SendingSchedule = { ...inGermany, windows: [{ days: ['sun'], from: '22:00', to: '02:00' }] }
    const days = resolveLocalDays(night, null)
    expect(isOpen(night, days, new Date('2026-04-05T21:00:00.000Z'))).toBe(true)
    expect(isOpen(night, days, new Date('2026-04-05T22:30:00.000Z'))).toBe(false)
  })

  test('finds the opening behind months of holidays', () => {
    const untilAugust = (_calendar: string, day: number) => (day < parseDayNumber('2026-08-31') ? 'A holiday' : null)
    const schedule: SendingSchedule = {
      ...office,
      windows: [{ days: ['mon'], from: '09:00', to: '17:00' }],
      holidays: { calendar: 'XX', nameOn: untilAugust },
    }
    expect(opening(schedule, null, '2026-04-01T00:00:00.000Z')).toBe('2026-08-31T07:00:00.000Z')
  })

  test('names the holiday, unless the day has no window anyway', () => {
    const nameAt = (schedule: SendingSchedule, at: string) =>
      holidayAt(schedule, resolveLocalDays(schedule, berlin), Date.parse(at))
    expect(nameAt(byLead, '2026-04-06T05:00:00.000Z')).toBe('Easter Monday')
    expect(nameAt(byLead, '2026-04-07T05:00:00.000Z')).toBeNull()
    expect(nameAt(byLead, '2026-10-03T10:00:00.000Z')).toBeNull()
    expect(nameAt(daily, '2026-10-03T10:00:00.000Z')).toBe('National Holiday')
  })

  test('business days skip them, days do not', () => {
    const due = (value: number, unit: 'days' | 'business_days', lead: LeadLocation) =>
      dueAfter(new Date('2026-04-02T10:00:00.000Z'), { value, unit }, byLead, lead).toISOString()
    expect(due(1, 'business_days', berlin)).toBe('2026-04-07T10:00:00.000Z')
    expect(due(1, 'business_days', paris)).toBe('2026-04-03T10:00:00.000Z')
    expect(due(2, 'business_days', paris)).toBe('2026-04-07T10:00:00.000Z')
    expect(due(1, 'days', berlin)).toBe('2026-04-03T10:00:00.000Z')
  })

  test('only the zone or the country of leads makes them differ', () => {
    const fixed = { ...office, useLeadTimezone: false }
    expect(differsByLead(fixed)).toBe(false)
    expect(differsByLead({ ...fixed, holidays: inGermany.holidays })).toBe(false)
    expect(differsByLead({ ...fixed, holidays: byLead.holidays })).toBe(true)
    expect(differsByLead(office)).toBe(true)
  })
})

const countries = fc.constantFrom('DE', 'France', null, 'Atlantis')
const leads = fc.record({ timezone: fc.constantFrom(null, 'Asia/Tokyo', 'America/New_York'), country: countries })
const instants = fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2026, 11, 31) }).map((ms) => new Date(ms))
/** Each calendar closes up to 120 days of the year. */
const calendars = fc
  .dictionary(fc.constantFrom('DE', 'FR'), fc.array(fc.integer({ min: 0, max: 380 }), { maxLength: 120 }))
  .map(
    (days) => (calendar: string, day: number) =>
      days[calendar]?.includes(day - parseDayNumber('2026-01-01')) === true ? 'A holiday' : null,
  )

describe('any holidays', () => {
  test('have no opening and no business day, and only they move both', () => {
    fc.assert(
      fc.property(calendars, leads, instants, fc.constantFrom('DE', 'lead'), (lookup, lead, at, calendar) => {
        const schedule: SendingSchedule = { ...daily, holidays: { calendar, nameOn: lookup } }
        const days = resolveLocalDays(schedule, lead)
        const isHoliday = (when: Date) =>
          days.calendar !== null && lookup(days.calendar, parseDayNumber(dayIn(days.zone, when))) !== null
        const next = nextOpening(schedule, days, at)
        expect(next !== null && isHoliday(next)).toBe(false)
        const without = nextOpening({ ...daily, holidays: null }, days, at)
        if (without !== null && !isHoliday(without)) expect(next).toEqual(without)
        const due = dueAfter(at, { value: 3, unit: 'business_days' }, schedule, lead)
        expect(isHoliday(due)).toBe(false)
      }),
      { seed: 20_261_003, numRuns: 400 },
    )
  })
})
