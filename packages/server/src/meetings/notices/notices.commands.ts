import { dayMs } from '../../ground/time/spans.ts'
import type { Attendee } from '@overture/contract/meetings/meetings.ts'
import { normalizeEmail } from '@overture/contract/addresses.ts'
import type { App } from '../../platform/app.ts'
import type { Transaction } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { findAvailability, findMeetingSender, type MeetingLead } from '../availability/availability.sql.ts'
import type { MeetingRow } from '../meetings.sql.ts'
import { noticeOf, type MeetingNoticeKind, type NoticeKind } from './notices.ts'
import { countNotices, deleteNoticesBefore, insertNotices } from './notices.sql.ts'
import { manageUrlOf } from './tokens.ts'

/** A mail about a meeting, for delivery/index.ts to send (kind `notification`: counted in no statistics). */
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
  /** To an address that its owner has not given us: a suppression holds it back. */
  toStranger: boolean
  now: Date
}

export interface MeetingTools {
  app: App
  queueMail(tx: Transaction, tenant: Tenant, mail: MeetingMail): Promise<unknown>
}

/** However often somebody moves, cancels and books by a link. */
const noticesPerDayMax = 10
const keptMs = 30 * dayMs
const purgeMax = 200

/** Whether one of the addresses got as many notices within a day as may be sent because of a public page. */
export async function noticesReached(
  { app: { secrets } }: MeetingTools,
  tx: Transaction,
  tenant: Tenant,
  asked: { emails: readonly string[]; now: Date },
): Promise<boolean> {
  const hashes = asked.emails.map((email) => secrets.addressHash(normalizeEmail(email).email))
  const since = new Date(asked.now.getTime() - dayMs)
  return (await countNotices(tx, tenant, { hashes, since })) >= noticesPerDayMax
}

/** Remembers a notice; false where all of these addresses had it before, so that nothing is to be sent. */
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
  /** Beside the kind, what tells this notice from others of the meeting; a change has its calendar sequence. */
  key: string
  now: Date
}

/** False where there is no mailbox to write from, nobody to write to, or the notice was sent before. */
export async function sendNotice(
  tools: MeetingTools,
  tx: Transaction,
  tenant: Tenant,
  told: NoticeToSend,
): Promise<boolean> {
  const { meeting, lead, kind, now } = told
  const sender = await findMeetingSender(tx, tenant, lead?.sendingAccountId ?? meeting.sendingAccountId)
  const to = meeting.attendees.filter((attendee) => attendee.email !== sender?.email)
  if (!sender || to.length === 0) return false
  const key = `${meeting.id} ${kind} ${told.key}`
  if (!(await claimNotice(tools, tx, tenant, { key, kind, emails: to.map(({ email }) => email), now }))) return false
  const settings = (await findAvailability(tx, tenant))?.settings
  const notice = noticeOf(kind, {
    method: kind === 'canceled' ? 'CANCEL' : 'REQUEST',
    uid: meeting.calendarUid,
    sequence: meeting.calendarSequence,
    title: meeting.title,
    startAt: meeting.startAt,
    endAt: meeting.endAt,
    timezone: meeting.timezone,
    joinUrl: meeting.joinUrl,
    manageUrl: manageUrlOf(tools.app, tenant, meeting.id),
    organizer: { email: sender.email, name: settings?.hostName ?? sender.fromName },
    attendees: to,
    stamp: now,
  })
  await tools.queueMail(tx, tenant, {
    threadId: lead?.threadId ?? null,
    campaignId: meeting.campaignId,
    leadId: meeting.leadId,
    sendingAccountId: sender.id,
    to: to.map(({ email, name }: Attendee) => ({ email, name })),
    cc: settings?.hostEmail ? [{ email: settings.hostEmail, name: settings.hostName }] : [],
    subject: notice.subject,
    text: notice.text,
    attachments: notice.ics ? [notice.ics] : [],
    toStranger: meeting.source === 'booking_page' && meeting.leadId === null,
    now,
  })
  return true
}
