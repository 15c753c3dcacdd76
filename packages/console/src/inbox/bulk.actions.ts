import type { BulkConversationsInput, Conversation } from '@overture/sdk'
import { useAction } from '../platform/api/action.ts'
import { numberText } from '../platform/time/format.ts'
import { say } from '../platform/ui/index.ts'
import { bulkBodies, inverseBodies, type ConversationsChange } from './bulk.ts'
import { text } from './inbox.messages.ts'

interface Counts {
  updated: number
  gone: number
}

/** Makes the same change to many conversations. Each change has an inverse. */
export function useBulkConversations(done: () => void) {
  const send = useAction<{ bodies: BulkConversationsInput[]; report: (counts: Counts) => void }, Counts>({
    async act(api, { bodies }) {
      const counts: Counts = { updated: 0, gone: 0 }
      for (const body of bodies)
        for (const { outcome } of (await api.conversations.bulkUpdate(body)).results)
          counts[outcome === 'updated' ? 'updated' : 'gone']++
      return counts
    },
    stale: () => [['conversations'], ['leads']],
    done: (counts, { report }) => report(counts),
  })
  const change = (conversations: readonly Conversation[], what: ConversationsChange): void => {
    const undo = (): void =>
      send.mutate({ bodies: inverseBodies(conversations, what), report: () => say(text.bulk.undone) })
    send.mutate({
      bodies: bulkBodies(conversations, what),
      report({ updated, gone }) {
        const parts = [text.bulk.changed(numberText(updated)), ...(gone > 0 ? [text.bulk.gone(numberText(gone))] : [])]
        say(parts.join(' · '), updated > 0 ? undo : undefined)
        done()
      },
    })
  }
  return { change, isPending: send.isPending, error: send.error }
}
