import { minuteMs } from '@overture/ground/time/spans.ts'
import type { Transaction } from '../platform/db/database.ts'
import type { JobHandler } from '../platform/jobs/job.ts'
import { enqueueJob } from '../platform/jobs/jobs.shell.ts'
import type { Tenant } from '../platform/tenant.ts'
import { findNextExpiry } from './list-entries.sql.ts'
import type { SuppressionTools } from './suppression-tools.ts'

const kind = 'suppressions.expire'
/** Suppressions that end within this time of each other are handled together. */
const pauseMs = 15 * minuteMs

/** Wakes the leads of suppressions that have ended. */
export function expireJob(tools: SuppressionTools): JobHandler {
  return {
    kind,
    maxAttempts: 20,
    run: ({ app, tenant, now }) =>
      app.db.transaction(async (tx) => {
        await tools.freed?.(tx, tenant, now)
        await expireNext(tx, tenant, { after: now, notBefore: new Date(now.getTime() + pauseMs) })
      }),
  }
}

/** Plans the job for the next suppression that ends after a time. One that is planned already keeps its earlier time. */
export async function expireNext(
  tx: Transaction,
  tenant: Tenant,
  { after, notBefore }: { after: Date; notBefore: Date },
): Promise<void> {
  const next = await findNextExpiry(tx, tenant, after)
  if (next !== null) await enqueueJob(tx, { kind, tenant, runAt: next > notBefore ? next : notBefore, key: 'expire' })
}
