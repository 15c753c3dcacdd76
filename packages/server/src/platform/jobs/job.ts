import type { App } from '../app.ts'
import type { Transaction } from '../db/database.ts'
import type { Tenant } from '../tenant.ts'

/** Deferred work, stored in the transaction of its cause. */
export interface NewJob {
  kind: string
  tenant: Tenant
  payload?: Record<string, unknown>
  /** The due time: in the tenant's time, or in real time with `clock: 'real'`. */
  runAt: Date
  clock?: 'tenant' | 'real'
  /**
   * At most one job waits per tenant, kind and key: a second enqueue keeps the earlier time. If the job is running, a second
   * enqueue makes it run once more afterwards, at the given time.
   */
  key?: string
}

export interface JobContext {
  app: App
  tenant: Tenant
  /** The tenant's time (or real time for `clock: 'real'`). */
  now: Date
  attempt: number
  /** Aborted when the process stops or another worker has claimed the job. */
  signal: AbortSignal
}

/**
 * Kinds of jobs by the resource that they wait for. Each lane has its own places, so that slow models, foreign mail servers and
 * long scans of tables delay only jobs of their lane.
 */
export const jobLanes = ['quick', 'rows', 'mail', 'models'] as const
export type JobLane = (typeof jobLanes)[number]

/** A handler must be safe to run twice: a job whose worker dies runs again when its lease ends. */
export interface JobHandler {
  kind: string
  /** The number of tries before the job is kept as dead. The pauses between them grow from 5 s to an hour. */
  maxAttempts: number
  /** Defaults to `quick`. */
  lane?: JobLane
  /** Whether it only changes rows of the given database, so that it may run inside a longer transaction. */
  rowsOnly?: true
  run(context: JobContext, payload: Record<string, unknown>): Promise<void>
  /**
   * Ends what waits for the job, in the transaction that keeps the job as dead: the last try failed, or the workers of all tries
   * were killed.
   */
  giveUp?(tx: Transaction, tenant: Tenant, last: { payload: Record<string, unknown>; now: Date }): Promise<void>
}
