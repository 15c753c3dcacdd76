import { keepsCampaignOpen } from '../../campaigns/index.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'

/** The campaigns among `campaignIds` that some lead keeps from completing. The leads in `exceptLeadIds` are left out. */
export async function listOpenCampaigns(
  db: Executor,
  tenant: Tenant,
  of: { campaignIds: readonly string[]; exceptLeadIds: readonly string[] },
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `select c.id from unnest($3::text[]) c (id) where exists (
       select 1 from lead_progress p
       where p.account_id = $1 and p.environment = $2 and p.campaign_id = c.id and ${keepsCampaignOpen} and p.lead_id <> all($4))`,
    [tenant.accountId, tenant.environment, of.campaignIds, of.exceptLeadIds],
    'list_open_campaigns',
  )
  return rows.map(({ id }) => id)
}
