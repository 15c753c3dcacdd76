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
import { lockConversation } from './conversations.sql.ts'

/** The routes for what people write in conversations. */
export function replyRoutes(renderer: TemplateRenderer): Route[] {
  return [
    command(conversationEndpoints.replyToConversation, async ({ tenant, now }, { params, body }, tx) => {
      const row = await lockConversation(tx, tenant, params.id)
      if (row === null) throw notFound()
      const messages = await listThreadMessages(tx, tenant, row.id)
      await updateConversation(tx, tenant, { id: row.id, unread: false, archived: null })
      return replyInThread(tx, tenant, messages, { ...body, renderer, now })
    }),
    command(conversationEndpoints.updateReply, async ({ tenant, now }, { params, body }, tx) => {
      const row = await lockConversation(tx, tenant, params.id)
      if (row === null) throw notFound()
      return updateReply(tx, tenant, { ...body, threadId: row.id, messageId: params.messageId, renderer, now })
    }),
    command(conversationEndpoints.withdrawReply, async ({ tenant }, { params }, tx) => {
      const row = await lockConversation(tx, tenant, params.id)
      if (row === null) throw notFound()
      return withdrawReply(tx, tenant, { threadId: row.id, messageId: params.messageId })
    }),
  ]
}
