import { randomUUID } from 'node:crypto'
import { insertTestAccount } from '@overture/testing/delivery/delivery-fixtures.sql.ts'
import { findShare, renewShare, takeFreeMailboxes } from '../packages/server/src/inbox/mailboxes/share.shell.ts'
import type { Executor } from '../packages/server/src/platform/db/database.ts'
import { line, measure, type Stage } from './stage.ts'

const mailboxesPerWorker = 2_000
const tickSeconds = 5
const rounds = 3

/**
 * Measures the cost of watching mailboxes without any mail: the bookkeeping of each worker every five seconds, with 10,000 and with
 * 100,000 stored mailboxes. It is compared with an earlier design in which each worker renews the lease of each mailbox and counts
 * all mailboxes itself.
 */
export async function benchMailboxes(stage: Stage, storedMost: number): Promise<void> {
  const few = await bookkeeping(stage, storedMost / 10)
  const many = await bookkeeping(stage, storedMost)
  line(`mailboxes: ${storedMost}, one place / each for itself`, many.one / many.each, describeCores(many))
  line(`the same with ${storedMost / 10}`, few.one / few.each, describeCores(few))
  line('ten times the mailboxes and workers, one place', many.one / few.one, 'ten were in proportion')
  line('ten times the mailboxes and workers, each', many.each / few.each, '')
}

interface Bookkeeping {
  /** The share of a core that the ticks of all workers use. */
  one: number
  each: number
}

const describeCores = ({ one, each }: Bookkeeping): string => `${one.toFixed(3)} cores against ${each.toFixed(3)}`

async function bookkeeping({ app, db }: Stage, stored: number): Promise<Bookkeeping> {
  const workers = Array.from({ length: Math.ceil(stored / mailboxesPerWorker) }, () => randomUUID())
  await storeMailboxes(db, stored)
  for (const token of workers) {
    await renewShare(app, token)
    await takeFreeMailboxes(db, { token, limit: mailboxesPerWorker })
  }
  await storeAsBefore(db)
  await db.execute('analyze')
  const ofRounds = async (tick: (token: string) => Promise<unknown>): Promise<number> => {
    const { seconds } = await measure(async () => {
      for (let round = 0; round < rounds; round++) for (const token of workers) await tick(token)
    })
    return seconds / rounds / tickSeconds
  }
  // Five seconds allow one count per round. It is forced in each round, even if the previous count is still valid.
  const one = await ofRounds(async (token) => {
    if (token === workers[0]) await db.execute('update mailbox_counts set next_count_at = now()')
    await renewShare(app, token)
    await findShare(app)
  })
  const each = await ofRounds((token) => tickAsBefore(db, token))
  await db.execute('drop table mailboxes_before')
  await db.execute('truncate accounts, inbox_workers cascade')
  return { one, each }
}

async function storeMailboxes(db: Executor, stored: number): Promise<void> {
  const { accountId } = await insertTestAccount(db)
  await db.execute(
    `insert into sending_accounts (account_id, environment, id, email, from_name, provider, imap, status, daily_limit,
       min_gap_seconds, max_gap_seconds, timezone, created_at, updated_at)
     select $1, 'live', 'snd_' || n, 's' || n || '@example.com', 'S', 'smtp', '{}', 'active', 50, 1, 2, 'UTC', now(), now()
     from generate_series(1, $2::int) n`,
    [accountId, stored],
  )
  await db.execute(
    `insert into mailboxes (account_id, environment, sending_account_id, since, read_at)
     select account_id, environment, id, now(), now() from sending_accounts`,
  )
}

/** Stores the same leases in the earlier design: each mailbox has its own end of lease, with an index. */
async function storeAsBefore(db: Executor): Promise<void> {
  await db.execute(`create table mailboxes_before as select *, now() + interval '1 hour' as lease_until from mailboxes`)
  await db.execute('alter table mailboxes_before add primary key (account_id, environment, sending_account_id)')
  await db.execute(
    'create index mailboxes_before_free on mailboxes_before (lease_until nulls first, retry_at nulls first)',
  )
}

async function tickAsBefore(db: Executor, token: string): Promise<void> {
  await db.query(
    `update mailboxes_before set lease_until = now() + interval '1 hour' where lease_token = $1
     returning account_id, environment, sending_account_id, since, retry_count`,
    [token],
    'bench_renew',
  )
  await db.execute(
    `insert into mailboxes_before (account_id, environment, sending_account_id, since)
     select s.account_id, s.environment, s.id, s.created_at from sending_accounts s
     where s.environment = 'live' and s.provider <> 'sandbox' and (s.imap is not null or s.provider in ('google', 'microsoft'))
       and not exists (select from mailboxes_before b
         where b.account_id = s.account_id and b.environment = s.environment and b.sending_account_id = s.id)
     on conflict do nothing`,
    [],
    'bench_missing',
  )
  await db.query(
    `select
       (select count(*) from mailboxes_before m
        join sending_accounts s on s.account_id = m.account_id and s.environment = m.environment and s.id = m.sending_account_id
        where m.lease_until >= now() or ((m.retry_at is null or m.retry_at <= now()) and s.status <> 'auth_required')),
       (select count(*) from mailboxes_before m
        join sending_accounts s on s.account_id = m.account_id and s.environment = m.environment and s.id = m.sending_account_id
        where s.status = 'active' and coalesce(m.read_at, s.created_at) < now() - interval '15 minutes')`,
    [],
    'bench_count',
  )
}
