import { normalizeEmail } from '@overture/contract/addresses.ts'
import type { App } from '../../platform/app.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { newId } from '../../platform/ids.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { findMeetingLead, findMeetingLeadByEmail, type MeetingLead } from '../availability/availability.sql.ts'
import type { CalendarMessage } from '@overture/mail-reading/calendars/calendar.ts'
import type { ExternalMeeting } from './external.ts'
import { lockMeetingByUid, updateMeeting, type MeetingRow } from '../meetings.sql.ts'
import { recordBooked, recordCanceled, recordNoShow, recordRescheduled } from '../booking/meeting-moves.commands.ts'
import type { MeetingTools } from '../notices/notices.commands.ts'

/** Applies a meeting of an external calendar. The same message again changes nothing. */
export async function applyExternalMeeting(
  tools: MeetingTools,
  tx: Transaction,
  tenant: Tenant,
  change: { external: ExternalMeeting; lead: MeetingLead | null; now: Date },
): Promise<MeetingRow | null> {
  const { external, now } = change
  const row = (await lockMeetingByUid(tx, tenant, external.uid)) ?? (await lockPrevious(tx, tenant, external))
  switch (external.kind) {
    case 'booked':
      return row ? applyChange(tools, tx, tenant, { row, external, now }) : applyNew(tools, tx, tenant, change)
    case 'canceled':
      return row && isActive(row) ? recordCanceled(tools, tx, tenant, { meeting: row, now, notify: false }) : row
    case 'no_show':
      return row && row.status !== 'canceled' ? recordNoShow(tx, tenant, { meeting: row, now }) : row
  }
}

/**
 * A calendar part that was received by mail from the address in `from`. `proof` is how far the sender is proven
 * (inbox/receive/proof.ts).
 */
export interface ReceivedCalendar {
  calendar: CalendarMessage
  leadId: string
  from: string | null
  proof: 'message_id' | 'authentication' | 'unknown' | 'none'
  now: Date
}

/**
 * Applies an invitation, a reply or a cancellation from a lead's mail. Unproven mail and mail in Junk changes nothing,
 * except a reply to our own invitation. A meeting that we created is changed only by one of its attendees, and only its time and that
 * attendee's reply. Any other meeting belongs to the lead, and no mail is ever sent about it. Returns the meeting, or null if
 * nothing was applied.
 */
export async function receiveCalendar(
  app: App,
  tx: Transaction,
  tenant: Tenant,
  received: ReceivedCalendar,
): Promise<MeetingRow | null> {
  const { calendar, from, proof, now } = received
  if (proof === 'none') return null
  // No mail is sent, since the sender of the calendar already knows.
  const tools: MeetingTools = { app, queueMail: () => Promise.resolve() }
  const lead = await findMeetingLead(tx, tenant, received.leadId)
  const row = await lockMeetingByUid(tx, tenant, calendar.uid)
  if (!lead || (row && row.leadId !== lead.id)) return null
  // A reply to our invitation contains the UID, which only the recipients know, like our Message-ID. Calendars seldom refer to the
  // mail itself.
  const isAnswerToOurs = row !== null && isOurs(row) && calendar.method === 'REPLY'
  if (proof === 'unknown' && !isAnswerToOurs) return null
  if (row && isOurs(row) && !isAttendee(row, from)) return null
  if (calendar.method === 'REPLY') return receiveAnswer(tools, tx, tenant, { calendar, row, lead, from, now })
  if (calendar.method === 'REQUEST' && calendar.timeUnknown === true) return row
  if (calendar.method === 'REQUEST' && row && calendar.sequence < row.calendarSequence) return row
  if (calendar.method === 'REQUEST' && !row && calendar.endAt <= now) return null
  const external = toExternalMeeting(calendar, calendar.method === 'CANCEL' ? 'canceled' : 'booked')
  return applyExternalMeeting(tools, tx, tenant, { external, lead, now })
}

/**
 * Whether we created the meeting and send mail to its attendees. External calendars never write the texts or addresses of such a
 * meeting.
 */
function isOurs(row: MeetingRow): boolean {
  return row.source === 'booking_page' || row.source === 'manual'
}

function isAttendee(row: MeetingRow, from: string | null): boolean {
  return row.attendees.some(({ email }) => normalizeEmail(email).email === from)
}

/** The hook that the inbox calls with the calendar part of a lead's mail, in the transaction that stores the mail. */
export function calendarHook(app: App) {
  return async (tx: Transaction, tenant: Tenant, found: ReceivedCalendar): Promise<void> => {
    await receiveCalendar(app, tx, tenant, found)
  }
}

interface Answer {
  calendar: CalendarMessage
  row: MeetingRow | null
  lead: MeetingLead
  from: string | null
  now: Date
}

/** Applies the lead's reply to an invitation, which was either ours or sent from the user's own calendar. */
async function receiveAnswer(
  tools: MeetingTools,
  tx: Transaction,
  tenant: Tenant,
  answer: Answer,
): Promise<MeetingRow | null> {
  const { calendar, row, lead, from, now } = answer
  const [given] = calendar.attendees
  if (!given || (row && isOurs(row) && normalizeEmail(given.email).email !== from)) return row
  if (!row) {
    if (given.status !== 'accepted' || calendar.timeUnknown === true || calendar.endAt <= now) return null
    return applyExternalMeeting(tools, tx, tenant, { external: toExternalMeeting(calendar, 'booked'), lead, now })
  }
  const attendees = row.attendees.map((attendee) =>
    normalizeEmail(attendee.email).email === normalizeEmail(given.email).email
      ? { ...attendee, status: given.status }
      : attendee,
  )
  const changed = { ...row, attendees, updatedAt: now }
  const allDeclined = attendees.length > 0 && attendees.every((attendee) => attendee.status === 'declined')
  if (allDeclined && isActive(row)) return recordCanceled(tools, tx, tenant, { meeting: changed, now, notify: false })
  await updateMeeting(tx, tenant, changed)
  return changed
}

async function lockPrevious(tx: Transaction, tenant: Tenant, external: ExternalMeeting): Promise<MeetingRow | null> {
  return external.previousUid === null ? null : lockMeetingByUid(tx, tenant, external.previousUid)
}

async function applyChange(
  tools: MeetingTools,
  tx: Transaction,
  tenant: Tenant,
  change: { row: MeetingRow; external: ExternalMeeting; now: Date },
): Promise<MeetingRow> {
  const { row, external, now } = change
  const words = {
    title: external.title,
    joinUrl: external.joinUrl ?? row.joinUrl,
    attendees: external.attendees.length > 0 ? external.attendees : row.attendees,
  }
  const meeting = {
    ...row,
    ...(isOurs(row) ? {} : words),
    startAt: external.startAt,
    endAt: external.endAt,
    calendarUid: external.uid,
    calendarSequence: Math.max(row.calendarSequence, external.sequence),
    updatedAt: now,
  }
  const moved = meeting.startAt.getTime() !== row.startAt.getTime() || meeting.endAt.getTime() !== row.endAt.getTime()
  if (moved) return recordRescheduled(tools, tx, tenant, { meeting, now, notify: false })
  await updateMeeting(tx, tenant, meeting)
  return meeting
}

async function applyNew(
  tools: MeetingTools,
  tx: Transaction,
  tenant: Tenant,
  change: { external: ExternalMeeting; lead: MeetingLead | null; now: Date },
): Promise<MeetingRow> {
  const { external, now } = change
  const emails = external.attendees.map((attendee) => normalizeEmail(attendee.email).email)
  const lead = change.lead ?? (await findMeetingLeadByEmail(tx, tenant, emails))
  const meeting: MeetingRow = {
    id: newId('mtg'),
    leadId: lead?.id ?? null,
    campaignId: lead?.campaignId ?? null,
    status: 'booked',
    source: external.source,
    title: external.title,
    startAt: external.startAt,
    endAt: external.endAt,
    timezone: external.timezone,
    joinUrl: external.joinUrl,
    attendees: external.attendees,
    calendarUid: external.uid,
    calendarSequence: external.sequence,
    invited: false,
    sendingAccountId: lead?.sendingAccountId ?? null,
    pageMoves: 0,
    createdAt: now,
    updatedAt: now,
  }
  return recordBooked(tools, tx, tenant, { meeting, now, notify: false })
}

function toExternalMeeting(calendar: CalendarMessage, kind: ExternalMeeting['kind']): ExternalMeeting {
  const { uid, sequence, title, startAt, endAt, timezone, joinUrl, attendees } = calendar
  return {
    kind,
    source: 'calendar_invite',
    uid,
    previousUid: null,
    sequence,
    title,
    startAt,
    endAt,
    timezone,
    joinUrl,
    attendees,
  }
}

function isActive(row: MeetingRow): boolean {
  return row.status === 'booked' || row.status === 'rescheduled'
}
