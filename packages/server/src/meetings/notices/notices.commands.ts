import type { CalendarEntry } from '@overture/mail-reading/calendars/invitation.ts'
import { dayMs } from '@overture/ground/time/spans.ts'
import { invitedMax, type Attendee } from '@overture/contract/meetings/meetings.ts'
import { normalizeEmail } from '@overture/contract/addresses.ts'
import type { App } from '../../platform/app.ts'
import type { Transaction } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { findAvailability, findMeetingSender, type MeetingLead } from '../availability/availability.sql.ts'
import type { MeetingRow } from '../meetings.sql.ts'
import { writeNotice, type MeetingNoticeKind, type NoticeKind } from './notices.ts'
import { countNotices, deleteNoticesBefore, insertNotices } from './notices.sql.ts'
import { createManageUrl } from './tokens.ts'

/** A mail about a meeting, sent by delivery/index.ts (kind `notification`, which no statistics count). */
export interface MeetingMail {
  threadId: string | null
  campaignId: string | null
  leadId: string | null
  sendingAccountId: string
  to: { email: string; name: string | null }[]
  cc: { email: string; name: string | null }[]
  subject: string
  text: string
  attachments: { filename: string; contentType: string; content: string }[]
  /** The recipient never wrote to us and booked nothing, so the mail has opt-out headers. */
  toStranger: boolean
  now: Date
}

export interface MeetingTools {
  app: App
  queueMail(tx: Transaction, tenant: Tenant, mail: MeetingMail): Promise<unknown>
}

/** The limit for moves, cancellations and bookings through public links. */
const noticesPerDayMax = 10
const keptMs = 30 * dayMs
const purgeMax = 200

/** Whether one of the addresses has reached the daily limit of notices that a public page may cause. */
export async function noticesReached(
  { app: { secrets } }: MeetingTools,
  tx: Transaction,
  tenant: Tenant,
  input: { emails: readonly string[]; now: Date },
): Promise<boolean> {
  const hashes = input.emails.map((email) => secrets.addressHash(normalizeEmail(email).email))
  const since = new Date(input.now.getTime() - dayMs)
  return (await countNotices(tx, tenant, { hashes, since })) >= noticesPerDayMax
}

/** Records a notice. Returns false if all of these addresses already had it, so that it must not be sent. */
export async function claimNotice(
  { app: { secrets } }: MeetingTools,
  tx: Transaction,
  tenant: Tenant,
  notice: { key: string; kind: NoticeKind; emails: readonly string[]; now: Date },
): Promise<boolean> {
  const { key, kind, now } = notice
  const hashes = notice.emails.map((email) => secrets.addressHash(normalizeEmail(email).email))
  await deleteNoticesBefore(tx, tenant, { before: new Date(now.getTime() - keptMs), limit: purgeMax })
  return (await insertNotices(tx, tenant, { key, kind, hashes, now })) > 0
}

interface NoticeToSend {
  meeting: MeetingRow
  kind: MeetingNoticeKind
  lead: MeetingLead | null
  /** Identifies this notice among others of the same meeting and kind. A change has its calendar sequence here. */
  key: string
  now: Date
}

/**
 * Queues one mail per attendee, so that no attendee sees the addresses of the others. Returns false if there is no mailbox to
 * send from, no recipient, or every attendee already had the notice. Only the person who booked and users may set attendees
 * (meetings/external/external.commands.ts).
 */
export async function sendNotice(
  tools: MeetingTools,
  tx: Transaction,
  tenant: Tenant,
  noticeToSend: NoticeToSend,
): Promise<boolean> {
  const { meeting, lead, kind, now } = noticeToSend
  const sender = await findMeetingSender(tx, tenant, lead?.sendingAccountId ?? meeting.sendingAccountId)
  const attendees = meeting.attendees.filter((attendee) => attendee.email !== sender?.email).slice(0, invitedMax)
  if (!sender || attendees.length === 0) return false
  const settings = (await findAvailability(tx, tenant))?.settings
  const key = `${meeting.id} ${kind} ${noticeToSend.key}`
  let queued = 0
  for (const attendee of attendees) {
    if (!(await claimNotice(tools, tx, tenant, { key, kind, emails: [attendee.email], now }))) continue
    const host = queued++ === 0 && settings?.hostEmail ? [{ email: settings.hostEmail, name: settings.hostName }] : []
    const notice = noticeFor(tools, tenant, noticeToSend, { attendee, sender, hostName: settings?.hostName ?? null })
    await tools.queueMail(tx, tenant, { ...buildMail(noticeToSend, sender.id, attendee), ...notice, cc: host })
  }
  return queued > 0
}

type Sender = NonNullable<Awaited<ReturnType<typeof findMeetingSender>>>

function noticeFor(
  tools: MeetingTools,
  tenant: Tenant,
  { meeting, kind, now }: NoticeToSend,
  to: { attendee: Attendee; sender: Sender; hostName: string | null },
): Pick<MeetingMail, 'subject' | 'text' | 'attachments'> {
  const { subject, text, ics } = writeNotice(kind, {
    method: kind === 'canceled' ? 'CANCEL' : 'REQUEST',
    ...toCalendarEntry(meeting),
    // The link can move and cancel the meeting for everyone, so only the first attendee gets it: it was made for that person.
    manageUrl: to.attendee === meeting.attendees[0] ? createManageUrl(tools.app, tenant, meeting.id) : null,
    organizer: { email: to.sender.email, name: to.hostName ?? to.sender.fromName },
    attendees: [to.attendee],
    stamp: now,
  })
  return { subject, text, attachments: ics ? [ics] : [] }
}

/** The fields of a meeting that every calendar file of it has. */
export function toCalendarEntry(meeting: MeetingRow): CalendarEntry {
  const { calendarUid: uid, calendarSequence: sequence, title, startAt, endAt, timezone, joinUrl } = meeting
  return { uid, sequence, title, startAt, endAt, timezone, joinUrl }
}

function buildMail({ meeting, lead, now }: NoticeToSend, sendingAccountId: string, { email, name }: Attendee) {
  return {
    threadId: lead?.threadId ?? null,
    campaignId: meeting.campaignId,
    leadId: meeting.leadId,
    sendingAccountId,
    to: [{ email, name }],
    toStranger: meeting.source !== 'booking_page',
    now,
  }
}
