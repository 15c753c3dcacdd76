import type { Executor } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'

/** Counts a reply of a lead. Returns the new count. */
export async function countReply(
  tx: Executor,
  tenant: Tenant,
  lead: { campaignId: string; leadId: string; now: Date },
): Promise<number> {
  const rows = await tx.query<{ replyCount: number }>(
    `update lead_profiles set reply_count = reply_count + 1, updated_at = $5
     where account_id = $1 and environment = $2 and campaign_id = $3 and id = $4 returning reply_count`,
    [tenant.accountId, tenant.environment, lead.campaignId, lead.leadId, lead.now],
    'count_reply',
  )
  return rows[0]?.replyCount ?? 0
}

interface LeadCounts {
  campaignId: string
  leadId: string
  opens: number
  clicks: number
}

/** Counts opens and clicks by people. Each lead may occur once. Returns the new counts. */
export async function countOnLeads(
  tx: Executor,
  tenant: Tenant,
  leads: readonly LeadCounts[],
): Promise<Omit<LeadCounts, 'campaignId'>[]> {
  if (leads.length === 0) return []
  return tx.query<Omit<LeadCounts, 'campaignId'>>(
    `update lead_profiles l set open_count = l.open_count + t.opens, click_count = l.click_count + t.clicks
     from unnest($3::text[], $4::text[], $5::int[], $6::int[]) t (campaign_id, lead_id, opens, clicks)
     where l.account_id = $1 and l.environment = $2 and l.campaign_id = t.campaign_id and l.id = t.lead_id
     returning l.id as lead_id, l.open_count as opens, l.click_count as clicks`,
    [
      tenant.accountId,
      tenant.environment,
      leads.map((lead) => lead.campaignId),
      leads.map((lead) => lead.leadId),
      leads.map((lead) => lead.opens),
      leads.map((lead) => lead.clicks),
    ],
    'count_on_leads',
  )
}
