import type { Executor } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'

/** Tenants in which a claim's lease has run out. */
export async function listExpiredTenantsAcrossAccounts(
  db: Executor,
  { realNow, limit }: { realNow: Date; limit: number },
): Promise<Tenant[]> {
  return db.query<Tenant>(
    `select distinct account_id, environment from messages where lease_until < $1 limit $2`,
    [realNow, limit],
    'list_expired_tenants_across_accounts',
  )
}

export interface ExpiredRow {
  id: string
  token: string
  status: 'queued' | 'sending'
  campaignId: string | null
  leadId: string | null
  leadEmail: string | null
  stepId: string | null
  sendingAccountId: string
}

/** Takes expired claims for this transaction; rows that their worker is recording just now are left to it. */
export async function lockExpired(
  tx: Executor,
  tenant: Tenant,
  { realNow, limit }: { realNow: Date; limit: number },
): Promise<ExpiredRow[]> {
  return tx.query<ExpiredRow>(
    `select m.id, m.lease_token as token, m.status, m.campaign_id, m.lead_id, l.email as lead_email, m.step_id, m.sending_account_id
     from messages m
     left join leads l on l.account_id = $1 and l.environment = $2 and l.campaign_id = m.campaign_id and l.id = m.lead_id
     where m.account_id = $1 and m.environment = $2 and m.lease_until < $3 and m.status in ('queued', 'sending')
     limit $4 for update of m skip locked`,
    [tenant.accountId, tenant.environment, realNow, limit],
    'lock_expired',
  )
}
