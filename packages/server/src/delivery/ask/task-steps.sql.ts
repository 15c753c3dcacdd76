import { waitingList } from '@overture/ground/lead-statuses.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'

/** Leads without a telephone number, by how many steps they have behind them. */
export async function countLeadsWithoutPhone(
  db: Executor,
  tenant: Tenant,
  campaignId: string,
): Promise<{ currentStep: number; count: number }[]> {
  return db.query(
    `select current_step, count(*)::int as count from leads
     where account_id = $1 and environment = $2 and campaign_id = $3 and status in ${waitingList} and coalesce(mobile, '') = ''
     group by current_step`,
    [tenant.accountId, tenant.environment, campaignId],
    'count_leads_without_phone',
  )
}

/** The users of the account that can do tasks, out of these. */
export async function listActiveAssignees(
  db: Executor,
  tenant: Tenant,
  userIds: readonly string[],
): Promise<{ id: string }[]> {
  return db.query(
    `select id from users where account_id = $1 and id = any($2) and status = 'active'`,
    [tenant.accountId, userIds],
    'list_active_assignees',
  )
}
