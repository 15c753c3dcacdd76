import type { Environment } from '@overture/contract/endpoint.ts'
import type { Executor } from '../db/database.ts'
import type { Tenant } from '../tenant.ts'
import { currentCause } from '../traces/traces.shell.ts'
import type { NewJob } from './job.ts'

export interface ClaimedJob {
  accountId: string
  environment: Environment
  id: number
  kind: string
  payload: Record<string, unknown>
  clock: 'tenant' | 'real'
  runAt: Date
  attempts: number
  leaseToken: string
  /** What asked for it, in a trace. */
  trace: string | null
}

/** Names a job whose lease is ours; a statement that finds another token changes nothing. */
type JobLease = Pick<ClaimedJob, 'accountId' | 'id' | 'leaseToken'>

const claimed = `j.account_id, j.environment, j.id, j.kind, j.payload, j.clock, j.run_at, j.attempts, j.lease_token, j.trace`

export async function insertJob(db: Executor, job: NewJob): Promise<void> {
  await db.execute(
    `insert into jobs (account_id, environment, kind, key, payload, run_at, clock, trace)
     values ($1, $2, $3, $4, $5, $6, $7, $8)
     on conflict (account_id, environment, kind, key) where key is not null and dead_at is null
     do update set
       trace = coalesce(excluded.trace, jobs.trace),
       run_at = case when jobs.lease_token is null then least(jobs.run_at, excluded.run_at) else jobs.run_at end,
       again_at = case when jobs.lease_token is null then null else least(jobs.again_at, excluded.run_at) end`,
    [
      job.tenant.accountId,
      job.tenant.environment,
      job.kind,
      job.key ?? null,
      JSON.stringify(job.payload ?? {}),
      job.runAt,
      job.clock ?? 'tenant',
      currentCause(),
    ],
    'insert_job',
  )
}

/** The same for several of a tenant, in order; answers their ids in that order. */
export async function insertJobs(db: Executor, tenant: Tenant, jobs: readonly NewJob[]): Promise<number[]> {
  const rows = await db.query<{ id: number }>(
    `insert into jobs (account_id, environment, kind, key, payload, run_at, clock, trace)
     select a.account_id, $2, t.kind, t.key, t.payload, t.run_at, t.clock, $8
     from accounts a, unnest($3::text[], $4::text[], $5::jsonb[], $6::timestamptz[], $7::text[]) with ordinality
       t (kind, key, payload, run_at, clock, ordinal) where a.account_id = $1 order by t.ordinal
     on conflict (account_id, environment, kind, key) where key is not null and dead_at is null
     do update set
       trace = coalesce(excluded.trace, jobs.trace),
       run_at = case when jobs.lease_token is null then least(jobs.run_at, excluded.run_at) else jobs.run_at end,
       again_at = case when jobs.lease_token is null then null else least(jobs.again_at, excluded.run_at) end
     returning id`,
    [
      tenant.accountId,
      tenant.environment,
      jobs.map((job) => job.kind),
      jobs.map((job) => job.key ?? null),
      jobs.map((job) => JSON.stringify(job.payload ?? {})),
      jobs.map((job) => job.runAt),
      jobs.map((job) => job.clock ?? 'tenant'),
      currentCause(),
    ],
    'insert_jobs',
  )
  return rows.map((row) => row.id)
}

export interface ComingJob extends Pick<ClaimedJob, 'id' | 'kind' | 'payload' | 'runAt' | 'attempts'> {
  /** Somebody is at it. */
  claimed: boolean
}

/** The jobs of a tenant's own clock that come next, due or not. */
export async function listComingJobs(db: Executor, tenant: Tenant, limit: number): Promise<ComingJob[]> {
  return db.query<ComingJob>(
    `select id, kind, payload, run_at, attempts, coalesce(lease_until > now(), false) as claimed from jobs
     where account_id = $1 and environment = $2 and dead_at is null and clock = 'tenant'
     order by run_at, id limit $3`,
    [tenant.accountId, tenant.environment, limit],
    'list_coming_jobs',
  )
}

/** Removes jobs that were run in the transaction that holds their tenant's clock. */
export async function deleteJobs(db: Executor, tenant: Tenant, ids: readonly number[]): Promise<number> {
  return db.execute(
    `delete from jobs where account_id = $1 and environment = $2 and id = any($3::bigint[]) and lease_token is null`,
    [tenant.accountId, tenant.environment, ids],
    'delete_jobs',
  )
}

interface ClaimOptions {
  kinds: readonly string[]
  /** Real time. */
  now: Date
  limit: number
  leaseMs: number
  leaseToken: string
}

interface SharedClaimOptions extends ClaimOptions {
  /** Jobs that an account may have under way here, and how many it has. */
  perAccountMax: number
  underWay: ReadonlyMap<string, number>
}

/**
 * Takes the jobs that are due in any account, the oldest first, and of no account more than it has places. Live and
 * real-time jobs go by `now`; the rest by their test environment's clock, which has a row only once it was moved. Each
 * branch reads its own index from the front, kind by kind.
 */
export function claimDueJobsAcrossAccounts(db: Executor, options: SharedClaimOptions): Promise<ClaimedJob[]> {
  const { perAccountMax, underWay } = options
  const busy = [...underWay]
  return db.query(
    `with under_way as (
       select * from unnest($6::text[], $7::int[]) as u(account_id, count)
     ), full_accounts as (
       select array(select account_id from under_way where count >= $8) as ids
     ), candidates as (
       (select due.* from unnest($1::text[]) kind cross join lateral (
          select account_id, id, run_at from jobs
          where jobs.kind = kind.kind and dead_at is null and (environment = 'live' or clock = 'real') and run_at <= $2
            and (lease_until is null or lease_until < now()) and account_id <> all((select ids from full_accounts)::text[])
          order by run_at limit $3) due)
       union all
       (select due.* from unnest($1::text[]) kind cross join lateral (
          select account_id, id, run_at from jobs
          where jobs.kind = kind.kind and dead_at is null and environment = 'test' and clock = 'tenant' and run_at <= $2
            and (lease_until is null or lease_until < now()) and account_id <> all((select ids from full_accounts)::text[])
            and not exists (select 1 from sandbox_clocks c where c.account_id = jobs.account_id)
          order by run_at limit $3) due)
       union all
       (select due.account_id, due.id, due.run_at
        from sandbox_clocks c cross join lateral (
          select account_id, id, run_at from jobs
          where account_id = c.account_id and environment = 'test' and clock = 'tenant' and dead_at is null
            and run_at <= coalesce(c.frozen_at, $2::timestamptz + c.offset_ms * interval '1 millisecond')
            and kind = any($1) and (lease_until is null or lease_until < now())
            and account_id <> all((select ids from full_accounts)::text[])
          order by run_at limit $3) due
        limit $3)
     ), placed as (
       select c.*, row_number() over (partition by c.account_id order by c.run_at, c.id) + coalesce(u.count, 0) as place
       from candidates c left join under_way u on u.account_id = c.account_id
     ), taken as (
       select j.account_id, j.id
       from jobs j join placed c on c.account_id = j.account_id and c.id = j.id and c.place <= $8
       where j.dead_at is null and (j.lease_until is null or j.lease_until < now())
       order by c.run_at limit $3
       for update of j skip locked
     )
     update jobs j
     set lease_until = now() + $4 * interval '1 millisecond', lease_token = $5, attempts = j.attempts + 1
     from taken where j.account_id = taken.account_id and j.id = taken.id
     returning ${claimed}`,
    [
      options.kinds,
      options.now,
      options.limit,
      options.leaseMs,
      options.leaseToken,
      busy.map(([accountId]) => accountId),
      busy.map(([, count]) => count),
      perAccountMax,
    ],
    'claim_due_jobs',
  )
}

/** The one job of the tenant's own clock that is due first, or none. */
export async function claimNextTenantJob(
  db: Executor,
  tenant: Tenant,
  options: Omit<ClaimOptions, 'limit'>,
): Promise<ClaimedJob | null> {
  const [job] = await db.query<ClaimedJob>(
    `with taken as (
       select id from jobs
       where account_id = $1 and environment = $2 and dead_at is null and clock = 'tenant' and run_at <= $3
         and kind = any($4) and (lease_until is null or lease_until < now())
       order by run_at, id limit 1
       for update skip locked
     )
     update jobs j
     set lease_until = now() + $5 * interval '1 millisecond', lease_token = $6, attempts = j.attempts + 1
     from taken where j.account_id = $1 and j.id = taken.id
     returning ${claimed}`,
    [tenant.accountId, tenant.environment, options.now, options.kinds, options.leaseMs, options.leaseToken],
    'claim_next_tenant_job',
  )
  return job ?? null
}

/**
 * Whether a job is due by then, claimed or not. One that could not be claimed is somebody else's: also before the lease
 * can be seen, while the claim commits and its lock alone keeps others away, which takes as long as the disk does.
 */
export async function hasDueTenantJob(
  db: Executor,
  tenant: Tenant,
  { kinds, now }: Pick<ClaimOptions, 'kinds' | 'now'>,
): Promise<boolean> {
  const rows = await db.query(
    `select 1 from jobs
     where account_id = $1 and environment = $2 and dead_at is null and clock = 'tenant' and run_at <= $3
       and kind = any($4)
     limit 1`,
    [tenant.accountId, tenant.environment, now, kinds],
    'has_due_tenant_job',
  )
  return rows.length > 0
}

/** When the tenant's next job is due by its own clock. */
export async function findNextJobTime(db: Executor, tenant: Tenant): Promise<Date | null> {
  const [row] = await db.query<{ runAt: Date }>(
    `select run_at from jobs
     where account_id = $1 and environment = $2 and dead_at is null and clock = 'tenant'
     order by run_at limit 1`,
    [tenant.accountId, tenant.environment],
  )
  return row?.runAt ?? null
}

/** Lengthens leases of an account's jobs; answers the ids of those still ours. */
export async function renewJobLeases(
  db: Executor,
  accountId: string,
  leases: readonly JobLease[],
  leaseMs: number,
): Promise<number[]> {
  const rows = await db.query<{ id: number }>(
    `update jobs j set lease_until = now() + $4 * interval '1 millisecond'
     from unnest($2::bigint[], $3::uuid[]) as mine(id, lease_token)
     where j.account_id = $1 and j.id = mine.id and j.lease_token = mine.lease_token
     returning j.id`,
    [accountId, leases.map((lease) => lease.id), leases.map((lease) => lease.leaseToken), leaseMs],
    'renew_job_leases',
  )
  return rows.map((row) => row.id)
}

/** Removes a finished job, unless it was enqueued again meanwhile. */
export async function deleteFinishedJob(db: Executor, { accountId, id, leaseToken }: JobLease): Promise<boolean> {
  const count = await db.execute(
    'delete from jobs where account_id = $1 and id = $2 and lease_token = $3 and again_at is null',
    [accountId, id, leaseToken],
    'delete_finished_job',
  )
  return count > 0
}

export async function updateJobToRunAgain(db: Executor, { accountId, id, leaseToken }: JobLease): Promise<void> {
  await db.execute(
    `update jobs set run_at = again_at, again_at = null, attempts = 0, lease_until = null, lease_token = null,
       last_error = null
     where account_id = $1 and id = $2 and lease_token = $3 and again_at is not null`,
    [accountId, id, leaseToken],
    'update_job_to_run_again',
  )
}

interface FailedJob extends JobLease {
  error: string
  /** In the job's own clock; null: no further try. */
  retryAt: Date | null
}

/** Gives the job back for another try, or keeps it as dead. One that was enqueued again starts afresh instead. */
export async function updateFailedJob(
  db: Executor,
  { accountId, id, leaseToken, error, retryAt }: FailedJob,
): Promise<void> {
  await db.execute(
    `update jobs set
       last_error = $4, lease_until = null, lease_token = null,
       run_at = coalesce(case when $5::timestamptz is null then again_at else least($5, again_at) end, run_at),
       attempts = case when $5 is null and again_at is not null then 0 else attempts end,
       dead_at = case when $5 is null and again_at is null then (select now()) end,
       again_at = null
     where account_id = $1 and id = $2 and lease_token = $3`,
    [accountId, id, leaseToken, error, retryAt],
    'update_failed_job',
  )
}
