import type { Executor } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'

/** False where it was used before. */
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

/** Those that are refused for their age now. */
export async function deleteExpiredStates(db: Executor, { accountId }: Tenant, now: Date): Promise<void> {
  await db.execute(
    `delete from oauth_states_used where account_id = $1 and expires_at < $2`,
    [accountId, now],
    'delete_expired_oauth_states',
  )
}

/** Whose a mailbox becomes: its owner may have been given the link by somebody. */
export async function findAccountName(db: Executor, { accountId }: Tenant): Promise<string> {
  const rows = await db.query<{ name: string }>(
    `select name from accounts where account_id = $1`,
    [accountId],
    'find_account_name',
  )
  return rows[0]?.name ?? ''
}
