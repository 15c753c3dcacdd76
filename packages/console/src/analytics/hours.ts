import { weekdayAndHour } from '../platform/time/format.ts'

export const weekdayNames = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const

export interface HourRow {
  weekday: (typeof weekdayNames)[number]
  /** By hour, 24 of them. */
  values: number[]
}

const hoursPerDay = 24

/** Every hour of the week in a zone, those in which nothing happened too. */
export function heatRows(times: readonly string[], zone: string): HourRow[] {
  const rows = weekdayNames.map((weekday) => ({ weekday, values: Array.from({ length: hoursPerDay }, () => 0) }))
  for (const time of times) {
    const { weekday, hour } = weekdayAndHour(time, zone)
    rows[weekday]!.values[hour]! += 1
  }
  return rows
}

export function highest(rows: readonly HourRow[]): { weekday: HourRow['weekday']; hour: number; value: number } {
  const all = rows.flatMap(({ weekday, values }) => values.map((value, hour) => ({ weekday, hour, value })))
  return all.reduce(
    (best, one) => (one.value > best.value ? one : best),
    all[0] ?? { weekday: 'mon', hour: 0, value: 0 },
  )
}
