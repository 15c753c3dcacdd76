import type { Executor } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'

/** A page of a deleted campaign's leads after the id `after`, ordered by id. */
export async function listLeadsToDelete(
  db: Executor,
  tenant: Tenant,
  page: { campaignId: string; after: string; limit: number },
): Promise<{ id: string; email: string; personId: string | null }[]> {
  return db.query(
    `select id, email, person_id from lead_profiles
     where account_id = $1 and environment = $2 and campaign_id = $3 and id > $4 order by id limit $5`,
    [tenant.accountId, tenant.environment, page.campaignId, page.after, page.limit],
    'list_leads_to_delete',
  )
}
