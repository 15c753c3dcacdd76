import type { Tag } from '@overture/sdk'
import { useAction } from '../platform/api/action.ts'

const stale = () => [['tags'], ['campaigns'], ['leads'], ['people'], ['senders']] as const

/** Gives a tag to a resource, or takes it from it. */
export function useChangeTag(id: string) {
  return useAction<{ tagId: string; change: 'assign' | 'unassign' }>({
    act: (api, { tagId, change }) => api.tags[change](tagId, { ids: [id] }),
    stale,
  })
}

/** Creates a tag and gives it to a resource. */
export function useAddNewTag(id: string, done: () => void) {
  return useAction<string, Tag>({
    act: async (api, name) => {
      const tag = await api.tags.create({ name })
      await api.tags.assign(tag.id, { ids: [id] })
      return tag
    },
    stale,
    done,
  })
}
