import { Temporal } from 'temporal-polyfill'
import { invalid } from '@overture/contract/errors.ts'
import { minuteMs } from '@overture/ground/time/spans.ts'

export type Interval = 'day' | 'week' | 'month'

/** A period of a series: its local date, and its bounds in UTC with an exclusive end. */
export interface Period {
  date: string
  startAt: Date
  endAt: Date
}

const periodsMax = 800

/** A `from` or `to`: a date means the whole day in the zone (`to` included), a time is exact (`to` excluded). */
export function parseRangeBound(text: string, timezone: string, side: 'from' | 'to'): Date {
  if (text.length > 10) return toDate(Temporal.Instant.from(text))
  const day = Temporal.PlainDate.from(text)
  const start = side === 'from' ? day : day.add({ days: 1 })
  return toDate(start.toZonedDateTime(timezone).toInstant())
}

const quarterMs = 15 * minuteMs

/** Bounds at whole quarter hours, the resolution of the counts. Null means no bound. */
export function wholeQuarters(range: { from?: string | undefined; to?: string | undefined; timezone: string }) {
  const bounds = { from: optionalBound(range, 'from'), to: optionalBound(range, 'to') }
  const { from, to } = bounds
  if (from !== null && to !== null && from >= to)
    throw invalid({ path: 'from', rule: 'range', message: '`from` must be before `to`.' })
  return bounds
}

function optionalBound(
  range: { from?: string | undefined; to?: string | undefined; timezone: string },
  side: 'from' | 'to',
) {
  const text = range[side]
  if (text === undefined) return null
  const bound = parseRangeBound(text, range.timezone, side)
  if (bound.getTime() % quarterMs === 0) return bound
  throw invalid({ path: side, rule: 'quarter', message: 'Use a time on a quarter of an hour, such as 10:15.' })
}

/**
 * The days, weeks (from Monday) or months of the zone that cover [from, to). The first and the last are cut to the range. A day
 * of 23 or 25 hours is one period. Refuses an empty range and more than 800 periods.
 */
export function splitIntoPeriods(range: { from: Date; to: Date; interval: Interval; timezone: string }): Period[] {
  const { from, to, interval, timezone } = range
  if (from >= to) throw invalid({ path: 'from', rule: 'range', message: '`from` must be before `to`.' })
  const periods: Period[] = []
  let date = firstDate(zonedDate(from, timezone), interval)
  while (startOfPeriod(date, timezone) < to) {
    const next = date.add(intervalLength(interval))
    const startAt = latest(startOfPeriod(date, timezone), from)
    const endAt = earliest(startOfPeriod(next, timezone), to)
    if (startAt < endAt) periods.push({ date: date.toString(), startAt, endAt })
    if (periods.length > periodsMax) {
      throw invalid({
        path: 'from',
        rule: 'max',
        message: `The range has more than ${periodsMax} periods. Use a shorter range or a longer interval.`,
      })
    }
    date = next
  }
  return periods
}

function firstDate(date: Temporal.PlainDate, interval: Interval): Temporal.PlainDate {
  switch (interval) {
    case 'day':
      return date
    case 'week':
      return date.subtract({ days: date.dayOfWeek - 1 })
    case 'month':
      return date.with({ day: 1 })
  }
}

function intervalLength(interval: Interval): { days: number } | { months: number } {
  switch (interval) {
    case 'day':
      return { days: 1 }
    case 'week':
      return { days: 7 }
    case 'month':
      return { months: 1 }
  }
}

function zonedDate(at: Date, timezone: string): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timezone).toPlainDate()
}

function startOfPeriod(date: Temporal.PlainDate, timezone: string): Date {
  return toDate(date.toZonedDateTime(timezone).toInstant())
}

function toDate(instant: Temporal.Instant): Date {
  return new Date(instant.epochMilliseconds)
}

function latest(a: Date, b: Date): Date {
  return a > b ? a : b
}

function earliest(a: Date, b: Date): Date {
  return a < b ? a : b
}
