import { z } from 'zod'
import { namedObject } from '../common.ts'
import { leadCalendar } from '../vocabularies.ts'

const place = '[A-Z]{2}(-[A-Za-z0-9]{1,20})?'

/** A country or one of its regions. The server knows which exist. */
export const holidayCalendar = z
  .string()
  .regex(new RegExp(`^${place}$`), 'Use a country such as DE, or a region such as DE-BY.')

export const scheduleHolidays = namedObject('ScheduleHolidays', {
  calendar: z
    .string()
    .regex(
      new RegExp(`^(${leadCalendar}|${place})$`),
      `Use "${leadCalendar}", a country such as DE, or a region such as DE-BY.`,
    )
    .meta({
      description:
        'A country (`DE`), a region (`DE-BY`), or `lead` for the country of each lead. A lead whose country is unknown has no ' +
        'holidays.',
    }),
})
