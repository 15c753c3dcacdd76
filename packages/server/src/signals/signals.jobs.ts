import type { JobHandler } from '../platform/jobs/job.ts'
import { askOnSignals, stopJobKind, stopOnSignals } from './signals.commands.ts'

export function signalJobs(): JobHandler[] {
  return [
    {
      kind: stopJobKind,
      maxAttempts: 20,
      run: async ({ app, tenant, now, signal }, payload) => {
        const signalIds = payload['signalIds'] as string[]
        for (let more = true; more && !signal.aborted;)
          more = await app.db.transaction((tx) => stopOnSignals(tx, tenant, { signalIds, now }))
        for (let after: string | null = ''; after !== null && !signal.aborted;) {
          const from: string = after
          after = await app.db.transaction((tx) => askOnSignals(tx, tenant, { signalIds, after: from, now }))
        }
      },
    },
  ]
}
