import { useReading } from '../platform/api/query.ts'

/** How many conversations nobody has read yet. */
export function useUnread(): number {
  const { data } = useReading({
    key: ['conversations', 'unread'],
    read: (api) => api.conversations.list({ unread: true, limit: 1 }).page(),
  })
  return data?.pagination.totalCount ?? 0
}
