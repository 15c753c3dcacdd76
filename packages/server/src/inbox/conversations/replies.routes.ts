import { notFound } from '@overture/contract/errors.ts'
import { conversationEndpoints } from '@overture/contract/inbox/conversations.ts'
import {
  listThreadMessages,
  replyInThread,
  updateConversation,
  updateReply,
  withdrawReply,
} from '../../delivery/index.ts'
import { command, type Route } from '../../platform/http/route.ts'
import type { TemplateRenderer } from '../../templates/index.ts'
import type { ConversationDrafts } from './conversation-drafts.ts'
import { lockConversation } from './conversations.sql.ts'

/** The routes for what people write in conversations. */
export function replyRoutes(renderer: TemplateRenderer, drafts: ConversationDrafts): Route[] {
  return [
    command(conversationEndpoints.replyToConversation, async ({ tenant, now }, { params, body }, tx) => {
      const row = await lockConversation(tx, tenant, params.id)
      if (row === null) throw notFound()
      const messages = await listThreadMessages(tx, tenant, row.id)
      await updateConversation(tx, tenant, { id: row.id, unread: false, archived: null })
      const { draftId, draftDigest, ...input } = body
      if (draftId === undefined || draftDigest === undefined)
        return replyInThread(tx, tenant, messages, { ...input, renderer, now })
      const text = await drafts.take(tx, tenant, { threadId: row.id, draftId, draftDigest })
      // Without a text of its own the reply is exactly the draft that the person read.
      const written = input.text === undefined && input.html === undefined ? { ...input, text } : input
      const reply = await replyInThread(tx, tenant, messages, { ...written, renderer, now })
      await drafts.close(tx, tenant, { draftId, text, replyId: reply.id, now })
      return reply
    }),
    command(conversationEndpoints.updateReply, async ({ tenant, now }, { params, body }, tx) => {
      const row = await lockConversation(tx, tenant, params.id)
      if (row === null) throw notFound()
      return updateReply(tx, tenant, { ...body, threadId: row.id, messageId: params.messageId, renderer, now })
    }),
    command(conversationEndpoints.withdrawReply, async ({ tenant, now }, { params }, tx) => {
      const row = await lockConversation(tx, tenant, params.id)
      if (row === null) throw notFound()
      const withdrawn = await withdrawReply(tx, tenant, { threadId: row.id, messageId: params.messageId })
      await drafts.reopen(tx, tenant, { threadId: row.id, replyId: params.messageId, now })
      return withdrawn
    }),
  ]
}
