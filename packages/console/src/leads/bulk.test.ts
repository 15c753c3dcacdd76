import type { BulkLeadsResult, Lead } from '@overture/sdk'
import { leadStatusMoves } from '@overture/contract/vocabularies.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { invertChange, together, type LeadChange } from './bulk.ts'

const label = fc.constantFrom('interested', 'won', null)
const some = fc.uniqueArray(
  fc.record({
    id: fc.uuid(),
    status: fc.constantFrom('active', 'paused', 'stopped', 'replied'),
    interest: label,
  }),
  { maxLength: 30, selector: ({ id }) => id },
) as fc.Arbitrary<Lead[]>
const change = fc.oneof(
  fc.record({ status: fc.constantFrom('paused', 'active') }),
  fc.record({ interest: label }),
) as fc.Arbitrary<LeadChange>

function applied(leads: readonly Lead[], { ids, status, interest }: LeadChange & { ids: readonly string[] }): Lead[] {
  return leads.map((lead) => {
    if (!ids.includes(lead.id)) return lead
    const moves = status !== undefined && leadStatusMoves[lead.status].includes(status)
    return { ...lead, ...(moves && { status }), ...(interest !== undefined && { interest }) }
  })
}

test('pausing, resuming and labelling have an inverse that restores leads; stopping has none', () => {
  fc.assert(
    fc.property(some, change, (before, what) => {
      const after = applied(before, { ids: before.map(({ id }) => id), ...what })
      expect(invertChange(what, before).reduce(applied, after)).toEqual(before)
      expect(invertChange({ status: 'stopped' }, before)).toEqual([])
    }),
  )
})

test('results of several calls are added, and skipped leads count once', () => {
  const calls: BulkLeadsResult[] = [
    { matched: 1_500, changed: 1_000, skipped: { replied: 2 }, more: true },
    { matched: 1_500, changed: 498, skipped: { replied: 2, unchanged: 1_000 }, more: false },
  ]
  expect(together(calls)).toEqual({ matched: 1_500, changed: 1_498, skipped: { replied: 2 }, more: false })
})
