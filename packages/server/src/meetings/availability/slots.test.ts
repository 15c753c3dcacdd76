import fc from 'fast-check'
import { Temporal } from 'temporal-polyfill'
import { describe, expect, test } from 'vitest'
import { defaultSettings } from './availability.ts'
import { freeSlots, isFree } from './slots.ts'

const settings = { ...defaultSettings('Europe/Berlin'), minNoticeMinutes: 60, maxDaysAhead: 7 }
const iso = (slots: readonly Date[]) => slots.map((slot) => slot.toISOString())

describe('free slots', () => {
  test("are in the windows of the host's zone, after the notice, on open days", () => {
    // Friday, 27 March 2026, 15:10 in Berlin; clocks change on Sunday.
    const slots = iso(freeSlots({ settings, busy: [], now: new Date('2026-03-27T14:10:00Z') }))
    expect(slots.slice(0, 2)).toEqual(['2026-03-27T15:30:00.000Z', '2026-03-30T07:00:00.000Z'])
    expect(slots.filter((slot) => slot.startsWith('2026-03-30'))).toHaveLength(16)
  })

  test('exclude busy times, with the buffer around them, and blackout dates', () => {
    const busy = [{ startAt: new Date('2026-03-30T09:00:00Z'), endAt: new Date('2026-03-30T09:30:00Z') }]
    const input = {
      settings: { ...settings, bufferMinutes: 15, blackoutDates: ['2026-03-31'] },
      busy,
      now: new Date('2026-03-28T00:00:00Z'),
    }
    const slots = iso(freeSlots(input))
    expect(slots.filter((slot) => slot >= '2026-03-30T08' && slot < '2026-03-30T11')).toEqual([
      '2026-03-30T08:00:00.000Z',
      '2026-03-30T10:00:00.000Z',
      '2026-03-30T10:30:00.000Z',
    ])
    expect(slots.some((slot) => slot.startsWith('2026-03-31'))).toBe(false)
  })

  test('continue to the end of the day', () => {
    const late = { ...settings, windows: [{ days: ['sat' as const], from: '23:00', to: '24:00' }], maxDaysAhead: 2 }
    expect(iso(freeSlots({ settings: late, busy: [], now: new Date('2026-03-28T12:00:00Z') }))).toEqual([
      '2026-03-28T22:00:00.000Z',
      '2026-03-28T22:30:00.000Z',
    ])
  })

  test('are fewer on a day of 23 hours, and none if disabled', () => {
    const night = { ...settings, windows: [{ days: ['sun' as const], from: '00:00', to: '06:00' }], maxDaysAhead: 2 }
    expect(freeSlots({ settings: night, busy: [], now: new Date('2026-03-28T12:00:00Z') })).toHaveLength(10)
    expect(
      freeSlots({ settings: { ...night, enabled: false }, busy: [], now: new Date('2026-03-28T12:00:00Z') }),
    ).toEqual([])
  })

  test.each([
    // Lord Howe goes back by half an hour at 02:00 on 5 April, and forward by half an hour on 4 October 2026.
    ['Australia/Lord_Howe', '2026-04-05', '00:00', '04:00', 9],
    ['Australia/Lord_Howe', '2026-10-04', '00:00', '04:00', 7],
    ['Europe/Berlin', '2026-10-25', '00:00', '04:00', 10],
    ['America/St_Johns', '2026-03-08', '00:00', '04:00', 6],
    ['Asia/Kathmandu', '2026-04-05', '00:00', '04:00', 8],
  ])('in %s on %s, %s to %s, are %d in number', (timezone, date, from, to, count) => {
    const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
    const open = { ...settings, timezone, windows: [{ days: [...days], from, to }], maxDaysAhead: 3 }
    const now = new Date(
      Temporal.PlainDate.from(date).subtract({ days: 2 }).toZonedDateTime(timezone).epochMilliseconds,
    )
    const ofDay = freeSlots({ settings: open, busy: [], now }).filter(
      (slot) => local(slot, timezone).toPlainDate().toString() === date,
    )
    expect(ofDay).toHaveLength(count)
  })

  test('are within windows, after the notice, and never busy, in any zone and season', () => {
    const minutes = fc.integer({ min: 0, max: 23 * 60 + 59 })
    const clock = (minute: number) =>
      `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
    const zones = [
      'Australia/Lord_Howe',
      'Asia/Kathmandu',
      'Pacific/Chatham',
      'America/St_Johns',
      'Antarctica/Troll',
      'Europe/Berlin',
      'Pacific/Apia',
    ]
    fc.assert(
      fc.property(
        fc.record({
          timezone: fc.constantFrom(...zones),
          nowMs: fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2027, 0, 1) }),
          span: fc.tuple(minutes, minutes).map((pair) => pair.toSorted((a, b) => a - b)),
          durationMinutes: fc.integer({ min: 5, max: 240 }),
          slotStepMinutes: fc.integer({ min: 5, max: 120 }),
          bufferMinutes: fc.integer({ min: 0, max: 60 }),
          minNoticeMinutes: fc.integer({ min: 0, max: 3000 }),
          busy: fc.array(fc.tuple(fc.integer({ min: -1000, max: 20_000 }), fc.integer({ min: 1, max: 600 })), {
            maxLength: 12,
          }),
          asked: fc.integer({ min: -2000, max: 20_000 }),
        }),
        ({ timezone, nowMs, span, busy, asked, ...lengths }) => {
          const now = new Date(nowMs)
          const windows = [{ days: ['mon', 'wed', 'sat', 'sun'] as const, from: clock(span[0]!), to: clock(span[1]!) }]
          const taken = busy.map(([start, length]) => ({
            startAt: new Date(nowMs + start * 60_000),
            endAt: new Date(nowMs + (start + length) * 60_000),
          }))
          const search = {
            settings: {
              ...settings,
              ...lengths,
              timezone,
              windows: windows.map((one) => ({ ...one, days: [...one.days] })),
              maxDaysAhead: 12,
            },
            busy: taken,
            now,
          }
          const slots = freeSlots(search)
          expect(slots).toEqual(slots.toSorted((a, b) => a.getTime() - b.getTime()))
          for (const slot of slots) {
            const endAt = new Date(slot.getTime() + lengths.durationMinutes * 60_000)
            expect(slot.getTime()).toBeGreaterThanOrEqual(nowMs + lengths.minNoticeMinutes * 60_000)
            const bufferMs = lengths.bufferMinutes * 60_000
            for (const one of taken) {
              const apart =
                slot.getTime() >= one.endAt.getTime() + bufferMs || endAt.getTime() <= one.startAt.getTime() - bufferMs
              expect(apart).toBe(true)
            }
            expect([1, 3, 6, 7]).toContain(local(slot, timezone).dayOfWeek)
          }
          const at = slots[Math.abs(asked) % Math.max(1, slots.length)] ?? new Date(nowMs + asked * 60_000)
          for (const startAt of [at, new Date(nowMs + asked * 60_000), new Date(at.getTime() + 60_000)]) {
            expect(isFree(search, startAt)).toBe(slots.some((slot) => slot.getTime() === startAt.getTime()))
          }
        },
      ),
      { numRuns: 60 },
    )
  })

  test('of a year with five thousand meetings are computed in few steps', () => {
    const now = new Date('2026-01-01T00:00:00Z')
    const busy = Array.from({ length: 5_000 }, (_, index) => ({
      startAt: new Date(now.getTime() + index * 5_000_000),
      endAt: new Date(now.getTime() + index * 5_000_000 + 900_000),
    }))
    let looks = 0
    const counted = busy.map((one) => ({
      get startAt() {
        looks++
        return one.startAt
      },
      endAt: one.endAt,
    }))
    const year = { ...settings, slotStepMinutes: 5, maxDaysAhead: 365 }
    expect(freeSlots({ settings: year, busy: counted, now }).length).toBeGreaterThan(1_000)
    // Sorting and merging look at each busy time some twenty times. Comparing thirty thousand starts with five thousand would be
    // 150 million.
    expect(looks).toBeLessThan(500_000)
  })
})

function local(at: Date, timezone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timezone)
}
