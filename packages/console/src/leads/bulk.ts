import type { BulkLeadsInput, BulkLeadsResult, Lead } from '@overture/sdk'
import { leadStatusMoves } from '@overture/contract/vocabularies.ts'

export type LeadChange = Pick<BulkLeadsInput, 'status' | 'interest'>
export type LeadsToChange = { ids: string[] } & LeadChange

/** The changes that restore the leads, where possible: a stopped lead stays stopped. */
export function invertChange(change: LeadChange, leads: readonly Lead[]): LeadsToChange[] {
  const { status, interest } = change
  if (status === 'stopped') return []
  const moved = status === undefined ? [] : leads.filter((lead) => leadStatusMoves[lead.status].includes(status))
  const back = status === 'paused' ? 'active' : 'paused'
  const labels = new Set(
    interest === undefined ? [] : leads.filter((lead) => lead.interest !== interest).map((lead) => lead.interest),
  )
  return [
    ...(moved.length > 0 ? [{ ids: moved.map(({ id }) => id), status: back } as const] : []),
    ...Array.from(labels, (label) => ({
      ids: leads.filter((lead) => lead.interest === label).map(({ id }) => id),
      interest: label,
    })),
  ]
}

/**
 * Adds up the results of several calls, of a thousand changes each. The first call already counts all skipped leads, and later calls count
 * them again together with the leads changed before.
 */
export function together(results: readonly BulkLeadsResult[]): BulkLeadsResult {
  const [first] = results
  return {
    matched: first?.matched ?? 0,
    changed: results.reduce((sum, { changed }) => sum + changed, 0),
    skipped: first?.skipped ?? {},
    more: results.at(-1)?.more ?? false,
  }
}
