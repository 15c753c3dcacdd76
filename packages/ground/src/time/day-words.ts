import { dayMs } from './spans.ts'
import { dayNumberAt } from './time-zone.ts'

const months = 'January February March April May June July August September October November December'.split(' ')

/** The day in a zone as a person says it, such as "4 December". */
export function localDate(timezone: string, atMs: number): string {
  const date = new Date(dayNumberAt(timezone, atMs) * dayMs)
  return `${date.getUTCDate()} ${months[date.getUTCMonth()]}`
}
