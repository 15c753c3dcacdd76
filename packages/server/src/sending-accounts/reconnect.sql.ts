import type { Executor } from '../platform/db/database.ts'
import type { Tenant } from '../platform/tenant.ts'

/** The owner connected the mailbox anew: connections of before are not used again. */
export async function updateConnectionVersion(db: Executor, tenant: Tenant, id: string): Promise<void> {
  await db.execute(
    `update sending_accounts set connection_version = connection_version + 1
     where account_id = $1 and environment = $2 and id = $3`,
    [tenant.accountId, tenant.environment, id],
    'update_connection_version',
  )
}

/**
 * Takes a mailbox away from whoever reads it, and from everybody for a while: its reader closes when it sees that the
 * lease is lost, and the next one logs in as the sender is now.
 */
export async function updateMailboxLost(db: Executor, tenant: Tenant, id: string, awayMs: number): Promise<void> {
  await db.execute(
    `update mailboxes set lease_token = null, lease_until = now() + $4::int * interval '1 millisecond', retry_at = null,
       retry_count = 0
     where account_id = $1 and environment = $2 and sending_account_id = $3`,
    [tenant.accountId, tenant.environment, id, awayMs],
    'update_mailbox_lost',
  )
}
