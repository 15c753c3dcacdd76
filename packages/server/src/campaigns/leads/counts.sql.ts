import type { Executor } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'

/** Answers the new count. */
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

/** Counts a person's open or click; answers the new count. */
export async function countOnLead(
  tx: Executor,
  tenant: Tenant,
  key: { campaignId: string; leadId: string; what: 'open' | 'click' },
): Promise<number> {
  const column = key.what === 'open' ? 'open_count' : 'click_count'
  const rows = await tx.query<{ count: number }>(
    `update lead_profiles set ${column} = ${column} + 1
     where account_id = $1 and environment = $2 and campaign_id = $3 and id = $4 returning ${column} as count`,
    [tenant.accountId, tenant.environment, key.campaignId, key.leadId],
  )
  return rows[0]?.count ?? 0
}
