import { z } from 'zod'
import { interest } from '../campaigns/leads.ts'
import { id, listOf, namedObject, pageQuery, timestamp } from '../common.ts'
import { message } from '../delivery/delivery.ts'
import { replyBytesMax, replyInput } from '../delivery/reply.ts'
import { endpoint } from '../endpoint.ts'

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
  interest: interest.nullable(),
  archived: z.boolean(),
  lastMessageAt: timestamp,
  createdAt: timestamp,
})
export type Conversation = z.infer<typeof conversation>

export const conversationWithMessages = conversation
  .extend({ messages: z.array(message) })
  .meta({ id: 'ConversationWithMessages' })

/** A filter that is `true` or `false` in the query. */
const flag = z.enum(['true', 'false']).transform((value) => value === 'true')

export const updateConversationInput = namedObject('UpdateConversationInput', {
  read: z.boolean().optional(),
  /** The opposite of `read`, which wins where both are sent. */
  unread: z.boolean().optional(),
  interest: interest.nullable().optional(),
  archived: z.boolean().optional(),
  // Read-only: may be sent back unchanged (docs/contract.md, "Conventions").
  id: z.string().optional(),
  leadId: z.string().nullable().optional(),
  campaignId: z.string().nullable().optional(),
  sendingAccountId: z.string().optional(),
  lead: z.unknown().optional(),
  subject: z.string().optional(),
  snippet: z.string().optional(),
  lastMessageAt: z.string().optional(),
  createdAt: z.string().optional(),
  messages: z.array(z.unknown()).optional(),
})
export const conversationReadOnlyFields = [
  'id',
  'leadId',
  'campaignId',
  'sendingAccountId',
  'lead',
  'subject',
  'snippet',
  'lastMessageAt',
  'createdAt',
  'messages',
] as const

export const conversationEndpoints = {
  listConversations: endpoint({
    operationId: 'listConversations',
    call: 'conversations.list',
    method: 'GET',
    path: '/v2/conversations',
    scope: 'read',
    tag: 'Conversations',
    summary: 'List conversations',
    description:
      'Threads in which somebody answered, newest first. `q` searches subjects, texts and people. Archived ones only with `archived=true`.',
    query: z.strictObject({
      ...pageQuery,
      unread: flag.optional(),
      archived: flag.optional(),
      interest: interest.optional(),
      campaignId: id.optional(),
      sendingAccountId: id.optional(),
      q: z.string().trim().max(200).optional(),
    }),
    success: [200],
    output: listOf(conversation),
  }),
  getConversation: endpoint({
    operationId: 'getConversation',
    call: 'conversations.get',
    method: 'GET',
    path: '/v2/conversations/:id',
    scope: 'read',
    tag: 'Conversations',
    summary: 'Get a conversation with its messages',
    success: [200],
    output: conversationWithMessages,
    errors: ['NOT_FOUND'],
  }),
  replyToConversation: endpoint({
    operationId: 'replyToConversation',
    call: 'conversations.reply',
    method: 'POST',
    path: '/v2/conversations/:id/reply',
    scope: 'write',
    tag: 'Conversations',
    summary: 'Reply in a conversation',
    description: "Goes out from the thread's own sender, in the thread, and stops the lead's sequence.",
    body: replyInput,
    bodyBytesMax: replyBytesMax,
    success: [202],
    output: message,
    errors: ['NOT_FOUND', 'CONFLICT'],
  }),
  updateConversation: endpoint({
    operationId: 'updateConversation',
    call: 'conversations.update',
    method: 'PUT',
    path: '/v2/conversations/:id',
    scope: 'write',
    tag: 'Conversations',
    summary: 'Mark a conversation as read, label its lead, or archive it',
    body: updateConversationInput,
    success: [200],
    output: conversation,
    errors: ['NOT_FOUND'],
    examples: { body: { read: true, interest: 'interested' } },
  }),
}
