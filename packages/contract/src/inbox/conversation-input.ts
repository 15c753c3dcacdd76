import { z } from 'zod'
import { interest } from '../campaigns/leads.ts'
import { id, namedObject, timestampInput } from '../common.ts'

export const updateConversationInput = namedObject('UpdateConversationInput', {
  read: z.boolean().optional(),
  /** The opposite of `read`. If both are sent, `read` wins. */
  unread: z.boolean().optional(),
  interest: interest.nullable().optional(),
  archived: z.boolean().optional(),
  /** A time within a year, by the tenant's clock. */
  snoozedUntil: timestampInput.nullable().optional(),
  ownerId: id.nullable().optional(),
  // Read-only: may be sent back unchanged (docs/contract.md, "Conventions").
  id: z.string().optional(),
  leadId: z.string().nullable().optional(),
  campaignId: z.string().nullable().optional(),
  sendingAccountId: z.string().optional(),
  lead: z.unknown().optional(),
  subject: z.string().optional(),
  snippet: z.string().optional(),
  awaiting: z.boolean().optional(),
  scheduled: z.string().nullable().optional(),
  lastMessageAt: z.string().optional(),
  createdAt: z.string().optional(),
  messages: z.array(z.unknown()).optional(),
  notes: z.array(z.unknown()).optional(),
  forwards: z.array(z.unknown()).optional(),
  draft: z.unknown().optional(),
})
export const conversationReadOnlyFields = [
  'id',
  'leadId',
  'campaignId',
  'sendingAccountId',
  'lead',
  'subject',
  'snippet',
  'awaiting',
  'scheduled',
  'lastMessageAt',
  'createdAt',
  'messages',
  'notes',
  'forwards',
  'draft',
] as const
