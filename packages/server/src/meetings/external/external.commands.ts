import { normalizeEmail } from '@overture/contract/addresses.ts'
import type { App } from '../../platform/app.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { newId } from '../../platform/ids.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { findMeetingLead, findMeetingLeadByEmail, type MeetingLead } from '../availability/availability.sql.ts'
import type { CalendarMessage } from '../calendars/calendar.ts'
import type { ExternalMeeting } from './external.ts'
import { lockMeetingByUid, updateMeeting, type MeetingRow } from '../meetings.sql.ts'
import { recordBooked, recordCanceled, recordNoShow, recordRescheduled } from '../booking/meeting-moves.commands.ts'
import type { MeetingTools } from '../notices/notices.commands.ts'

/** Takes over what an outside calendar says; the same message twice changes nothing. */
export async function applyExternalMeeting(
  tools: MeetingTools,
  tx: Transaction,
  tenant: Tenant,
  told: { external: ExternalMeeting; lead: MeetingLead | null; now: Date },
): Promise<MeetingRow | null> {
  const { external, now } = told
  const row = (await lockMeetingByUid(tx, tenant, external.uid)) ?? (await lockPrevious(tx, tenant, external))
  switch (external.kind) {
    case 'booked':
      return row ? applyChange(tools, tx, tenant, { row, external, now }) : applyNew(tools, tx, tenant, told)
    case 'canceled':
      return row && isActive(row) ? recordCanceled(tools, tx, tenant, { meeting: row, now, notify: false }) : row
    case 'no_show':
      return row && row.status !== 'canceled' ? recordNoShow(tx, tenant, { meeting: row, now }) : row
  }
}

/**
 * An invitation, answer or withdrawal that came by mail from a lead. Only what concerns that lead's own meeting is
 * believed. Answers the meeting, or null where nothing came of it.
 */
export async function receiveCalendar(
  app: App,
  tx: Transaction,
  tenant: Tenant,
  received: { calendar: CalendarMessage; leadId: string; now: Date },
): Promise<MeetingRow | null> {
  const { calendar, now } = received
  // Whoever sent it knows already: nothing is mailed.
  const tools: MeetingTools = { app, queueMail: () => Promise.resolve() }
  const lead = await findMeetingLead(tx, tenant, received.leadId)
  const row = await lockMeetingByUid(tx, tenant, calendar.uid)
  if (!lead || (row && row.leadId !== lead.id)) return null
  if (calendar.method === 'REPLY') return receiveAnswer(tools, tx, tenant, { calendar, row, lead, now })
  if (calendar.method === 'REQUEST' && row && calendar.sequence < row.calendarSequence) return row
  if (calendar.method === 'REQUEST' && !row && calendar.endAt <= now) return null
  const external = externalOf(calendar, calendar.method === 'CANCEL' ? 'canceled' : 'booked')
  return applyExternalMeeting(tools, tx, tenant, { external, lead, now })
}

/** What the inbox calls with the calendar of a lead's mail, in the transaction that stores it. */
export function calendarHook(app: App) {
  return async (
    tx: Transaction,
    tenant: Tenant,
    found: { calendar: CalendarMessage; leadId: string; now: Date },
  ): Promise<void> => {
    await receiveCalendar(app, tx, tenant, found)
  }
}

interface Answer {
  calendar: CalendarMessage
  row: MeetingRow | null
  lead: MeetingLead
  now: Date
}

/** The lead's answer to an invitation: ours, or one that the user sent from a calendar of their own. */
async function receiveAnswer(
  tools: MeetingTools,
  tx: Transaction,
  tenant: Tenant,
  answer: Answer,
): Promise<MeetingRow | null> {
  const { calendar, row, lead, now } = answer
  const [given] = calendar.attendees
  if (!given) return row
  if (!row) {
    if (given.status !== 'accepted' || calendar.endAt <= now) return null
    return applyExternalMeeting(tools, tx, tenant, { external: externalOf(calendar, 'booked'), lead, now })
  }
  const attendees = row.attendees.map((attendee) =>
    attendee.email === given.email ? { ...attendee, status: given.status } : attendee,
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
  const meeting = {
    ...row,
    title: external.title,
    startAt: external.startAt,
    endAt: external.endAt,
    joinUrl: external.joinUrl ?? row.joinUrl,
    attendees: external.attendees.length > 0 ? external.attendees : row.attendees,
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
  told: { external: ExternalMeeting; lead: MeetingLead | null; now: Date },
): Promise<MeetingRow> {
  const { external, now } = told
  const emails = external.attendees.map((attendee) => normalizeEmail(attendee.email).email)
  const lead = told.lead ?? (await findMeetingLeadByEmail(tx, tenant, emails))
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

function externalOf(calendar: CalendarMessage, kind: ExternalMeeting['kind']): ExternalMeeting {
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
