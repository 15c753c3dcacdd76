import { z } from 'zod'
import { deleted, id, namedObject, timestamp } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { actor } from '../team/audit.ts'

export const noteLimits = { characters: 4_000, mentions: 20, perConversation: 500 }

/** A text that a user writes for colleagues in a conversation. Source: docs/contract.md, "Inbox". */
export const note = namedObject('ConversationNote', {
  id: z.string(),
  author: actor,
  text: z.string(),
  mentions: z.array(z.string()).meta({ description: 'The ids of the users that the note is for.' }),
  createdAt: timestamp,
})
export type ConversationNote = z.infer<typeof note>

export const createNoteInput = namedObject('CreateNoteInput', {
  text: z.string().trim().min(1).max(noteLimits.characters),
  mentions: z.array(id).max(noteLimits.mentions).optional(),
})
export type CreateNoteInput = z.infer<typeof createNoteInput>

const tag = 'Conversations'

export const noteEndpoints = {
  createNote: endpoint({
    operationId: 'createNote',
    call: 'conversations.addNote',
    method: 'POST',
    path: '/v2/conversations/:id/notes',
    environment: 'both',
    scope: 'write',
    tag,
    summary: 'Add a note',
    description:
      'Adds a note for colleagues. Notes are never sent or quoted. The event `conversation.noted` has the ids of the mentioned ' +
      `users. A conversation has at most ${noteLimits.perConversation} notes (409).`,
    body: createNoteInput,
    success: [201],
    output: note,
    errors: ['NOT_FOUND', 'CONFLICT'],
    examples: {
      body: { text: 'She asked about the data centre. Ada knows more.', mentions: ['usr_1m3q8z0c0n7t5w2k9x'] },
    },
  }),
  deleteNote: endpoint({
    operationId: 'deleteNote',
    call: 'conversations.deleteNote',
    method: 'DELETE',
    path: '/v2/conversations/:id/notes/:noteId',
    environment: 'both',
    scope: 'write',
    tag,
    summary: 'Delete a note',
    description: 'Only the author and admins can delete a note. It is 403 for others.',
    success: [200],
    output: deleted,
    errors: ['NOT_FOUND', 'INSUFFICIENT_SCOPE'],
  }),
}
