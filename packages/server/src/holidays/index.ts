export { assertCalendarExists } from './known-calendar.shell.ts'
export { holidayRoutes } from './holidays.routes.ts'
export { withHolidays } from './with-holidays.shell.ts'
