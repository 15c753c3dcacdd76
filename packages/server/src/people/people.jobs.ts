import type { JobHandler } from '../platform/jobs/job.ts'
import { completeErasure, forgetIn } from './erasures.commands.ts'
import { listTenantTables } from './mentions.sql.ts'

export const forgetJobKind = 'people.forget_mentions'

/**
 * Tables without data of recipients: they describe users, work or sealed responses. The ledger is append-only and contains only
 * our own texts.
 */
export const tablesNotSearched = [
  'api_keys',
  'assistant_grants',
  'credit_ledger',
  'erasures',
  'idempotency_keys',
  'jobs',
  'sending_accounts',
  'sessions',
  'users',
]

/**
 * Runs after an erasure. Removes the address table by table from all other texts, such as mail of other people that quotes it, and
 * then seals the proof. The job's payload holds the address sealed, and is deleted with the job.
 */
export function peopleJobs(): JobHandler[] {
  return [
    {
      kind: forgetJobKind,
      maxAttempts: 20,
      lane: 'rows',
      run: async ({ app, tenant, now, signal }, payload) => {
        const id = String(payload['erasureId'])
        const spellings = (payload['addresses'] as string[]).flatMap((sealed) => app.secrets.openAddress(sealed) ?? [])
        const tables = spellings.length === 0 ? [] : await listTenantTables(app.db, tablesNotSearched)
        for (const table of tables) {
          if (signal.aborted) return
          await app.db.transaction((tx) => forgetIn(tx, tenant, { id, table, spellings }))
        }
        await app.db.transaction((tx) => completeErasure(tx, tenant, { id, now, secrets: app.secrets }))
      },
    },
  ]
}
