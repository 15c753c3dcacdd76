import { z } from 'zod'
import { interest } from '../campaigns/leads.ts'
import { bulkIds, deleted, flag, id, listOf, namedObject, ownerId, pageQuery, timestamp } from '../common.ts'
import { message } from '../delivery/delivery.ts'
import { conversationReplyInput, replyBytesMax, updateReplyInput } from '../delivery/reply.ts'
import { endpoint } from '../endpoint.ts'
import { forward } from './forwards.ts'
import { updateConversationInput } from './conversation-input.ts'
import { note } from './notes.ts'
import { replyDraft } from './reply-drafts.ts'

export const scheduledReply = z.enum(['waiting', 'held']).meta({ id: 'ScheduledReply' })

/** Source: docs/contract.md, "Inbox". */
export const conversation = namedObject('Conversation', {
  id: z.string(),
  leadId: z.string().nullable(),
  campaignId: z.string().nullable(),
  sendingAccountId: z.string(),
  lead: namedObject('ConversationLead', {
    email: z.string(),
    firstName: z.string().nullable(),
    lastName: z.string().nullable(),
  }).nullable(),
  subject: z.string(),
  snippet: z.string(),
  unread: z.boolean(),
  /** Whether the last message is a person's and has no reply yet. */
  awaiting: z.boolean().meta({ description: 'The last message is from the lead and has no reply yet.' }),
  interest: interest.nullable(),
  archived: z.boolean(),
  snoozedUntil: timestamp.nullable().meta({
    description:
      'Until then, or until the lead writes, `awaiting=true` does not list the conversation. Null if it is not snoozed.',
  }),
  scheduled: scheduledReply.nullable().meta({
    description: 'Whether a scheduled reply waits for its time, or is held for a decision. Null if there is none.',
  }),
  ownerId,
  lastMessageAt: timestamp,
  createdAt: timestamp,
})
export type Conversation = z.infer<typeof conversation>

export const conversationWithMessages = conversation
  .extend({
    messages: z.array(message),
    notes: z.array(note),
    forwards: z.array(forward),
    draft: replyDraft.nullable().meta({ description: 'The reply that a model drafted. Null if there is none.' }),
  })
  .meta({ id: 'ConversationWithMessages' })

const count = z.number().int()

export const conversationCounts = namedObject('ConversationCounts', {
  total: count,
  unread: count,
  awaiting: count,
  snoozed: count,
  scheduled: count,
  held: count,
  byInterest: z.record(z.string(), count),
  bySendingAccount: z.record(z.string(), count),
  byCampaign: z.record(z.string(), count),
})
export type ConversationCounts = z.infer<typeof conversationCounts>

export const bulkConversationsInput = z
  .strictObject({
    ids: bulkIds(100),
    read: z.boolean().optional(),
    archived: z.boolean().optional(),
    interest: interest.nullable().optional(),
    ownerId: id.nullable().optional(),
  })
  .refine(({ ids: _ids, ...changes }) => Object.values(changes).some((change) => change !== undefined), {
    message: 'Send read, archived, interest or ownerId.',
    path: ['read'],
  })
  .meta({ id: 'BulkConversationsInput' })
export type BulkConversationsInput = z.output<typeof bulkConversationsInput>

export const bulkConversationsOutput = namedObject('BulkConversationsResults', {
  results: z.array(
    namedObject('BulkConversationsResult', {
      id: z.string(),
      outcome: z.enum(['updated', 'not_found']),
      message: z.string().nullable(),
    }),
  ),
})

export const conversationEndpoints = {
  listConversations: endpoint({
    operationId: 'listConversations',
    call: 'conversations.list',
    method: 'GET',
    path: '/v2/conversations',
    environment: 'both',
    scope: 'read',
    tag: 'Conversations',
    summary: 'List conversations',
    description:
      'Conversations with at least one reply or one message of a person, newest first. `q` searches subjects, people, and the ' +
      'texts that people wrote, your own included. `awaiting` ' +
      'selects conversations whose last message is an unanswered reply and that are not snoozed. Archived conversations are ' +
      'listed only with `archived=true`.',
    query: z.strictObject({
      ...pageQuery,
      unread: flag.optional(),
      awaiting: flag.optional(),
      archived: flag.optional(),
      snoozed: flag.optional(),
      scheduled: flag.optional(),
      interest: interest.optional(),
      campaignId: id.optional(),
      sendingAccountId: id.optional(),
      ownerId: id.optional(),
      tagId: id.optional().meta({
        description: 'Only conversations whose campaign, sending account or person has this tag.',
      }),
      q: z.string().trim().max(200).optional(),
    }),
    success: [200],
    output: listOf(conversation),
  }),
  getConversationCounts: endpoint({
    operationId: 'getConversationCounts',
    call: 'conversations.counts',
    method: 'GET',
    path: '/v2/conversations/counts',
    environment: 'both',
    scope: 'read',
    tag: 'Conversations',
    summary: 'Count conversations',
    description:
      'How many conversations that are not archived match each filter. Values without conversations are left out.',
    success: [200],
    output: conversationCounts,
    examples: {
      output: {
        total: 14,
        unread: 3,
        awaiting: 12,
        snoozed: 1,
        scheduled: 2,
        held: 1,
        byInterest: { interested: 5, out_of_office: 1 },
        bySendingAccount: { snd_1m3q8z0c0n7t5w2k9x: 14 },
        byCampaign: { cmp_1m3q8z0c0n7t5w2k9x: 14 },
      },
    },
  }),
  bulkUpdateConversations: endpoint({
    operationId: 'bulkUpdateConversations',
    call: 'conversations.bulkUpdate',
    method: 'POST',
    path: '/v2/conversations/bulk',
    environment: 'both',
    scope: 'write',
    tag: 'Conversations',
    summary: 'Update many conversations',
    description:
      'Changes the fields that are sent on each conversation and returns a result per conversation. A missing ' +
      'conversation does not fail the others.',
    body: bulkConversationsInput,
    itemsField: 'ids',
    success: [200],
    output: bulkConversationsOutput,
    examples: { body: { ids: ['thr_1m3q8z0c0n7t5w2k9x'], read: true, archived: true } },
  }),
  getConversation: endpoint({
    operationId: 'getConversation',
    call: 'conversations.get',
    method: 'GET',
    path: '/v2/conversations/:id',
    environment: 'both',
    scope: 'read',
    tag: 'Conversations',
    summary: 'Get a conversation with its messages',
    description: 'Messages are oldest first. Reading a conversation changes nothing. Set `read` to mark it.',
    success: [200],
    output: conversationWithMessages,
    errors: ['NOT_FOUND'],
  }),
  replyToConversation: endpoint({
    operationId: 'replyToConversation',
    call: 'conversations.reply',
    method: 'POST',
    path: '/v2/conversations/:id/reply',
    environment: 'both',
    scope: 'write',
    tag: 'Conversations',
    summary: 'Reply in a conversation',
    description:
      "Goes out from the thread's own sending account, in the thread, and stops the lead's sequence. With " +
      '`draftId` and `draftDigest` the reply is made from a draft, and is refused (409) if the draft is not the one that was read.',
    body: conversationReplyInput,
    bodyBytesMax: replyBytesMax,
    success: [202],
    output: message,
    errors: ['NOT_FOUND', 'CONFLICT'],
  }),
  updateReply: endpoint({
    operationId: 'updateReply',
    call: 'conversations.updateReply',
    method: 'PUT',
    path: '/v2/conversations/:id/messages/:messageId',
    environment: 'both',
    scope: 'write',
    tag: 'Conversations',
    summary: 'Change a scheduled reply',
    description:
      'Changes the text or the time of a scheduled reply that is not being sent yet. `held: false` lets a reply be sent that a ' +
      'message of the lead held. Any other message is 409.',
    body: updateReplyInput,
    success: [200],
    output: message,
    errors: ['NOT_FOUND', 'CONFLICT'],
    examples: { body: { sendAt: '2026-11-03T08:00:00.000Z' } },
  }),
  withdrawReply: endpoint({
    operationId: 'withdrawReply',
    call: 'conversations.withdraw',
    method: 'DELETE',
    path: '/v2/conversations/:id/messages/:messageId',
    environment: 'both',
    scope: 'write',
    tag: 'Conversations',
    summary: 'Withdraw a reply',
    description:
      'Withdraws a queued reply. Send the reply with `delaySeconds` to have time for this. Any other message is 409. ' +
      'The sequence of the lead stays ended.',
    success: [200],
    output: deleted,
    errors: ['NOT_FOUND', 'CONFLICT'],
  }),
  updateConversation: endpoint({
    operationId: 'updateConversation',
    call: 'conversations.update',
    method: 'PUT',
    path: '/v2/conversations/:id',
    environment: 'both',
    scope: 'write',
    tag: 'Conversations',
    summary: 'Update a conversation',
    description:
      'Changes the fields that are sent. `interest` is the label of the lead. `snoozedUntil` is at most a year ahead; null ends the ' +
      'snooze.',
    body: updateConversationInput,
    success: [200],
    output: conversation,
    errors: ['NOT_FOUND'],
    examples: { body: { read: true, interest: 'interested' } },
  }),
}
