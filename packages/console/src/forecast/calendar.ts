import type { ForecastDay } from '@overture/sdk'

export interface CalendarDay {
  date: string
  first: number
  followUp: number
}

const dayMs = 86_400_000

/** Groups days into whole weeks from Monday, with what is sent on each day. */
export function groupByWeek(days: readonly ForecastDay[], weeksMax: number): CalendarDay[][] {
  const [begin] = days
  if (begin === undefined) return []
  const counts = new Map(days.map((day) => [day.date, day]))
  const firstMs = Date.parse(begin.date)
  const mondayMs = firstMs - ((new Date(firstMs).getUTCDay() + 6) % 7) * dayMs
  const lastMs = Date.parse(days.at(-1)!.date)
  const weeks: CalendarDay[][] = []
  for (let weekMs = mondayMs; weekMs <= lastMs && weeks.length < weeksMax; weekMs += 7 * dayMs) {
    weeks.push(
      Array.from({ length: 7 }, (_none, index) => {
        const date = new Date(weekMs + index * dayMs).toISOString().slice(0, 10)
        const day = counts.get(date)
        return { date, first: day?.first ?? 0, followUp: day?.followUp ?? 0 }
      }),
    )
  }
  return weeks
}

export function sumDays(days: readonly ForecastDay[]): number {
  return days.reduce((sum, { first, followUp }) => sum + first + followUp, 0)
}
