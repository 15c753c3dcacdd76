import type { JobContext, JobHandler } from '../platform/jobs/job.ts'
import { finishAdvance, runOrLeave, takeOverRun } from './advance.shell.ts'
import { reactionJob } from './reaction.jobs.ts'
import type { SandboxTools } from './virtual-world.ts'

/** Jobs for the acts of simulated people, and for runs whose process died. */
export function sandboxJobs(tools: SandboxTools): JobHandler[] {
  return [
    reactionJob(tools),
    { kind: 'sandbox.resume', maxAttempts: 1000, lane: 'rows', run: (context) => resume(tools, context) },
  ]
}

// The response to the request is lost with its process, but the clock still reaches its target.
async function resume(tools: SandboxTools, { app, tenant }: JobContext): Promise<void> {
  const run = await takeOverRun(app, tenant)
  if (!run) return
  await runOrLeave(tools, { tenant, run })
  await app.db.transaction((tx) => finishAdvance(app, tx, { tenant, run }))
}
