import type { LeadStatus } from '@overture/contract/campaigns/leads.ts'

/**
 * The lead waits for its next message or decision. Statements that look for certain leads take this list as a parameter: for a
 * constant PostgreSQL would use the planner's own index, and read all due leads to find one.
 */
export const waitingStatuses: readonly LeadStatus[] = ['pending', 'active']

/** The lead's sequence has not ended: it waits, or a person paused it. */
export const openStatuses: readonly LeadStatus[] = [...waitingStatuses, 'paused']

/** The lists in SQL, as in `status in ${waitingList}`. */
export const waitingList = listInSql(waitingStatuses)
export const openList = listInSql(openStatuses)

export function listInSql(statuses: readonly LeadStatus[]): string {
  return `(${statuses.map((status) => `'${status}'`).join(', ')})`
}
