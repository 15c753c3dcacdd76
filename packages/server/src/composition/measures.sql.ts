import type { Executor } from '../platform/db/database.ts'

/** The backlog of the whole service, the same in every process. `Seconds` fields are the wait of the oldest entry. */
export interface ServiceFacts {
  dueTenants: number
  dueSeconds: number
  underWay: number
  uncertain: number
  jobsWaiting: number
  jobsSeconds: number
  jobsDead: number
  webhooksPending: number
  webhooksSeconds: number
  databaseBytes: number
  lastBackup: string | null
}

/** Covers live mail and work that runs by real time. Counts are bounded, so that the query stays fast with a large backlog. */
export async function findServiceFactsAcrossAccounts(
  db: Executor,
  { now, rowsMax }: { now: Date; rowsMax: number },
): Promise<ServiceFacts> {
  const seconds = (oldest: string) =>
    `coalesce(greatest(0, extract(epoch from $1::timestamptz - ${oldest})), 0)::float8`
  const [row] = await db.query<ServiceFacts>(
    `select
       (select count(*) from (select 1 from planning where environment = 'live' and next_plan_at <= $1 limit $2) d) as due_tenants,
       (select ${seconds('min(next_plan_at)')} from planning
        where environment = 'live' and next_plan_at <= $1) as due_seconds,
       (select count(*) from claims where environment = 'live' and lease_until is not null) as under_way,
       (select count(*) from claims where environment = 'live' and lease_until is null) as uncertain,
       (select count(*) from (select 1 from jobs where dead_at is null and environment = 'live' and run_at <= $1 limit $2) j)
         as jobs_waiting,
       (select ${seconds('min(run_at)')} from jobs
        where dead_at is null and environment = 'live' and run_at <= $1 and attempts = 0) as jobs_seconds,
       (select count(*) from (select 1 from jobs where dead_at is not null limit $2) d) as jobs_dead,
       (select count(*) from (select 1 from webhook_deliveries where status = 'pending' limit $2) w) as webhooks_pending,
       (select ${seconds('min(created_at)')} from (select created_at from webhook_deliveries where status = 'pending' limit $2) w)
         as webhooks_seconds,
       pg_database_size(current_database()) as database_bytes,
       (select value #>> '{}' from settings where name = 'last_backup') as last_backup`,
    [now, rowsMax],
  )
  if (row === undefined) throw new Error('The database gave no answer.')
  return row
}

export async function countSendersByStatusAcrossAccounts(db: Executor): Promise<{ status: string; count: number }[]> {
  return db.query(
    `select status, count(*) as count from sending_accounts where environment = 'live' group by status order by status`,
  )
}
