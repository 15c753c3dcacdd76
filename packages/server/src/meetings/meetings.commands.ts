import { AppError, invalid, notFound, type ValidationIssue } from '@overture/contract/errors.ts'
import {
  invitedMax,
  meetingStatusMoves,
  type Attendee,
  type CreateMeetingInput,
  type Meeting,
  type MeetingStatus,
  type UpdateMeetingInput,
} from '@overture/contract/meetings/meetings.ts'
import { changedReadOnly } from '@overture/contract/read-only.ts'
import type { Transaction } from '../platform/db/database.ts'
import type { RequestContext } from '../platform/http/route.ts'
import { newId } from '../platform/ids.ts'
import { findMeetingLead } from './availability/availability.sql.ts'
import { isAhead, fullName, findBookingSettings } from './booking/booking.commands.ts'
import { deleteMeetingRow, lockMeeting, updateMeeting, type MeetingRow } from './meetings.sql.ts'
import {
  presentMeeting,
  recordBooked,
  recordCanceled,
  recordCompleted,
  recordNoShow,
  recordRescheduled,
} from './booking/meeting-moves.commands.ts'
import type { MeetingTools } from './notices/notices.commands.ts'

export async function createMeeting(
  tools: MeetingTools,
  { tenant, now }: RequestContext,
  tx: Transaction,
  input: CreateMeetingInput,
): Promise<Meeting> {
  const lead = input.leadId === null ? null : await findMeetingLead(tx, tenant, input.leadId)
  if (input.leadId !== null && !lead) throw notFound()
  if (input.campaignId !== null && input.campaignId !== lead?.campaignId) throw notFound()
  const id = newId('mtg')
  const attendees =
    input.attendees.length > 0 || !lead
      ? input.attendees
      : [{ email: lead.email, name: fullName(lead), status: 'needs_action' as const }]
  const meeting: MeetingRow = {
    id,
    leadId: lead?.id ?? null,
    campaignId: lead?.campaignId ?? null,
    status: 'booked',
    source: 'manual',
    title: input.title,
    ...parseSpan(input.startAt, input.endAt),
    timezone: input.timezone ?? (await findBookingSettings(tx, tenant))?.timezone ?? 'UTC',
    joinUrl: input.joinUrl,
    attendees,
    calendarUid: `${id}@overture`,
    calendarSequence: 0,
    invited: false,
    sendingAccountId: lead?.sendingAccountId ?? null,
    pageMoves: 0,
    createdAt: now,
    updatedAt: now,
  }
  const notify = input.sendInvitation && meeting.endAt > now
  if (notify) requireFew(attendees)
  return presentMeeting(await recordBooked(tools, tx, tenant, { meeting, now, notify }))
}

const readOnlyFields = ['id', 'leadId', 'campaignId', 'source', 'createdAt', 'updatedAt']

export async function changeMeeting(
  tools: MeetingTools,
  { tenant, now }: RequestContext,
  tx: Transaction,
  change: { id: string; input: UpdateMeetingInput },
): Promise<Meeting> {
  const row = await lockMeeting(tx, tenant, change.id)
  if (!row) throw notFound()
  const issues = changedReadOnly(presentMeeting(row), change.input, readOnlyFields)
  if (issues.length > 0) throw invalid(...issues)
  const changed = withFields(row, change.input, now)
  const moved = changed.startAt.getTime() !== row.startAt.getTime() || changed.endAt.getTime() !== row.endAt.getTime()
  const status = change.input.status ?? row.status
  if (row.invited && change.input.attendees !== undefined) requireFew(changed.attendees)
  if (status !== row.status) requireMove(row.status, status)
  if (moved && !['booked', 'rescheduled'].includes(status)) refuse(row.status)
  if (!moved) await updateMeeting(tx, tenant, changed)
  const after = moved
    ? await recordRescheduled(tools, tx, tenant, { meeting: changed, now, notify: row.invited })
    : changed
  return presentMeeting(await applyStatus(tools, tx, tenant, { meeting: after, status, now }))
}

export async function removeMeeting(tools: MeetingTools, { tenant, now }: RequestContext, tx: Transaction, id: string) {
  const meeting = await lockMeeting(tx, tenant, id)
  if (!meeting) throw notFound()
  if (isAhead(meeting, now)) await recordCanceled(tools, tx, tenant, { meeting, now, notify: true })
  await deleteMeetingRow(tx, tenant, id)
  return { id, deleted: true as const }
}

async function applyStatus(
  tools: MeetingTools,
  tx: Transaction,
  tenant: RequestContext['tenant'],
  change: { meeting: MeetingRow; status: MeetingStatus; now: Date },
): Promise<MeetingRow> {
  const { meeting, status, now } = change
  if (status === meeting.status) return meeting
  switch (status) {
    case 'completed':
      return recordCompleted(tx, tenant, { meeting, now, byPerson: true })
    case 'canceled':
      return recordCanceled(tools, tx, tenant, { meeting, now, notify: true })
    case 'no_show':
      return recordNoShow(tx, tenant, { meeting, now })
    case 'booked':
    case 'rescheduled':
      return meeting
  }
}

function withFields(row: MeetingRow, input: UpdateMeetingInput, now: Date): MeetingRow {
  const { title = row.title, timezone = row.timezone, joinUrl = row.joinUrl, attendees = row.attendees } = input
  const span = parseSpan(input.startAt ?? row.startAt.toISOString(), input.endAt ?? row.endAt.toISOString())
  return { ...row, ...span, title, timezone, joinUrl, attendees, updatedAt: now }
}

function parseSpan(startAt: string, endAt: string): { startAt: Date; endAt: Date } {
  const issues = spanIssues({ startAt, endAt })
  if (issues.length > 0) throw invalid(...issues)
  return { startAt: new Date(startAt), endAt: new Date(endAt) }
}

/** The issues of start and end in a request body of any shape. */
export function spanIssues(sent: unknown): ValidationIssue[] {
  const { startAt, endAt } = (sent ?? {}) as { startAt?: unknown; endAt?: unknown }
  if (typeof startAt !== 'string' || typeof endAt !== 'string') return []
  if (!(Date.parse(startAt) >= Date.parse(endAt))) return []
  return [{ path: 'endAt', rule: 'range', message: '`endAt` must be after `startAt`.' }]
}

function requireFew(attendees: readonly Attendee[]): void {
  if (attendees.length <= invitedMax) return
  const message = `Invitations are mailed to ${invitedMax} attendees at most. Send \`sendInvitation: false\` for a larger meeting.`
  throw invalid({ path: 'attendees', rule: 'max', message })
}

function requireMove(from: MeetingStatus, to: MeetingStatus): void {
  if (!meetingStatusMoves[from].includes(to)) refuse(from)
}

function refuse(status: MeetingStatus): never {
  throw new AppError('CONFLICT', `The meeting is ${status}.`, {
    currentStatus: status,
    allowedActions: meetingStatusMoves[status],
  })
}
