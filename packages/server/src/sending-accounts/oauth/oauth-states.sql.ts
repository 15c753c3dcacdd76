import type { Executor } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'

/** Stores the use of a state. Returns false if it was used before. */
export async function insertUsedState(
  db: Executor,
  { accountId }: Tenant,
  { nonce, expiresAt }: { nonce: string; expiresAt: Date },
): Promise<boolean> {
  const inserted = await db.execute(
    `insert into oauth_states_used (account_id, nonce, expires_at) values ($1, $2, $3) on conflict do nothing`,
    [accountId, nonce, expiresAt],
    'insert_used_oauth_state',
  )
  return inserted === 1
}

/** Deletes states that are refused as expired anyway. */
export async function deleteExpiredStates(db: Executor, { accountId }: Tenant, now: Date): Promise<void> {
  await db.execute(
    `delete from oauth_states_used where account_id = $1 and expires_at < $2`,
    [accountId, now],
    'delete_expired_oauth_states',
  )
}

/** The name of the account that a mailbox will belong to. Its owner may have got the link from another person. */
export async function findAccountName(db: Executor, { accountId }: Tenant): Promise<string> {
  const rows = await db.query<{ name: string }>(
    `select name from accounts where account_id = $1`,
    [accountId],
    'find_account_name',
  )
  return rows[0]?.name ?? ''
}
