import type { ConversationNote, CreateNoteInput } from '@overture/sdk'
import { useAction } from '../../platform/api/action.ts'

export function useAddNote(conversationId: string, done: () => void) {
  return useAction<CreateNoteInput, ConversationNote>({
    act: (api, note) => api.conversations.addNote(conversationId, note),
    stale: () => [['conversations', 'one', conversationId]],
    done,
  })
}

export function useDeleteNote(conversationId: string, noteId: string, done: () => void) {
  return useAction({
    act: (api) => api.conversations.deleteNote(conversationId, noteId),
    stale: () => [['conversations', 'one', conversationId]],
    done,
  })
}
