import type { App } from '../app.ts'
import type { Executor } from '../db/database.ts'
import type { Tenant } from '../tenant.ts'

/** Work for later, stored in the transaction of its cause. */
export interface NewJob {
  kind: string
  tenant: Tenant
  payload?: Record<string, unknown>
  /** When: in the tenant's time, or in real time with `clock: 'real'`. */
  runAt: Date
  clock?: 'tenant' | 'real'
  /** At most one waiting job a (tenant, kind, key); a second enqueue keeps the earlier time. */
  key?: string
}

export interface JobContext {
  app: App
  tenant: Tenant
  /** The tenant's time (or real time for `clock: 'real'`). */
  now: Date
  attempt: number
  signal: AbortSignal
}

/** A handler must be safe to run twice: a job whose worker dies runs again when its lease ends. */
export interface JobHandler {
  kind: string
  /** Tries before the job is kept as dead; waits grow from 5 s to an hour. */
  maxAttempts: number
  run(context: JobContext, payload: Record<string, unknown>): Promise<void>
}

export async function enqueueJob(tx: Executor, job: NewJob): Promise<void> {
  await tx.execute(
    `insert into jobs (account_id, environment, kind, key, payload, run_at, clock)
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (account_id, environment, kind, key) where key is not null and dead_at is null
     do update set run_at = least(jobs.run_at, excluded.run_at), again = jobs.lease_until is not null`,
    [
      job.tenant.accountId, job.tenant.environment, job.kind, job.key ?? null, JSON.stringify(job.payload ?? {}),
      job.runAt, job.clock ?? 'tenant',
    ],
    'enqueue_job',
  )
}
