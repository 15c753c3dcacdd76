export const weekdayNames = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const

export interface HourRow {
  weekday: (typeof weekdayNames)[number]
  /** 24 values, one per hour. */
  values: number[]
}

/** A group of the API by weekday and hour: `['mon', '09']`. */
interface HourGroup {
  key: readonly (string | null)[]
  replied: number
}

const hoursPerDay = 24

/** The rows for every hour of the week, including hours without replies. */
export function heatRows(groups: readonly HourGroup[]): HourRow[] {
  const rows = weekdayNames.map((weekday) => ({ weekday, values: Array.from({ length: hoursPerDay }, () => 0) }))
  for (const { key, replied } of groups) {
    const values = rows.find(({ weekday }) => weekday === key[0])?.values
    if (values !== undefined) values[Number(key[1])] = replied
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
