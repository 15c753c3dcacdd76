import type { Executor } from '../../platform/db/database.ts'
import type { MailboxCount, WorkToShare } from './sharing.ts'

/** Renews this worker's lease, which covers all mailboxes that it reads. */
export async function upsertInboxWorker(db: Executor, lease: { token: string; leaseMs: number }): Promise<void> {
  await db.execute(
    `insert into inbox_workers (token, lease_until) values ($1, now() + $2::int * interval '1 millisecond')
     on conflict (token) do update set lease_until = excluded.lease_until`,
    [lease.token, lease.leaseMs],
    'upsert_inbox_worker',
  )
}

/** Deletes workers whose lease has expired. Their mailboxes become free in the same statement. */
export async function deleteDeadInboxWorkers(db: Executor): Promise<void> {
  await db.execute(
    `delete from inbox_workers where token in
       (select token from inbox_workers where lease_until < now() for update skip locked)`,
    [],
    'delete_dead_inbox_workers',
  )
}

/** Marks a worker as stopping: its share goes to the other workers at once, but it keeps its lease until its mailboxes are closed. */
export async function updateInboxWorkerLeaving(db: Executor, token: string): Promise<void> {
  await db.execute('update inbox_workers set leaving = true where token = $1', [token], 'update_inbox_worker_leaving')
}

export async function deleteInboxWorker(db: Executor, token: string): Promise<void> {
  await db.execute('delete from inbox_workers where token = $1', [token], 'delete_inbox_worker')
}

/** The number of live workers, and the mailboxes to share at the last count. */
export async function findWorkToShare(db: Executor): Promise<WorkToShare> {
  const [row] = await db.query<WorkToShare>(
    `select coalesce(w.workers, 0) as workers, coalesce(c.mailboxes, 0) as mailboxes, coalesce(c.unread, 0) as unread
     from (select count(*)::int as workers from inbox_workers where lease_until >= now() and not leaving) w
     left join mailbox_counts c on true`,
    [],
    'find_work_to_share',
  )
  return row!
}

/** Returns whether a count is due that no other worker does. If that worker never finishes, another one counts after `goodMs`. */
export async function claimMailboxCount(db: Executor, goodMs: number): Promise<boolean> {
  const changed = await db.execute(
    `insert into mailbox_counts as c (next_count_at) values (now() + $1::int * interval '1 millisecond')
     on conflict (only_row) do update set next_count_at = excluded.next_count_at where c.next_count_at <= now()`,
    [goodMs],
    'claim_mailbox_count',
  )
  return changed === 1
}

/**
 * Counts mailboxes that are read or free. Mailboxes that wait longer than `soonMs` for their next try, or for their owner, are
 * not counted.
 */
export async function countMailboxesAcrossAccounts(
  db: Executor,
  bounds: { soonMs: number; longMs: number },
): Promise<MailboxCount> {
  const [row] = await db.query<MailboxCount>(
    `select count(*) filter (where m.lease_token is not null
         or ((m.retry_at is null or m.retry_at <= now() + $1::int * interval '1 millisecond')
           and s.status <> 'auth_required'))::int as mailboxes,
       count(*) filter (where s.status = 'active'
         and coalesce(m.read_at, s.created_at) < now() - $2::int * interval '1 millisecond')::int as unread
     from mailboxes m
     join sending_accounts s on s.account_id = m.account_id and s.environment = m.environment and s.id = m.sending_account_id`,
    [bounds.soonMs, bounds.longMs],
    'count_mailboxes',
  )
  return row!
}

export async function updateMailboxCount(db: Executor, count: MailboxCount & { goodMs: number }): Promise<void> {
  await db.execute(
    `update mailbox_counts set mailboxes = $1, unread = $2, next_count_at = now() + $3::int * interval '1 millisecond'`,
    [count.mailboxes, count.unread, count.goodMs],
    'update_mailbox_count',
  )
}
