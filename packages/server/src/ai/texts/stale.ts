import { createHash } from 'node:crypto'
import type { LeadFacts } from '@overture/contract/ai/ai.ts'
import type { DraftStatus } from '@overture/contract/ai/approvals.ts'
import { listFacts } from './writing.ts'

/** The origin of a text, and the version that its preset has now. */
interface TextOrigin {
  status: DraftStatus
  edited: boolean
  revision: number
  presetId: string | null
  modelId: string | null
  presetVersion: number | null
  presetVersionNow: number | null
  factsDigest: string | null
}

/** After this many revisions a text is sent as it is, so that changes can't cause requests without end. */
const revisionsMax = 50

/** A digest of the facts that a lead's text was made from. The order of the facts doesn't matter. */
export function factsDigest(lead: LeadFacts): string {
  const facts = listFacts(lead).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return createHash('sha256').update(JSON.stringify(facts)).digest('base64url')
}

/**
 * Whether the lead, the preset or the variant changed after a text was written. A text stays valid if a person wrote or edited
 * it, or if its preset was deleted.
 */
export function isStale(draft: TextOrigin, now: { facts: string; ai: { presetId: string; modelId: string } }): boolean {
  if (draft.edited || draft.revision >= revisionsMax) return false
  if (draft.status !== 'waiting' && draft.status !== 'approved') return false
  if (draft.presetId !== now.ai.presetId || draft.modelId !== now.ai.modelId) return true
  if (draft.factsDigest !== null && draft.factsDigest !== now.facts) return true
  return (
    draft.presetVersion !== null && draft.presetVersionNow !== null && draft.presetVersion !== draft.presetVersionNow
  )
}
