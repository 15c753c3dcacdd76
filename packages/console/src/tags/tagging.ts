import type { TagResults } from '@overture/sdk'
import type { ListTotal } from '../platform/api/list-total.ts'

export type TagChange = 'assign' | 'unassign'

/** The ids that one call may have. */
export const idsMax = 100

/** How far a tag was added to resources, or removed from them. */
export interface TagProgress {
  total: ListTotal
  done: number
  /** The number of resources that changed. */
  changed: number
  /** The ids of those that changed, to undo it. Null for all rows of a list, of which there may be too many to keep. */
  changedIds: readonly string[] | null
  unchanged: number
  /** The resources that were deleted meanwhile. */
  gone: number
  /** The ids that were read and not sent yet. After a failed call they begin with the ids of that call. */
  remaining: readonly string[]
  /** The page to read when no ids remain. Null if there is none. */
  next: { cursor: string | null } | null
}

const nothingDone = { done: 0, changed: 0, unchanged: 0, gone: 0 }

export function startTagging(ids: readonly string[]): TagProgress {
  return { ...nothingDone, total: { count: ids.length, isLeast: false }, changedIds: [], remaining: ids, next: null }
}

/** Begins a change of all rows of a list, which are read page by page. */
export function startWalk(total: ListTotal): TagProgress {
  return { ...nothingDone, total, changedIds: null, remaining: [], next: { cursor: null } }
}

export function isOver({ remaining, next }: TagProgress): boolean {
  return remaining.length === 0 && next === null
}

/** The ids of the next call. */
export function nextPart({ remaining }: TagProgress): string[] {
  return remaining.slice(0, idsMax)
}

/** Adds the ids of the page that was read. A total that is too low grows with the pages. */
export function addPage(tagging: TagProgress, ids: readonly string[], nextCursor: string | null): TagProgress {
  const { done, total } = tagging
  return {
    ...tagging,
    total: {
      count: Math.max(total.count, done + ids.length),
      isLeast: total.isLeast && nextCursor !== null,
    },
    remaining: ids,
    next: nextCursor === null ? null : { cursor: nextCursor },
  }
}

/** Counts the results of a call and drops its ids from the remaining ones. */
export function addResults(tagging: TagProgress, { results }: TagResults): TagProgress {
  const having = (outcome: string): string[] => results.filter((one) => one.outcome === outcome).map(({ id }) => id)
  const changed = having('changed')
  const { changedIds } = tagging
  return {
    ...tagging,
    done: tagging.done + nextPart(tagging).length,
    changed: tagging.changed + changed.length,
    changedIds: changedIds === null ? null : [...changedIds, ...changed],
    unchanged: tagging.unchanged + having('unchanged').length,
    gone: tagging.gone + having('not_found').length,
    remaining: tagging.remaining.slice(idsMax),
  }
}

export function invertTagChange(change: TagChange): TagChange {
  return change === 'assign' ? 'unassign' : 'assign'
}
