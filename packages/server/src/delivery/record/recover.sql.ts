import type { Executor } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'

/** Tenants with a claim whose lease has expired. */
export async function listExpiredTenantsAcrossAccounts(db: Executor, limit: number): Promise<Tenant[]> {
  return db.query<Tenant>(
    `select distinct account_id, environment from claims where lease_until < now() limit $1`,
    [limit],
    'list_expired_tenants_across_accounts',
  )
}

interface ExpiredRow {
  id: string
  token: string
  /** Whether the claim passed its gate without a recorded reply. */
  gated: boolean
  campaignId: string | null
  leadId: string | null
  leadEmail: string | null
  stepId: string | null
  sendingAccountId: string
}

/** Locks expired claims for this transaction. Skips rows that their worker is recording at the moment. */
export async function lockExpired(tx: Executor, tenant: Tenant, limit: number): Promise<ExpiredRow[]> {
  return tx.query<ExpiredRow>(
    `select message_id as id, lease_token as token, gated_at is not null as gated, campaign_id, lead_id, lead_email, step_id,
       sending_account_id
     from claims where account_id = $1 and environment = $2 and lease_until < now() limit $3 for update skip locked`,
    [tenant.accountId, tenant.environment, limit],
    'lock_expired',
  )
}

/** Accounts with live claims that have not passed their gate, according to this database. */
export async function listClaimingAccountsAcrossAccounts(db: Executor): Promise<string[]> {
  const rows = await db.query<{ accountId: string }>(
    `select distinct account_id from claims where environment = 'live' and gated_at is null and lease_until is not null`,
  )
  return rows.map(({ accountId }) => accountId)
}

/** After a failover or a restore, a live claim may have passed its gate in the lost history. Returns the number of claims in doubt. */
export async function updateClaimsInDoubt(
  tx: Executor,
  accountId: string,
  { now, leaseEnded }: { now: Date; leaseEnded: boolean },
): Promise<number> {
  const rows = await tx.query<{ id: string }>(
    `with doubted as (
       update claims set gated_at = $2, lease_until = least(lease_until, now() - interval '1 millisecond')
       where account_id = $1 and environment = 'live' and gated_at is null and lease_until is not null
         and (not $3 or lease_until < now())
       returning account_id, environment, message_id, campaign_id, lead_id, step_id, sending_account_id, kind, lead_email, claimed_at),
     -- One that was not written here has no row yet.
     written as (
       insert into message_heads (account_id, environment, id, campaign_id, lead_id, step_id, sending_account_id, direction, kind,
         status, to_addresses, queued_at)
       select account_id, environment, message_id, campaign_id, lead_id, step_id, sending_account_id, 'outbound', kind, 'queued',
         jsonb_build_array(jsonb_build_object('email', lead_email, 'name', null)), claimed_at from doubted
       on conflict (account_id, environment, id) do nothing)
     select message_id as id from doubted`,
    [accountId, now, leaseEnded],
    'update_claims_in_doubt',
  )
  return rows.length
}
