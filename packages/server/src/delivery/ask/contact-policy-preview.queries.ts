import type { ContactPolicy, ContactPolicyPreview } from '@overture/contract/contact-policy/contact-policy.ts'
import { dayNumberAt, startOfDayMs } from '@overture/ground/time/time-zone.ts'
import { judgeInOrder, type ContactBook } from '@overture/planner/contact-policy.ts'
import { gateOrder, type GateName } from '@overture/planner/plan.types.ts'
import { listCampaignsById } from '../../campaigns/index.ts'
import { contactKeys, getPolicy, loadContactBook } from '../../contact-policy/index.ts'
import type { App } from '../../platform/app.ts'
import type { Tenant } from '../../platform/tenant.ts'
import type { CandidateRow } from '../plan/leads.sql.ts'
import { listForecastLeads, listRunningIds } from './explain.sql.ts'
import { ofOneMoment } from './forecast.queries.ts'

const campaignsMax = 100
const leadsMax = 20_000

/** How many leads of running campaigns a policy would hold back today. Limits per day and the sending window do not matter. */
export async function previewContactPolicy(
  app: App,
  tenant: Tenant,
  { changes, now }: { changes: Partial<ContactPolicy>; now: Date },
): Promise<ContactPolicyPreview> {
  return ofOneMoment(app, async ({ db, secrets }) => {
    const instead = { ...(await getPolicy(db, tenant)), ...changes }
    const ids = await listRunningIds(db, tenant, { limit: campaignsMax + 1 })
    const campaigns = await listCampaignsById(db, tenant, ids.slice(0, campaignsMax))
    const limit = Math.floor(leadsMax / Math.max(1, campaigns.length))
    const leads = await listForecastLeads(db, tenant, { campaignIds: campaigns.map(({ id }) => id), limit })
    const book = await loadContactBook(db, tenant, { secrets, leads, instead })
    const counts = countHeld(leads, book, now)
    const byCampaign = campaigns.map(({ id, name }) => ({
      campaignId: id,
      name,
      ...(counts.byCampaign.get(id) ?? { leads: 0, held: 0 }),
    }))
    const cut = campaigns.some(({ id }) => leads.filter(({ campaignId }) => campaignId === id).length === limit)
    return { leads: counts.leads, held: counts.held, byCampaign, partial: cut || ids.length > campaignsMax }
  })
}

/** Takes the leads in the order in which they are due, so that of two campaigns the earlier one writes. */
function countHeld(leads: readonly CandidateRow[], stored: ContactBook | null, now: Date) {
  const zone = stored?.limits.timezone ?? 'UTC'
  const endMs = startOfDayMs(zone, dayNumberAt(zone, now.getTime()) + 1)
  const due = leads.filter((lead) => dueMs(lead) < endMs).toSorted((a, b) => dueMs(a) - dueMs(b))
  const contacted = due.map((row) => ({ id: row.id, campaignId: row.campaignId, ...contactKeys(row) }))
  const held = new Map<GateName, number>()
  const byCampaign = new Map<string, { leads: number; held: number }>()
  for (const [index, gate] of judgeInOrder(stored, contacted, now.getTime()).entries()) {
    const { campaignId } = due[index]!
    const campaign = byCampaign.get(campaignId) ?? { leads: 0, held: 0 }
    byCampaign.set(campaignId, campaign)
    campaign.leads++
    if (gate === null) continue
    campaign.held++
    held.set(gate, (held.get(gate) ?? 0) + 1)
  }
  const reasons = [...held].map(([reason, count]) => ({ reason, count }))
  reasons.sort((a, b) => gateOrder.indexOf(a.reason) - gateOrder.indexOf(b.reason))
  return { leads: due.length, held: reasons, byCampaign }
}

function dueMs(lead: CandidateRow): number {
  return (lead.dueAt ?? lead.createdAt).getTime()
}
