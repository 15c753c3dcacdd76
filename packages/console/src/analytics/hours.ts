export const weekdayNames = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const

export interface HourRow {
  weekday: (typeof weekdayNames)[number]
  /** By hour, 24 of them. */
  values: number[]
}

const hoursPerDay = 24

/** Every hour of the week, those in which nothing happened too. */
export function heatRows(groups: readonly { key: readonly (string | null)[]; uniqueReplied: number }[]): HourRow[] {
  const counts = new Map(
    groups.map(({ key: [weekday, hour], uniqueReplied }) => [`${weekday} ${Number(hour)}`, uniqueReplied]),
  )
  return weekdayNames.map((weekday) => ({
    weekday,
    values: Array.from({ length: hoursPerDay }, (_none, hour) => counts.get(`${weekday} ${hour}`) ?? 0),
  }))
}

export function highest(rows: readonly HourRow[]): { weekday: HourRow['weekday']; hour: number; value: number } {
  const all = rows.flatMap(({ weekday, values }) => values.map((value, hour) => ({ weekday, hour, value })))
  return all.reduce(
    (best, one) => (one.value > best.value ? one : best),
    all[0] ?? { weekday: 'mon', hour: 0, value: 0 },
  )
}
