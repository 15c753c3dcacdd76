import { newLeadLimitReached, type PlanState } from './plan-state.ts'
import type { PlanInput } from './plan.types.ts'

export interface OfGroup {
  campaignId: string
  /** The group's sender. Null: any sender of the campaign may take its leads. */
  sendingAccountId: string | null
}

export function groupKey({ campaignId, sendingAccountId }: OfGroup): string {
  return `${campaignId} ${sendingAccountId}`
}

/** Groups of which as many leads were read as the page allows, so more leads may be due. */
export function findCutGroups(
  candidates: readonly OfGroup[],
  getLimit: (group: OfGroup) => number,
): Map<string, OfGroup> {
  const groups = new Map<string, { group: OfGroup; count: number }>()
  for (const row of candidates) {
    const known = groups.get(groupKey(row))
    if (known) known.count++
    else groups.set(groupKey(row), { group: row, count: 1 })
  }
  return new Map([...groups].flatMap(([key, { group, count }]) => (count >= getLimit(group) ? [[key, group]] : [])))
}

/**
 * Whether another call at the same `now` can do more after this one's decisions are stored. This is so if leads of a cut
 * group were settled and the group is empty, or if the leads that were not read may wait for something else.
 */
export function hasMore(state: PlanState, { candidates, cutGroups = new Map() }: PlanInput): boolean {
  if (cutGroups.size === 0) return false
  const settled = new Set([...state.sends, ...state.leadHolds, ...state.decisions].map(({ leadId }) => leadId))
  const gone = new Set(candidates.filter(({ id }) => settled.has(id)).map(groupKey))
  const remaining = new Set(candidates.filter(({ id }) => !settled.has(id)).map(groupKey))
  return [...cutGroups].some(([key, group]) => gone.has(key) && (!remaining.has(key) || mayDiffer(state, group)))
}

/** A retry may pass the limit of new leads, and a first message may move to another sender if its own can't send. */
function mayDiffer({ campaigns, senders, nowMs }: PlanState, { campaignId, sendingAccountId }: OfGroup): boolean {
  const budget = campaigns.get(campaignId)
  if (budget !== undefined && newLeadLimitReached(budget)) return true
  // Leads of another provider may have a sender that can send.
  if (sendingAccountId === null && (budget?.campaign.providerMatching ?? 'off') !== 'off') return true
  return sendingAccountId !== null && (senders.get(sendingAccountId)?.availableMs ?? Infinity) > nowMs
}
