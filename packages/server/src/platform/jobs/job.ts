import type { App } from '../app.ts'
import type { Tenant } from '../tenant.ts'

/** Work for later, stored in the transaction of its cause. */
export interface NewJob {
  kind: string
  tenant: Tenant
  payload?: Record<string, unknown>
  /** When: in the tenant's time, or in real time with `clock: 'real'`. */
  runAt: Date
  clock?: 'tenant' | 'real'
  /**
   * At most one waiting job per tenant, kind and key: a second enqueue keeps the earlier time. While the job runs, a
   * second enqueue makes it run once more afterwards, at the time given.
   */
  key?: string
}

export interface JobContext {
  app: App
  tenant: Tenant
  /** The tenant's time (or real time for `clock: 'real'`). */
  now: Date
  attempt: number
  /** Aborted when the process stops or another worker has taken the job over. */
  signal: AbortSignal
}

/**
 * What a kind of job waits for: each has places of its own, so that slow models, the mail servers of others and long ways
 * through rows keep nobody waiting but their like.
 */
export const jobLanes = ['quick', 'rows', 'mail', 'models'] as const
export type JobLane = (typeof jobLanes)[number]

/** A handler must be safe to run twice: a job whose worker dies runs again when its lease ends. */
export interface JobHandler {
  kind: string
  /** Tries before the job is kept as dead; waits grow from 5 s to an hour. */
  maxAttempts: number
  /** `quick` unless it says so. */
  lane?: JobLane
  /** Touches nothing but rows of the database that it is given: it may be part of a longer transaction. */
  rowsOnly?: true
  run(context: JobContext, payload: Record<string, unknown>): Promise<void>
}
