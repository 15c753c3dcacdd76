import { hourMs, dayMs } from '@overture/ground/time/spans.ts'
import { normalizeEmail } from '@overture/contract/addresses.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { newId } from '../../platform/ids.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { findMeetingSender } from '../availability/availability.sql.ts'
import { lockSettings, slotIsFree, type TooMany, type Visitor } from './booking.commands.ts'
import { formatMeetingTime } from '@overture/mail-reading/calendars/invitation.ts'
import { claimNotice, noticesReached, type MeetingTools } from '../notices/notices.commands.ts'
import { countConfirmations } from '../notices/notices.sql.ts'
import { createConfirmationUrl } from '../notices/tokens.ts'

/** Limits for confirmation mails, so that a visitor can't make us write repeatedly to one address or to many addresses. */
const perAddressAndDayMax = 3
const perHourMax = 30

export type ConfirmationResult =
  /** The mail was queued, or the address is suppressed. Visitors must not learn which. */
  | { kind: 'asked' }
  | { kind: 'taken' }
  /** The page is switched off, or there is no mailbox to send from. */
  | { kind: 'closed' }
  | TooMany

/**
 * Sends a confirmation link to a typed address, since typing it proves nothing. Before its owner opens the link, no invitation is
 * sent, nothing happens to the lead, and no time is reserved.
 */
export async function askForConfirmation(
  tools: MeetingTools,
  tx: Transaction,
  tenant: Tenant,
  input: { visitor: Visitor; startAt: Date; now: Date },
): Promise<ConfirmationResult> {
  const { visitor, startAt, now } = input
  const settings = await lockSettings(tx, tenant)
  const sender = await findMeetingSender(tx, tenant, null)
  if (!settings.enabled || !sender) return { kind: 'closed' }
  const email = normalizeEmail(visitor.email).email
  const bound = await boundReached(tools, tx, tenant, { email, now })
  if (bound !== null) return { kind: 'too_many', of: bound }
  if (!(await slotIsFree(tx, tenant, { settings, startAt, now, exceptId: null }))) return { kind: 'taken' }
  const meetingId = newId('mtg')
  await claimNotice(tools, tx, tenant, { key: meetingId, kind: 'confirmation', emails: [email], now })
  const url = createConfirmationUrl(tools.app, tenant, { ...visitor, meetingId, startAt, askedAt: now })
  const when = formatMeetingTime(startAt, visitor.timezone)
  await tools.queueMail(tx, tenant, {
    threadId: null,
    campaignId: null,
    leadId: null,
    sendingAccountId: sender.id,
    to: [{ email: visitor.email, name: null }],
    cc: [],
    subject: `Please confirm: ${settings.title}, ${when}`,
    text: [
      `We received a request for a meeting with your email address: ${settings.title}, ${when}.`,
      '',
      `Nothing is booked yet. To book it, open this page within a day: ${url}`,
      '',
      'If you did not request this, ignore this email. You will get no more emails about it.',
    ].join('\n'),
    attachments: [],
    toStranger: true,
    now,
  })
  return { kind: 'asked' }
}

async function boundReached(
  tools: MeetingTools,
  tx: Transaction,
  tenant: Tenant,
  { email, now }: { email: string; now: Date },
): Promise<TooMany['of'] | null> {
  const before = (ageMs: number) => new Date(now.getTime() - ageMs)
  const count = await countConfirmations(tx, tenant, {
    hash: tools.app.secrets.addressHash(email),
    addressSince: before(dayMs),
    pageSince: before(hourMs),
  })
  if (count.ofAddress >= perAddressAndDayMax) return 'confirmations'
  if (count.ofPage >= perHourMax) return 'hour'
  return (await noticesReached(tools, tx, tenant, { emails: [email], now })) ? 'notices' : null
}
