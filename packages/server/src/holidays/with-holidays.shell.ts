import type { Schedule } from '@overture/contract/campaigns/campaigns.ts'
import type { SendingSchedule } from '@overture/ground/time/sending-window.ts'
import { loadCalendars } from './calendars.shell.ts'

/** Gives a stored schedule the holidays of its calendar. A schedule without a calendar is returned as it is. */
export async function withHolidays(schedule: Schedule): Promise<SendingSchedule> {
  if (hasNoCalendar(schedule)) return schedule
  const { nameOn } = await loadCalendars()
  return { ...schedule, holidays: schedule.holidays && { ...schedule.holidays, nameOn } }
}

/** Schedules that are older than the field `holidays` lack it. */
function hasNoCalendar(
  schedule: Omit<Schedule, 'holidays'> & Partial<Schedule>,
): schedule is Schedule & { holidays: null } {
  return (schedule.holidays ?? null) === null
}
