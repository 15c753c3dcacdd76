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

/** With fewer replies, the hour with the most replies is a coincidence. */
const repliesLeast = 20

export type BusiestHour =
  | { kind: 'none' | 'tie' }
  | { kind: 'few'; replies: number; least: number }
  | { kind: 'hour'; weekday: HourRow['weekday']; hour: number; replies: number }

/** The hour of the week with the most replies, if there are enough replies to name one and no other hour has as many. */
export function busiestHour(rows: readonly HourRow[]): BusiestHour {
  const all = rows.flatMap(({ weekday, values }) => values.map((replies, hour) => ({ weekday, hour, replies })))
  const replies = all.reduce((sum, one) => sum + one.replies, 0)
  if (replies === 0) return { kind: 'none' }
  if (replies < repliesLeast) return { kind: 'few', replies, least: repliesLeast }
  const [first, second] = all.sort((a, b) => b.replies - a.replies)
  return first!.replies === second!.replies ? { kind: 'tie' } : { kind: 'hour', ...first! }
}
