import type { JobHandler } from '../platform/jobs/job.ts'
import { listTenantTables, updateMentions } from './mentions.sql.ts'

export const forgetJobKind = 'people.forget_mentions'

/**
 * Who works with us, the work itself and answers that are sealed are no data of a recipient; the ledger is written once and
 * holds words of ours alone.
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
 * After a person was erased: takes the address out of whatever else holds it, such as mail of others that quotes it,
 * table by table. The address itself is sealed in the job, and goes with it.
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
