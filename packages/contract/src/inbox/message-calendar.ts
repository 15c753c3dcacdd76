import { z } from 'zod'
import { namedObject, timestamp } from '../common.ts'

const nullableTime = timestamp.nullable()

/** The calendar file of a message, as its sender wrote it. Later messages may change the meeting. */
export const messageCalendar = namedObject('MessageCalendar', {
  method: z.enum(['request', 'reply', 'cancel']),
  startAt: nullableTime.meta({ description: 'Null if its time zone is unknown. Nothing is booked then.' }),
  endAt: nullableTime,
})
