import type { Message, UpdateReplyInput } from '@overture/sdk'
import { useAction } from '../../platform/api/action.ts'

/** Changes a scheduled reply, or lets a held one be sent. */
export function useUpdateReply(conversationId: string, messageId: string) {
  return useAction<UpdateReplyInput, Message>({
    act: (api, change) => api.conversations.updateReply(conversationId, messageId, change),
    stale: () => [['conversations'], ['leads']],
  })
}
