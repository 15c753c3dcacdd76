import type { Model } from '@overture/sdk'
import { useReading } from '../platform/api/query.ts'

/** The built-in writer, which uses rules instead of a model, for accounts without a model. */
const builtIn = 'builtin/'

/** The models that can be used, and the default one. */
export function useModels(): {
  usable: readonly Model[]
  first: Model | undefined
  /** False if only the built-in writer can be used. */
  connected: boolean
  error: unknown
} {
  const { data, error } = useReading({
    key: ['ai', 'models'],
    read: (api) => api.ai.models.list({ limit: 100 }).page(),
  })
  const usable = (data?.results ?? []).filter(({ available }) => available)
  const own = usable.find(({ id }) => !id.startsWith(builtIn))
  return { usable, first: own ?? usable[0], connected: data === undefined || own !== undefined, error }
}
