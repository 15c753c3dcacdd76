import type { Overture } from '@overture/sdk'
import { useState } from 'react'
import { useAction } from '../platform/api/action.ts'
import { useStale } from '../platform/api/query.ts'
import { addResults, nextPart, startTagging, type TagChange, type TagProgress } from './tagging.ts'

const staleKeys = [['tags'], ['campaigns'], ['leads'], ['people'], ['senders']] as const

/** A tag by its name. It is created if it has no id. */
export interface ChosenTag {
  id: string | null
  name: string
}

export interface TagOrder {
  ids: readonly string[]
  change: TagChange
  tag: ChosenTag
}

/** An order that was begun, with the id of its tag and the results so far. */
export interface TagRun {
  order: TagOrder
  tagId: string
  tagging: TagProgress
}

/** Adds a tag to resources, or removes it, in as many calls as needed. After a failure it can continue where it stopped. */
export function useTagging(done: (run: TagRun) => void) {
  const [run, setRun] = useState<TagRun | null>(null)
  const refresh = useStale()
  const act = useAction<TagOrder | TagRun, TagRun>({
    async act(api, from) {
      let now = 'order' in from ? from : await startRun(api, from)
      setRun(now)
      while (now.tagging.remaining.length > 0) {
        const { order, tagId, tagging } = now
        const results = await api.tags[order.change](tagId, { ids: nextPart(tagging) })
        now = { ...now, tagging: addResults(tagging, results) }
        setRun(now)
      }
      return now
    },
    stale: () => staleKeys,
    done,
  })
  const forget = (): void => {
    setRun(null)
    act.reset()
  }
  const begin = (from: TagOrder | TagRun, reset?: () => void): void =>
    act.mutate(from, {
      onSuccess: () => {
        forget()
        reset?.()
      },
      // The calls before the failed one have changed something.
      onError: () => void refresh(...staleKeys),
    })
  const stopped = act.error === null ? null : run
  return { begin, forget, run, stopped, isPending: act.isPending, error: act.error }
}

async function startRun(api: Overture, order: TagOrder): Promise<TagRun> {
  const tagId = order.tag.id ?? (await api.tags.create({ name: order.tag.name })).id
  return { order, tagId, tagging: startTagging(order.ids) }
}
