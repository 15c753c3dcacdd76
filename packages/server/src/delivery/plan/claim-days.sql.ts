import type { RecipientBudget } from '@overture/planner/deliverability/recipient-budget.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { budgetsOfSender } from '../../sending-accounts/index.ts'

/** Two arrays of the same length: ids, and a day for each in its zone. */
interface DayKeys {
  ids: readonly string[]
  days: readonly string[]
}

/**
 * Lists how many messages each sender has claimed on its day, and the recipient budgets that it shares with other senders. Budgets count
 * the claims of a day in UTC.
 */
export async function listSenderDays(
  db: Executor,
  tenant: Tenant,
  days: DayKeys & { utcDay: string },
): Promise<{ id: string; claimed: number; budgets: RecipientBudget[] | null }[]> {
  return db.query(
    `select s.id, coalesce(d.claimed, 0) as claimed, ${budgetsOfSender('$5::date')} as budgets
     from unnest($3::text[], $4::date[]) t (id, day)
     join sending_accounts s on s.account_id = $1 and s.environment = $2 and s.id = t.id
     left join sender_days d on d.account_id = $1 and d.environment = $2 and d.sending_account_id = t.id and d.day = t.day`,
    [tenant.accountId, tenant.environment, days.ids, days.days, days.utcDay],
    'list_sender_days',
  )
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
