import { z } from 'zod'
import { calendarDate, namedObject, yearNumber } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { holidayCalendar } from './calendar.ts'

const holiday = namedObject('Holiday', {
  date: calendarDate,
  name: z.string().meta({ description: 'In English if the data has an English name.' }),
})
export type Holiday = z.infer<typeof holiday>

const holidayData = namedObject('HolidayData', {
  name: z.string(),
  version: z.string(),
  license: z.string(),
  url: z.string(),
})

const holidayYear = namedObject('HolidayYear', {
  calendar: z.string(),
  year: z.number().int(),
  holidays: z.array(holiday).meta({ description: 'By date. A holiday of several days is listed once per day.' }),
  data: holidayData,
})
export type HolidayYear = z.infer<typeof holidayYear>

const namedCalendar = { calendar: z.string(), name: z.string() }
const holidayCountry = namedObject('HolidayCountry', {
  ...namedCalendar,
  regions: z.array(namedObject('HolidayRegion', namedCalendar)),
})
export type HolidayCountry = z.infer<typeof holidayCountry>

const holidayCalendars = namedObject('HolidayCalendars', { countries: z.array(holidayCountry), data: holidayData })
export type HolidayCalendars = z.infer<typeof holidayCalendars>

const data = {
  name: 'date-holidays',
  version: '3.37.0',
  license: 'ISC AND CC-BY-3.0',
  url: 'https://github.com/commenthol/date-holidays',
}

export const holidayEndpoints = {
  getHolidays: endpoint({
    operationId: 'getHolidays',
    call: 'holidays.get',
    method: 'GET',
    path: '/v2/holidays',
    environment: 'both',
    scope: 'read',
    summary: 'Get the public holidays of a year',
    description:
      'Returns the public holidays on which a campaign with this calendar sends nothing. The calendar of a region also contains ' +
      'the holidays of its country. Holidays that begin during a day, such as at noon, are not included.',
    tag: 'Campaigns',
    query: z.strictObject({
      calendar: holidayCalendar.meta({ description: 'A country (`DE`) or a region (`DE-BY`).' }),
      year: yearNumber,
    }),
    success: [200],
    output: holidayYear,
    examples: {
      output: {
        calendar: 'DE-BY',
        year: 2027,
        holidays: [
          { date: '2027-01-01', name: "New Year's Day" },
          { date: '2027-01-06', name: 'Epiphany' },
        ],
        data,
      },
    },
  }),
  listHolidayCalendars: endpoint({
    operationId: 'listHolidayCalendars',
    call: 'holidays.calendars',
    method: 'GET',
    path: '/v2/holidays/calendars',
    environment: 'both',
    scope: 'read',
    summary: 'List the calendars of holidays',
    description: 'Returns every country that has public holidays in the data, with its regions, by name.',
    tag: 'Campaigns',
    success: [200],
    output: holidayCalendars,
    examples: {
      output: {
        countries: [{ calendar: 'DE', name: 'Germany', regions: [{ calendar: 'DE-BY', name: 'Bayern' }] }],
        data,
      },
    },
  }),
}
