import type { JobHandler } from '../platform/jobs/job.ts'
import { dueJobKind, sendJobKind, startDueRun } from './reports.commands.ts'
import { giveUpRun, sendRun } from './send-report.shell.ts'

const dueAttemptsMax = 20
const sendAttemptsMax = 8

export function reportJobs(): JobHandler[] {
  return [
    {
      kind: dueJobKind,
      maxAttempts: dueAttemptsMax,
      run: ({ app, tenant, now }, payload) =>
        app.db.transaction((tx) => startDueRun(tx, tenant, { id: String(payload['id']), now })),
    },
    {
      kind: sendJobKind,
      maxAttempts: sendAttemptsMax,
      lane: 'mail',
      run: (context, payload) => sendRun(context, String(payload['id']), context.attempt >= sendAttemptsMax),
      giveUp: (tx, tenant, { payload }) => giveUpRun(tx, tenant, String(payload['id'])),
    },
  ]
}
