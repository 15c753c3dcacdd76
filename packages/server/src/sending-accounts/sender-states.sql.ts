import type { Environment } from '@overture/contract/endpoint.ts'
import type { SenderStatus } from '@overture/contract/sending-accounts/sending-accounts.ts'
import type { Executor } from '../platform/db/database.ts'
import type { Tenant } from '../platform/tenant.ts'

interface StateChange {
  id: string
  status: SenderStatus
  statusReason: string | null
  lastError: string | null
  /** One sentence with the next step for the owner. */
  statusAdvice?: string | null
  retryAt: Date | null
  retryCount: number
  now: Date
}

export async function updateSenderState(tx: Executor, tenant: Tenant, change: StateChange): Promise<void> {
  await tx.execute(
    `update sending_accounts set status = $4, status_reason = $5, last_error = $6, retry_at = $7, retry_count = $8,
       updated_at = $9, status_advice = $10
     where account_id = $1 and environment = $2 and id = $3`,
    [
      tenant.accountId,
      tenant.environment,
      change.id,
      change.status,
      change.statusReason,
      change.lastError,
      change.retryAt,
      change.retryCount,
      change.now,
      change.statusAdvice ?? null,
    ],
  )
}

/** Stores when both servers first accepted the login of a sender. */
export async function updateSenderConnected(tx: Executor, tenant: Tenant, id: string, now: Date): Promise<void> {
  await tx.execute(
    `update sending_accounts set connected_at = $4
     where account_id = $1 and environment = $2 and id = $3 and connected_at is null`,
    [tenant.accountId, tenant.environment, id, now],
  )
}

export async function updateSenderHold(
  tx: Executor,
  tenant: Tenant,
  hold: { id: string; heldUntil: Date; holdCount: number; lastError: string; statusAdvice: string | null; now: Date },
): Promise<void> {
  await tx.execute(
    `update sending_accounts set held_until = $4, hold_count = $5, status_reason = 'provider_limit', last_error = $6,
       updated_at = $7, status_advice = $8
     where account_id = $1 and environment = $2 and id = $3`,
    [
      tenant.accountId,
      tenant.environment,
      hold.id,
      hold.heldUntil,
      hold.holdCount,
      hold.lastError,
      hold.now,
      hold.statusAdvice,
    ],
  )
}

/** Called after a message was accepted. Clears a hold that has ended, so that the next one is an hour again. */
export async function clearSenderHold(tx: Executor, tenant: Tenant, id: string, now: Date): Promise<void> {
  await tx.execute(
    `update sending_accounts set held_until = null, hold_count = 0,
       status_reason = nullif(status_reason, 'provider_limit'), last_error = null, status_advice = null,
       updated_at = $4
     where account_id = $1 and environment = $2 and id = $3 and held_until <= $4`,
    [tenant.accountId, tenant.environment, id, now],
    'clear_sender_hold',
  )
}

interface DueSender {
  accountId: string
  environment: Environment
  id: string
}

/** Lists live senders whose connection failed and whose wait is over, longest waiting first. */
export async function listRetriesDueAcrossAccounts(db: Executor, now: Date, limit: number): Promise<DueSender[]> {
  return db.query<DueSender>(
    `select account_id, environment, id from sending_accounts
     where environment = 'live' and status = 'connection_error' and retry_at <= $1 order by retry_at limit $2`,
    [now, limit],
  )
}

/** Claims a try by moving its time forward. Returns false if another worker has it. */
export async function claimRetry(
  db: Executor,
  tenant: Tenant,
  claim: { id: string; now: Date; until: Date },
): Promise<boolean> {
  const changed = await db.execute(
    `update sending_accounts set retry_at = $5
     where account_id = $1 and environment = $2 and id = $3 and status = 'connection_error' and retry_at <= $4`,
    [tenant.accountId, tenant.environment, claim.id, claim.now, claim.until],
  )
  return changed > 0
}

/** Lists live senders whose DNS was not checked since `before`. */
export async function listHealthDueAcrossAccounts(db: Executor, before: Date, limit: number): Promise<DueSender[]> {
  return db.query<DueSender>(
    `select account_id, environment, id from sending_accounts
     where environment = 'live' and (health is null or (health ->> 'checkedAt')::timestamptz < $1) order by id limit $2`,
    [before, limit],
  )
}
