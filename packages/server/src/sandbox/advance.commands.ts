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
import { runToTarget } from './walk.commands.ts'

/** After the end of a lease: when whoever watches a run looks whether it was renewed. */
const watchMarginMs = 500

/** Begins to move the clock; 409 while a run is under way, 400 for a target that is not ahead. */
export async function beginAdvance(app: App, tenant: Tenant, input: AdvanceInput): Promise<RunRow> {
  // Asked before anything is locked: a run holds its row while it works, and a refusal need not wait for it.
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

/** Should the process of a run die, the job takes it over as soon as its lease has ended. */
async function watchRun(db: Executor, tenant: Tenant, run: RunRow): Promise<void> {
  const runAt = new Date(run.leaseUntil.getTime() + watchMarginMs)
  // A key of its own: what watched the run before may be what died.
  await enqueueJob(db, { kind: 'sandbox.resume', tenant, runAt, clock: 'real', key: `resume ${run.leaseToken}` })
}

/** Takes the run of a holder that is gone, and has it watched in turn; null: it is renewed, or over. */
export async function takeOverRun(app: App, tenant: Tenant): Promise<RunRow | null> {
  return app.db.transaction(async (tx) => {
    const run = await claimAbandonedRun(tx, tenant, randomUUID())
    const watched = run ?? (await findRun(tx, tenant))
    if (watched) await watchRun(tx, tenant, watched)
    return run
  })
}

/** Runs to the target; after an error the next call, or the job, goes on from where the clock stands. */
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

/** Sets the clock to the target, ends the run, and tells what happened. Within the answer's transaction. */
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
  await wakePlanner(tx, tenant, run.targetAt)
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
