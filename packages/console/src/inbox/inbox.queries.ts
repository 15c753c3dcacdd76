import type { Conversation, ConversationCounts, ConversationWithMessages, Interest } from '@overture/sdk'
import { useReading, type ListReading } from '../platform/api/query.ts'

/** The end of a snooze causes no event, so the list and the counts that it changes are read again after this time. */
const snoozeEndsMs = 60_000

/** The number of conversations of each kind. */
export function useCounts() {
  return useReading<ConversationCounts>({
    key: ['conversations', 'counts'],
    read: (api) => api.conversations.counts(),
    againMs: (counts) => (counts !== undefined && counts.snoozed > 0 ? snoozeEndsMs : false),
  })
}

/** The number of unread conversations. */
export function useUnread(): number {
  return useCounts().data?.unread ?? 0
}

export const views = ['awaiting', 'unread', 'snoozed', 'scheduled', 'all', 'archived'] as const
export type View = (typeof views)[number]

export interface InboxFilter {
  q?: string
  interest?: Interest
  campaignId?: string
  sendingAccountId?: string
  ownerId?: string
  tagId?: string
}

interface Filter {
  awaiting?: boolean
  unread?: boolean
  snoozed?: boolean
  scheduled?: boolean
  archived?: boolean
}

const viewQueries: Readonly<Record<View, Filter>> = {
  awaiting: { awaiting: true },
  unread: { unread: true },
  snoozed: { snoozed: true },
  scheduled: { scheduled: true },
  all: {},
  archived: { archived: true },
}

export function conversationList(view: View, filter: InboxFilter): ListReading<Conversation> {
  return {
    key: ['conversations', 'list', view, filter],
    page: (api, place) => api.conversations.list({ ...viewQueries[view], ...filter, ...place }).page(),
    ...((view === 'awaiting' || view === 'snoozed') && { againMs: snoozeEndsMs }),
  }
}

export function useConversation(id: string | undefined) {
  return useReading<ConversationWithMessages>({
    key: ['conversations', 'one', id ?? ''],
    read: (api) => api.conversations.get(id ?? ''),
    enabled: id !== undefined,
  })
}

/** Templates with the tag `snippet`: texts that are used again and again. */
export function useSnippets(enabled: boolean) {
  return useReading({
    key: ['templates', 'snippets'],
    read: (api) => api.templates.list({ tag: 'snippet', limit: 100 }).page(),
    enabled,
  })
}
