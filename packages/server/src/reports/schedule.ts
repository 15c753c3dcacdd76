import { lastOn, type ReportInterval } from '@overture/contract/reports/reports.ts'
import { dayMs, hourMs, minuteMs } from '@overture/ground/time/spans.ts'
import { dayIn, dayName, dayNumberAt, toInstant, toWeekday } from '@overture/ground/time/time-zone.ts'

const weekDays = 7

export interface ReportSchedule {
  every: ReportInterval
  /** From 1 (Monday) to 7 for a week, from 1 to 31 for a month, null for a day. */
  on: number | null
  /** `HH:MM` */
  at: string
  timezone: string
}

/** The day of a schedule that was sent without one. */
export function defaultOn(every: ReportInterval): number | null {
  return every === 'day' ? null : 1
}

/** Whether the interval has this day. */
export function allowsOn(every: ReportInterval, on: number | null): boolean {
  return every === 'day' ? on === null : on !== null && on <= lastOn[every]
}

/**
 * The first due time later than `after`. Each due day has one due time: a time that the clocks show twice is due at the first one,
 * and a time that they skip is due as much later.
 */
export function nextDueAt(schedule: ReportSchedule, after: Date): Date {
  // A skipped time may be due on the next day, so the search begins a day earlier.
  let day = dueDayFrom(schedule, dayNumberAt(schedule.timezone, after.getTime()) - 1)
  while (dueMs(schedule, day) <= after.getTime()) day = dueDayFrom(schedule, day + 1)
  return new Date(dueMs(schedule, day))
}

/** The last due time that is not later than `now`. */
export function lastDueAt(schedule: ReportSchedule, now: Date): Date {
  let day = dueDayUntil(schedule, dayNumberAt(schedule.timezone, now.getTime()))
  while (dueMs(schedule, day) > now.getTime()) day = dueDayUntil(schedule, day - 1)
  return new Date(dueMs(schedule, day))
}

export interface CoveredDays {
  /** The first and the last day as `YYYY-MM-DD`, both included. */
  from: string
  to: string
}

/** The whole days of the zone since the report before the one of `at`. The day of `at` is not over, so it is left out. */
export function coveredDays({ every, on, timezone }: Omit<ReportSchedule, 'at'>, at: Date): CoveredDays {
  const end = dayNumberAt(timezone, at.getTime())
  return { from: dayName(firstCovered(every, on, end)), to: dayName(end - 1) }
}

/** The name of the period that a due time ends. A period is reported once, also if its time of day changes. */
export function periodName({ every, timezone }: Pick<ReportSchedule, 'every' | 'timezone'>, dueAt: Date): string {
  return `${every}:${dayIn(timezone, dueAt)}`
}

function firstCovered(every: ReportInterval, on: number | null, end: number): number {
  if (every !== 'month') return end - (every === 'day' ? 1 : weekDays)
  const { year, month, date } = readDay(end)
  const isDueDay = monthDay(year, month, on ?? 1) === end
  return monthDay(year, month - 1, isDueDay ? (on ?? 1) : date)
}

function dueMs({ at, timezone }: ReportSchedule, day: number): number {
  const [hours = 0, minutes = 0] = at.split(':').map(Number)
  return toInstant(timezone, day * dayMs + hours * hourMs + minutes * minuteMs)
}

/** The first due day that is not before `day`. */
function dueDayFrom({ every, on }: ReportSchedule, day: number): number {
  if (every === 'day') return day
  if (every === 'week') return day + positiveRest((on ?? 1) - 1 - toWeekday(day))
  const { year, month } = readDay(day)
  const inMonth = monthDay(year, month, on ?? 1)
  return inMonth >= day ? inMonth : monthDay(year, month + 1, on ?? 1)
}

/** The last due day that is not after `day`. */
function dueDayUntil({ every, on }: ReportSchedule, day: number): number {
  if (every === 'day') return day
  if (every === 'week') return day - positiveRest(toWeekday(day) - ((on ?? 1) - 1))
  const { year, month } = readDay(day)
  const inMonth = monthDay(year, month, on ?? 1)
  return inMonth <= day ? inMonth : monthDay(year, month - 1, on ?? 1)
}

function positiveRest(days: number): number {
  return ((days % weekDays) + weekDays) % weekDays
}

/** The months of a year count from 0. */
function readDay(day: number): { year: number; month: number; date: number } {
  const at = new Date(day * dayMs)
  return { year: at.getUTCFullYear(), month: at.getUTCMonth(), date: at.getUTCDate() }
}

/** The day of a month, or its last day if it is shorter. The month may be outside of its year. */
function monthDay(year: number, month: number, date: number): number {
  const length = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  return Date.UTC(year, month, Math.min(date, length)) / dayMs
}
