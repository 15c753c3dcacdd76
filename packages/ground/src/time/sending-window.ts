import { dayMs, hourMs, minuteMs } from './spans.ts'
import type { Weekday } from '@overture/contract/common.ts'
import { dayNumberAt, dayNumberOf, instantOf, isKnownZone, stretchAt, weekdayOf } from './time-zone.ts'

/** `HH:MM` to `HH:MM` on the named days. `to` 00:00 is the end of the day; if `to` is before `from`, the window ends on the next day. */
export interface SendingWindow {
  days: readonly Weekday[]
  from: string
  to: string
}

/** A campaign's schedule (docs/contract.md, "Campaigns"). Dates are `YYYY-MM-DD`, as days of the effective zone. */
export interface SendingSchedule {
  timezone: string
  useLeadTimezone: boolean
  windows: readonly SendingWindow[]
  startDate: string | null
  /** The last day of sending. */
  endDate: string | null
  blackoutDates: readonly string[]
}

export type WaitUnit = 'minutes' | 'hours' | 'days' | 'business_days'
export interface Wait {
  value: number
  unit: WaitUnit
}

/** The effective zone for a lead: its own if it has one and the schedule uses it, else the schedule's. */
export function zoneFor(schedule: SendingSchedule, leadTimezone: string | null): string {
  if (schedule.useLeadTimezone && leadTimezone !== null && isKnownZone(leadTimezone)) return leadTimezone
  return schedule.timezone
}

/** Whether the schedule allows sending at an instant, by the wall clock of `zone`. */
export function isOpen(schedule: SendingSchedule, zone: string, at: Date): boolean {
  return isOpenAt(compiled(schedule), zone, at.getTime())
}

/** Returns `at` if the schedule is open then, else the next instant at which it opens. Null if it never opens again. */
export function nextOpening(schedule: SendingSchedule, zone: string, at: Date): Date | null {
  const opening = nextOpeningMs(schedule, zone, at.getTime())
  return opening === Infinity ? null : new Date(opening)
}

/** The same in milliseconds. Infinity if it never opens again. */
export function nextOpeningMs(schedule: SendingSchedule, zone: string, atMs: number): number {
  if (atMs === Infinity) return Infinity
  const rules = compiled(schedule)
  if (isOpenAt(rules, zone, atMs)) return atMs
  const firstDay = Math.max(dayNumberAt(zone, atMs), rules.firstDay)
  for (let day = firstDay; day <= Math.min(rules.lastDay, firstDay + rules.horizonDays); day++) {
    const opening = firstOpeningOfDay(rules, zone, day, atMs)
    if (opening !== Infinity) return opening
  }
  return Infinity
}

/**
 * The end of the wait after a message sent at `sentAt` (docs/contract.md, "Campaigns": counted from the actual send). Days keep
 * the wall time of the effective zone and count at least 24 hours each. Business days are Monday to Friday without the blackout
 * dates.
 */
export function dueAfter(sentAt: Date, wait: Wait, schedule: SendingSchedule, leadTimezone: string | null): Date {
  const sentMs = sentAt.getTime()
  switch (wait.unit) {
    case 'minutes':
      return new Date(sentMs + wait.value * minuteMs)
    case 'hours':
      return new Date(sentMs + wait.value * hourMs)
    case 'days':
      return new Date(sameTimeDaysLater(zoneFor(schedule, leadTimezone), sentMs, wait.value))
    case 'business_days': {
      const zone = zoneFor(schedule, leadTimezone)
      const days = calendarDaysFor(wait.value, dayNumberAt(zone, sentMs), compiled(schedule).blackoutDays)
      return new Date(sameTimeDaysLater(zone, sentMs, days))
    }
  }
}

/** The open time of the schedule on the longest day of its week. */
export function longestOpenMs(schedule: SendingSchedule): number {
  return Math.max(0, ...compiled(schedule).spans.map(openMsOf))
}

// The spans are sorted by their start. Overlapping time counts once.
function openMsOf(spans: readonly Span[]): number {
  let [openMs, until] = [0, 0]
  for (const { from, to } of spans) {
    openMs += Math.max(0, to - Math.max(from, until))
    until = Math.max(until, to)
  }
  return openMs
}

interface Span {
  /** Milliseconds since the start of the local day. */
  from: number
  to: number
}

interface Rules {
  /** By weekday, Monday first. */
  spans: readonly (readonly Span[])[]
  blackoutDays: ReadonlySet<number>
  firstDay: number
  lastDay: number
  /** If no window opens within this many days, none ever will. */
  horizonDays: number
}

const weekdays: readonly Weekday[] = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
/** No zone has a larger offset from UTC. */
const offsetMaxMs = 16 * hourMs

// Schedules are never changed in place, so their rules are cached. Compiling them again for each lead would cost most of a plan.
const rulesBySchedule = new WeakMap<SendingSchedule, Rules>()

function compiled(schedule: SendingSchedule): Rules {
  const known = rulesBySchedule.get(schedule)
  if (known) return known
  const rules = {
    spans: spansByWeekday(schedule.windows),
    blackoutDays: new Set(schedule.blackoutDates.map(dayNumberOf)),
    firstDay: schedule.startDate === null ? -Infinity : dayNumberOf(schedule.startDate),
    lastDay: schedule.endDate === null ? Infinity : dayNumberOf(schedule.endDate),
    // Each blackout date can cost a week, and three weeks are added for a window that a clock change removes.
    horizonDays: 7 * (schedule.blackoutDates.length + 3),
  }
  rulesBySchedule.set(schedule, rules)
  return rules
}

function spansByWeekday(windows: readonly SendingWindow[]): Span[][] {
  const spans: Span[][] = weekdays.map(() => [])
  for (const window of windows) {
    const from = timeOfDayMs(window.from)
    const to = window.to === '00:00' ? dayMs : timeOfDayMs(window.to)
    for (const name of window.days) {
      const weekday = weekdays.indexOf(name)
      if (to > from) spans[weekday]?.push({ from, to })
      if (to < from) {
        spans[weekday]?.push({ from, to: dayMs })
        spans[(weekday + 1) % 7]?.push({ from: 0, to })
      }
    }
  }
  for (const day of spans) day.sort((a, b) => a.from - b.from)
  return spans
}

function timeOfDayMs(text: string): number {
  return (Number(text.slice(0, 2)) * 60 + Number(text.slice(3, 5))) * minuteMs
}

function isOpenAt(rules: Rules, zone: string, atMs: number): boolean {
  const localMs = atMs + stretchAt(zone, atMs).offsetMs
  const day = Math.floor(localMs / dayMs)
  const timeMs = localMs - day * dayMs
  return spansOf(rules, day).some((span) => timeMs >= span.from && timeMs < span.to)
}

function spansOf(rules: Rules, day: number): readonly Span[] {
  if (day < rules.firstDay || day > rules.lastDay || rules.blackoutDays.has(day)) return []
  return rules.spans[weekdayOf(day)] ?? []
}

// Windows follow the wall clock, so each stretch of constant offset is intersected with them separately. In the spring gap a
// window is shorter or missing; in autumn the repeated hour is open twice.
function firstOpeningOfDay(rules: Rules, zone: string, day: number, atMs: number): number {
  const spans = spansOf(rules, day)
  if (spans.length === 0) return Infinity
  const dayStart = day * dayMs
  let first = Infinity
  let stretch = stretchAt(zone, dayStart - offsetMaxMs)
  for (;;) {
    for (const span of spans) {
      const from = Math.max(dayStart + span.from - stretch.offsetMs, stretch.from, atMs)
      if (from < Math.min(dayStart + span.to - stretch.offsetMs, stretch.to)) first = Math.min(first, from)
    }
    if (stretch.to > dayStart + dayMs + offsetMaxMs) return first
    stretch = stretchAt(zone, stretch.to)
  }
}

function sameTimeDaysLater(zone: string, sentMs: number, days: number): number {
  if (days === 0) return sentMs
  const localMs = sentMs + stretchAt(zone, sentMs).offsetMs + days * dayMs
  // Otherwise a day of 23 hours would shorten the wait between two steps.
  return Math.max(instantOf(zone, localMs), sentMs + days * dayMs)
}

function calendarDaysFor(businessDays: number, fromDay: number, blackoutDays: ReadonlySet<number>): number {
  let left = businessDays
  let days = 0
  while (left > 0) {
    days++
    const day = fromDay + days
    if (weekdayOf(day) < 5 && !blackoutDays.has(day)) left--
  }
  return days
}
