import { describe, expect, it } from 'vitest'
import { defaultSettings } from './availability.ts'
import { freeSlots } from './slots.ts'

const settings = { ...defaultSettings('Europe/Berlin'), minNoticeMinutes: 60, maxDaysAhead: 7 }
const iso = (slots: readonly Date[]) => slots.map((slot) => slot.toISOString())

describe('free slots', () => {
  it("lie in the windows of the host's zone, after the notice, on the days that are open", () => {
    // Friday, 27 March 2026, 15:10 in Berlin; clocks change on Sunday.
    const slots = iso(freeSlots({ settings, busy: [], now: new Date('2026-03-27T14:10:00Z') }))
    expect(slots.slice(0, 2)).toEqual(['2026-03-27T15:30:00.000Z', '2026-03-30T07:00:00.000Z'])
    expect(slots.filter((slot) => slot.startsWith('2026-03-30'))).toHaveLength(16)
  })

  it('leave out what is busy, with the buffer around it, and blackout dates', () => {
    const busy = [{ startAt: new Date('2026-03-30T09:00:00Z'), endAt: new Date('2026-03-30T09:30:00Z') }]
    const asked = {
      settings: { ...settings, bufferMinutes: 15, blackoutDates: ['2026-03-31'] },
      busy,
      now: new Date('2026-03-28T00:00:00Z'),
    }
    const slots = iso(freeSlots(asked))
    expect(slots.filter((slot) => slot >= '2026-03-30T08' && slot < '2026-03-30T11')).toEqual([
      '2026-03-30T08:00:00.000Z',
      '2026-03-30T10:00:00.000Z',
      '2026-03-30T10:30:00.000Z',
    ])
    expect(slots.some((slot) => slot.startsWith('2026-03-31'))).toBe(false)
  })

  it('are as many as a day of 23 hours has', () => {
    const night = { ...settings, windows: [{ days: ['sun' as const], from: '00:00', to: '06:00' }], maxDaysAhead: 2 }
    expect(freeSlots({ settings: night, busy: [], now: new Date('2026-03-28T12:00:00Z') })).toHaveLength(10)
    expect(
      freeSlots({ settings: { ...night, enabled: false }, busy: [], now: new Date('2026-03-28T12:00:00Z') }),
    ).toEqual([])
  })
})
