import { z } from 'zod'
import { deleted, email, id, listOf, namedObject, pageQuery, timestamp, timestampInput, timezone } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { meetingStatuses } from '../vocabularies.ts'
import { availability, joinUrl, title, updateAvailabilityInput } from './availability.ts'

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
      tagId: id.optional().meta({
        description: 'Only meetings whose campaign, sending account, lead or attendee has this tag.',
      }),
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
      'is booked. Times at which the calendar of `calendarUrl` is busy are not offered. It is read every ten minutes, ' +
      'in the live environment only.',
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
