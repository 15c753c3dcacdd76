import type { Executor } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'

/** Two arrays of the same length: ids, and a day for each in its zone. */
interface DayKeys {
  ids: readonly string[]
  days: readonly string[]
}

export async function listCampaignDays(
  db: Executor,
  tenant: Tenant,
  days: DayKeys,
): Promise<{ id: string; claimed: number; claimedFirst: number }[]> {
  return db.query(
    `select d.campaign_id as id, d.claimed, d.claimed_first from unnest($3::text[], $4::date[]) t (id, day)
     join campaign_days d on d.account_id = $1 and d.environment = $2 and d.campaign_id = t.id and d.day = t.day`,
    [tenant.accountId, tenant.environment, days.ids, days.days],
    'list_campaign_days',
  )
}

export async function listDomainDays(
  db: Executor,
  tenant: Tenant,
  days: DayKeys,
): Promise<{ id: string; domain: string; claimed: number }[]> {
  return db.query(
    `select d.campaign_id as id, d.domain, d.claimed from unnest($3::text[], $4::date[]) t (id, day)
     join campaign_domain_days d on d.account_id = $1 and d.environment = $2 and d.campaign_id = t.id and d.day = t.day`,
    [tenant.accountId, tenant.environment, days.ids, days.days],
    'list_domain_days',
  )
}
