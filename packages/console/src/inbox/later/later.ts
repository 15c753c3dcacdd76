import { dayAfter, toMoment } from '../../platform/time/days.ts'
import { localDay } from '../../platform/time/format.ts'

const hourMs = 3_600_000
const laterTodayMs = 3 * hourMs
const morning = '09:00'

export type LaterName = 'today' | 'tomorrow' | 'nextWeek'

export interface LaterChoice {
  name: LaterName
  at: string
}

/** The times that a menu offers, in the zone of the account. Late in the day there is no later today. */
export function laterChoices(now: string, zone: string): LaterChoice[] {
  const today = localDay(now, zone)
  const quarterMs = hourMs / 4
  const laterToday = new Date(Math.ceil((Date.parse(now) + laterTodayMs) / quarterMs) * quarterMs).toISOString()
  const tomorrow = { name: 'tomorrow' as const, at: toMoment(dayAfter(today, 1), morning, zone) }
  const nextWeek = { name: 'nextWeek' as const, at: toMoment(nextMonday(today), morning, zone) }
  if (localDay(laterToday, zone) !== today) return [tomorrow, nextWeek]
  return [{ name: 'today', at: laterToday }, tomorrow, nextWeek]
}

function nextMonday(date: string): string {
  const weekday = new Date(`${date}T00:00:00Z`).getUTCDay()
  return dayAfter(date, weekday === 0 ? 1 : 8 - weekday)
}
