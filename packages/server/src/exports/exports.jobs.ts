import type { JobContext, JobHandler } from '../platform/jobs/job.ts'
import { beginRun, endOrContinue, exportJobKind, failExport, triesMax } from './exports.commands.ts'
import { RunEnded, writeFile } from './write-file.shell.ts'

export function exportJobs(): JobHandler[] {
  return [
    {
      kind: exportJobKind,
      maxAttempts: triesMax,
      lane: 'rows',
      run: (context, payload) => runExport(context, String(payload['id'])),
      giveUp: (tx, tenant, { payload, now }) => failExport(tx, tenant, { id: String(payload['id']), now }),
    },
  ]
}

/**
 * Writes one file, then runs again behind the other jobs. After a kill, the next run keeps the complete files and writes the
 * file that was begun from its beginning.
 */
async function runExport(context: JobContext, id: string): Promise<void> {
  const { app, tenant, now } = context
  const run = await app.db.transaction((tx) => beginRun(tx, tenant, id))
  if (run === null) return
  const [next] = run.files
  try {
    if (next !== undefined) await writeFile(context, run.row, next.content)
    await app.db.transaction((tx) => endOrContinue(tx, tenant, { run: run.row, now }))
  } catch (error) {
    if (!(error instanceof RunEnded)) throw error
  }
}
