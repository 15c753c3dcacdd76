import type { Tag } from '@overture/sdk'
import { useReading } from '../platform/api/query.ts'

const tagsShown = 100

/** The tags that a user can choose from, by name. */
export function useTags() {
  return useReading<Tag[]>({
    key: ['tags', 'all'],
    read: async (api) => (await api.tags.list({ limit: tagsShown }).page()).results,
  })
}
