import { dayMs } from '@overture/ground/time/spans.ts'
import { isWritable, normalizeEmail } from '@overture/contract/addresses.ts'
import type { Verdict } from '@overture/mail-reading/classify/classify.ts'
import type { ReadMessage } from '@overture/mail-reading/reading/read-message.ts'

/** The fields that are needed to choose among the messages that a mail refers to. */
interface Candidate {
  direction: 'outbound' | 'inbound'
  rfcMessageId: string
  deliveredMessageId?: string | null
  leadId: string | null
  leadEmail: string | null
}

/** More Message-IDs of one mail are ignored. */
const referredIdsMax = 100

/** Message-IDs that a mail refers to, the nearest first: reported ones, In-Reply-To, then References backwards. */
export function referredIds(
  mail: Pick<ReadMessage, 'inReplyTo' | 'references'> & { verdict: Pick<Verdict, 'reportedMessageIds'> },
): string[] {
  const ids = new Set([...mail.verdict.reportedMessageIds, ...mail.inReplyTo, ...mail.references.toReversed()])
  return [...ids].slice(0, referredIdsMax)
}

/**
 * The nearest known message, preferably one of a lead. A Message-ID that we wrote goes before the same id reported by a mail
 * server: a server can name any id, and would get the replies to other messages.
 */
export function nearest<Message extends Candidate>(ids: readonly string[], known: readonly Message[]): Message | null {
  const found = ids.flatMap((id) => [
    ...known.filter((message) => message.rfcMessageId === id),
    ...known.filter((message) => message.rfcMessageId !== id && message.deliveredMessageId === id),
  ])
  return found.find((message) => message.leadId !== null) ?? found[0] ?? null
}

/** Whether two messages are of one conversation, or of one lead. A lead that was handed over keeps its conversation. */
export function isSameConversation(
  message: { threadId: string | null; leadId: string | null },
  other: { threadId: string | null; leadId: string | null },
): boolean {
  return (
    (message.threadId !== null && message.threadId === other.threadId) ||
    (message.leadId !== null && message.leadId === other.leadId)
  )
}

/**
 * Whether a mail is a sender's own copy (from Sent, or sent to itself), which is never a reply. It is a reply if its writer is
 * the lead of that thread and it came to another mailbox.
 */
export function isOwnCopy(
  from: string | null,
  own: { senders: ReadonlySet<string>; mailbox: string },
  match: Candidate | null,
): boolean {
  if (from === null) return false
  const { email } = normalizeEmail(from)
  if (!own.senders.has(email)) return false
  return email === own.mailbox || match?.leadEmail !== email
}

/**
 * The addresses to which the writer wants replies, or null if they are the ones in `From`. Mailing lists insert their own
 * address and some programs insert ours, so our own addresses are left out.
 */
export function answersTo(
  mail: Pick<ReadMessage, 'from' | 'replyTo'>,
  senders: ReadonlySet<string>,
): ReadMessage['replyTo'] | null {
  const from = new Set(mail.from.map(({ email }) => normalizeEmail(email).email))
  const wanted = mail.replyTo.filter(({ email }) => isWritable(email) && !senders.has(normalizeEmail(email).email))
  return wanted.every(({ email }) => from.has(normalizeEmail(email).email)) ? null : wanted
}

const deferredMsMax = 90 * dayMs

/** The earliest time of the next step after an automatic reply: the day after the one that the reply names, up to `deferredMsMax`. */
export function deferredUntil(awayUntil: string | null, now: Date): Date | null {
  if (awayUntil === null) return null
  const at = Math.min(Date.parse(`${awayUntil}T00:00:00.000Z`) + dayMs, now.getTime() + deferredMsMax)
  return at > now.getTime() ? new Date(at) : null
}

/** The breaker counts complaints about this many of a mailbox's last messages. Source: docs/delivery.md, "Retries, bounces, breakers". */
export const complaintWindow = 100
const complaintSendsMin = 20
const complaintShareMax = 0.003

export function complaintsTrip({ sent, complaints }: { sent: number; complaints: number }): boolean {
  return sent >= complaintSendsMin && complaints / sent >= complaintShareMax
}
