import type { Weekday } from '@overture/contract/common.ts'
import { leadCalendar } from '@overture/contract/vocabularies.ts'
import { toCountryCode } from '../country-code.ts'
import { dayMs, hourMs, minuteMs } from './spans.ts'
import { dayNumberAt, parseDayNumber, toInstant, isKnownZone, stretchAt, toWeekday } from './time-zone.ts'

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
  holidays?: ScheduleHolidays | null
}

/** The public holidays on which a schedule is closed. */
export interface ScheduleHolidays {
  /** A country (`DE`), a region (`DE-BY`), or `lead` for the country of each lead. */
  calendar: string
  /** The name of a calendar's holiday on a day, which is a number of days after 1970-01-01. Null if the day is none. */
  nameOn: (calendar: string, day: number) => string | null
}

/** Where a lead is, by its own fields. */
export interface LeadLocation {
  timezone: string | null
  /** A name or a code. */
  country: string | null
}

/** The days of a lead, or of a schedule without a lead: the zone of the clock, and the calendar of holidays or null. */
export interface LocalDays {
  zone: string
  calendar: string | null
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

/** The days by which the schedule sends to a lead. Null for the schedule's own. */
export function resolveLocalDays(schedule: SendingSchedule, lead: LeadLocation | null): LocalDays {
  const { calendar = null } = schedule.holidays ?? {}
  return {
    zone: zoneFor(schedule, lead?.timezone ?? null),
    calendar: calendar === leadCalendar ? toCountryCode(lead?.country ?? null) : calendar,
  }
}

/** Whether the schedule may be open for one lead and closed for another at the same instant. */
export function differsByLead({ useLeadTimezone, holidays }: SendingSchedule): boolean {
  return useLeadTimezone || holidays?.calendar === leadCalendar
}

/** Whether the schedule allows sending at an instant, by the local days. */
export function isOpen(schedule: SendingSchedule, days: LocalDays, at: Date): boolean {
  return isOpenAt(compiled(schedule), days, at.getTime())
}

/** The holiday that closes the windows on the day of an instant. Null if there is none, or the day has no window anyway. */
export function holidayAt(schedule: SendingSchedule, days: LocalDays, atMs: number): string | null {
  const rules = compiled(schedule)
  const day = dayNumberAt(days.zone, atMs)
  return dayWindows(rules, day).length === 0 ? null : holidayOn(rules, days, day)
}

/** Returns `at` if the schedule is open then, else the next instant at which it opens. Null if it never opens again. */
export function nextOpening(schedule: SendingSchedule, days: LocalDays, at: Date): Date | null {
  const opening = nextOpeningMs(schedule, days, at.getTime())
  return opening === Infinity ? null : new Date(opening)
}

/** The same in milliseconds. Infinity if it never opens again. */
export function nextOpeningMs(schedule: SendingSchedule, days: LocalDays, atMs: number): number {
  if (atMs === Infinity) return Infinity
  const rules = compiled(schedule)
  if (isOpenAt(rules, days, atMs)) return atMs
  const firstDay = Math.max(dayNumberAt(days.zone, atMs), rules.firstDay)
  for (let day = firstDay; day <= Math.min(rules.lastDay, firstDay + rules.horizonDays); day++) {
    const opening = firstOpeningOfDay(rules, days, day, atMs)
    if (opening !== Infinity) return opening
  }
  return Infinity
}

/** Returns `atMs` if its day has a window, else the next opening. Infinity if there is none. */
export function nextOpenDayMs(schedule: SendingSchedule, days: LocalDays, atMs: number): number {
  if (atMs === Infinity) return Infinity
  const day = dayNumberAt(days.zone, atMs)
  return openSpans(compiled(schedule), days, day).length > 0 ? atMs : nextOpeningMs(schedule, days, atMs)
}

/**
 * The end of the wait after a message sent at `sentAt` (docs/contract.md, "Campaigns": counted from the actual send). Days keep
 * the wall time of the effective zone and count at least 24 hours each. Business days are Monday to Friday without the blackout
 * dates and the holidays.
 */
export function dueAfter(sentAt: Date, wait: Wait, schedule: SendingSchedule, lead: LeadLocation | null): Date {
  const sentMs = sentAt.getTime()
  switch (wait.unit) {
    case 'minutes':
      return new Date(sentMs + wait.value * minuteMs)
    case 'hours':
      return new Date(sentMs + wait.value * hourMs)
    case 'days':
      return new Date(sameTimeDaysLater(resolveLocalDays(schedule, lead).zone, sentMs, wait.value))
    case 'business_days': {
      const local = resolveLocalDays(schedule, lead)
      const days = calendarDaysFor(wait.value, dayNumberAt(local.zone, sentMs), (day) =>
        isBusinessDay(compiled(schedule), local, day),
      )
      return new Date(sameTimeDaysLater(local.zone, sentMs, days))
    }
  }
}

/** The open time of the schedule on the longest day of its week. */
export function longestOpenMs(schedule: SendingSchedule): number {
  return Math.max(0, ...compiled(schedule).spans.map(sumOpenMs))
}

// The spans are sorted by their start. Overlapping time counts once.
function sumOpenMs(spans: readonly Span[]): number {
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
  holidays: ScheduleHolidays | null
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
    blackoutDays: new Set(schedule.blackoutDates.map(parseDayNumber)),
    firstDay: schedule.startDate === null ? -Infinity : parseDayNumber(schedule.startDate),
    lastDay: schedule.endDate === null ? Infinity : parseDayNumber(schedule.endDate),
    holidays: schedule.holidays ?? null,
    // Each blackout date can cost a week, and three weeks are added for a window that a clock change removes. No calendar has a
    // holiday on the same weekday of each week for half a year.
    horizonDays: 7 * (schedule.blackoutDates.length + 3 + (schedule.holidays ? 26 : 0)),
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

function isOpenAt(rules: Rules, days: LocalDays, atMs: number): boolean {
  const localMs = atMs + stretchAt(days.zone, atMs).offsetMs
  const day = Math.floor(localMs / dayMs)
  const timeMs = localMs - day * dayMs
  return openSpans(rules, days, day).some((span) => timeMs >= span.from && timeMs < span.to)
}

function openSpans(rules: Rules, days: LocalDays, day: number): readonly Span[] {
  const spans = dayWindows(rules, day)
  return spans.length > 0 && holidayOn(rules, days, day) !== null ? [] : spans
}

function holidayOn({ holidays }: Rules, { calendar }: LocalDays, day: number): string | null {
  return holidays === null || calendar === null ? null : holidays.nameOn(calendar, day)
}

/** The windows of a day, if it is no holiday. */
function dayWindows(rules: Rules, day: number): readonly Span[] {
  if (day < rules.firstDay || day > rules.lastDay || rules.blackoutDays.has(day)) return []
  return rules.spans[toWeekday(day)] ?? []
}

// Windows follow the wall clock, so each stretch of constant offset is intersected with them separately. In the spring gap a
// window is shorter or missing; in autumn the repeated hour is open twice.
function firstOpeningOfDay(rules: Rules, days: LocalDays, day: number, atMs: number): number {
  const { zone } = days
  const spans = openSpans(rules, days, day)
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
  return Math.max(toInstant(zone, localMs), sentMs + days * dayMs)
}

function isBusinessDay(rules: Rules, days: LocalDays, day: number): boolean {
  return toWeekday(day) < 5 && !rules.blackoutDays.has(day) && holidayOn(rules, days, day) === null
}

function calendarDaysFor(businessDays: number, fromDay: number, isBusiness: (day: number) => boolean): number {
  let remainingDays = businessDays
  let days = 0
  while (remainingDays > 0) {
    days++
    if (isBusiness(fromDay + days)) remainingDays--
  }
  return days
}
