import type { Executor } from '../../platform/db/database.ts'
import type { WorkToShare } from './sharing.ts'

/**
 * Says that this worker lives until the lease ends, and answers how many do and how much there is to share. Mailboxes that
 * wait longer than `soon` for their next try, or for their owner, are nobody's work now.
 */
export async function joinInboxWorkersAcrossAccounts(
  db: Executor,
  lease: { token: string; leaseMs: number; soonMs: number; longMs: number },
): Promise<WorkToShare> {
  const rows = await db.query<WorkToShare>(
    `with dead as (
       delete from inbox_workers where token in
         (select token from inbox_workers where lease_until < now() and token <> $1 for update skip locked)
     ), mine as (
       insert into inbox_workers (token, lease_until) values ($1, now() + $2::int * interval '1 millisecond')
       on conflict (token) do update set lease_until = excluded.lease_until
     )
     select 1 + (select count(*)::int from inbox_workers w where w.token <> $1 and w.lease_until >= now()) as workers,
       (select count(*)::int from mailboxes m
        join sending_accounts s on s.account_id = m.account_id and s.environment = m.environment and s.id = m.sending_account_id
        where m.lease_until >= now()
          or ((m.retry_at is null or m.retry_at <= now() + $3::int * interval '1 millisecond')
            and s.status <> 'auth_required')) as mailboxes,
       (select count(*)::int from mailboxes m
        join sending_accounts s on s.account_id = m.account_id and s.environment = m.environment and s.id = m.sending_account_id
        where s.status = 'active' and coalesce(m.read_at, s.created_at) < now() - $4::int * interval '1 millisecond') as unread`,
    [lease.token, lease.leaseMs, lease.soonMs, lease.longMs],
    'join_inbox_workers',
  )
  return rows[0]!
}

/** A worker that stops leaves its share to the others at once. */
export async function leaveInboxWorkersAcrossAccounts(db: Executor, token: string): Promise<void> {
  await db.execute('delete from inbox_workers where token = $1', [token], 'leave_inbox_workers')
}
