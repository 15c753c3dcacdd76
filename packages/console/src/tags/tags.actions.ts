import type { Overture } from '@overture/sdk'
import { useRef, useState } from 'react'
import { useAction } from '../platform/api/action.ts'
import type { ListTotal } from '../platform/api/list-total.ts'
import { type ListReading, useStale } from '../platform/api/query.ts'
import {
  addPage,
  addResults,
  idsMax,
  isOver,
  nextPart,
  startTagging,
  startWalk,
  type TagChange,
  type TagProgress,
} from './tagging.ts'

const staleKeys = [
  ['tags'],
  ['campaigns'],
  ['leads'],
  ['people'],
  ['senders'],
  ['conversations'],
  ['meetings'],
  ['tasks'],
  ['analytics'],
] as const

/** A tag by its name. It is created if it has no id. */
export interface ChosenTag {
  id: string | null
  name: string
}

/** All rows of a list, which are read page by page while they are changed. */
export interface AllRows {
  total: ListTotal
  page: ListReading<{ id: string }>['page']
}

export interface TagOrder {
  rows: readonly string[] | AllRows
  change: TagChange
  tag: ChosenTag
}

/** An order that was begun, with the id of its tag and the results so far. */
export interface TagRun {
  order: TagOrder
  tagId: string
  tagging: TagProgress
}

/**
 * Adds a tag to resources, or removes it, in as many calls as needed. `halt` ends it after the current call. After a failure it can
 * continue where it stopped.
 */
export function useTagging(done: (run: TagRun) => void) {
  const [run, setRun] = useState<TagRun | null>(null)
  const halted = useRef(false)
  const refresh = useStale()
  const act = useAction<TagOrder | TagRun, TagRun>({
    async act(api, from) {
      halted.current = false
      let now = 'order' in from ? from : await startRun(api, from)
      setRun(now)
      while (!isOver(now.tagging) && !halted.current) {
        now = { ...now, tagging: await takeStep(api, now) }
        setRun(now)
      }
      return now
    },
    stale: () => staleKeys,
    done,
  })
  const halt = (): void => void (halted.current = true)
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
  return { begin, halt, forget, run, stopped, isPending: act.isPending, error: act.error }
}

/** Everything that has the tag keeps it. */
export function useRenameTag(id: string, done: () => void) {
  return useAction<string>({ act: (api, name) => api.tags.update(id, { name }), stale: () => [['tags']], done })
}

/** Deletes a tag, and so removes it from everything that has it. */
export function useDeleteTag(id: string, done: () => void) {
  return useAction({ act: (api) => api.tags.delete(id), stale: () => staleKeys, done })
}

async function startRun(api: Overture, order: TagOrder): Promise<TagRun> {
  const tagId = order.tag.id ?? (await api.tags.create({ name: order.tag.name })).id
  const { rows } = order
  return { order, tagId, tagging: 'page' in rows ? startWalk(rows.total) : startTagging(rows) }
}

/** Sends the next ids, or reads the next page if none remain. */
async function takeStep(api: Overture, { order: { rows, change }, tagId, tagging }: TagRun): Promise<TagProgress> {
  if (tagging.remaining.length > 0)
    return addResults(tagging, await api.tags[change](tagId, { ids: nextPart(tagging) }))
  const cursor = tagging.next?.cursor ?? null
  if (!('page' in rows)) return tagging
  const place = { limit: idsMax, ...(cursor !== null && { cursor }) }
  const { results, nextCursor } = await rows.page(api, place, new AbortController().signal)
  return addPage(
    tagging,
    results.map(({ id }) => id),
    nextCursor,
  )
}
