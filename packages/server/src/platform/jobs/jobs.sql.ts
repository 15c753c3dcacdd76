import type { Environment } from '@overture/contract/endpoint.ts'
import { listedRows, rowLists, type Executor, type ListColumn } from '../db/database.ts'
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
  /** The trace of the request that enqueued it. */
  trace: string | null
}

/** Identifies a job whose lease is ours. A statement that finds another token changes nothing. */
type JobLease = Pick<ClaimedJob, 'accountId' | 'id' | 'leaseToken'>

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

const columns: readonly ListColumn<NewJob>[] = [
  ['kind', 'text', (job) => job.kind],
  ['key', 'text', (job) => job.key],
  ['payload', 'jsonb', (job) => JSON.stringify(job.payload ?? {})],
  ['run_at', 'timestamptz', (job) => job.runAt],
  ['clock', 'text', (job) => job.clock ?? 'tenant'],
  ['trace', 'text', () => currentCause()],
]

/** Inserts several jobs of a tenant, in order. Returns their ids in that order. */
export async function insertJobs(db: Executor, tenant: Tenant, jobs: readonly NewJob[]): Promise<number[]> {
  const rows = await db.query<{ id: number }>(
    `insert into jobs (account_id, environment, kind, key, payload, run_at, clock, trace)
     select a.account_id, $2, t.kind, t.key, t.payload, t.run_at, t.clock, t.trace
     from accounts a, ${listedRows(columns, 3, { ordinal: true })} where a.account_id = $1 order by t.ordinal
     on conflict (account_id, environment, kind, key) where key is not null and dead_at is null
     do update set
       trace = coalesce(excluded.trace, jobs.trace),
       run_at = case when jobs.lease_token is null then least(jobs.run_at, excluded.run_at) else jobs.run_at end,
       again_at = case when jobs.lease_token is null then null else least(jobs.again_at, excluded.run_at) end
     returning id`,
    [tenant.accountId, tenant.environment, ...rowLists(columns, jobs)],
    'insert_jobs',
  )
  return rows.map((row) => row.id)
}

export interface ComingJob extends Pick<ClaimedJob, 'id' | 'kind' | 'payload' | 'runAt' | 'attempts'> {
  /** Whether a worker is running it. */
  claimed: boolean
}

/** The next jobs of a tenant's own clock, due or not. */
export async function listComingJobs(db: Executor, tenant: Tenant, limit: number): Promise<ComingJob[]> {
  return db.query<ComingJob>(
    `select id, kind, payload, run_at, attempts, coalesce(lease_until > now(), false) as claimed from jobs
     where account_id = $1 and environment = $2 and dead_at is null and clock = 'tenant'
     order by run_at, id limit $3`,
    [tenant.accountId, tenant.environment, limit],
    'list_coming_jobs',
  )
}

/** Deletes jobs that ran in the transaction that holds their tenant's clock. */
export async function deleteJobs(db: Executor, tenant: Tenant, ids: readonly number[]): Promise<number> {
  return db.execute(
    `delete from jobs where account_id = $1 and environment = $2 and id = any($3::bigint[]) and lease_token is null`,
    [tenant.accountId, tenant.environment, ids],
    'delete_jobs',
  )
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

/** Extends leases of an account's jobs. Returns the ids of those that are still ours. */
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

/** Deletes a finished job, unless it was enqueued again meanwhile. */
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
  /** The time of the next try by the job's own clock; null for no further try. */
  retryAt: Date | null
}

/**
 * Releases the job for another try, or keeps it as dead. A job that was enqueued again starts with new tries instead. Returns
 * whether the job is dead.
 */
export async function updateFailedJob(
  db: Executor,
  { accountId, id, leaseToken, error, retryAt }: FailedJob,
): Promise<boolean> {
  const [job] = await db.query<{ isDead: boolean }>(
    `update jobs set
       last_error = $4, lease_until = null, lease_token = null,
       run_at = coalesce(case when $5::timestamptz is null then again_at else least($5, again_at) end, run_at),
       attempts = case when $5 is null and again_at is not null then 0 else attempts end,
       dead_at = case when $5 is null and again_at is null then (select now()) end,
       again_at = null
     where account_id = $1 and id = $2 and lease_token = $3
     returning dead_at is not null as is_dead`,
    [accountId, id, leaseToken, error, retryAt],
    'update_failed_job',
  )
  return job?.isDead ?? false
}
