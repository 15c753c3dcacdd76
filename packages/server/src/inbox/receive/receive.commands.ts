import { makeSnippet } from '@overture/ground/text/snippet.ts'
import { createHash } from 'node:crypto'
import { normalizeEmail } from '@overture/contract/addresses.ts'
import { foreignText } from '@overture/ground/text/foreign-text.ts'
import type { App } from '../../platform/app.ts'
import type { Executor, Transaction } from '../../platform/db/database.ts'
import { newId } from '../../platform/ids.ts'
import type { Tenant } from '../../platform/tenant.ts'
import {
  holdScheduled,
  settleMessage,
  updateAnsweredElsewhere,
  updateAwaiting,
  insertInbound,
  upsertThreadArrival,
} from '../../delivery/index.ts'
import { optOutAddress } from '../../tracking/index.ts'
import type { CalendarMessage } from '@overture/mail-reading/calendars/calendar.ts'
import type { Verdict } from '@overture/mail-reading/classify/classify.ts'
import { findReportFile } from '@overture/mail-reading/dmarc/report-mail.ts'
import { readMessage, type ReadMessage } from '@overture/mail-reading/reading/read-message.ts'
import type { ReportReading } from '../reading/mail-reader.ts'
import { applyConsequences } from './consequences.commands.ts'
import { applyToFormer } from './former.commands.ts'
import { toInboundRow, type MessageToStore } from './inbound-row.shell.ts'
import { asIgnored, ignoredRule, isIgnored } from './ignored-mail.ts'
import { answersTo, isOwnCopy, referredIds } from './match.ts'
import { findReceived, listMessagesByRfcIds, listUncertain, lockReceiving } from './matching.sql.ts'
import type { KnownMessage } from './matching.sql.ts'
import { recordForeignMail, takeManualMail } from './manual-mail.commands.ts'
import { matchMail, matchOptOut, namesOurs, ofNewestLead, type MessageToMatch } from './match-mail.queries.ts'
import { asOptOut, findTokenOptOut, type TokenOptOut } from './opt-out-token.queries.ts'
import { allows, writerProof, type WriterProof } from './proof.ts'
import { findOwnMailbox, type OwnMailbox } from './own-mailbox.queries.ts'
import { findReported } from './reported.queries.ts'

const threadSubjectMax = 500

interface ReceiveInput {
  sendingAccountId: string
  raw: Buffer
  folder: string
  /** Whether the folder is the one for junk. */
  junk: boolean
  /** Whether the folder is the one for sent mail. */
  sent?: boolean
  uid: number
  /** Whether a simulated person or provider wrote the mail. Its reports then count as the provider's own. */
  isSimulated?: boolean
  /** Whether the mailbox contains more of the message than `raw`. */
  truncated?: boolean
  /** When the mailbox's server received it. */
  receivedAt: Date
  now: Date
}

/** Functions of other features, called in the same transaction. */
export interface ReceiveHooks {
  /** An invitation, or a reply to one, in a message of a known lead. `from` is not always the lead. */
  calendar?: (
    tx: Transaction,
    tenant: Tenant,
    found: {
      calendar: CalendarMessage
      campaignId: string
      leadId: string
      from: string | null
      proof: WriterProof
      now: Date
    },
  ) => Promise<unknown>
  /** Called after the transaction, for a DMARC report in a mail that belongs to no conversation. */
  report?: (tenant: Tenant, mailed: { sendingAccountId: string; reading: ReportReading; now: Date }) => Promise<void>
  /** Called for a person's reply, after its consequences. */
  replied?: (
    tx: Transaction,
    tenant: Tenant,
    reply: { campaignId: string; leadId: string; messageId: string; now: Date },
  ) => Promise<void>
}

/**
 * `unmatched`: private mail of the mailbox's owner, of which nothing is stored. `late`: about a message that was deleted; only
 * the consequences for the address are stored. A `report` is a DMARC report in file `n` of the mail.
 */
type ReceiveResult =
  | {
      outcome: 'stored'
      messageId: string
      kind: Verdict['kind']
      rule: string
      leadId: string | null
      campaignId: string | null
    }
  | { outcome: 'duplicate' | 'own_copy' | 'unmatched' | 'late' }
  | { outcome: 'report'; n: number }
  | { outcome: 'set_aside'; reason: string }

/** Reads and stores a message that the product made itself. Messages of strangers are read in separate threads instead. */
export async function receiveMessage(
  app: App,
  tenant: Tenant,
  input: ReceiveInput,
  hooks: ReceiveHooks = {},
): Promise<ReceiveResult> {
  const reading = readMessage(input.raw)
  return reading.outcome === 'set_aside' ? reading : takeMessage(app, tenant, { input, mail: reading.message, hooks })
}

/** Whether a message is about a known message. Others are ignored. */
export async function isMatched(db: Executor, tenant: Tenant, message: MessageToMatch): Promise<boolean> {
  return (await matchMail(db, tenant, message)) !== null
}

interface Message {
  input: ReceiveInput
  mail: ReadMessage
}

/** Matches a message that was read, stores it and applies its consequences, in one transaction. */
export function takeMessage(
  app: App,
  tenant: Tenant,
  message: Message & { hooks: ReceiveHooks },
): Promise<ReceiveResult> {
  const { secrets } = app
  return app.db.transaction(async (tx) => {
    const isSent = message.input.sent === true
    const optOut = isSent ? null : await findTokenOptOut(tx, tenant, { mail: message.mail, secrets })
    const mail = optOut === null ? message.mail : asOptOut(message.mail)
    return take(tx, tenant, { ...message, mail, optOut, secrets })
  })
}

interface MessageToTake extends Message {
  hooks: ReceiveHooks
  secrets: App['secrets']
  /** The opt-out that one of our tokens proves. */
  optOut: TokenOptOut | null
}

async function take(
  tx: Transaction,
  tenant: Tenant,
  { hooks, secrets, optOut, ...read }: MessageToTake,
): Promise<ReceiveResult> {
  const { input } = read
  const { sendingAccountId, now } = input
  const own = await findOwnMailbox(tx, tenant, sendingAccountId)
  const ignored = optOut === null && isIgnored(own.ignoreMail, read.mail, input.raw)
  const mail = ignored ? asIgnored(read.mail) : read.mail
  const taken = { input, mail }
  const { verdict } = mail
  const sha256 = createHash('sha256').update(input.raw).digest()
  await lockReceiving(tx, tenant, `${sendingAccountId} ${mail.messageId ?? sha256.toString('hex')}`)
  const received = await findReceived(tx, tenant, { sendingAccountId, rfcMessageId: mail.messageId, sha256 })
  if (received !== null) return { outcome: 'duplicate' }
  const found = await (optOut === null
    ? matchMail(tx, tenant, taken)
    : matchOptOut(tx, tenant, { ...taken, ...optOut }))
  const match = await ofNewestLead(tx, tenant, found, verdict.kind)
  const isReport = verdict.kind === 'bounce' || verdict.kind === 'complaint'
  if (input.sent === true || (!isReport && isOwnCopy(mail.from[0]?.email ?? null, own, match))) {
    if (mail.messageId !== null) await settleBySeen(tx, tenant, { rfcIds: [mail.messageId], by: 'sent_folder', now })
    if (!ignored) await settleAnswer(tx, tenant, { input, mail, match })
    if (input.sent === true && !ignored)
      await takeManualMail(tx, tenant, { input, mail, senders: own.senders, secrets })
    return { outcome: 'own_copy' }
  }
  const late = { mail, leadId: match?.leadId ?? null, sendingAccountId, secrets, now }
  if (optOut !== null) await optOutAddress(tx, tenant, { ...optOut, via: 'reply', source: 'recipient', secrets, now })
  const isLate = (await applyToFormer(tx, tenant, late)) || optOut !== null
  if (match === null) {
    const n = ignored || isLate ? null : findReportFile(mail)
    if (n !== null) return { outcome: 'report', n }
    if (!ignored) await recordForeignMail(tx, tenant, { input, mail, senders: own.senders, secrets })
    return { outcome: isLate ? 'late' : 'unmatched' }
  }
  return keepMatched(tx, tenant, { hooks, secrets, optOut, ...taken, match, own, sha256 })
}

interface MatchedMail extends MessageToTake {
  match: KnownMessage
  own: OwnMailbox
  sha256: Buffer
}

/** Stores a mail that is about one of our messages, and applies its consequences. */
async function keepMatched(
  tx: Transaction,
  tenant: Tenant,
  { hooks, secrets, optOut, match, own, sha256, ...taken }: MatchedMail,
): Promise<ReceiveResult> {
  const { input, mail } = taken
  const { verdict } = mail
  const { sendingAccountId, now } = input
  const isReport = verdict.kind === 'bounce' || verdict.kind === 'complaint'
  const to = { email: own.mailbox, imapHost: own.imapHost, junk: input.junk }
  const reported = await findReported(tx, tenant, { mail, match, sendingAccountId, to })
  const proof = writerProof(mail, to, { namesOurs: await namesOurs(tx, tenant, { mail, match }) })
  // A report or an unproven mail may be forged, so it does not prove that the matched message was sent.
  const settles = !isReport && match.direction === 'outbound' && allows(proof, 'settle')
  const outbound = settles ? [match.rfcMessageId] : []
  await settleBySeen(tx, tenant, {
    rfcIds: [...outbound, ...referredIds(mail)],
    by: verdict.kind === 'bounce' ? 'delivery_report' : 'reply',
    now,
  })
  // A mail with an unproven writer must not choose the recipient of a person's reply.
  const replyTo = allows(proof, 'reply_to') ? answersTo(mail, own.senders) : null
  const messageId = await store(tx, tenant, { ...taken, match, reported, proof, replyTo, sha256 })
  if (messageId === null) return { outcome: 'duplicate' }
  const byToken = optOut !== null
  await applyConsequences(tx, tenant, {
    messageId,
    mail,
    match,
    reported,
    proof,
    byToken,
    isSimulated: input.isSimulated === true,
    sendingAccountId,
    secrets,
    now,
  })
  await callHooks(tx, tenant, hooks, { messageId, mail, match, proof, now })
  const { campaignId, leadId } = match
  return { outcome: 'stored', messageId, kind: verdict.kind, rule: verdict.rule, leadId, campaignId }
}

interface StoredMail {
  messageId: string
  mail: ReadMessage
  match: KnownMessage
  proof: WriterProof
  now: Date
}

async function callHooks(
  tx: Transaction,
  tenant: Tenant,
  hooks: ReceiveHooks,
  { messageId, mail, match, proof, now }: StoredMail,
): Promise<void> {
  const { campaignId, leadId } = match
  if (campaignId === null || leadId === null) return
  if (mail.verdict.kind === 'reply') await hooks.replied?.(tx, tenant, { campaignId, leadId, messageId, now })
  const from = mail.from.length === 1 ? normalizeEmail(mail.from[0]!.email).email : null
  if (mail.calendar !== null)
    await hooks.calendar?.(tx, tenant, { calendar: mail.calendar, campaignId, leadId, from, proof, now })
}

// Handles a user's own reply that was written in a mail program and found in the Sent folder. Messages that the product sent don't count.
async function settleAnswer(
  tx: Transaction,
  tenant: Tenant,
  { input, mail, match }: Message & { match: KnownMessage | null },
): Promise<void> {
  if (match === null || match.direction === 'outbound' || match.threadId === null || mail.messageId === null) return
  if ((await listMessagesByRfcIds(tx, tenant, [mail.messageId])).length > 0) return
  await updateAnsweredElsewhere(tx, tenant, { threadId: match.threadId, at: input.receivedAt })
}

/** Marks uncertain messages as sent if they were seen in a folder, a report or a reply. Returns how many there were. */
async function settleBySeen(
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

async function store(tx: Transaction, tenant: Tenant, storing: MessageToStore): Promise<string | null> {
  const { input, mail, match } = storing
  const { kind, rule } = mail.verdict
  const ids = { id: newId('msg'), threadId: match.threadId ?? newId('thr') }
  if (!(await insertInbound(tx, tenant, toInboundRow(ids, storing)))) return null
  const conversation = kind !== 'bounce' && kind !== 'complaint' && rule !== ignoredRule
  const isOfPerson = conversation && kind !== 'auto_reply'
  await upsertThreadArrival(tx, tenant, {
    id: ids.threadId,
    campaignId: match.campaignId,
    leadId: match.leadId,
    sendingAccountId: match.sendingAccountId,
    subject: foreignText(mail.subject, threadSubjectMax),
    snippet: makeSnippet(mail.text),
    at: input.receivedAt,
    conversation,
    unread: isOfPerson,
  })
  if (isOfPerson) await holdScheduled(tx, tenant, { threadId: ids.threadId, now: input.now })
  await updateAwaiting(tx, tenant, ids.threadId)
  return ids.id
}
