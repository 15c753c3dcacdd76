import { createHash } from 'node:crypto'
import { normalizeEmail } from '@overture/contract/addresses.ts'
import type { App } from '../../platform/app.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { storable } from '../../ground/text/storable.ts'
import { newId } from '../../platform/ids.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { settleMessage } from '../../delivery/index.ts'
import { listSenders } from '../../sending-accounts/index.ts'
import { classify } from '../classify/classify.ts'
import type { Verdict } from '../classify/classify.ts'
import { applyConsequences } from './consequences.commands.ts'
import { calendarParts, readMail, type Mail } from '../mime/mail.ts'
import { applyToFormer } from './former.commands.ts'
import { isOwnCopy, nearest, referredIds, snippetOf } from './match.ts'
import { findLastMessageTo, findReceived, listMessagesByRfcIds, listUncertain, lockReceiving } from './matching.sql.ts'
import type { KnownMessage } from './matching.sql.ts'
import type { MailAddress } from '../mime/mime-headers.ts'
import { insertInbound, upsertThreadArrival } from './received.sql.ts'

/** What is kept of a raw message, and of its texts. */
const rawBytesMax = 1024 * 1024
const textMax = 500_000
const htmlMax = 1_000_000

export interface ReceiveInput {
  sendingAccountId: string
  raw: Buffer
  folder: string
  uid: number
  /** By the mailbox's server. */
  receivedAt: Date
  now: Date
}

/** What other features make of a message, in the same transaction. */
export interface ReceiveHooks {
  /** The calendar parts of a lead's message. */
  calendar?: (
    tx: Transaction,
    tenant: Tenant,
    found: { parts: { contentType: string; text: string }[]; campaignId: string; leadId: string; now: Date },
  ) => Promise<unknown>
  /** A person's reply, after its consequences. */
  replied?: (
    tx: Transaction,
    tenant: Tenant,
    reply: { campaignId: string; leadId: string; messageId: string; now: Date },
  ) => Promise<void>
}

/**
 * `unmatched`: private mail of the mailbox's owner, of which nothing is kept. `late`: about a message that was deleted;
 * nothing is kept but what follows for the address.
 */
export type Received =
  | {
      outcome: 'stored'
      messageId: string
      kind: Verdict['kind']
      rule: string
      leadId: string | null
      campaignId: string | null
    }
  | { outcome: 'duplicate' | 'own_copy' | 'unmatched' | 'late' }
  | { outcome: 'set_aside'; reason: string }

/** Takes one message from a mailbox: reads, matches, classifies and draws the consequences, in one transaction. */
export async function receiveMessage(
  app: App,
  tenant: Tenant,
  input: ReceiveInput,
  hooks: ReceiveHooks = {},
): Promise<Received> {
  const result = readMail(input.raw)
  if (result.outcome === 'set_aside') {
    app.log.warn({
      event: 'inbox.set_aside',
      sendingAccountId: input.sendingAccountId,
      uid: input.uid,
      reason: result.reason,
    })
    return { outcome: 'set_aside', reason: result.reason }
  }
  const { mail } = result
  const verdict = classify(mail)
  return app.db.transaction((tx) => take(tx, tenant, { input, mail, verdict, hooks, secrets: app.secrets }))
}

interface Message {
  input: ReceiveInput
  mail: Mail
  verdict: Verdict
}

interface Taking extends Message {
  hooks: ReceiveHooks
  secrets: App['secrets']
}

async function take(tx: Transaction, tenant: Tenant, { hooks, secrets, ...taken }: Taking): Promise<Received> {
  const { input, mail, verdict } = taken
  const { sendingAccountId, now } = input
  const sha256 = createHash('sha256').update(input.raw).digest()
  await lockReceiving(tx, tenant, `${sendingAccountId} ${mail.messageId ?? sha256.toString('hex')}`)
  const received = await findReceived(tx, tenant, { sendingAccountId, rfcMessageId: mail.messageId, sha256 })
  if (received !== null) return { outcome: 'duplicate' }
  const match = await matchMail(tx, tenant, taken)
  const own = await findOwnAddresses(tx, tenant, sendingAccountId)
  const isReport = verdict.kind === 'bounce' || verdict.kind === 'complaint'
  if (!isReport && isOwnCopy(mail.from[0]?.address ?? null, own, match)) {
    if (mail.messageId !== null) await settleBySeen(tx, tenant, { rfcIds: [mail.messageId], by: 'sent_folder', now })
    return { outcome: 'own_copy' }
  }
  const isLate = await applyToFormer(tx, tenant, { mail, verdict, sendingAccountId, secrets, now })
  if (match === null) return { outcome: isLate ? 'late' : 'unmatched' }
  const outbound = match.direction === 'outbound' ? [match.rfcMessageId] : []
  await settleBySeen(tx, tenant, {
    rfcIds: [...outbound, ...referredIds(mail, verdict)],
    by: verdict.kind === 'bounce' ? 'delivery_report' : 'reply',
    now,
  })
  const messageId = await store(tx, tenant, { ...taken, match, sha256 })
  if (messageId === null) return { outcome: 'duplicate' }
  await applyConsequences(tx, tenant, { messageId, mail, verdict, match, sendingAccountId, secrets, now })
  const { campaignId, leadId } = match
  if (campaignId !== null && leadId !== null) {
    if (verdict.kind === 'reply') await hooks.replied?.(tx, tenant, { campaignId, leadId, messageId, now })
    const parts = calendarParts(mail)
    if (parts.length > 0) await hooks.calendar?.(tx, tenant, { parts, campaignId, leadId, now })
  }
  return { outcome: 'stored', messageId, kind: verdict.kind, rule: verdict.rule, leadId, campaignId }
}

async function findOwnAddresses(tx: Transaction, tenant: Tenant, sendingAccountId: string) {
  const senders = await listSenders(tx, tenant)
  return {
    senders: new Set(senders.map((sender) => normalizeEmail(sender.email).email)),
    mailbox: normalizeEmail(senders.find((sender) => sender.id === sendingAccountId)?.email ?? '').email,
  }
}

/** Messages whose end is uncertain, but which somebody has seen, were sent. Answers how many there were. */
export async function settleBySeen(
  tx: Transaction,
  tenant: Tenant,
  seen: { rfcIds: readonly string[]; by: 'sent_folder' | 'delivery_report' | 'reply'; now: Date },
): Promise<number> {
  if (seen.rfcIds.length === 0) return 0
  const ids = await listUncertain(tx, tenant, seen.rfcIds)
  for (const messageId of ids)
    await settleMessage(tx, tenant, { messageId, outcome: 'sent', by: seen.by, now: seen.now })
  return ids.length
}

// By the thread's headers, then by an address to which something left. Source: docs/contract.md, "Inbox".
async function matchMail(
  tx: Transaction,
  tenant: Tenant,
  { input, mail, verdict }: Message,
): Promise<KnownMessage | null> {
  const ids = referredIds(mail, verdict)
  const threaded = nearest(ids, await listMessagesByRfcIds(tx, tenant, ids))
  if (threaded !== null) return threaded
  for (const address of addressesOf(mail, verdict).slice(0, 20)) {
    const last = await findLastMessageTo(tx, tenant, {
      email: normalizeEmail(address).email,
      sendingAccountId: input.sendingAccountId,
    })
    if (last !== null) return last
  }
  return null
}

function addressesOf(mail: Mail, verdict: Verdict): string[] {
  if (verdict.kind === 'bounce')
    return verdict.bounces.flatMap((bounce) => (bounce.recipient === null ? [] : [bounce.recipient]))
  if (verdict.kind === 'complaint') return verdict.complaint?.recipients ?? []
  return mail.from.map((one) => one.address)
}

interface Storing extends Message {
  match: KnownMessage
  sha256: Buffer
}

async function store(
  tx: Transaction,
  tenant: Tenant,
  { input, mail, verdict, match, sha256 }: Storing,
): Promise<string | null> {
  const id = newId('msg')
  const threadId = match.threadId ?? newId('thr')
  const text = storable(verdict.reply === null ? mail.text : verdict.reply.text, textMax)
  const conversation = verdict.kind !== 'bounce' && verdict.kind !== 'complaint'
  const inserted = await insertInbound(tx, tenant, {
    id,
    threadId,
    campaignId: match.campaignId,
    leadId: match.leadId,
    sendingAccountId: input.sendingAccountId,
    kind: verdict.kind === 'complaint' ? 'other' : verdict.kind,
    rfcMessageId: mail.messageId === null ? null : storable(mail.messageId, 1_000),
    inReplyTo: mail.inReplyTo[0] ?? null,
    refs: mail.references.slice(-50),
    from: mail.from[0] === undefined ? null : addressOf(mail.from[0]),
    to: mail.to.slice(0, 100).map(addressOf),
    cc: mail.cc.slice(0, 100).map(addressOf),
    subject: storable(mail.subject, 2_000),
    text,
    quotedText:
      verdict.reply === null
        ? null
        : storable([verdict.reply.signature, verdict.reply.quoted].filter((part) => part !== '').join('\n'), textMax),
    html: mail.html === null ? null : storable(mail.html, htmlMax),
    raw: input.raw.subarray(0, rawBytesMax),
    sha256,
    receivedAt: input.receivedAt,
    classification: { kind: verdict.kind, rule: verdict.rule, awayUntil: verdict.awayUntil, bounces: verdict.bounces },
  })
  if (!inserted) return null
  await upsertThreadArrival(tx, tenant, {
    id: threadId,
    campaignId: match.campaignId,
    leadId: match.leadId,
    sendingAccountId: match.sendingAccountId,
    subject: storable(mail.subject, 500),
    snippet: snippetOf(text),
    at: input.receivedAt,
    conversation,
    unread: conversation && verdict.kind !== 'auto_reply',
  })
  return id
}

function addressOf(address: MailAddress) {
  return { email: storable(address.address, 320), name: address.name === null ? null : storable(address.name, 200) }
}
