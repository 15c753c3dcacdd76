import type { BlockedReason, LeadStatus } from '@overture/contract/campaigns/leads.ts'

/**
 * The lead waits for its next message or decision. Statements that look for certain leads take this list as a parameter: for a
 * constant PostgreSQL would use the planner's own index, and read all due leads to find one.
 */
export const waitingStatuses: readonly LeadStatus[] = ['pending', 'active']

/** The lead's sequence has not ended: it waits, or a person paused it. */
export const openStatuses: readonly LeadStatus[] = [...waitingStatuses, 'paused']

/** A lead that is held for one of these reasons does not keep its campaign from completing (docs/contract.md, "Campaigns"). */
const finishedReasons: readonly BlockedReason[] = ['missing_variable', 'suppressed', 'address_check']

export function isFinishedReason(reason: string | null): boolean {
  return finishedReasons.some((one) => one === reason)
}

/** The lists in SQL, as in `status in ${waitingList}`. */
export const waitingList = listInSql(waitingStatuses)
export const openList = listInSql(openStatuses)
/** The index `lead_progress_open` has the same list. */
export const finishedReasonList = listInSql(finishedReasons)

export function listInSql(words: readonly (LeadStatus | BlockedReason)[]): string {
  return `(${words.map((word) => `'${word}'`).join(', ')})`
}
