import type { JobContext, JobHandler } from '../platform/jobs/job.ts'
import { dueJobKind, sendJobKind, startDueRun } from './reports.commands.ts'
import { giveUp, sendRun } from './send-report.shell.ts'

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
      run: (context, payload) => send(context, String(payload['id'])),
    },
  ]
}

async function send(context: JobContext, runId: string): Promise<void> {
  const isLastTry = context.attempt >= sendAttemptsMax
  try {
    await sendRun(context, runId, isLastTry)
  } catch (error) {
    if (isLastTry && !context.signal.aborted) await giveUp(context, runId)
    throw error
  }
}
