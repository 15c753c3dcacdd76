import { scheduleDaysMax } from '@overture/contract/delivery/reply.ts'
import { invalid } from '@overture/contract/errors.ts'
import { dayMs } from '@overture/ground/time/spans.ts'
import { seenMessageId } from '../write/thread-order.ts'

/** Pure functions that find the message a person's reply answers, its sender and its references. Leads and conversations use them. */

const referencesMax = 50

interface Address {
  email: string
  name: string | null
}

export interface ThreadMessage {
  id: string
  threadId: string | null
  direction: 'outbound' | 'inbound'
  kind: string
  status: string
  rfcMessageId: string | null
  /** The Message-ID with which a server replaced `rfcMessageId`. */
  deliveredMessageId?: string | null
  inReplyTo: string | null
  refs: readonly string[]
  sendingAccountId: string
  fromAddress: Address | null
  toAddresses: readonly Address[]
  classification: Record<string, unknown> | null
}

/** Whether a person replied after the message that a writer saw. Ids grow with the time at which they are made. */
export function repliedSince(messages: readonly ThreadMessage[], seenMessageId: string): boolean {
  return messages.some(({ id, kind, status }) => kind === 'manual' && status !== 'failed' && id > seenMessageId)
}

/** Returns the named message, else the last received one, else the last sent one. Null if there is none. */
export function messageToAnswer<Message extends ThreadMessage>(
  messages: readonly Message[],
  named: string | undefined,
): Message | null {
  const answerable = messages.filter(isAnswerable)
  if (named !== undefined) return answerable.find((message) => message.id === named) ?? null
  return answerable.findLast((message) => message.direction === 'inbound') ?? answerable.at(-1) ?? null
}

function isAnswerable(message: ThreadMessage): boolean {
  if (message.rfcMessageId === null || message.kind === 'bounce') return false
  return message.direction === 'inbound' || message.status === 'sent'
}

/** The mailbox that sent the thread's last message, even if the lead replied to another of our mailboxes. */
export function senderOfReply(messages: readonly ThreadMessage[], answered: ThreadMessage): string {
  const own = messages.filter((message) => message.threadId === answered.threadId)
  return own.findLast((message) => message.direction === 'outbound')?.sendingAccountId ?? answered.sendingAccountId
}

/**
 * The recipient of a reply: the one address in `Reply-To`, if the mail had a `Reply-To`, else its author. If the lead never
 * replied, the recipients of our last message again.
 */
export function recipientsOfReply(answered: ThreadMessage): readonly Address[] {
  const { direction, toAddresses, fromAddress, classification } = answered
  if (direction === 'outbound') return toAddresses
  const wanted = classification?.['replyTo'] as readonly Address[] | undefined
  if (wanted?.[0] !== undefined) return [wanted[0]]
  return fromAddress === null ? [] : [fromAddress]
}

/**
 * The references of the answered message plus that message itself; if it has no references, those of the thread. Source: RFC
 * 5322, 3.6.4.
 */
export function referencesOfReply(messages: readonly ThreadMessage[], answered: ThreadMessage): string[] {
  const place = messages.indexOf(answered)
  const before = messages.slice(0, Math.max(0, place)).filter((message) => message.threadId === answered.threadId)
  const chain = answered.refs.length > 0 ? answered.refs : before.map(seenMessageId)
  const own = seenMessageId(answered)
  const ids = [...new Set(chain)].filter((id) => id !== null && id !== own)
  return [...ids, own].filter((id) => id !== null).slice(-referencesMax)
}

/** The time of a scheduled reply. Throws 400 if it is in the past or too far ahead. */
export function readSendAt(sendAt: string, now: Date): Date {
  const at = new Date(sendAt)
  const issue = { path: 'sendAt', rule: 'range' }
  if (at < now) throw invalid({ ...issue, message: 'The time must not be in the past.' })
  if (at.getTime() - now.getTime() > scheduleDaysMax * dayMs)
    throw invalid({ ...issue, message: `The time must be within ${scheduleDaysMax} days.` })
  return at
}
