import type { Tag } from '@overture/sdk'
import type { Choice } from '../platform/form/index.ts'
import { useReading } from '../platform/api/query.ts'
import { text } from './tags.messages.ts'

const pageSize = 100

/** All tags, by name. An account has 1,000 at most, which are ten pages. */
export function useTags() {
  return useReading<Tag[]>({
    key: ['tags', 'all'],
    read: (api) => api.tags.list({ limit: pageSize }).toArray(),
  })
}

/** The tags as choices of a field, and the name of a chosen id that is not among them. */
export function useTagChoices(): { choices: Choice[]; unknown: string; areRead: boolean } {
  const tags = useTags().data
  return {
    choices: (tags ?? []).map(({ id, name }) => ({ value: id, label: name })),
    unknown: tags === undefined ? text.loading : text.unknown,
    areRead: tags !== undefined,
  }
}
