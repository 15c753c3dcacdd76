import { z } from 'zod'
import {
  calendarDate,
  deleted,
  email,
  id,
  listOf,
  namedObject,
  pageQuery,
  timestamp,
  timestampInput,
  timezone,
} from '../common.ts'
import { scheduleWindow } from '../campaigns/campaigns.ts'
import { endpoint } from '../endpoint.ts'
import { meetingStatuses } from '../vocabularies.ts'

export const meetingStatus = z.enum(meetingStatuses).meta({ id: 'MeetingStatus' })
export type MeetingStatus = z.infer<typeof meetingStatus>
export const meetingSource = z
  .enum(['booking_page', 'calendar_invite', 'cal_com', 'calendly', 'manual'])
  .meta({ id: 'MeetingSource' })

export { meetingStatusMoves } from '../vocabularies.ts'

const attendeeStatus = z.enum(['needs_action', 'accepted', 'declined', 'tentative']).meta({ id: 'AttendeeStatus' })
export const attendee = namedObject('Attendee', {
  email: z.string(),
  name: z.string().nullable(),
  status: attendeeStatus,
})
export type Attendee = z.infer<typeof attendee>

export const meeting = namedObject('Meeting', {
  id: z.string(),
  leadId: z.string().nullable(),
  campaignId: z.string().nullable(),
  status: meetingStatus,
  source: meetingSource,
  title: z.string(),
  startAt: timestamp,
  endAt: timestamp,
  timezone: z.string(),
  joinUrl: z.string().nullable(),
  attendees: z.array(attendee),
  createdAt: timestamp,
  updatedAt: timestamp,
})
export type Meeting = z.infer<typeof meeting>

const title = z.string().trim().min(1).max(300)
const joinUrl = z
  .url({ protocol: /^https?$/ })
  .max(2000)
  .nullable()
const attendeesInput = z
  .array(
    namedObject('AttendeeInput', {
      email,
      name: z.string().max(200).nullable().default(null),
      status: attendeeStatus.default('needs_action'),
    }),
  )
  .max(100)

/** The largest number of attendees that get a mailed invitation of a meeting. */
export const invitedMax = 10

export const createMeetingInput = namedObject('CreateMeetingInput', {
  leadId: id.nullable().default(null),
  /** The lead already names its campaign. Another campaign than the lead's gets 404. */
  campaignId: id.nullable().default(null),
  title,
  startAt: timestampInput,
  endAt: timestampInput,
  timezone: timezone.optional(),
  joinUrl: joinUrl.default(null),
  attendees: attendeesInput.default([]),
  /** Mails an ICS invitation to each attendee. A meeting with invitations can have 10 attendees. */
  sendInvitation: z.boolean().default(true),
})
export type CreateMeetingInput = z.infer<typeof createMeetingInput>

export const updateMeetingInput = namedObject('UpdateMeetingInput', {
  title: title.optional(),
  startAt: timestampInput.optional(),
  endAt: timestampInput.optional(),
  timezone: timezone.optional(),
  joinUrl: joinUrl.optional(),
  attendees: attendeesInput.optional(),
  status: meetingStatus.optional(),
  id: z.string().optional(),
  leadId: z.string().nullable().optional(),
  campaignId: z.string().nullable().optional(),
  source: z.string().optional(),
  createdAt: z.string().optional(),
  updatedAt: z.string().optional(),
})
export type UpdateMeetingInput = z.infer<typeof updateMeetingInput>

const window = scheduleWindow.refine((value) => value.from < value.to, {
  message: '`from` must lie before `to`.',
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
const integration = namedObject('MeetingIntegration', { configured: z.boolean(), hookUrl: z.string() })

export const availability = namedObject('Availability', {
  ...settings,
  slug: z.string(),
  bookingUrl: z.string(),
  calCom: integration,
  calendly: integration,
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
  bookingUrl: z.string().optional(),
  calCom: integration.optional(),
  calendly: integration.optional(),
  updatedAt: z.string().nullable().optional(),
})
export type UpdateAvailabilityInput = z.infer<typeof updateAvailabilityInput>

const tag = 'Meetings'

export const meetingEndpoints = {
  listMeetings: endpoint({
    operationId: 'listMeetings',
    call: 'meetings.list',
    method: 'GET',
    path: '/v2/meetings',
    environment: 'both',
    scope: 'read',
    tag,
    summary: 'List meetings',
    description: 'Latest start first. `from` and `to` bound the start.',
    query: z.strictObject({
      ...pageQuery,
      status: meetingStatus.optional(),
      source: meetingSource.optional(),
      campaignId: id.optional(),
      leadId: id.optional(),
      from: timestampInput.optional(),
      to: timestampInput.optional(),
    }),
    success: [200],
    output: listOf(meeting),
  }),
  createMeeting: endpoint({
    operationId: 'createMeeting',
    call: 'meetings.create',
    method: 'POST',
    path: '/v2/meetings',
    environment: 'both',
    scope: 'write',
    tag,
    summary: 'Create a meeting',
    description: 'Marks the lead as `meeting_booked` and, where the campaign says so, stops its sequence.',
    body: createMeetingInput,
    success: [201],
    output: meeting,
    errors: ['NOT_FOUND'],
    examples: {
      body: {
        leadId: 'led_1m3q8z0c0n7t5w2k9x',
        title: 'Introduction',
        startAt: '2026-11-23T09:30:00Z',
        endAt: '2026-11-23T10:00:00Z',
        timezone: 'Europe/Berlin',
      },
    },
  }),
  getMeeting: endpoint({
    operationId: 'getMeeting',
    call: 'meetings.get',
    method: 'GET',
    path: '/v2/meetings/:id',
    environment: 'both',
    scope: 'read',
    tag,
    summary: 'Get a meeting',
    description: 'With its status and where it came from.',
    success: [200],
    output: meeting,
    errors: ['NOT_FOUND'],
  }),
  updateMeeting: endpoint({
    operationId: 'updateMeeting',
    call: 'meetings.update',
    method: 'PUT',
    path: '/v2/meetings/:id',
    environment: 'both',
    scope: 'write',
    tag,
    summary: 'Update a meeting',
    description:
      'Another start or end reschedules the meeting. `status` can become `completed`, `canceled` or `no_show`.',
    body: updateMeetingInput,
    success: [200],
    output: meeting,
    errors: ['NOT_FOUND', 'CONFLICT'],
  }),
  deleteMeeting: endpoint({
    operationId: 'deleteMeeting',
    call: 'meetings.delete',
    method: 'DELETE',
    path: '/v2/meetings/:id',
    environment: 'both',
    scope: 'write',
    tag,
    summary: 'Delete a meeting',
    description: 'A future meeting is canceled first, and its attendees are notified.',
    success: [200],
    output: deleted,
    errors: ['NOT_FOUND'],
  }),
  getAvailability: endpoint({
    operationId: 'getAvailability',
    call: 'meetings.availability.get',
    method: 'GET',
    path: '/v2/meetings/availability',
    environment: 'both',
    scope: 'read',
    tag,
    summary: 'Get availability',
    description:
      '`updatedAt` is null until availability is set. Until then only leads with their own link have the booking page.',
    success: [200],
    output: availability,
  }),
  updateAvailability: endpoint({
    operationId: 'updateAvailability',
    call: 'meetings.availability.update',
    method: 'PUT',
    path: '/v2/meetings/availability',
    environment: 'both',
    scope: 'write',
    tag,
    summary: 'Update availability',
    description:
      'Once availability is set, and unless `enabled` is false, everyone can open the booking page under `slug`, which ' +
      'is unique across all accounts. Visitors without their own link confirm their address by email before anything ' +
      'is booked.',
    body: updateAvailabilityInput,
    success: [200],
    output: availability,
    errors: ['CONFLICT'],
  }),
  getLeadMeeting: endpoint({
    operationId: 'getLeadMeeting',
    call: 'campaigns.leads.meeting',
    method: 'GET',
    path: '/v2/campaigns/:id/leads/:leadId/meeting',
    environment: 'both',
    scope: 'read',
    tag: 'Campaigns',
    summary: 'Get lead meeting',
    description: 'Returns the latest meeting of the lead, or 404 if it has none.',
    success: [200],
    output: meeting,
    errors: ['NOT_FOUND'],
  }),
}
