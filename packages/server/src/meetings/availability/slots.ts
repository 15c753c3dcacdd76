import { dayIn, dayNumberAt } from '@overture/ground/time/time-zone.ts'
import { minuteMs } from '@overture/ground/time/spans.ts'
import { Temporal } from 'temporal-polyfill'
import type { AvailabilitySettings } from '@overture/contract/meetings/availability.ts'
import type { Weekday } from '@overture/contract/common.ts'

/** A busy time span; the end is exclusive. */
interface BusyTime {
  startAt: Date
  endAt: Date
}

interface SlotSearch {
  settings: AvailabilitySettings
  busy: readonly BusyTime[]
  now: Date
  /** The number of days to search in the host's zone, from today. */
  daysMax?: number
}

const weekdays: readonly Weekday[] = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']

/** Every start that can still be booked, ascending. When the clocks change, a window has its real length. */
export function freeSlots(search: SlotSearch): Date[] {
  const { settings, daysMax } = search
  const days = Math.min(settings.maxDaysAhead, daysMax ?? settings.maxDaysAhead)
  return slotsOfDays(search, 0, days)
}

/** Whether `freeSlots` contains this start, computed from the surrounding days only. */
export function isFree(search: SlotSearch, startAt: Date): boolean {
  const { settings, now } = search
  const offset = dayNumberAt(settings.timezone, startAt.getTime()) - dayNumberAt(settings.timezone, now.getTime())
  // When the clocks change, a window that ends near midnight may have a start on the next day.
  const slots = slotsOfDays(search, Math.max(0, offset - 1), Math.min(settings.maxDaysAhead, offset + 1))
  return slots.some((slot) => slot.getTime() === startAt.getTime())
}

/** The starts on days `first` to `last` in the host's zone, counted from today. */
function slotsOfDays({ settings, busy, now }: SlotSearch, first: number, last: number): Date[] {
  if (!settings.enabled) return []
  const earliestMs = now.getTime() + settings.minNoticeMinutes * minuteMs
  const today = Temporal.PlainDate.from(dayIn(settings.timezone, now))
  const taken = takenSpans(busy, settings.bufferMinutes * minuteMs)
  const starts = new Set<number>()
  for (let offset = first; offset <= last; offset++) {
    for (const startMs of slotStarts(settings, today.add({ days: offset }))) {
      const endMs = startMs + settings.durationMinutes * minuteMs
      if (startMs >= earliestMs && !overlaps(taken, startMs, endMs)) starts.add(startMs)
    }
  }
  return [...starts].toSorted((a, b) => a - b).map((startMs) => new Date(startMs))
}

interface Span {
  startMs: number
  endMs: number
}

/** The busy spans with buffers, ascending and merged, so that a start can be found by binary search. */
function takenSpans(busy: readonly BusyTime[], bufferMs: number): Span[] {
  const spans: Span[] = []
  for (const { startAt, endAt } of busy.toSorted((a, b) => a.startAt.getTime() - b.startAt.getTime())) {
    const span = { startMs: startAt.getTime() - bufferMs, endMs: endAt.getTime() + bufferMs }
    const last = spans.at(-1)
    if (last && span.startMs <= last.endMs) last.endMs = Math.max(last.endMs, span.endMs)
    else spans.push(span)
  }
  return spans
}

function overlaps(taken: readonly Span[], startMs: number, endMs: number): boolean {
  let low = 0
  let high = taken.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (taken[middle]!.endMs <= startMs) low = middle + 1
    else high = middle
  }
  return low < taken.length && taken[low]!.startMs < endMs
}

function slotStarts(settings: AvailabilitySettings, day: Temporal.PlainDate): number[] {
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
  if (time === '24:00') return day.add({ days: 1 }).toZonedDateTime(timezone).epochMilliseconds
  return day.toZonedDateTime({ timeZone: timezone, plainTime: Temporal.PlainTime.from(time) }).epochMilliseconds
}
