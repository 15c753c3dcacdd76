import type { App } from '../app.ts'
import type { Executor, Transaction } from '../db/database.ts'
import type { Tenant } from '../tenant.ts'
import { insertJob } from './jobs.sql.ts'

/** Work for later, stored in the transaction of its cause. */
export interface NewJob {
  kind: string
  tenant: Tenant
  payload?: Record<string, unknown>
  /** When: in the tenant's time, or in real time with `clock: 'real'`. */
  runAt: Date
  clock?: 'tenant' | 'real'
  /**
   * At most one waiting job a (tenant, kind, key): a second enqueue keeps the earlier time. While the job runs, a
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

/** A handler must be safe to run twice: a job whose worker dies runs again when its lease ends. */
export interface JobHandler {
  kind: string
  /** Tries before the job is kept as dead; waits grow from 5 s to an hour. */
  maxAttempts: number
  run(context: JobContext, payload: Record<string, unknown>): Promise<void>
}

export const jobsChannel = 'overture_jobs'

export async function enqueueJob(tx: Executor, job: NewJob): Promise<void> {
  await insertJob(tx, job)
  if ('wake' in tx) (tx as Transaction).wake(jobsChannel)
}

const firstWaitMs = 5_000
const longestWaitMs = 3_600_000

/** 5 s, 15 s, 45 s … an hour. `attempt` counts from 1. */
export function retryWaitMs(attempt: number): number {
  return Math.min(firstWaitMs * 3 ** (attempt - 1), longestWaitMs)
}
