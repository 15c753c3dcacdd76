import type { Executor } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'

/** The place of a message in a mailbox. */
export interface MessagePlace {
  sendingAccountId: string
  folder: string
  uidValidity: string
  uid: number
}

/** Returns whether the message is new here, and how many messages of the mailbox were set aside after `since`. */
export async function upsertSetAside(
  tx: Executor,
  tenant: Tenant,
  message: MessagePlace & {
    id: string
    reason: string
    sizeBytes: number | null
    now: Date
    since: Date
    /** When the message is tried again automatically, the first time that it is set aside. Null if only on request. */
    retryAt: Date | null
  },
): Promise<{ isNew: boolean; recent: number }> {
  const [counted] = await tx.query<{ recent: number }>(
    `select count(*)::int as recent from set_aside_messages
     where account_id = $1 and environment = $2 and sending_account_id = $3 and set_aside_at > $4`,
    [tenant.accountId, tenant.environment, message.sendingAccountId, message.since],
    'count_recent_set_aside',
  )
  const [stored] = await tx.query<{ tries: number }>(
    `insert into set_aside_messages (account_id, environment, sending_account_id, folder, uid_validity, uid, id, reason,
       size_bytes, set_aside_at, retry_asked_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
     on conflict (account_id, environment, sending_account_id, folder, uid_validity, uid) do update set
       reason = excluded.reason, set_aside_at = excluded.set_aside_at, tries = set_aside_messages.tries + 1,
       retry_asked_at = null
     returning tries`,
    [
      tenant.accountId,
      tenant.environment,
      message.sendingAccountId,
      message.folder,
      message.uidValidity,
      message.uid,
      message.id,
      message.reason,
      message.sizeBytes,
      message.now,
      message.retryAt,
    ],
    'upsert_set_aside',
  )
  return { isNew: stored?.tries === 1, recent: counted?.recent ?? 0 }
}

/** Deletes a message that was read after all, or that is no longer in the mailbox. */
export async function deleteSetAside(tx: Executor, tenant: Tenant, place: MessagePlace): Promise<void> {
  await tx.execute(
    `delete from set_aside_messages where account_id = $1 and environment = $2 and sending_account_id = $3 and folder = $4
       and uid_validity = $5 and uid = $6`,
    [tenant.accountId, tenant.environment, place.sendingAccountId, place.folder, place.uidValidity, place.uid],
    'delete_set_aside',
  )
}

/** Keeps only the newest `kept` messages of a mailbox. */
export async function deleteOldestSetAside(
  tx: Executor,
  tenant: Tenant,
  of: { sendingAccountId: string; kept: number },
): Promise<void> {
  await tx.execute(
    `delete from set_aside_messages where account_id = $1 and environment = $2 and sending_account_id = $3 and id in (
       select s.id from set_aside_messages s where s.account_id = $1 and s.environment = $2 and s.sending_account_id = $3
       order by s.set_aside_at desc, s.id desc offset $4)`,
    [tenant.accountId, tenant.environment, of.sendingAccountId, of.kept],
    'delete_oldest_set_aside',
  )
}

interface ExpiredSetAside {
  accountId: string
  id: string
}

export async function listExpiredSetAsideAcrossAccounts(
  db: Executor,
  before: Date,
  limit: number,
): Promise<ExpiredSetAside[]> {
  return db.query<ExpiredSetAside>(
    'select account_id, id from set_aside_messages where set_aside_at < $1 order by set_aside_at limit $2',
    [before, limit],
    'list_expired_set_aside',
  )
}

export async function deleteExpiredSetAside(
  db: Executor,
  accountId: string,
  rows: readonly ExpiredSetAside[],
  before: Date,
): Promise<number> {
  return db.execute(
    'delete from set_aside_messages where account_id = $1 and id = any($2) and set_aside_at < $3',
    [accountId, rows.map((row) => row.id), before],
    'delete_expired_set_aside',
  )
}

export interface MessageToRetry extends MessagePlace {
  accountId: string
  environment: Tenant['environment']
}

/** The messages that are due for another try, in the mailboxes that this worker leases. */
export async function listSetAsideToRetryAcrossAccounts(
  db: Executor,
  of: { token: string; now: Date; limit: number },
): Promise<MessageToRetry[]> {
  return db.query<MessageToRetry>(
    `select s.account_id, s.environment, s.sending_account_id, s.folder, s.uid_validity, s.uid from set_aside_messages s
     join mailboxes m on m.account_id = s.account_id and m.environment = s.environment
       and m.sending_account_id = s.sending_account_id
     where s.retry_asked_at <= $3 and m.lease_token = $1 order by s.retry_asked_at, s.id limit $2`,
    [of.token, of.limit, of.now],
    'list_set_aside_to_retry',
  )
}

export interface SetAsideMessage extends MessageToRetry {
  id: string
  reason: string
  sizeBytes: number | null
  setAsideAt: Date
  tries: number
  retryAskedAt: Date | null
}

export async function listSetAsideAcrossAccounts(db: Executor, limit: number): Promise<SetAsideMessage[]> {
  return db.query<SetAsideMessage>(
    `select account_id, environment, sending_account_id, folder, uid_validity, uid, id, reason, size_bytes, set_aside_at,
       tries, retry_asked_at
     from set_aside_messages order by set_aside_at desc, id limit $1`,
    [limit],
    'list_set_aside',
  )
}

export interface AskedAgain {
  /** Null for all messages. */
  ids: readonly string[] | null
  now: Date
}

/** The accounts that have some of these messages set aside. */
export async function listAccountsOfSetAsideAcrossAccounts(
  db: Executor,
  ids: readonly string[] | null,
): Promise<string[]> {
  const rows = await db.query<{ accountId: string }>(
    `select distinct account_id from set_aside_messages where $1::text[] is null or id = any($1) order by account_id`,
    [ids],
    'list_accounts_of_set_aside',
  )
  return rows.map((row) => row.accountId)
}

/** Requests another try of an account's messages. Returns their number. */
export async function updateSetAsideToRetry(db: Executor, accountId: string, filter: AskedAgain): Promise<number> {
  return db.execute(
    `update set_aside_messages set retry_asked_at = $3 where account_id = $1 and ($2::text[] is null or id = any($2))`,
    [accountId, filter.ids, filter.now],
    'update_set_aside_to_retry',
  )
}

/** Marks a requested try as started. Returns false if no try is requested any more. */
export async function updateSetAsideBegun(db: Executor, tenant: Tenant, place: MessagePlace): Promise<boolean> {
  const begun = await db.execute(
    `update set_aside_messages set retry_asked_at = null where account_id = $1 and environment = $2 and sending_account_id = $3
       and folder = $4 and uid_validity = $5 and uid = $6 and retry_asked_at is not null`,
    [tenant.accountId, tenant.environment, place.sendingAccountId, place.folder, place.uidValidity, place.uid],
    'update_set_aside_begun',
  )
  return begun > 0
}
