import { hourMs, dayMs } from '../../ground/time/spans.ts'
import { normalizeEmail } from '@overture/contract/addresses.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { newId } from '../../platform/ids.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { findMeetingSender } from '../availability/availability.sql.ts'
import { lockSettings, slotIsFree, type TooMany, type Visitor } from './booking.commands.ts'
import { whenOf } from '../calendars/invitation.ts'
import { claimNotice, noticesReached, type MeetingTools } from '../notices/notices.commands.ts'
import { countConfirmations } from '../notices/notices.sql.ts'
import { confirmationUrlOf } from '../notices/tokens.ts'

/** So that nobody can have us write to an address again and again, or to many. */
const perAddressAndDayMax = 3
const perHourMax = 30

export type ConfirmationResult =
  /** A mail is on its way; or the address takes none from us, which is nobody else's business. */
  | { kind: 'asked' }
  | { kind: 'taken' }
  /** Switched off, or no mailbox could ask. */
  | { kind: 'closed' }
  | TooMany

/**
 * An address that somebody typed proves nothing: before it is invited, and before anything happens to the lead behind
 * it, its owner follows a link. Nothing else is sent to it, and no time is kept for it.
 */
export async function askForConfirmation(
  tools: MeetingTools,
  tx: Transaction,
  tenant: Tenant,
  asked: { visitor: Visitor; startAt: Date; now: Date },
): Promise<ConfirmationResult> {
  const { visitor, startAt, now } = asked
  const settings = await lockSettings(tx, tenant)
  const sender = await findMeetingSender(tx, tenant, null)
  if (!settings.enabled || !sender) return { kind: 'closed' }
  const email = normalizeEmail(visitor.email).email
  const bound = await boundReached(tools, tx, tenant, { email, now })
  if (bound !== null) return { kind: 'too_many', of: bound }
  if (!(await slotIsFree(tx, tenant, { settings, startAt, now, exceptId: null }))) return { kind: 'taken' }
  const meetingId = newId('mtg')
  await claimNotice(tools, tx, tenant, { key: meetingId, kind: 'confirmation', emails: [email], now })
  const url = confirmationUrlOf(tools.app, tenant, { ...visitor, meetingId, startAt, askedAt: now })
  const when = whenOf(startAt, visitor.timezone)
  await tools.queueMail(tx, tenant, {
    threadId: null,
    campaignId: null,
    leadId: null,
    sendingAccountId: sender.id,
    to: [{ email: visitor.email, name: null }],
    cc: [],
    subject: `Please confirm: ${settings.title}, ${when}`,
    text: [
      `Somebody (you, we hope) asked for a meeting with this address: ${settings.title}, ${when}.`,
      '',
      `Nothing is booked yet. To book it, open this page within a day: ${url}`,
      '',
      'If it was not you, there is nothing to do: you will not hear of it again.',
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
