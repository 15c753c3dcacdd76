import type { Executor } from '../platform/db/database.ts'
import type { Tenant } from '../platform/tenant.ts'

/** Called after the owner connected the mailbox again, so that older connections are not used again. */
export async function updateSenderConnectionVersion(db: Executor, tenant: Tenant, id: string): Promise<void> {
  await db.execute(
    `update sending_accounts set connection_version = connection_version + 1
     where account_id = $1 and environment = $2 and id = $3`,
    [tenant.accountId, tenant.environment, id],
    'update_connection_version',
  )
}

/**
 * Takes mailboxes from the workers that read them and blocks them for a while. A reader closes when it notices that the lease is
 * lost. The next one logs in with the sender's current settings.
 */
export async function updateMailboxesLost(
  db: Executor,
  tenant: Tenant,
  ids: readonly string[],
  awayMs: number,
): Promise<void> {
  await db.execute(
    `update mailboxes set lease_token = null, retry_at = now() + $4::int * interval '1 millisecond', retry_count = 0
     where account_id = $1 and environment = $2 and sending_account_id = any($3)`,
    [tenant.accountId, tenant.environment, ids, awayMs],
    'update_mailboxes_lost',
  )
}

/** Inserts the mailbox row of a new or changed sender that has IMAP. The test environment has no servers. */
export async function insertMailbox(tx: Executor, tenant: Tenant, id: string, firstReadingAt: Date): Promise<void> {
  await tx.execute(
    `insert into mailboxes (account_id, environment, sending_account_id, since)
     select account_id, environment, id, greatest($4, created_at - interval '1 day') from sending_accounts
     where account_id = $1 and environment = $2 and id = $3 and environment = 'live' and provider <> 'sandbox'
       and (imap is not null or provider in ('google', 'microsoft'))
     on conflict do nothing`,
    [tenant.accountId, tenant.environment, id, firstReadingAt],
    'insert_mailbox',
  )
}
