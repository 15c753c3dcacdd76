import type { Executor } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'

/** Tenants in which a claim's lease has run out. */
export async function listExpiredTenantsAcrossAccounts(
  db: Executor,
  { realNow, limit }: { realNow: Date; limit: number },
): Promise<Tenant[]> {
  return db.query<Tenant>(
    `select distinct account_id, environment from claims where lease_until < $1 limit $2`,
    [realNow, limit],
    'list_expired_tenants_across_accounts',
  )
}

interface ExpiredRow {
  id: string
  token: string
  /** It passed its gate, and nobody has read the answer. */
  gated: boolean
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
    `select message_id as id, lease_token as token, gated_at is not null as gated, campaign_id, lead_id, lead_email, step_id,
       sending_account_id
     from claims where account_id = $1 and environment = $2 and lease_until < $3 limit $4 for update skip locked`,
    [tenant.accountId, tenant.environment, realNow, limit],
    'lock_expired',
  )
}
