import type { CampaignRow } from '../../campaigns/index.ts'
import { loadContactBook } from '../../contact-policy/index.ts'
import type { App } from '../../platform/app.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { planLeadsAhead } from './forecast.queries.ts'
import type { ExplainTools } from '../delivery.shell.ts'
import { listNextLeads } from './explain.sql.ts'
import { explainGates } from '@overture/planner/gates.ts'
import { earliest } from '@overture/ground/time/earliest.ts'
import { loadSenders } from '../plan/senders.sql.ts'
import { readPlanCampaign, withUsage } from '../plan/campaigns.sql.ts'
import type { PlanStepRow } from '../plan/campaigns.sql.ts'

const leadsPerSenderMax = 5

/**
 * When the campaign sends next, by the gates of the first leads of each of its senders. Null if not before something changes
 * (docs/contract.md, "Leads", followup-status).
 */
export async function findNextSendTime(
  app: App,
  tenant: Tenant,
  input: ExplainTools & { campaign: CampaignRow; steps: readonly PlanStepRow[]; now: Date },
): Promise<Date | null> {
  const { campaign, steps, now } = input
  if (campaign.status !== 'active' && campaign.status !== 'scheduled') return null
  const rows = await listNextLeads(app.db, tenant, { campaignId: campaign.id, limitPerSender: leadsPerSenderMax })
  const senderIds = rows.flatMap((row) => row.sendingAccountId ?? [])
  const [campaigns, senders, leads, contacts] = await Promise.all([
    withUsage(app.db, tenant, [await readPlanCampaign(campaign, steps)], now),
    loadSenders(app.db, tenant, [...new Set([...campaign.sendingAccountIds, ...senderIds])], now),
    planLeadsAhead(app, tenant, { ...input, rows, ids: [campaign.id] }),
    loadContactBook(app.db, tenant, { secrets: app.secrets, leads: rows }),
  ])
  return earliest(
    campaigns.flatMap((one) =>
      leads.map((lead) => explainGates({ now, lead, campaign: one, senders, contacts }).next?.at ?? null),
    ),
  )
}
