import { AppError, conflict, invalid, notFound } from '@overture/contract/errors.ts'
import type { Message } from '@overture/contract/delivery/delivery.ts'
import type { ReplyInput } from '@overture/contract/delivery/reply.ts'
import { findLeadWithCampaign, stopLead } from '../../campaigns/index.ts'
import { replySubject } from '@overture/ground/text/reply-subject.ts'
import { makeSnippet } from '@overture/ground/text/snippet.ts'
import { textToHtml } from '@overture/ground/text/text-html.ts'
import type { Transaction } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'
import type { TemplateRenderer } from '../../templates/index.ts'
import { upsertThreadWritten } from './arrivals.sql.ts'
import { findMessage, listLeadMessages, type MessageRow } from './messages.sql.ts'
import { updateAwaiting } from './awaiting.sql.ts'
import { presentMessage, queueManualMessage } from './messages.commands.ts'
import { listStrangers } from '../write/strangers.queries.ts'
import { seenMessageId } from '../write/thread-order.ts'
import {
  messageToAnswer,
  readSendAt,
  recipientsOfReply,
  referencesOfReply,
  repliedSince,
  senderOfReply,
} from './reply.ts'

type ReplyOptions = ReplyInput & { now: Date; renderer: TemplateRenderer }

/** A person's reply to a lead (docs/contract.md, "Leads"). */
export async function replyToLead(
  tx: Transaction,
  tenant: Tenant,
  key: { campaignId: string; leadId: string },
  input: ReplyOptions,
): Promise<Message> {
  if ((await findLeadWithCampaign(tx, tenant, key)) === undefined) throw notFound()
  return replyInThread(tx, tenant, await listLeadMessages(tx, tenant, key), input)
}

/**
 * Queues a person's reply to one of these messages, which are sorted oldest first. It is sent in the same thread from the
 * thread's mailbox, and ends the sequence of the thread's lead. Throws 409 if there is no message to answer.
 */
export async function replyInThread(
  tx: Transaction,
  tenant: Tenant,
  messages: readonly MessageRow[],
  input: ReplyOptions,
): Promise<Message> {
  if (input.seenMessageId !== undefined && repliedSince(messages, input.seenMessageId))
    throw conflict('A colleague has replied meanwhile.', 'answered')
  const sendAt = input.sendAt === undefined ? null : readSendAt(input.sendAt, input.now)
  const { answered, to } = toAnswer(messages, input.replyToMessageId)
  const { campaignId, leadId } = answered
  const cc = input.cc?.map(bareAddress) ?? []
  const bcc = input.bcc?.map(bareAddress) ?? []
  const about = { id: answered.id, threadId: answered.threadId, campaignId, leadId, to, cc, bcc }
  const strangers = (await listStrangers(tx, tenant, [about])).get(answered.id) ?? []
  const text = input.text ?? (await textOfHtml(input.renderer, tenant, input.html ?? ''))
  const id = await queueManualMessage(tx, tenant, {
    threadId: answered.threadId,
    campaignId,
    leadId,
    sendingAccountId: senderOfReply(messages, answered),
    to,
    cc,
    bcc,
    subject: replySubject(answered.subject),
    text,
    html: input.html ?? textToHtml(input.text ?? ''),
    inReplyTo: seenMessageId(answered),
    refs: referencesOfReply(messages, answered),
    attachments: (input.attachments ?? []).map((file) => ({ ...file, content: Buffer.from(file.content, 'base64') })),
    kind: 'manual',
    toStranger: strangers.length > 0,
    delayMs: (input.delaySeconds ?? 0) * 1_000,
    sendAt,
    now: input.now,
  })
  if (campaignId !== null && leadId !== null) {
    const stoppedBy = { rule: 'manual_reply' }
    await stopLead(tx, tenant, { campaignId, leadId, status: 'stopped', stoppedBy, now: input.now })
  }
  await showWritten(tx, tenant, { threadId: answered.threadId, snippet: makeSnippet(text), now: input.now })
  const queued = await findMessage(tx, tenant, id)
  if (queued === undefined) throw new AppError('INTERNAL_ERROR', 'The message was not queued.')
  return presentMessage(queued)
}

function toAnswer(messages: readonly MessageRow[], named: string | undefined) {
  const answered = messageToAnswer(messages, named)
  if (answered === null) throw nothingToAnswer('There is no message to reply to.')
  const to = recipientsOfReply(answered)
  if (to.length === 0) throw nothingToAnswer('The message to reply to has no sender address.')
  return { answered, to }
}

async function showWritten(
  tx: Transaction,
  tenant: Tenant,
  { threadId, ...written }: { threadId: string | null; snippet: string; now: Date },
): Promise<void> {
  if (threadId === null) return
  await upsertThreadWritten(tx, tenant, { threadId, ...written })
  await updateAwaiting(tx, tenant, threadId)
}

/** The text of a reply that was sent only as HTML. */
export async function textOfHtml(renderer: TemplateRenderer, tenant: Tenant, html: string): Promise<string> {
  const text = await renderer.textOf(tenant, html)
  if (text === null) throw invalid({ path: 'html', rule: 'nesting', message: 'The HTML is nested too deeply.' })
  return text
}

function bareAddress(email: string) {
  return { email, name: null }
}

function nothingToAnswer(message: string): AppError {
  return new AppError('CONFLICT', message, { currentStatus: 'nothing_to_answer', allowedActions: [] })
}
