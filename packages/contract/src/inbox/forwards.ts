import { z } from 'zod'
import { email, id, namedObject, timestamp } from '../common.ts'
import { messageStatus, refusedRecipient } from '../delivery/delivery.ts'
import { endpoint } from '../endpoint.ts'
import { actor } from '../team/audit.ts'

export const forwardLimits = { recipients: 10, filesBytes: 16 * 1024 * 1024, characters: 100_000 }

/** A message of a conversation that a user forwarded to someone else. Source: docs/contract.md, "Inbox". */
export const forward = namedObject('ForwardedMessage', {
  id: z.string(),
  messageId: z.string().meta({ description: 'The message of the conversation that was forwarded.' }),
  author: actor,
  to: z.array(z.string()),
  text: z.string().nullable().meta({ description: 'The text of the user above the forwarded message.' }),
  status: messageStatus,
  refusedRecipients: z.array(refusedRecipient),
  sentAt: timestamp.nullable(),
  createdAt: timestamp,
})
export type ForwardedMessage = z.infer<typeof forward>

export const forwardInput = namedObject('ForwardInput', {
  messageId: id,
  to: z.array(email).min(1).max(forwardLimits.recipients),
  text: z.string().max(forwardLimits.characters).optional(),
})
export type ForwardInput = z.infer<typeof forwardInput>

export const forwardEndpoints = {
  forwardMessage: endpoint({
    operationId: 'forwardMessage',
    call: 'conversations.forward',
    method: 'POST',
    path: '/v2/conversations/:id/forward',
    environment: 'both',
    scope: 'write',
    tag: 'Conversations',
    summary: 'Forward a message',
    description:
      "Sends a message of the conversation with its files to other people, from the thread's sending account. Our links are " +
      'removed from it. A forward is in no statistic, and changes neither the lead nor the conversation, which lists it in ' +
      '`forwards`. The files can have 16 MiB together at most. A suppressed address is refused.',
    body: forwardInput,
    success: [202],
    output: forward,
    errors: ['NOT_FOUND', 'CONFLICT', 'SERVICE_UNAVAILABLE'],
    examples: {
      body: { messageId: 'msg_1m3q8z0c0n7t5w2k9x', to: ['ada@example.com'], text: 'Can you answer this?' },
    },
  }),
}
