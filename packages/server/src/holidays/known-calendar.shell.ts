import { type AppError, invalid } from '@overture/contract/errors.ts'
import { leadCalendar } from '@overture/contract/vocabularies.ts'
import { loadCalendars } from './calendars.shell.ts'

/** Throws VALIDATION_ERROR with the path of the field if the calendar of a schedule does not exist. */
export async function assertCalendarExists(calendar: string, path: string): Promise<void> {
  if (calendar === leadCalendar || (await loadCalendars()).exists(calendar)) return
  throw unknownCalendar(path, calendar)
}

export function unknownCalendar(path: string, calendar: string): AppError {
  const message = `There is no calendar ${calendar}. Use a country such as DE, or a region such as DE-BY.`
  return invalid({ path, rule: 'unknown_calendar', message })
}
