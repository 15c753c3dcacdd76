import type { Executor } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'

const canCome = `exists (select 1 from sending_accounts s where s.account_id = $1 and s.environment = $2
  and s.id = any(c.sending_account_ids) and s.status`

/** Active campaigns of a sender without any sender that can send or recovers automatically. */
export async function listStrandedCampaigns(db: Executor, tenant: Tenant, senderId: string): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `select id from campaigns c where account_id = $1 and environment = $2 and status = 'active' and deleted_at is null
       and $3 = any(sending_account_ids) and not ${canCome} in ('active', 'connection_error')) order by id`,
    [tenant.accountId, tenant.environment, senderId],
    'list_stranded_campaigns',
  )
  return rows.map((row) => row.id)
}

/** Campaigns that were paused because they had no sender, and have one again. */
export async function listRelievedCampaigns(db: Executor, tenant: Tenant): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `select id from campaigns c where account_id = $1 and environment = $2 and status = 'paused' and deleted_at is null
       and status_reason = 'sending_accounts_unavailable' and ${canCome} = 'active') order by id`,
    [tenant.accountId, tenant.environment],
    'list_relieved_campaigns',
  )
  return rows.map((row) => row.id)
}
