import { deleteOldGenerationsAcrossAccounts } from '../ai/generations/old-generations.sql.ts'
import { deleteOldKeysAcrossAccounts } from '../api-keys/old-keys.sql.ts'
import { deleteOldStripeEvents } from '../billing/stripe-events.sql.ts'
import { deleteOldImportRowsAcrossAccounts } from '../campaigns/imports/old-rows.sql.ts'
import { deleteOldDaysAcrossAccounts } from '../delivery/old-days.sql.ts'
import { deleteOldContentsAcrossAccounts } from '../delivery/old-contents.sql.ts'
import { dayMs, hourMs } from '../ground/time/spans.ts'
import { deleteOldScrollTokens, deleteOldSearchesAcrossAccounts } from '../lead-finder/lead-finder.sql.ts'
import type { Config } from '../platform/config.ts'
import type { Executor } from '../platform/db/database.ts'
import { deleteDeadJobsAcrossAccounts } from '../platform/jobs/dead-jobs.sql.ts'
import type { PeriodicTask } from '../platform/lifecycle/polling.worker.ts'
import { deleteOldSignalsAcrossAccounts } from '../signals/old-signals.sql.ts'
import { deleteOldSandboxMessagesAcrossAccounts } from '../sandbox/old-messages.sql.ts'

const deletedAtOnce = 10_000

interface Retention {
  name: string
  /** The tables that it empties. */
  tables: readonly string[]
  days: number | ((config: Config) => number)
  /** Deletes the oldest; answers how many of a table there were, to be asked again while it was as many as allowed. */
  forget: (db: Executor, before: Date, limit: number) => Promise<number>
}

/** What is kept for a time, and how long (0: for ever): docs/operating.md, "What grows". */
export const retentions: readonly Retention[] = [
  { name: 'jobs', tables: ['jobs'], days: 30, forget: deleteDeadJobsAcrossAccounts },
  { name: 'stripe_events', tables: ['stripe_events'], days: 90, forget: deleteOldStripeEvents },
  {
    name: 'days',
    tables: ['sender_days', 'campaign_days', 'campaign_domain_days'],
    days: 40,
    forget: deleteOldDaysAcrossAccounts,
  },
  { name: 'import_rows', tables: ['import_rows'], days: 90, forget: deleteOldImportRowsAcrossAccounts },
  { name: 'generations', tables: ['generations'], days: 400, forget: deleteOldGenerationsAcrossAccounts },
  { name: 'signals', tables: ['signals'], days: 400, forget: deleteOldSignalsAcrossAccounts },
  { name: 'api_keys', tables: ['api_keys', 'rate_windows'], days: 400, forget: deleteOldKeysAcrossAccounts },
  { name: 'finder_searches', tables: ['finder_searches'], days: 2, forget: deleteOldSearchesAcrossAccounts },
  { name: 'finder_scroll_tokens', tables: ['finder_scroll_tokens'], days: 30, forget: deleteOldScrollTokens },
  {
    name: 'sandbox_messages',
    tables: ['sandbox_messages'],
    days: 90,
    forget: deleteOldSandboxMessagesAcrossAccounts,
  },
  {
    name: 'message_contents',
    tables: ['message_contents'],
    days: (config) => config.messageRetentionDays,
    forget: deleteOldContentsAcrossAccounts,
  },
]

/** Until none is left: what came since the last round may be more than one statement takes. */
export const retentionPeriodic: readonly PeriodicTask[] = retentions.map(({ name, days, forget }) => ({
  name: `retention.${name}`,
  everyMs: hourMs,
  async run({ db, config }, now) {
    const daysKept = typeof days === 'number' ? days : days(config)
    if (daysKept === 0) return
    const before = new Date(now.getTime() - daysKept * dayMs)
    for (let gone = deletedAtOnce; gone === deletedAtOnce;) gone = await forget(db, before, deletedAtOnce)
  },
}))
