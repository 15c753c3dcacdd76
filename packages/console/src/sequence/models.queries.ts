import type { Model } from '@overture/sdk'
import { useReading } from '../platform/api/query.ts'

/** By rules, without a model: for where there is none. */
const builtIn = 'builtin/'

/** Who can write, and who does where nobody chooses. */
export function useModels(): { usable: readonly Model[]; first: Model | undefined; error: unknown } {
  const { data, error } = useReading({
    key: ['ai', 'models'],
    read: (api) => api.ai.models.list({ limit: 100 }).page(),
  })
  const usable = (data?.results ?? []).filter(({ available }) => available)
  return { usable, first: usable.find(({ id }) => !id.startsWith(builtIn)) ?? usable[0], error }
}
