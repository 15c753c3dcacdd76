import type { JobHandler } from '../platform/jobs/job.ts'
import { stopJobKind, stopOnSignals } from './signals.commands.ts'

export function signalJobs(): JobHandler[] {
  return [
    {
      kind: stopJobKind,
      maxAttempts: 20,
      run: async ({ app, tenant, now, signal }, payload) => {
        const signalIds = payload['signalIds'] as string[]
        for (let more = true; more && !signal.aborted;)
          more = await app.db.transaction((tx) => stopOnSignals(tx, tenant, { signalIds, now }))
      },
    },
  ]
}
