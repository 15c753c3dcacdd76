import type { Executor, Transaction } from '../platform/db/database.ts'
import type { Tenant } from '../platform/tenant.ts'
import { countSql } from '../analytics/index.ts'
import { plannerLeaseMs, runLeaseMs, type DayCount, type SandboxClock } from './clock.ts'

const countedInRuns = [
  'sent',
  'opened',
  'clicked',
  'replied',
  'auto_replied',
  'bounced',
  'unsubscribed',
  'interested',
  'meetings_booked',
] as const

const runCounts = countedInRuns.map((column) => `${countSql(column)} as ${column}`).join(', ')

/** Locks the account's clock until the transaction ends. The row is made on first use. */
export async function lockClock(db: Executor, tenant: Tenant): Promise<SandboxClock> {
  const [row] = await db.query<SandboxClock>(
    `insert into sandbox_clocks (account_id) values ($1)
     on conflict (account_id) do update set account_id = excluded.account_id returning offset_ms, frozen_at`,
    [tenant.accountId],
  )
  return row ?? { offsetMs: 0, frozenAt: null }
}

export async function updateClock(db: Executor, tenant: Tenant, clock: SandboxClock): Promise<void> {
  await db.execute('update sandbox_clocks set offset_ms = $2, frozen_at = $3 where account_id = $1', [
    tenant.accountId,
    clock.offsetMs,
    clock.frozenAt,
  ])
}

export interface RunRow {
  fromAt: Date
  targetAt: Date
  wasFrozen: boolean
  /** Events of the run have a higher position and a higher transaction: an older transaction may still append an event. */
  eventsAfter: number
  eventsTx: string
  leaseToken: string
  /** By the database's clock, like every lease. */
  leaseUntil: Date
  /** Whether a process holds the lease. Any process may take over a run whose lease has expired. */
  isHeld: boolean
}

const runColumns = ['from_at', 'target_at', 'was_frozen', 'events_after', 'lease_token', 'lease_until']
const selectRun = (alias: string, isHeld: string) =>
  [...runColumns.map((name) => `${alias}.${name}`), `${alias}.events_tx::text`, `${isHeld} as is_held`].join(', ')
const inMs = (parameter: string) => `now() + ${parameter}::int * interval '1 millisecond'`

export async function findRun(db: Executor, tenant: Tenant): Promise<RunRow | null> {
  const [row] = await db.query<RunRow>(
    `select ${selectRun('r', 'r.lease_until > now()')} from sandbox_runs r where r.account_id = $1`,
    [tenant.accountId],
    'find_sandbox_run',
  )
  return row ?? null
}

/**
 * Leases are written and compared by the database's clock. The planner's lease ends later, so that after a crash the run is
 * taken over before another planner can plan.
 */
const leases = [runLeaseMs, plannerLeaseMs]

/** Locks a run whose lease expired until the transaction ends, and returns its lease token. Null: there is none. */
async function lockAbandonedRun(tx: Transaction, tenant: Tenant): Promise<string | null> {
  const [row] = await tx.query<{ leaseToken: string }>(
    `select lease_token from sandbox_runs where account_id = $1 and lease_until < now() for update`,
    [tenant.accountId],
    'lock_sandbox_run',
  )
  return row?.leaseToken ?? null
}

/** Moves the planning lease from the earlier holder of the run to the new one. */
async function takePlanner(
  tx: Transaction,
  tenant: Tenant,
  tokens: { before: string; leaseToken: string },
): Promise<void> {
  await tx.execute(
    `update planning set lease_token = $4, lease_until = ${inMs('$5')}
     where account_id = $1 and environment = $2 and lease_token = $3`,
    [tenant.accountId, tenant.environment, tokens.before, tokens.leaseToken, plannerLeaseMs],
    'take_planner_of_run',
  )
}

/** The position of the last event in the log. */
async function findLastPosition(tx: Transaction): Promise<number> {
  const [row] = await tx.query<{ position: number }>(
    `select coalesce(pg_sequence_last_value('events_position'), 0) as position`,
  )
  return row!.position
}

/** Starts a run, or takes over one whose lease expired. Returns null if another process holds the run. */
export async function insertRun(
  tx: Transaction,
  tenant: Tenant,
  run: Pick<RunRow, 'fromAt' | 'targetAt' | 'wasFrozen' | 'leaseToken'>,
): Promise<RunRow | null> {
  const before = await lockAbandonedRun(tx, tenant)
  const values = [tenant.accountId, run.fromAt, run.targetAt, run.wasFrozen, await findLastPosition(tx)]
  const [row] = await tx.query<RunRow>(
    `insert into sandbox_runs as r (account_id, from_at, target_at, was_frozen, events_after, lease_token, lease_until)
     values ($1, $2, $3, $4, $5, $6, ${inMs('$7')})
     on conflict (account_id) do update set from_at = excluded.from_at, target_at = excluded.target_at,
       events_after = excluded.events_after, events_tx = excluded.events_tx, lease_token = excluded.lease_token,
       lease_until = excluded.lease_until
     where r.lease_token = $8
     returning ${selectRun('r', 'true')}`,
    [...values, run.leaseToken, runLeaseMs, before],
  )
  if (row === undefined) return null
  if (before !== null) await takePlanner(tx, tenant, { before, leaseToken: run.leaseToken })
  return row
}

/** Takes the leases of a run whose lease expired. */
export async function claimAbandonedRun(tx: Transaction, tenant: Tenant, leaseToken: string): Promise<RunRow | null> {
  const before = await lockAbandonedRun(tx, tenant)
  if (before === null) return null
  const [row] = await tx.query<RunRow>(
    `update sandbox_runs r set lease_token = $2, lease_until = ${inMs('$3')} where r.account_id = $1
     returning ${selectRun('r', 'true')}`,
    [tenant.accountId, leaseToken, runLeaseMs],
  )
  await takePlanner(tx, tenant, { before, leaseToken })
  return row ?? null
}

export interface HeldRun {
  /** False: another process has taken over the run. */
  held: boolean
  /** False: another planner holds the planning lease. */
  planning: boolean
}

/**
 * Moves the clock of a run and renews its leases. The run stays locked until the transaction ends, so that two processes never
 * move one clock. The clock is locked first, because a transaction that holds the clock may want to wake the planner.
 */
export async function moveClock(
  tx: Transaction,
  tenant: Tenant,
  move: { leaseToken: string; at: Date },
): Promise<HeldRun> {
  await tx.query(
    'select account_id from sandbox_clocks where account_id = $1 for no key update',
    [tenant.accountId],
    'lock_moving_clock',
  )
  const [row] = await tx.query<HeldRun>(
    `with run as (
       update sandbox_runs r set lease_until = ${inMs('$5')}
       where r.account_id = $1 and r.lease_token = $3 returning r.account_id
     ), planner as (
       update planning p set lease_until = ${inMs('$6')} from run
       where p.account_id = $1 and p.environment = $4 and p.lease_token = $3 returning p.account_id
     ), moved as (
       update sandbox_clocks c set frozen_at = $2 from run where c.account_id = $1
     )
     select exists (select 1 from run) as held, exists (select 1 from planner) as planning`,
    [tenant.accountId, move.at, move.leaseToken, tenant.environment, ...leases],
    'move_sandbox_clock',
  )
  return row ?? { held: false, planning: false }
}

/** Renews the leases of a run while its process works. */
export async function renewRun(db: Executor, tenant: Tenant, leaseToken: string): Promise<void> {
  await db.execute(
    `with run as (
       update sandbox_runs set lease_until = ${inMs('$4')} where account_id = $1 and lease_token = $2 returning account_id
     )
     update planning p set lease_until = ${inMs('$5')} from run
     where p.account_id = $1 and p.environment = $3 and p.lease_token = $2`,
    [tenant.accountId, leaseToken, tenant.environment, ...leases],
    'renew_sandbox_run',
  )
}

/** Ends the lease, so that the next process can continue the run at once. */
export async function expireRun(db: Executor, tenant: Tenant, leaseToken: string): Promise<void> {
  const text = 'update sandbox_runs set lease_until = to_timestamp(0) where account_id = $1 and lease_token = $2'
  await db.execute(text, [tenant.accountId, leaseToken])
}

/**
 * Takes the planning lease while the clock is being moved. Returns false if another planner holds it. The wake-up time is not
 * changed.
 */
export async function claimPlanner(db: Executor, tenant: Tenant, leaseToken: string): Promise<boolean> {
  const values = [tenant.accountId, tenant.environment, leaseToken, plannerLeaseMs]
  const changed = await db.execute(
    `update planning set lease_token = $3, lease_until = ${inMs('$4')}
     where account_id = $1 and environment = $2 and (lease_until is null or lease_until < now() or lease_token = $3)`,
    values,
  )
  if (changed > 0) return true
  const added = await db.execute(
    `insert into planning (account_id, environment, lease_token, lease_until) values ($1, $2, $3, ${inMs('$4')})
     on conflict do nothing`,
    values,
  )
  return added > 0
}

export async function releasePlanner(db: Executor, tenant: Tenant, leaseToken: string): Promise<void> {
  await db.execute(
    `update planning set lease_token = null, lease_until = null
     where account_id = $1 and environment = $2 and lease_token = $3`,
    [tenant.accountId, tenant.environment, leaseToken],
  )
}

export async function deleteRun(db: Executor, tenant: Tenant, leaseToken: string): Promise<boolean> {
  const text = 'delete from sandbox_runs where account_id = $1 and lease_token = $2'
  return (await db.execute(text, [tenant.accountId, leaseToken])) > 0
}

export interface NextInstants {
  planAt: Date | null
  jobAt: Date | null
  /** The kind of that job. */
  jobKind: string | null
  /** Whether another worker plans or has claims under a lease. The clock must wait for it. */
  othersWork: boolean
}

/** Finds when each part of the engine has work next, in one round trip. */
export async function findNextInstants(db: Executor, tenant: Tenant, leaseToken: string): Promise<NextInstants> {
  const [row] = await db.query<NextInstants>(
    `select
       (select next_plan_at from planning where account_id = $1 and environment = $2) as plan_at,
       job.run_at as job_at, job.kind as job_kind,
       exists (select 1 from planning
        where account_id = $1 and environment = $2 and lease_until > now() and lease_token <> $3)
       or exists (select 1 from claims
        where account_id = $1 and environment = $2 and lease_until is not null)
       or job.lease_until > now() as others_work
     from (select) one left join lateral (
       select run_at, kind, lease_until from jobs
       where account_id = $1 and environment = $2 and dead_at is null and clock = 'tenant' order by run_at, id limit 1
     ) job on true`,
    [tenant.accountId, tenant.environment, leaseToken],
    'find_next_instants',
  )
  return row ?? { planAt: null, jobAt: null, jobKind: null, othersWork: false }
}

/** The event counts of a run by day (UTC), counted as in statistics. */
export async function countRunEvents(
  db: Executor,
  tenant: Tenant,
  range: { after: number; tx: string; from: Date; to: Date },
): Promise<DayCount[]> {
  return db.query<DayCount>(
    `select to_char(e.occurred_at at time zone 'UTC', 'YYYY-MM-DD') as date, ${runCounts}
     from events e
     where e.account_id = $1 and e.environment = $2 and e.tx_id >= $6::xid8 and e.position > $3
       and e.occurred_at >= $4 and e.occurred_at <= $5
     group by 1`,
    [tenant.accountId, tenant.environment, range.after, range.from, range.to, range.tx],
  )
}

/** The account's clock. A clock that was never moved shows real time. */
export async function findClock(db: Executor, tenant: Tenant): Promise<SandboxClock> {
  const [row] = await db.query<SandboxClock>('select offset_ms, frozen_at from sandbox_clocks where account_id = $1', [
    tenant.accountId,
  ])
  return row ?? { offsetMs: 0, frozenAt: null }
}

/**
 * Updates PostgreSQL's statistics of the tables. In a fresh database autovacuum runs only a minute later, when a run of three
 * weeks has already ended. Until then plans made for empty tables would read whole tables.
 */
export async function analyzeRunTables(db: Executor): Promise<void> {
  await db.execute(
    `analyze message_heads, message_contents, claims, lead_profiles, lead_progress, threads, jobs, sandbox_messages,
       suppressions, sender_days, campaign_days`,
  )
}

/** Makes statements of this transaction fail if they wait this long for a lock, on each server of a distributed database. */
export async function limitLockWait(tx: Executor, waitMs: number): Promise<void> {
  await tx.execute(`set local lock_timeout = ${waitMs}`)
}
