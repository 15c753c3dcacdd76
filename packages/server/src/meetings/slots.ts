import { Temporal } from 'temporal-polyfill'
import type { AvailabilitySettings } from '@overture/contract/meetings.ts'
import type { Weekday } from '@overture/contract/common.ts'

/** Something that takes time; end exclusive. */
export interface Busy {
  startAt: Date
  endAt: Date
}

export interface SlotSearch {
  settings: AvailabilitySettings
  busy: readonly Busy[]
  now: Date
  /** Days of the host's zone to look at, from today. */
  daysMax?: number
}

const minuteMs = 60_000
const weekdays: readonly Weekday[] = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']

/** Every start that can still be booked, ascending. On a day when clocks change a window is as long as it really is. */
export function freeSlots({ settings, busy, now, daysMax }: SlotSearch): Date[] {
  if (!settings.enabled) return []
  const earliestMs = now.getTime() + settings.minNoticeMinutes * minuteMs
  const today = Temporal.Instant.fromEpochMilliseconds(now.getTime())
    .toZonedDateTimeISO(settings.timezone)
    .toPlainDate()
  const taken = busy.map(({ startAt, endAt }) => ({
    startMs: startAt.getTime() - settings.bufferMinutes * minuteMs,
    endMs: endAt.getTime() + settings.bufferMinutes * minuteMs,
  }))
  const starts = new Set<number>()
  const days = Math.min(settings.maxDaysAhead, daysMax ?? settings.maxDaysAhead)
  for (let offset = 0; offset <= days; offset++) {
    for (const startMs of startsOf(settings, today.add({ days: offset }))) {
      const endMs = startMs + settings.durationMinutes * minuteMs
      if (startMs < earliestMs || taken.some((span) => startMs < span.endMs && endMs > span.startMs)) continue
      starts.add(startMs)
    }
  }
  return [...starts].toSorted((a, b) => a - b).map((startMs) => new Date(startMs))
}

export function isFree(search: SlotSearch, startAt: Date): boolean {
  return freeSlots(search).some((slot) => slot.getTime() === startAt.getTime())
}

function startsOf(settings: AvailabilitySettings, day: Temporal.PlainDate): number[] {
  if (settings.blackoutDates.includes(day.toString())) return []
  const weekday = weekdays[day.dayOfWeek - 1]!
  const starts: number[] = []
  for (const window of settings.windows.filter((one) => one.days.includes(weekday))) {
    const toMs = instantMs(day, window.to, settings.timezone)
    let startMs = instantMs(day, window.from, settings.timezone)
    while (startMs + settings.durationMinutes * minuteMs <= toMs) {
      starts.push(startMs)
      startMs += settings.slotStepMinutes * minuteMs
    }
  }
  return starts
}

function instantMs(day: Temporal.PlainDate, time: string, timezone: string): number {
  return day.toZonedDateTime({ timeZone: timezone, plainTime: Temporal.PlainTime.from(time) }).epochMilliseconds
}
