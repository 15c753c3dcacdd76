import type { JobHandler } from '../platform/jobs/job.ts'
import { listTenantTables, updateMentions } from './mentions.sql.ts'

export const forgetJobKind = 'people.forget_mentions'

/**
 * Tables without data of recipients: they describe users, work or sealed responses. The ledger is append-only and contains only
 * our own texts.
 */
export const tablesNotSearched = [
  'api_keys',
  'credit_ledger',
  'idempotency_keys',
  'jobs',
  'sending_accounts',
  'sessions',
  'users',
]

/**
 * Runs after an erasure. Removes the address table by table from all other texts, such as mail of other people that quotes it.
 * The job's payload holds the address sealed, and is deleted with the job.
 */
export function peopleJobs(): JobHandler[] {
  return [
    {
      kind: forgetJobKind,
      maxAttempts: 20,
      lane: 'rows',
      run: async ({ app, tenant, signal }, payload) => {
        const spellings = (payload['addresses'] as string[]).flatMap((sealed) => app.secrets.openAddress(sealed) ?? [])
        if (spellings.length === 0) return
        for (const table of await listTenantTables(app.db, tablesNotSearched)) {
          if (signal.aborted) return
          await updateMentions(app.db, tenant, { table, spellings })
        }
      },
    },
  ]
}
