import type { LeadFacts } from '@overture/contract/ai/ai.ts'
import type { Step } from '@overture/contract/campaigns/campaigns.ts'
import { listVariantEvidence, type Evidence } from '../../analytics/index.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'

interface VariantRow {
  stepId: string
  id: string
  subject: string
  body: string
  weight: number
  ai: { presetId: string; modelId: string } | null
  variantSelection: Step['variantSelection']
  /** A person reads and approves the text for each lead. */
  byHand: boolean
}

/** The enabled variants of some steps, in order. */
async function listEnabledVariants(
  db: Executor,
  tenant: Tenant,
  steps: { campaignIds: readonly string[]; stepIds: readonly string[] },
): Promise<VariantRow[]> {
  return db.query<VariantRow>(
    `select v.step_id, v.id, v.subject, v.body, v.weight, v.ai, s.variant_selection, s.by_hand
     from variants v join steps s on s.account_id = $1 and s.environment = $2
       and s.campaign_id = v.campaign_id and s.id = v.step_id
     where v.account_id = $1 and v.environment = $2 and v.campaign_id = any($3) and v.step_id = any($4) and v.enabled
     order by v.step_id, v.position`,
    [tenant.accountId, tenant.environment, steps.campaignIds, steps.stepIds],
    'list_enabled_variants',
  )
}

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

/** The facts of some leads that a model may use: the same fields that a text is made from. */
export async function listTextFacts(
  db: Executor,
  tenant: Tenant,
  leadIds: readonly string[],
): Promise<(LeadFacts & { id: string })[]> {
  return db.query(
    `select id, first_name, last_name, job_title, company, company_domain, linkedin_url, country, city, custom_variables
     from lead_profiles where account_id = $1 and environment = $2 and id = any($3)`,
    [tenant.accountId, tenant.environment, leadIds],
    'list_text_facts',
  )
}
