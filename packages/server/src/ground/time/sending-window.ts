import { dayMs, hourMs, minuteMs } from './spans.ts'
import type { Weekday } from '@overture/contract/common.ts'
import { dayNumberAt, dayNumberOf, instantOf, isKnownZone, stretchAt, weekdayOf } from './time-zone.ts'

/**
 * `HH:MM` to `HH:MM` of the named days. `to` 00:00 is the end of the day; a `to` before `from` runs past midnight.
 */
export interface SendingWindow {
  days: readonly Weekday[]
  from: string
  to: string
}

/** A campaign's schedule (docs/contract.md, "Campaigns"); dates are `YYYY-MM-DD`, days of the zone in force. */
export interface SendingSchedule {
  timezone: string
  useLeadTimezone: boolean
  windows: readonly SendingWindow[]
  startDate: string | null
  /** The last day on which anything is sent. */
  endDate: string | null
  blackoutDates: readonly string[]
}

export type WaitUnit = 'minutes' | 'hours' | 'days' | 'business_days'
export interface Wait {
  value: number
  unit: WaitUnit
}

/** The zone that rules for a lead: its own where the schedule says so and it has one, else the schedule's. */
export function zoneFor(schedule: SendingSchedule, leadTimezone: string | null): string {
  if (schedule.useLeadTimezone && leadTimezone !== null && isKnownZone(leadTimezone)) return leadTimezone
  return schedule.timezone
}

/** Whether the schedule lets anything out at an instant, by the wall clock of `zone`. */
export function isOpen(schedule: SendingSchedule, zone: string, at: Date): boolean {
  return isOpenAt(compiled(schedule), zone, at.getTime())
}

/** `at` itself where the window is open then, else the next instant at which one opens; null: never again. */
export function nextOpening(schedule: SendingSchedule, zone: string, at: Date): Date | null {
  const opening = nextOpeningMs(schedule, zone, at.getTime())
  return opening === Infinity ? null : new Date(opening)
}

/** The same in milliseconds; Infinity: never again. */
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
 * When the wait after a message sent at `sentAt` is over (docs/contract.md, "Campaigns": counted from the actual send). Days keep the
 * wall time in the zone in force and never count less than 24 hours each; business days are Monday to Friday
 * without the blackout dates.
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

/** How long the schedule is open on the longest day of its week. */
export function longestOpenMs(schedule: SendingSchedule): number {
  return Math.max(0, ...compiled(schedule).spans.map(openMsOf))
}

// By where they begin; what overlaps counts once.
function openMsOf(spans: readonly Span[]): number {
  let [openMs, until] = [0, 0]
  for (const { from, to } of spans) {
    openMs += Math.max(0, to - Math.max(from, until))
    until = Math.max(until, to)
  }
  return openMs
}

interface Span {
  /** Milliseconds of the local day. */
  from: number
  to: number
}

interface Rules {
  /** By weekday, Monday first. */
  spans: readonly (readonly Span[])[]
  blackoutDays: ReadonlySet<number>
  firstDay: number
  lastDay: number
  /** After this many days without an opening there is none. */
  horizonDays: number
}

const weekdays: readonly Weekday[] = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
/** No zone is further from UTC than this. */
const offsetMaxMs = 16 * hourMs

// Schedules are values that nobody changes in place; reading one's rules again for each lead would cost most of a plan.
const rulesBySchedule = new WeakMap<SendingSchedule, Rules>()

function compiled(schedule: SendingSchedule): Rules {
  const known = rulesBySchedule.get(schedule)
  if (known) return known
  const rules = {
    spans: spansByWeekday(schedule.windows),
    blackoutDays: new Set(schedule.blackoutDates.map(dayNumberOf)),
    firstDay: schedule.startDate === null ? -Infinity : dayNumberOf(schedule.startDate),
    lastDay: schedule.endDate === null ? Infinity : dayNumberOf(schedule.endDate),
    // Every blackout date can cost a week; three more for a window that a clock change swallows.
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

// A window is what the wall clock shows, so each stretch of constant offset is cut with the windows by itself: in the
// spring gap a window is shorter or absent, in autumn the repeated hour is open twice.
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
  // A day of 23 hours would otherwise bring two steps closer than the wait that was asked for.
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
