import type { z } from 'zod'
import { AppError, invalid, notFound } from '@overture/contract/errors.ts'
import { conversationEndpoints, conversationReadOnlyFields } from '@overture/contract/inbox/conversations.ts'
import type { ReplyInput } from '@overture/contract/delivery/reply.ts'
import type { Message } from '@overture/contract/delivery/delivery.ts'
import { changedReadOnly } from '@overture/contract/read-only.ts'
import { setInterest, stopLead } from '../../campaigns/index.ts'
import { findMessage, listThreadMessages, presentMessage, queueManualMessage } from '../../delivery/index.ts'
import type { MessageRow } from '../../delivery/index.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { answerList, byTime } from '../../platform/http/paging.ts'
import { command, query } from '../../platform/http/route.ts'
import type { Route } from '../../platform/http/route.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { bothForms, messageToAnswer, presentConversation, replySubject, searchWords } from './conversation.ts'
import {
  type ConversationFilter,
  type ConversationRow,
  countConversations,
  findConversation,
  listConversations,
  updateConversation,
} from './conversations.sql.ts'

const byLastMessage = byTime((row: ConversationRow) => row.lastMessageAt)

/** Threads in which somebody answered. */
export function conversationsRoutes(): Route[] {
  return [
    query(conversationEndpoints.listConversations, async ({ app, tenant }, { query: asked }) => {
      // Behind the wall the index of words can't be used (decision 0022).
      const db = app.db.beyondWall()
      const filter = toFilter(asked)
      return answerList(asked, {
        key: byLastMessage,
        list: (at) => listConversations(db, tenant, filter, at),
        count: (seen) => seen ?? countConversations(db, tenant, filter),
        present: (rows) => rows.map(presentConversation),
      })
    }),
    query(conversationEndpoints.getConversation, async ({ app, tenant }, { params }) => {
      const row = await findConversation(app.db, tenant, params.id)
      if (row === null) throw notFound()
      const messages = await listThreadMessages(app.db, tenant, row.id)
      return { ...presentConversation(row), messages: messages.map(presentMessage) }
    }),
    command(conversationEndpoints.replyToConversation, async ({ tenant, now }, { params, body }, tx) => {
      const row = await findConversation(tx, tenant, params.id)
      if (row === null) throw notFound()
      const messages = await listThreadMessages(tx, tenant, row.id)
      await updateConversation(tx, tenant, { id: row.id, unread: false, archived: null })
      return answer(tx, tenant, { messages, body, sendingAccountId: row.sendingAccountId, now })
    }),
    command(conversationEndpoints.updateConversation, async ({ tenant, now }, { params, body }, tx) => {
      const row = await findConversation(tx, tenant, params.id)
      if (row === null) throw notFound()
      const messages = body.messages === undefined ? [] : await listThreadMessages(tx, tenant, row.id)
      const current = { ...presentConversation(row), messages: messages.map(presentMessage) }
      const issues = changedReadOnly(current, body, conversationReadOnlyFields)
      if (issues.length > 0) throw invalid(...issues)
      await updateConversation(tx, tenant, {
        id: row.id,
        unread: body.read === undefined ? (body.unread ?? null) : !body.read,
        archived: body.archived ?? null,
      })
      const { campaignId, leadId } = row
      const { interest = row.interest } = body
      if (interest !== row.interest && campaignId !== null && leadId !== null)
        await setInterest(tx, tenant, { campaignId, leadId, interest, source: 'person', now })
      return presentConversation((await findConversation(tx, tenant, row.id)) ?? row)
    }),
  ]
}

type ListQuery = z.output<NonNullable<typeof conversationEndpoints.listConversations.query>>

function toFilter(asked: ListQuery): ConversationFilter {
  const search = searchWords(asked.q)
  return {
    unread: asked.unread ?? null,
    archived: asked.archived ?? false,
    interest: asked.interest ?? null,
    campaignId: asked.campaignId ?? null,
    sendingAccountId: asked.sendingAccountId ?? null,
    words: search?.words ?? null,
    people: search?.people ?? null,
  }
}

interface Answer {
  messages: readonly MessageRow[]
  body: ReplyInput
  sendingAccountId: string | null
  now: Date
}

/** Queues a person's answer from the thread's own sender and ends the lead's sequence. */
async function answer(
  tx: Transaction,
  tenant: Tenant,
  { messages, body, sendingAccountId, now }: Answer,
): Promise<Message> {
  const answered = messageToAnswer(messages, body.replyToMessageId)
  if (answered === null || answered.rfcMessageId === null) throw nothingToAnswer('There is no message to answer.')
  const { text, html } = bothForms(body)
  const threadMessages = messages.filter((message) => message.threadId === answered.threadId)
  const sender =
    threadMessages.findLast((message) => message.direction === 'outbound')?.sendingAccountId ??
    sendingAccountId ??
    answered.sendingAccountId
  const to = recipientsOfAnswer(answered)
  if (to.length === 0) throw nothingToAnswer('The message to answer names no sender.')
  const id = await queueManualMessage(tx, tenant, {
    threadId: answered.threadId,
    campaignId: answered.campaignId,
    leadId: answered.leadId,
    sendingAccountId: sender,
    to: to.map(toAddress),
    cc: (body.cc ?? []).map(bareAddress),
    bcc: (body.bcc ?? []).map(bareAddress),
    subject: replySubject(answered.subject),
    text,
    html,
    inReplyTo: answered.rfcMessageId,
    refs: [...answered.refs, answered.rfcMessageId].slice(-50),
    attachments: (body.attachments ?? []).map(({ filename, contentType, content }) => ({
      filename,
      contentType,
      content: Buffer.from(content, 'base64'),
    })),
    kind: 'manual',
    now,
  })
  if (answered.campaignId !== null && answered.leadId !== null) {
    const key = { campaignId: answered.campaignId, leadId: answered.leadId }
    await stopLead(tx, tenant, { ...key, status: 'stopped', stoppedBy: { rule: 'manual_reply' }, now })
  }
  const stored = await findMessage(tx, tenant, id)
  if (stored === undefined) throw new Error(`The queued message ${id} is gone.`)
  return presentMessage(stored)
}

function nothingToAnswer(message: string): AppError {
  return new AppError('CONFLICT', message, { currentStatus: 'nothing_to_answer', allowedActions: [] })
}

function recipientsOfAnswer({ direction, toAddresses, fromAddress }: MessageRow) {
  if (direction === 'outbound') return toAddresses
  return fromAddress === null ? [] : [fromAddress]
}

function toAddress(address: { email: string; name: string | null }) {
  return { email: address.email, name: address.name }
}

function bareAddress(email: string) {
  return { email, name: null }
}
