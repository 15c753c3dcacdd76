import { minuteMs, hourMs } from '@overture/ground/time/spans.ts'
import type { Interest } from '@overture/contract/campaigns/leads.ts'
import type { Meeting } from '@overture/contract/meetings/meetings.ts'
import { askBranches, findCredit, findSuccessor, setInterest, stopLead } from '../../campaigns/index.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { appendEvents } from '../../platform/events/events.sql.ts'
import { enqueueJob } from '../../platform/jobs/jobs.shell.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { findAvailability, findMeetingLead, type MeetingLead } from '../availability/availability.sql.ts'
import { insertMeeting, updateMeeting, type MeetingRow } from '../meetings.sql.ts'
import { sendNotice, type MeetingTools } from '../notices/notices.commands.ts'

interface Move {
  meeting: MeetingRow
  now: Date
  /** Whether the attendees get a mail with an ICS attachment. */
  notify: boolean
}

const keepsOwnLabel: readonly (Interest | null)[] = ['won', 'lost']

/** Records a new meeting with its consequences: event, interest, end of the sequence, invitation and reminders. */
export async function recordBooked(
  tools: MeetingTools,
  tx: Transaction,
  tenant: Tenant,
  move: Move,
): Promise<MeetingRow> {
  const lead = await findLeadOfMeeting(tx, tenant, move.meeting)
  const invited = move.notify && (await sendNotice(tools, tx, tenant, { ...move, kind: 'booked', key: '0', lead }))
  const meeting = { ...move.meeting, invited }
  await insertMeeting(tx, tenant, meeting)
  await appendMeetingEvent(tx, tenant, { meeting, lead, type: 'meeting.booked', now: move.now })
  if (lead) await settleLead(tx, tenant, lead, move.now)
  if (lead) await askBranches(tx, tenant, { leads: [{ campaignId: lead.campaignId, leadId: lead.id }], now: move.now })
  await planWork(tx, tenant, meeting, move.now)
  return meeting
}

/** Records another time, which `move.meeting` already has. */
export async function recordRescheduled(
  tools: MeetingTools,
  tx: Transaction,
  tenant: Tenant,
  move: Move,
): Promise<MeetingRow> {
  const lead = await findLeadOfMeeting(tx, tenant, move.meeting)
  const changed = {
    ...move.meeting,
    status: 'rescheduled' as const,
    calendarSequence: move.meeting.calendarSequence + (move.notify ? 1 : 0),
    updatedAt: move.now,
  }
  const invited = move.notify
    ? await sendNotice(tools, tx, tenant, {
        ...move,
        meeting: changed,
        kind: 'rescheduled',
        key: moveKey(changed),
        lead,
      })
    : changed.invited
  const meeting = { ...changed, invited }
  await updateMeeting(tx, tenant, meeting)
  await appendMeetingEvent(tx, tenant, { meeting, lead, type: 'meeting.rescheduled', now: move.now })
  await planWork(tx, tenant, meeting, move.now)
  return meeting
}

export async function recordCanceled(
  tools: MeetingTools,
  tx: Transaction,
  tenant: Tenant,
  move: Move,
): Promise<MeetingRow> {
  const lead = await findLeadOfMeeting(tx, tenant, move.meeting)
  const meeting = {
    ...move.meeting,
    status: 'canceled' as const,
    calendarSequence: move.meeting.calendarSequence + 1,
    updatedAt: move.now,
  }
  await updateMeeting(tx, tenant, meeting)
  await appendMeetingEvent(tx, tenant, { meeting, lead, type: 'meeting.canceled', now: move.now })
  if (move.notify && meeting.invited)
    await sendNotice(tools, tx, tenant, { ...move, meeting, kind: 'canceled', key: moveKey(meeting), lead })
  return meeting
}

/**
 * Records that the meeting is over. The lead's interest changes only if a person says that the meeting took place. An interest
 * that says more than a meeting (won, lost) stays.
 */
export async function recordCompleted(
  tx: Transaction,
  tenant: Tenant,
  move: { meeting: MeetingRow; now: Date; byPerson: boolean },
): Promise<MeetingRow> {
  const lead = await findLeadOfMeeting(tx, tenant, move.meeting)
  const meeting = { ...move.meeting, status: 'completed' as const, updatedAt: move.now }
  await updateMeeting(tx, tenant, meeting)
  await appendMeetingEvent(tx, tenant, { meeting, lead, type: 'meeting.completed', now: move.now })
  if (move.byPerson && lead && !keepsOwnLabel.includes(lead.interest))
    await label(tx, tenant, lead, { interest: 'meeting_completed', now: move.now })
  return meeting
}

export async function recordNoShow(tx: Transaction, tenant: Tenant, move: Omit<Move, 'notify'>): Promise<MeetingRow> {
  const lead = await findLeadOfMeeting(tx, tenant, move.meeting)
  const meeting = { ...move.meeting, status: 'no_show' as const, updatedAt: move.now }
  await updateMeeting(tx, tenant, meeting)
  if (lead) await label(tx, tenant, lead, { interest: 'no_show', now: move.now })
  return meeting
}

export async function sendReminder(
  tools: MeetingTools,
  tx: Transaction,
  tenant: Tenant,
  move: Omit<Move, 'notify'> & { minutes: number },
): Promise<void> {
  const lead = await findLeadOfMeeting(tx, tenant, move.meeting)
  // A job may run twice if its end was not stored. This key prevents a second mail.
  const key = `${move.meeting.startAt.toISOString()} ${move.minutes}`
  await sendNotice(tools, tx, tenant, { ...move, kind: 'reminder', key, lead })
}

function moveKey(meeting: MeetingRow): string {
  return String(meeting.calendarSequence)
}

async function findLeadOfMeeting(tx: Transaction, tenant: Tenant, meeting: MeetingRow): Promise<MeetingLead | null> {
  const lead = meeting.leadId === null ? null : await findMeetingLead(tx, tenant, meeting.leadId)
  if (lead === null) return null
  // A lead that was handed over to another campaign is replaced by its successor there.
  const successor = await findSuccessor(tx, tenant, { campaignId: lead.campaignId, leadId: lead.id })
  return successor === null ? lead : findMeetingLead(tx, tenant, successor.leadId)
}

type MeetingEventType = 'meeting.booked' | 'meeting.rescheduled' | 'meeting.canceled' | 'meeting.completed'

async function appendMeetingEvent(
  tx: Transaction,
  tenant: Tenant,
  change: { meeting: MeetingRow; lead: MeetingLead | null; type: MeetingEventType; now: Date },
): Promise<void> {
  const { meeting, lead } = change
  const credit = lead && (await findCredit(tx, tenant, { campaignId: lead.campaignId, leadId: lead.id }))
  await appendEvents(tx, tenant, [
    {
      type: change.type,
      occurredAt: change.now,
      campaignId: meeting.campaignId,
      leadId: meeting.leadId,
      leadEmail: lead?.email ?? null,
      sendingAccountId: lead?.sendingAccountId ?? null,
      ...credit,
      data: {
        meetingId: meeting.id,
        source: meeting.source,
        status: meeting.status,
        startAt: meeting.startAt.toISOString(),
        endAt: meeting.endAt.toISOString(),
      },
    },
  ])
}

async function settleLead(tx: Transaction, tenant: Tenant, lead: MeetingLead, now: Date): Promise<void> {
  if (!keepsOwnLabel.includes(lead.interest)) await label(tx, tenant, lead, { interest: 'meeting_booked', now })
  if (!lead.stopOnMeetingBooked) return
  const stop = {
    campaignId: lead.campaignId,
    leadId: lead.id,
    status: 'stopped',
    stoppedBy: { rule: 'meeting_booked' },
    now,
  } as const
  await stopLead(tx, tenant, stop)
}

async function label(
  tx: Transaction,
  tenant: Tenant,
  lead: MeetingLead,
  to: { interest: Interest; now: Date },
): Promise<void> {
  await setInterest(tx, tenant, { campaignId: lead.campaignId, leadId: lead.id, ...to, source: 'system' })
}

// The jobs are keyed by the meeting's time. After a change of the time, the old jobs do nothing.
async function planWork(tx: Transaction, tenant: Tenant, meeting: MeetingRow, now: Date): Promise<void> {
  const startAt = meeting.startAt.toISOString()
  const endAt = meeting.endAt.toISOString()
  await enqueueJob(tx, {
    kind: 'meeting.complete',
    tenant,
    payload: { meetingId: meeting.id, endAt },
    runAt: meeting.endAt,
    key: `${meeting.id} ${endAt}`,
  })
  if (!meeting.invited) return
  const reminders = (await findAvailability(tx, tenant))?.settings.reminderMinutes ?? [1440, 60]
  for (const minutes of reminders) {
    const runAt = new Date(meeting.startAt.getTime() - minutes * minuteMs)
    // A reminder is useless within an hour of the booking.
    if (runAt.getTime() < now.getTime() + hourMs) continue
    const key = `${meeting.id} ${startAt} ${minutes}`
    await enqueueJob(tx, {
      kind: 'meeting.remind',
      tenant,
      payload: { meetingId: meeting.id, startAt, minutes },
      runAt,
      key,
    })
  }
}

export function presentMeeting(row: MeetingRow): Meeting {
  return {
    id: row.id,
    leadId: row.leadId,
    campaignId: row.campaignId,
    status: row.status,
    source: row.source,
    title: row.title,
    startAt: row.startAt.toISOString(),
    endAt: row.endAt.toISOString(),
    timezone: row.timezone,
    joinUrl: row.joinUrl,
    attendees: row.attendees,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}
