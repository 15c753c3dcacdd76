import type { ReplyDraft } from '@overture/sdk'
import { useAction } from '../../platform/api/action.ts'

export function useWriteDraft(conversationId: string) {
  return useAction<void, ReplyDraft>({
    act: (api) => api.conversations.writeDraft(conversationId),
    stale: () => [['conversations', 'one', conversationId]],
  })
}

export function useDismissDraft(conversationId: string) {
  return useAction({
    act: (api) => api.conversations.dismissDraft(conversationId),
    stale: () => [['conversations', 'one', conversationId]],
  })
}
