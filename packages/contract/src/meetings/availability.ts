import { z } from 'zod'
import { scheduleWindow } from '../campaigns/campaigns.ts'
import { calendarDate, email, namedObject, timestamp, timezone } from '../common.ts'

export const title = z.string().trim().min(1).max(300)
export const joinUrl = z
  .url({ protocol: /^https?$/ })
  .max(2000)
  .nullable()

const window = scheduleWindow.refine((value) => value.from < value.to, {
  message: '`from` must be before `to`.',
  path: ['to'],
})

const settings = {
  enabled: z.boolean(),
  title,
  timezone,
  windows: z.array(window).max(50),
  durationMinutes: z.number().int().min(5).max(480),
  slotStepMinutes: z.number().int().min(5).max(480),
  bufferMinutes: z.number().int().min(0).max(240),
  minNoticeMinutes: z.number().int().min(0).max(43_200),
  maxDaysAhead: z.number().int().min(1).max(180),
  blackoutDates: z.array(calendarDate).max(366),
  hostName: z.string().max(200).nullable(),
  /** The host gets a copy of every invitation. */
  hostEmail: email.nullable(),
  joinUrl,
  /** Minutes before the start at which the attendees are reminded. */
  reminderMinutes: z.array(z.number().int().min(5).max(20_160)).max(5),
}
export const availabilitySettings = z.strictObject(settings)
export type AvailabilitySettings = z.infer<typeof availabilitySettings>

const slug = z
  .string()
  .regex(/^[a-z0-9](?:[a-z0-9-]{1,62})[a-z0-9]$/, 'Use 3 to 64 lower-case letters, digits and hyphens.')
/** Calendar programs publish an address with a secret in it. `webcal:` is read over https. */
const calendarUrl = z
  .string()
  .max(2_000)
  .refine((text) => URL.canParse(text) && ['https:', 'webcal:', 'http:'].includes(new URL(text).protocol), {
    message: 'Use the https address of the calendar, as your calendar program shows it.',
  })
const busyCalendar = namedObject('BusyCalendar', {
  configured: z.boolean(),
  /** The host of the address; the rest of it is secret. */
  host: z.string().nullable(),
  /** When the calendar was read last. Null before the first time. */
  readAt: timestamp.nullable(),
  /** Why the last attempt failed. The busy times of the attempt before stay in use. */
  error: z.string().nullable(),
  busyTimes: z.number().int(),
})
const integration = namedObject('MeetingIntegration', { configured: z.boolean(), hookUrl: z.string() })

export const availability = namedObject('Availability', {
  ...settings,
  slug: z.string(),
  bookingUrl: z.string(),
  calCom: integration,
  calendly: integration,
  busyCalendar,
  updatedAt: timestamp.nullable(),
})
export type Availability = z.infer<typeof availability>

const optionalSettings = z.strictObject(settings).partial().shape
export const updateAvailabilityInput = namedObject('UpdateAvailabilityInput', {
  ...optionalSettings,
  slug: slug.optional(),
  /** Write-only. Null removes it. */
  calComSecret: z.string().min(1).max(500).nullable().optional(),
  calendlySigningKey: z.string().min(1).max(500).nullable().optional(),
  /** The address of the host's calendar (ICS). Write-only, since it is a secret. Null removes it. */
  calendarUrl: calendarUrl.nullable().optional(),
  bookingUrl: z.string().optional(),
  calCom: integration.optional(),
  calendly: integration.optional(),
  busyCalendar: busyCalendar.optional(),
  updatedAt: z.string().nullable().optional(),
})
export type UpdateAvailabilityInput = z.infer<typeof updateAvailabilityInput>
