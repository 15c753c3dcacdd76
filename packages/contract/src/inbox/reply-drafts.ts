import { z } from 'zod'
import { deleted, namedObject, timestamp } from '../common.ts'
import { endpoint } from '../endpoint.ts'

export const replyDraftStatuses = ['requested', 'ready', 'failed', 'dismissed', 'sent', 'outdated'] as const

/** A reply that a model wrote for a person to send. Source: docs/contract.md, "Inbox". */
export const replyDraft = namedObject('ReplyDraft', {
  id: z.string(),
  conversationId: z.string(),
  messageId: z.string().meta({ description: 'The message of the lead that the draft answers.' }),
  modelId: z.string(),
  status: z.enum(replyDraftStatuses).meta({
    description:
      '`requested` is being written, `ready` can be sent by a person, `failed` has an `error`, `dismissed` was dismissed, `sent` was ' +
      'sent by a person. `outdated`: the lead wrote again or opted out, or a person replied.',
  }),
  text: z.string().nullable().meta({ description: 'Null until the text was written.' }),
  textDigest: z.string().nullable().meta({
    description:
      'SHA-256 of the text, in hexadecimal. Send it as `draftDigest` with a reply. Null if there is no text.',
  }),
  error: z.string().nullable(),
  createdAt: timestamp,
  updatedAt: timestamp,
})
export type ReplyDraft = z.infer<typeof replyDraft>

const tag = 'Conversations'

export const replyDraftEndpoints = {
  getReplyDraft: endpoint({
    operationId: 'getReplyDraft',
    call: 'conversations.draft',
    method: 'GET',
    path: '/v2/conversations/:id/draft',
    environment: 'both',
    scope: 'read',
    tag,
    summary: 'Get the drafted reply',
    description: 'The draft of the conversation, whatever its status. A conversation without a draft is 404.',
    success: [200],
    output: replyDraft,
    errors: ['NOT_FOUND'],
  }),
  writeReplyDraft: endpoint({
    operationId: 'writeReplyDraft',
    call: 'conversations.writeDraft',
    method: 'POST',
    path: '/v2/conversations/:id/draft',
    environment: 'both',
    scope: 'write',
    tag,
    summary: 'Draft a reply',
    description:
      'Requests a draft, or a new one in place of the current one, and costs a generation. A draft that is being written is returned as ' +
      'it is. It is 409 if the campaign has no `replyDrafts`, or the last message is not an unanswered reply of the lead.',
    success: [202],
    output: replyDraft,
    errors: ['NOT_FOUND', 'CONFLICT'],
  }),
  dismissReplyDraft: endpoint({
    operationId: 'dismissReplyDraft',
    call: 'conversations.dismissDraft',
    method: 'DELETE',
    path: '/v2/conversations/:id/draft',
    environment: 'both',
    scope: 'write',
    tag,
    summary: 'Dismiss the drafted reply',
    description: 'Nothing is drafted for the same message again unless it is requested. A draft that was sent is 409.',
    success: [200],
    output: deleted,
    errors: ['NOT_FOUND', 'CONFLICT'],
  }),
}
