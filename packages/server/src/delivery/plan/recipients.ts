import { isWritable, normalizeEmail } from '@overture/contract/addresses.ts'
import type { RefusedRecipient } from '@overture/contract/delivery/delivery.ts'

/** The kinds of messages that we send. A test sends each of them to suppressed addresses (test/recipients-of-every-kind.test.ts). */
export const outboundKinds = ['campaign', 'manual', 'notification', 'test'] as const
export type OutboundKind = (typeof outboundKinds)[number]

/**
 * The largest number of recipients per sending account and day of its zone, for people's messages, for notices and for placement
 * tests. Source: docs/contract.md.
 */
export const directRecipientsPerDayMax = { manual: 300, notification: 300, test: 600 } as const

export type DirectKind = keyof typeof directRecipientsPerDayMax

interface Address {
  email: string
  name: string | null
}

export interface Envelope {
  to: readonly Address[]
  cc: readonly Address[]
  bcc: readonly Address[]
}

/** A person who wrote in a thread, and when they wrote last. */
export interface Writer {
  email: string
  at: Date
}

export interface RecipientFacts {
  /** The time of the newest suppression of each suppressed address, by the normalised address. */
  suppressedAt: ReadonlyMap<string, Date>
  /** The person who wrote last in the thread, with proof. */
  lastWriter: Writer | null
}

/**
 * Decides for every recipient of one message whether it may be written to. A suppressed address is refused in every field and for
 * every kind of message. The only exception is a reply to the person who wrote the last message of the thread after the suppression.
 * An address that a mail server could read as another one is refused, too.
 */
export function decideRecipients(
  message: Envelope & { kind: DirectKind },
  facts: RecipientFacts,
): { envelope: Envelope; refused: RefusedRecipient[] } {
  const refused = new Map<string, RefusedRecipient>()
  const refuse = (email: string, address: Address, reason: string): false => {
    refused.set(email, { email: address.email, code: null, reason })
    return false
  }
  const allowed = (address: Address): boolean => {
    const { email } = normalizeEmail(address.email)
    if (!isWritable(address.email))
      return refuse(email, address, 'The address is not in a form that can be written to.')
    const suppressedAt = facts.suppressedAt.get(email)
    if (suppressedAt === undefined) return true
    const wroteAt = message.kind === 'manual' ? lastWroteAt(facts.lastWriter, email) : null
    if (wroteAt !== null && wroteAt > suppressedAt) return true
    return refuse(email, address, 'The address is suppressed.')
  }
  const envelope = {
    to: message.to.filter(allowed),
    cc: message.cc.filter(allowed),
    bcc: message.bcc.filter(allowed),
  }
  return { envelope, refused: [...refused.values()] }
}

/** When this address wrote, if it was the last one to write; null otherwise. */
export function lastWroteAt(lastWriter: Writer | null, email: string): Date | null {
  return lastWriter !== null && normalizeEmail(lastWriter.email).email === email ? lastWriter.at : null
}

/** The recipients that neither wrote in the thread nor belong to the account, in the order of the fields. */
export function strangersAmong(
  envelope: Envelope,
  known: { writers: readonly { email: string }[]; own: readonly string[] },
): string[] {
  const emails = new Set([...known.writers.map(({ email }) => normalizeEmail(email).email), ...known.own])
  return recipientEmails(envelope).filter((email) => !emails.has(email))
}

/** The normalised addresses of all recipients, in the order of the fields. */
export function recipientEmails({ to, cc, bcc }: Envelope): string[] {
  return [...to, ...cc, ...bcc].map(({ email }) => normalizeEmail(email).email)
}

/** The addresses for the mail server, each once: some servers deliver a message twice to an address that is named twice. */
export function recipientAddresses({ to, cc, bcc }: Envelope): string[] {
  const addresses = new Map<string, string>()
  for (const { email } of [...to, ...cc, ...bcc]) {
    const key = normalizeEmail(email).email
    if (!addresses.has(key)) addresses.set(key, email)
  }
  return [...addresses.values()]
}

/** The recipient that a bounce is about: the lead, the only recipient, who is not the lead, or one of several recipients. */
export type BounceOf = 'lead' | 'only_recipient' | 'copy'

/**
 * Decides which recipient a bounce is about. It is about the lead if the lead is the only recipient, or if the report names the
 * lead's address. `failed` is the normalised address that the report names. It may be one to which a recipient forwards mail.
 */
export function attributeBounce(message: Envelope & { leadEmail: string | null }, failed: string | null): BounceOf {
  const { leadEmail } = message
  const recipients = new Set(recipientEmails(message))
  if (recipients.size === 0) return 'lead'
  if (recipients.size > 1) return failed !== null && failed === leadEmail && recipients.has(failed) ? 'lead' : 'copy'
  return leadEmail !== null && recipients.has(leadEmail) ? 'lead' : 'only_recipient'
}

/**
 * The recipients that complained about a message: the only one, or those of several that the report names. `own` are the
 * account's addresses, which don't complain. Empty if the report names none of several recipients, because another one than the
 * lead may have complained.
 */
export function findComplainants(
  message: Envelope & { leadEmail: string | null },
  { named, own }: { named: readonly string[]; own: readonly string[] },
): string[] {
  const all = [...new Set(recipientEmails(message))]
  if (all.length === 0) return message.leadEmail === null ? [] : [message.leadEmail]
  const others = all.filter((email) => !own.includes(email))
  if (others.length === 1) return others
  const emails = new Set(named.map((email) => normalizeEmail(email).email))
  return others.filter((email) => emails.has(email))
}

export function recipientCount({ to, cc, bcc }: Envelope): number {
  return to.length + cc.length + bcc.length
}
