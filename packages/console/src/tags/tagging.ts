import type { TagResults } from '@overture/sdk'

export type TagChange = 'assign' | 'unassign'

/** The ids that one call may have. */
export const idsMax = 100

/** How far a tag was added to resources, or removed from them. */
export interface TagProgress {
  total: number
  changed: readonly string[]
  unchanged: number
  /** The resources that were deleted meanwhile. */
  gone: number
  /** The ids that were not sent yet. After a failed call they begin with the ids of that call. */
  remaining: readonly string[]
}

export function startTagging(ids: readonly string[]): TagProgress {
  return { total: ids.length, changed: [], unchanged: 0, gone: 0, remaining: ids }
}

/** The ids of the next call. */
export function nextPart({ remaining }: TagProgress): string[] {
  return remaining.slice(0, idsMax)
}

/** Counts the results of a call and drops its ids from the remaining ones. */
export function addResults(tagging: TagProgress, { results }: TagResults): TagProgress {
  const count = (outcome: string): number => results.filter((one) => one.outcome === outcome).length
  return {
    total: tagging.total,
    changed: [...tagging.changed, ...results.filter(({ outcome }) => outcome === 'changed').map(({ id }) => id)],
    unchanged: tagging.unchanged + count('unchanged'),
    gone: tagging.gone + count('not_found'),
    remaining: tagging.remaining.slice(idsMax),
  }
}

export function invertTagChange(change: TagChange): TagChange {
  return change === 'assign' ? 'unassign' : 'assign'
}
