import { isCampaign } from '@overture/ground/paths/path.ts'
import { type CampaignRow, listCampaignsById } from '../../campaigns/index.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'
import type { CandidateRow } from '../plan/leads.sql.ts'
import { listPlanSteps, type PlanStepRow } from '../plan/campaigns.sql.ts'
import { listHandingIds, listNotTaken } from './explain.sql.ts'

/** The largest number of other campaigns in a forecast. */
export const otherCampaignsMax = 20
/** The largest number of campaigns that take leads over from those. */
const targetCampaignsMax = 20

/** Campaigns with branches that lead here, directly or through other campaigns. */
export async function listSources(db: Executor, tenant: Tenant, campaign: CampaignRow): Promise<CampaignRow[]> {
  const found: CampaignRow[] = []
  for (let targets = [campaign]; targets.length > 0 && found.length < otherCampaignsMax;) {
    const ids = await listHandingIds(db, tenant, {
      toIds: targets.map((row) => row.id),
      exceptIds: [campaign, ...found].map((row) => row.id),
      limit: otherCampaignsMax - found.length,
    })
    targets = await listCampaignsById(db, tenant, ids)
    found.push(...targets)
  }
  return found
}

/** Adds the campaigns that take leads over from these. They continue with those leads even if they had completed. */
export async function withTargets(
  db: Executor,
  tenant: Tenant,
  campaigns: readonly CampaignRow[],
): Promise<{ rows: CampaignRow[]; steps: PlanStepRow[] }> {
  const rows = [...campaigns]
  const steps = await listPlanSteps(
    db,
    tenant,
    rows.map((row) => row.id),
  )
  for (let from = steps; rows.length < campaigns.length + targetCampaignsMax;) {
    const known = new Set(rows.map((row) => row.id))
    const roomLeft = campaigns.length + targetCampaignsMax - rows.length
    const ids = listTargets(from)
      .filter((id) => !known.has(id))
      .slice(0, roomLeft)
    const found = (await listCampaignsById(db, tenant, ids)).filter((row) => openStatuses.includes(row.status))
    if (found.length === 0) break
    rows.push(...found)
    from = await listPlanSteps(
      db,
      tenant,
      found.map((row) => row.id),
    )
    steps.push(...from)
  }
  return { rows, steps }
}

const openStatuses: readonly CampaignRow['status'][] = ['scheduled', 'active', 'completed']

function listTargets(steps: readonly PlanStepRow[]): string[] {
  return [...new Set(steps.flatMap((step) => step.branches.flatMap(({ goTo }) => (isCampaign(goTo) ? [goTo] : []))))]
}

/** The campaigns that would not take over each lead, for leads with a hand-over ahead. */
export async function knowNotTaken(
  db: Executor,
  tenant: Tenant,
  { next, steps }: { next: readonly { row: CandidateRow }[]; steps: readonly PlanStepRow[] },
): Promise<Map<string, Set<string>>> {
  const byLead = new Map<string, Set<string>>()
  const toIds = listTargets(steps)
  if (toIds.length === 0) return byLead
  const handing = new Set(steps.flatMap((step) => (listTargets([step]).length > 0 ? [step.campaignId] : [])))
  const leads = next.flatMap(({ row }) =>
    handing.has(row.campaignId) ? [{ campaignId: row.campaignId, leadId: row.id }] : [],
  )
  for (const { leadId, campaignId } of await listNotTaken(db, tenant, { leads, toIds }))
    byLead.set(leadId, (byLead.get(leadId) ?? new Set()).add(campaignId))
  return byLead
}
