import type { JobContext, JobHandler } from '../platform/jobs/job.ts'
import { finishAdvance, runOrLeave, takeOverRun } from './advance.commands.ts'
import { reactionJob } from './reaction.jobs.ts'
import type { SandboxDeps } from './virtual-world.ts'

/** Simulated people act, and an advance whose process died goes on. */
export function sandboxJobs(deps: SandboxDeps): JobHandler[] {
  return [
    reactionJob(deps),
    { kind: 'sandbox.resume', maxAttempts: 1000, lane: 'rows', run: (context) => resume(deps, context) },
  ]
}

// The answer of the request that began the run is lost with its process; the clock still gets where it was sent.
async function resume(deps: SandboxDeps, { app, tenant }: JobContext): Promise<void> {
  const run = await takeOverRun(app, tenant)
  if (!run) return
  await runOrLeave(deps, { tenant, run })
  await app.db.transaction((tx) => finishAdvance(app, tx, { tenant, run }))
}
