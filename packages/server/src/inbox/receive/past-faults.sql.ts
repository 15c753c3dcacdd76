import type { Executor } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'

/** Lists the stored bytes of delivery reports that were kept with a lead or in a thread, oldest first. */
export async function listReports(
  db: Executor,
  tenant: Tenant,
  of: { campaignId: string | null; leadId: string | null; threadId: string | null; limit: number },
): Promise<Buffer[]> {
  const rows = await db.query<{ raw: Buffer }>(
    `select k.raw from message_heads m
     join message_contents k on k.account_id = $1 and k.environment = $2 and k.message_id = m.id and k.raw is not null
     where m.account_id = $1 and m.environment = $2 and m.direction = 'inbound' and m.kind = 'bounce'
       and (m.campaign_id = $3 and m.lead_id = $4 or m.thread_id = $5)
     order by m.received_at, m.id limit $6`,
    [tenant.accountId, tenant.environment, of.campaignId, of.leadId, of.threadId, of.limit],
  )
  return rows.map(({ raw }) => raw)
}
