import { listVariantEvidence, type Evidence } from '../../analytics/index.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { listEnabledVariants, type VariantRow } from './planning.sql.ts'

export interface SelectableRow extends VariantRow {
  /** The results of the variant so far; null if the step chooses by weights. */
  evidence: Evidence | null
}

const nothingYet: Evidence = { delivered: 0, replied: 0 }

/** The enabled variants of some steps, in order. Runs one more query if a step chooses by replies. */
export async function listVariants(
  db: Executor,
  tenant: Tenant,
  steps: { campaignIds: readonly string[]; stepIds: readonly string[] },
): Promise<SelectableRow[]> {
  const rows = await listEnabledVariants(db, tenant, steps)
  const stepIds = rows.filter((row) => row.variantSelection === 'auto').map((row) => row.stepId)
  if (stepIds.length === 0) return rows.map((row) => ({ ...row, evidence: null }))
  const lines = await listVariantEvidence(db, tenant, {
    campaignIds: steps.campaignIds,
    stepIds: [...new Set(stepIds)],
  })
  const byId = new Map(lines.map(({ variantId, ...evidence }) => [variantId, evidence]))
  return rows.map((row) => ({
    ...row,
    evidence: row.variantSelection === 'auto' ? (byId.get(row.id) ?? nothingYet) : null,
  }))
}
