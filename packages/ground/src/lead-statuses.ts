import type { LeadStatus } from '@overture/contract/campaigns/leads.ts'

/** The lead waits for its next message or decision. */
export const waitingStatuses: readonly LeadStatus[] = ['pending', 'active']

/** The lead's sequence has not ended: it waits, or a person paused it. */
export const openStatuses: readonly LeadStatus[] = [...waitingStatuses, 'paused']

/** The lists in SQL, as in `status in ${waitingList}`. */
export const waitingList = sqlList(waitingStatuses)
export const openList = sqlList(openStatuses)

function sqlList(statuses: readonly LeadStatus[]): string {
  return `(${statuses.map((status) => `'${status}'`).join(', ')})`
}
