import { z } from 'zod'
import { email, id, listOf, pageQuery, timestamp } from '../common.ts'
import { message } from '../delivery/delivery.ts'
import { endpoint } from '../endpoint.ts'

const interest = z.enum([
  'interested',
  'meeting_booked',
  'meeting_completed',
  'won',
  'not_interested',
  'wrong_person',
  'out_of_office',
  'lost',
  'no_show',
])

/** Source: docs/contract.md, "Inbox". */
export const conversation = z.strictObject({
  id: z.string(),
  leadId: z.string().nullable(),
  campaignId: z.string().nullable(),
  sendingAccountId: z.string(),
  lead: z
    .strictObject({ email: z.string(), firstName: z.string().nullable(), lastName: z.string().nullable() })
    .nullable(),
  subject: z.string(),
  snippet: z.string(),
  unread: z.boolean(),
  interest: interest.nullable(),
  archived: z.boolean(),
  lastMessageAt: timestamp,
  createdAt: timestamp,
})
export type Conversation = z.infer<typeof conversation>

export const conversationWithMessages = conversation.extend({ messages: z.array(message) })

/** A filter that is `true` or `false` in the query. */
const flag = z.enum(['true', 'false']).transform((value) => value === 'true')

const attachmentsBytesMax = 10 * 1024 * 1024
const attachment = z.strictObject({
  filename: z.string().trim().min(1).max(255),
  contentType: z
    .string()
    .trim()
    .max(255)
    .regex(/^[\w.+-]+\/[\w.+-]+$/, 'Not a media type.')
    .default('application/octet-stream'),
  /** Base64. */
  content: z.base64().max(Math.ceil((attachmentsBytesMax * 4) / 3) + 4),
})

/** A person's answer; 10 MB of attachments at most. */
export const replyInput = z
  .strictObject({
    text: z.string().min(1).max(500_000).optional(),
    html: z.string().min(1).max(1_000_000).optional(),
    cc: z.array(email).max(50).optional(),
    bcc: z.array(email).max(50).optional(),
    replyToMessageId: id.optional(),
    attachments: z.array(attachment).max(20).optional(),
  })
  .refine((body) => body.text !== undefined || body.html !== undefined, {
    message: 'Send text or html.',
    path: ['text'],
  })
  .refine(
    (body) =>
      (body.attachments ?? []).reduce((sum, one) => sum + (one.content.length * 3) / 4, 0) <= attachmentsBytesMax,
    {
      message: 'Attachments are 10 MB together at most.',
      path: ['attachments'],
    },
  )
export type ReplyInput = z.output<typeof replyInput>

export const updateConversationInput = z.strictObject({
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

const params = z.object({ id })

export const conversationEndpoints = {
  listConversations: endpoint({
    operationId: 'listConversations',
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
    method: 'GET',
    path: '/v2/conversations/:id',
    scope: 'read',
    tag: 'Conversations',
    summary: 'Get a conversation with its messages',
    params,
    success: [200],
    output: conversationWithMessages,
    errors: ['NOT_FOUND'],
  }),
  replyToConversation: endpoint({
    operationId: 'replyToConversation',
    method: 'POST',
    path: '/v2/conversations/:id/reply',
    scope: 'write',
    tag: 'Conversations',
    summary: 'Reply in a conversation',
    description: "Goes out from the thread's own sender, in the thread, and stops the lead's sequence.",
    params,
    body: replyInput,
    // 10 MB are a third more in base64, and the texts come on top.
    bodyBytesMax: 16 * 1024 * 1024,
    success: [202],
    output: message,
    errors: ['NOT_FOUND', 'CONFLICT'],
  }),
  updateConversation: endpoint({
    operationId: 'updateConversation',
    method: 'PUT',
    path: '/v2/conversations/:id',
    scope: 'write',
    tag: 'Conversations',
    summary: 'Mark a conversation as read, label its lead, or archive it',
    params,
    body: updateConversationInput,
    success: [200],
    output: conversation,
    errors: ['NOT_FOUND'],
    examples: { body: { read: true, interest: 'interested' } },
  }),
}
