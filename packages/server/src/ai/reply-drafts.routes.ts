import { notFound } from '@overture/contract/errors.ts'
import { replyDraftEndpoints as api } from '@overture/contract/inbox/reply-drafts.ts'
import { command, query, type Route } from '../platform/http/route.ts'
import {
  dismissReplyDraft,
  type ReplyDraftTools,
  showReplyDraft,
  writeAgain,
} from './reply-drafts/reply-drafts.commands.ts'

/** The routes for replies that a model drafts. Only the route for replies sends one. */
export function replyDraftRoutes(tools: ReplyDraftTools): Route[] {
  return [
    query(api.getReplyDraft, async ({ app, tenant }, { params }) => {
      const draft = await showReplyDraft(app.db, tenant, tools, params.id)
      if (draft === null) throw notFound()
      return draft
    }),
    command(api.writeReplyDraft, ({ tenant, now }, { params }, tx) =>
      writeAgain(tx, tenant, tools, { threadId: params.id, now }),
    ),
    command(api.dismissReplyDraft, ({ tenant, now }, { params }, tx) =>
      dismissReplyDraft(tx, tenant, { threadId: params.id, now }),
    ),
  ]
}
