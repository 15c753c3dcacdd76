import { holidayEndpoints } from '@overture/contract/holidays/holidays.ts'
import { query, type Route } from '../platform/http/route.ts'
import { holidayData, loadCalendars } from './calendars.shell.ts'
import { unknownCalendar } from './known-calendar.shell.ts'

export function holidayRoutes(): Route[] {
  return [
    query(holidayEndpoints.getHolidays, async (_context, { query: { calendar, year } }) => {
      const calendars = await loadCalendars()
      if (!calendars.exists(calendar)) throw unknownCalendar('calendar', calendar)
      return { calendar, year, holidays: calendars.listHolidays(calendar, year), data: holidayData }
    }),
    query(holidayEndpoints.listHolidayCalendars, async () => ({
      countries: (await loadCalendars()).countries(),
      data: holidayData,
    })),
  ]
}
