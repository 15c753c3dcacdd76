import type { Executor } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'

export interface ClaimedMailbox {
  accountId: string
  environment: Tenant['environment']
  sendingAccountId: string
  since: Date
  retryCount: number
}

type MailboxKey = Pick<ClaimedMailbox, 'accountId' | 'environment' | 'sendingAccountId'>

/**
 * Senders whose mail can be read, but that have no mailbox. `insertMailbox` adds one for a new sender, except if the sender was
 * created in another way. Only live senders: the test environment has no servers.
 */
export async function listMissingMailboxesAcrossAccounts(db: Executor, limit: number): Promise<MailboxKey[]> {
  return db.query<MailboxKey>(
    `select s.account_id, s.environment, s.id as sending_account_id from sending_accounts s
     where s.environment = 'live' and s.provider <> 'sandbox' and (s.imap is not null or s.provider in ('google', 'microsoft'))
       and not exists (select 1 from mailboxes b
         where b.account_id = s.account_id and b.environment = s.environment and b.sending_account_id = s.id)
     limit $1`,
    [limit],
    'list_missing_mailboxes',
  )
}

/** Mailboxes that no worker reads, least recently read first. Mailboxes of dead workers become free when these workers are deleted. */
export async function listFreeMailboxesAcrossAccounts(db: Executor, limit: number): Promise<MailboxKey[]> {
  return db.query<MailboxKey>(
    `select m.account_id, m.environment, m.sending_account_id from mailboxes m
     join sending_accounts s on s.account_id = m.account_id and s.environment = m.environment and s.id = m.sending_account_id
     where m.lease_token is null and (m.retry_at is null or m.retry_at <= now()) and s.status <> 'auth_required'
     order by m.read_at nulls first limit $1`,
    [limit],
    'list_free_mailboxes',
  )
}

/** Leases the given mailboxes of an account that are still free. */
export async function claimMailboxes(
  db: Executor,
  accountId: string,
  mailboxes: readonly MailboxKey[],
  token: string,
): Promise<ClaimedMailbox[]> {
  return db.query<ClaimedMailbox>(
    `update mailboxes b set lease_token = $2
     from (
       select environment, sending_account_id from mailboxes
       where account_id = $1 and (environment, sending_account_id) in (select * from unnest($3::text[], $4::text[]))
         and lease_token is null for update skip locked) free
     where b.account_id = $1 and b.environment = free.environment and b.sending_account_id = free.sending_account_id
     returning b.account_id, b.environment, b.sending_account_id, b.since, b.retry_count`,
    [
      accountId,
      token,
      mailboxes.map(({ environment }) => environment),
      mailboxes.map(({ sendingAccountId }) => sendingAccountId),
    ],
    'claim_mailboxes',
  )
}

/** Counts the mailboxes that this worker leases. */
export async function countHeldMailboxesAcrossAccounts(db: Executor, token: string): Promise<number> {
  const rows = await db.query<{ count: number }>(
    'select count(*)::int as count from mailboxes where lease_token = $1',
    [token],
    'count_held_mailboxes',
  )
  return rows[0]?.count ?? 0
}

/** Lists the mailboxes that this worker leases. */
export async function listHeldMailboxesAcrossAccounts(db: Executor, token: string): Promise<ClaimedMailbox[]> {
  return db.query<ClaimedMailbox>(
    `select account_id, environment, sending_account_id, since, retry_count from mailboxes where lease_token = $1`,
    [token],
    'list_held_mailboxes',
  )
}

/** Releases a mailbox. No worker claims it for `awayMs`; null means that it is free at once. */
export async function releaseMailbox(
  db: Executor,
  tenant: Tenant,
  release: { sendingAccountId: string; token: string; awayMs: number | null; retryCount: number },
): Promise<void> {
  await db.execute(
    `update mailboxes set lease_token = null, retry_at = now() + $5::int * interval '1 millisecond', retry_count = $6
     where account_id = $1 and environment = $2 and sending_account_id = $3 and lease_token = $4`,
    [tenant.accountId, tenant.environment, release.sendingAccountId, release.token, release.awayMs, release.retryCount],
    'release_mailbox',
  )
}

export type ReadMailbox = MailboxKey

/** Stores that mailboxes of an account were read just now. Returns those that had not been read for long, or never. */
export async function updateMailboxesRead(
  db: Executor,
  accountId: string,
  read: { mailboxes: readonly ReadMailbox[]; longMs: number },
): Promise<ReadMailbox[]> {
  const rows = await db.query<ReadMailbox & { wasUnread: boolean }>(
    `with changed as (
       update mailboxes m set read_at = now() from (
         select o.* from (select * from unnest($2::text[], $3::text[]) t (environment, id) order by 1, 2) t
         cross join lateral (
           select o.environment, o.sending_account_id, o.read_at from mailboxes o
           where o.account_id = $1 and o.environment = t.environment and o.sending_account_id = t.id
           limit 1 for update) o
         offset 0) old
       where m.account_id = $1 and m.environment = old.environment and m.sending_account_id = old.sending_account_id
       returning m.account_id, m.environment, m.sending_account_id, old.read_at as before)
     select c.account_id, c.environment, c.sending_account_id,
       coalesce(c.before < now() - $4::int * interval '1 millisecond', true) as was_unread
     from changed c`,
    [
      accountId,
      read.mailboxes.map((one) => one.environment),
      read.mailboxes.map((one) => one.sendingAccountId),
      read.longMs,
    ],
    'update_mailboxes_read',
  )
  return rows.filter(({ wasUnread }) => wasUnread)
}
