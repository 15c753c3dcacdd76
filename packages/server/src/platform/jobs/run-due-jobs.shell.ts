import { minuteMs } from '@overture/ground/time/spans.ts'
import { randomUUID } from 'node:crypto'
import type { App } from '../app.ts'
import { sleep } from '../clock.ts'
import type { Tenant } from '../tenant.ts'
import { claimNextTenantJob, hasDueTenantJob } from './claims.sql.ts'
import type { JobHandler } from './job.ts'
import { runJob } from './run-job.shell.ts'

const leaseMs = minuteMs
const pollMs = 10
const runsMax = 100_000

/**
 * Runs the jobs that are due by `now` on the tenant's own clock, one after the other in order of time, until none is left. This
 * includes jobs that those jobs enqueue, and it waits for jobs that another worker runs. Returns how many it ran.
 */
export async function runDueJobs(
  app: App,
  tenant: Tenant,
  now: Date,
  handlers: readonly JobHandler[],
): Promise<number> {
  const kinds = handlers.map((handler) => handler.kind)
  let count = 0
  for (;;) {
    if (await runNextDueJob(app, { tenant, now, handlers })) {
      if (++count === runsMax) throw new Error(`More than ${runsMax} jobs fell due at once.`)
    } else if (await hasDueTenantJob(app.db, tenant, { kinds, now })) {
      await sleep(pollMs)
    } else {
      return count
    }
  }
}

/** Runs the first due job of the tenant's own clock. Returns false if no job of these kinds is due. */
export async function runNextDueJob(
  app: App,
  { tenant, now, handlers }: { tenant: Tenant; now: Date; handlers: readonly JobHandler[] },
): Promise<boolean> {
  const kinds = handlers.map((handler) => handler.kind)
  const job = await claimNextTenantJob(app.db, tenant, { kinds, now, leaseMs, leaseToken: randomUUID() })
  const handler = handlers.find(({ kind }) => kind === job?.kind)
  if (job === null || !handler) return false
  await runJob({ app, job, handler, now, signal: new AbortController().signal })
  return true
}
