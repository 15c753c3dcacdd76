import { deleteOldGenerationsAcrossAccounts } from '../ai/generations/old-generations.sql.ts'
import { deleteOldKeysAcrossAccounts } from '../api-keys/old-keys.sql.ts'
import { deleteOldStripeEvents } from '../billing/stripe-events.sql.ts'
import { deleteOldImportRowsAcrossAccounts } from '../campaigns/imports/old-rows.sql.ts'
import { deleteOldDaysAcrossAccounts } from '../delivery/old-days.sql.ts'
import { dayMs, hourMs } from '../ground/time/spans.ts'
import type { Executor } from '../platform/db/database.ts'
import { deleteDeadJobsAcrossAccounts } from '../platform/jobs/dead-jobs.sql.ts'
import type { PeriodicTask } from '../platform/lifecycle/polling.worker.ts'

const deletedAtOnce = 10_000

interface Retention {
  name: string
  days: number
  /** Deletes the oldest; answers how many of a table there were, to be asked again while it was as many as allowed. */
  forget: (db: Executor, before: Date, limit: number) => Promise<number>
}

/** What is kept for a time, and how long: docs/operating.md, "What grows". */
export const retentions: readonly Retention[] = [
  { name: 'jobs', days: 30, forget: deleteDeadJobsAcrossAccounts },
  { name: 'stripe_events', days: 90, forget: deleteOldStripeEvents },
  { name: 'days', days: 40, forget: deleteOldDaysAcrossAccounts },
  { name: 'import_rows', days: 90, forget: deleteOldImportRowsAcrossAccounts },
  { name: 'generations', days: 400, forget: deleteOldGenerationsAcrossAccounts },
  { name: 'api_keys', days: 400, forget: deleteOldKeysAcrossAccounts },
]

/** Until none is left: what came since the last round may be more than one statement takes. */
export const retentionPeriodic: readonly PeriodicTask[] = retentions.map(({ name, days, forget }) => ({
  name: `retention.${name}`,
  everyMs: hourMs,
  async run({ db }, now) {
    const before = new Date(now.getTime() - days * dayMs)
    for (let gone = deletedAtOnce; gone === deletedAtOnce;) gone = await forget(db, before, deletedAtOnce)
  },
}))
