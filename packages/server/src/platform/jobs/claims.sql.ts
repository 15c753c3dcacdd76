import type { Executor } from '../db/database.ts'
import type { Tenant } from '../tenant.ts'
import type { WaitingJob } from './job-places.ts'
import type { ClaimedJob } from './jobs.sql.ts'

interface DueOptions {
  kinds: readonly string[]
  /** Real time. */
  now: Date
  /** The limit per kind and per clock. */
  limit: number
  /** Accounts without a free place. */
  full: readonly string[]
}

export interface ClaimOptions {
  now: Date
  leaseMs: number
  leaseToken: string
}

const claimed = `j.account_id, j.environment, j.id, j.kind, j.payload, j.clock, j.run_at, j.attempts, j.lease_token, j.trace`
const free = `dead_at is null and (lease_until is null or lease_until < now())`
const byRealTime = `(environment = 'live' or clock = 'real')`
const byTestClock = `environment = 'test' and clock = 'tenant'`

/** The time of a test environment whose clock was moved; only such a clock has a row. */
function movedClock(now: string): string {
  return `coalesce(c.frozen_at, ${now}::timestamptz + c.offset_ms * interval '1 millisecond')`
}

/** The time of the test environment of account $1, whether or not its clock was moved. */
function testClock(now: string): string {
  return `coalesce((select ${movedClock(now)} from sandbox_clocks c where c.account_id = $1), ${now}::timestamptz)`
}

// Each kind has its own branch, which reads its own range of an index from the start: thousands of jobs of one kind delay no other kind.
function firstOfEach(branches: readonly string[]): string {
  return branches.map((branch) => `(${branch} order by run_at limit $2)`).join('\nunion all\n')
}

/** The first due jobs of each kind by real time: live and real-time jobs, and those of test environments whose clock was never moved. */
export async function listDueJobsAcrossAccounts(
  db: Executor,
  { kinds, now, limit, full }: DueOptions,
): Promise<WaitingJob[]> {
  if (kinds.length === 0) return []
  const due = `select account_id, id, run_at from jobs where run_at <= $1 and ${free} and account_id <> all($3::text[])`
  const unmoved = `not exists (select 1 from sandbox_clocks c where c.account_id = jobs.account_id)`
  const branches = kinds.flatMap((_, index) => [
    `${due} and kind = $${index + 4} and ${byRealTime}`,
    `${due} and kind = $${index + 4} and ${byTestClock} and ${unmoved}`,
  ])
  return db.query<WaitingJob>(firstOfEach(branches), [now, limit, full, ...kinds], `list_due_jobs_${kinds.length}`)
}

/** Accounts whose test environment has a job that is due by a moved clock. */
export async function listDueTestClocksAcrossAccounts(
  db: Executor,
  { kinds, now, limit, full }: DueOptions,
): Promise<string[]> {
  const rows = await db.query<{ accountId: string }>(
    `select c.account_id from sandbox_clocks c
     where c.account_id <> all($3::text[]) and exists (
       select 1 from jobs where jobs.account_id = c.account_id and kind = any($4) and ${byTestClock}
         and run_at <= ${movedClock('$1')} and ${free})
     limit $2`,
    [now, limit, full, kinds],
    'list_due_test_clocks',
  )
  return rows.map((row) => row.accountId)
}

/** The first due jobs of each kind by the clock of an account's test environment. */
export async function listDueTestJobs(
  db: Executor,
  accountId: string,
  { kinds, now, limit }: Omit<DueOptions, 'full'>,
): Promise<WaitingJob[]> {
  if (kinds.length === 0) return []
  const due = `select account_id, id, run_at from jobs where account_id = $1 and run_at <= ${testClock('$3')} and ${free}`
  const branches = kinds.map((_, index) => `${due} and kind = $${index + 4} and ${byTestClock}`)
  return db.query<WaitingJob>(
    firstOfEach(branches),
    [accountId, limit, now, ...kinds],
    `list_due_test_jobs_${kinds.length}`,
  )
}

/** Claims the given jobs of an account that are still free and still due. */
export function claimJobs(
  db: Executor,
  accountId: string,
  ids: readonly number[],
  { now, leaseMs, leaseToken }: ClaimOptions,
): Promise<ClaimedJob[]> {
  return db.query<ClaimedJob>(
    `update jobs j
     set lease_until = now() + $4 * interval '1 millisecond', lease_token = $5, attempts = j.attempts + 1
     from (
       select id from jobs
       where account_id = $1 and id = any($2::bigint[]) and ${free}
         and run_at <= case when ${byRealTime} then $3::timestamptz else ${testClock('$3')} end
       for update skip locked
     ) due
     where j.account_id = $1 and j.id = due.id
     returning ${claimed}`,
    [accountId, ids, now, leaseMs, leaseToken],
    'claim_jobs',
  )
}

/** Claims the first due job of the tenant's own clock, if there is one. */
export async function claimNextTenantJob(
  db: Executor,
  tenant: Tenant,
  options: ClaimOptions & Pick<DueOptions, 'kinds'>,
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
 * Whether a job is due by then, claimed or not. A due job that could not be claimed belongs to another worker. Its lease may not
 * be visible yet: while the claim commits, which takes as long as a disk write, only its lock shows it.
 */
export async function hasDueTenantJob(
  db: Executor,
  tenant: Tenant,
  { kinds, now }: Pick<DueOptions, 'kinds' | 'now'>,
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
