import { randomUUID } from 'node:crypto'
import type { AdvanceInput, AdvanceOutput } from '@overture/contract/sandbox/sandbox.ts'
import { wakePlanner } from '../campaigns/index.ts'
import type { App } from '../platform/app.ts'
import type { Executor, Transaction } from '../platform/db/database.ts'
import { enqueueJob } from '../platform/jobs/jobs.shell.ts'
import type { Tenant } from '../platform/tenant.ts'
import { advanceTarget, runsAlready, showsNow, summariseDays } from './clock.ts'
import {
  countRunEvents,
  deleteRun,
  expireRun,
  findRun,
  insertRun,
  claimAbandonedRun,
  lockClock,
  releasePlanner,
  updateClock,
  type RunRow,
} from './clock.sql.ts'
import type { SandboxTools } from './virtual-world.ts'
import { runToTarget } from './walk.shell.ts'

/** The time after the end of a lease when the watching job checks whether the lease was renewed. */
const watchMarginMs = 500

/** Starts a run that moves the clock. Throws 409 while a run is active, and 400 for a target that is not in the future. */
export async function beginAdvance(app: App, tenant: Tenant, input: AdvanceInput): Promise<RunRow> {
  // Checked before anything is locked: an active run locks its row while it works, and the refusal should not wait for it.
  const running = await findRun(app.db, tenant)
  if (running?.isHeld) throw runsAlready()
  return app.db.transaction(async (tx) => {
    const clock = await lockClock(tx, tenant)
    const realNow = app.clock.now()
    const now = showsNow(clock, realNow)
    const targetAt = advanceTarget(input, now)
    const run = await insertRun(tx, tenant, {
      fromAt: now,
      targetAt,
      wasFrozen: clock.frozenAt !== null,
      leaseToken: randomUUID(),
    })
    if (!run) throw runsAlready()
    await updateClock(tx, tenant, { ...clock, frozenAt: now })
    await watchRun(tx, tenant, run)
    return run
  })
}

/** Enqueues a job that takes over the run after its lease has ended, if the process of the run died. */
async function watchRun(db: Executor, tenant: Tenant, run: RunRow): Promise<void> {
  const runAt = new Date(run.leaseUntil.getTime() + watchMarginMs)
  // A separate key per lease: the job that watched the earlier lease may be the one that died.
  await enqueueJob(db, { kind: 'sandbox.resume', tenant, runAt, clock: 'real', key: `resume ${run.leaseToken}` })
}

/** Takes over a run whose lease expired, and enqueues a new watching job. Returns null if the run was renewed or has ended. */
export async function takeOverRun(app: App, tenant: Tenant): Promise<RunRow | null> {
  return app.db.transaction(async (tx) => {
    const run = await claimAbandonedRun(tx, tenant, randomUUID())
    const watched = run ?? (await findRun(tx, tenant))
    if (watched) await watchRun(tx, tenant, watched)
    return run
  })
}

/** Runs to the target. After an error the next call, or the job, continues from the current time of the clock. */
export async function runOrLeave(tools: SandboxTools, at: { tenant: Tenant; run: RunRow }): Promise<void> {
  const { app } = tools
  let arrived = false
  try {
    await runToTarget(tools, at)
    arrived = true
  } finally {
    if (!arrived) {
      await expireRun(app.db, at.tenant, at.run.leaseToken)
      await releasePlanner(app.db, at.tenant, at.run.leaseToken)
    }
  }
}

/** Sets the clock to the target, ends the run and returns its counts. Runs within the transaction of the response. */
export async function finishAdvance(
  app: App,
  tx: Transaction,
  { tenant, run }: { tenant: Tenant; run: RunRow },
): Promise<AdvanceOutput> {
  await lockClock(tx, tenant)
  if (!(await deleteRun(tx, tenant, run.leaseToken))) throw runsAlready()
  const offsetMs = run.targetAt.getTime() - app.clock.now().getTime()
  await updateClock(tx, tenant, { offsetMs, frozenAt: run.wasFrozen ? run.targetAt : null })
  await releasePlanner(tx, tenant, run.leaseToken)
  wakePlanner(tx, tenant, run.targetAt)
  const counts = await countRunEvents(tx, tenant, {
    after: run.eventsAfter,
    tx: run.eventsTx,
    from: run.fromAt,
    to: run.targetAt,
  })
  return {
    now: run.targetAt.toISOString(),
    frozen: run.wasFrozen,
    from: run.fromAt.toISOString(),
    to: run.targetAt.toISOString(),
    ...summariseDays(counts),
  }
}
