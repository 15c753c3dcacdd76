import { randomUUID } from 'node:crypto'
import type { AdvanceInput, AdvanceOutput } from '@overture/contract/sandbox.ts'
import { wakePlanner } from '../campaigns/index.ts'
import type { App } from '../platform/app.ts'
import { monotonicMs, sleep } from '../platform/clock.ts'
import type { Transaction } from '../platform/db/database.ts'
import { runDueJobs } from '../platform/jobs/run-due-jobs.ts'
import { enqueueJob } from '../platform/jobs/jobs.ts'
import type { Tenant } from '../platform/tenant.ts'
import { advanceTarget, runsAlready, showsNow, summariseDays } from './clock.ts'
import {
  analyzeRunTables,
  countRunEvents,
  deleteRun,
  expireRun,
  findNextInstants,
  insertRun,
  leasePlanner,
  lockClock,
  moveClock,
  releasePlanner,
  updateClock,
  type NextInstants,
  type RunRow,
} from './clock.sql.ts'
import type { Engine, SandboxDeps } from './virtual-world.ts'

export const runLeaseMs = 60_000
const renewEveryMs = 10_000
/** How long other workers may hold a claim or a plan of this tenant before the run gives up waiting for them. */
const waitForOthersMsMax = 150_000
const pollMs = 15
/** Rounds in one instant in which nothing moves on; then the instant is left behind. */
const idleRoundsMax = 20
const stepAsideMs = 1000
const stepAsideDoublingsMax = 12

/** Begins to move the clock; 409 while a run is under way, 400 for a target that is not ahead. */
export async function beginAdvance(app: App, tenant: Tenant, input: AdvanceInput): Promise<RunRow> {
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
      leaseUntil: new Date(realNow.getTime() + runLeaseMs),
      realNow,
    })
    if (!run) throw runsAlready()
    await updateClock(tx, tenant, { ...clock, frozenAt: now })
    // Should this process die, the job goes on from wherever the clock was left.
    const runAt = new Date(realNow.getTime() + runLeaseMs)
    await enqueueJob(tx, { kind: 'sandbox.resume', tenant, runAt, clock: 'real', key: 'resume' })
    return run
  })
}

/** Runs everything that falls due up to the target, in order, moving the clock from instant to instant. */
async function runToTarget(app: App, engine: Engine, { tenant, run }: { tenant: Tenant; run: RunRow }): Promise<void> {
  await keepPlannersOut(app, tenant, run)
  const atMs = (await app.clocks.now(app.db, tenant)).getTime()
  const walk: Walk = {
    app,
    engine,
    tenant,
    run,
    atMs,
    sent: 0,
    analyzeAtSent: 32,
    renewedMs: monotonicMs(),
    progressMs: monotonicMs(),
    idleRounds: 0,
  }
  for (;;) {
    const next = await findNextInstants(app.db, tenant, run.leaseToken)
    const dueMs = earliestMs(next)
    if (dueMs > run.targetAt.getTime() && !next.othersWork) return
    if (dueMs > walk.atMs && !next.othersWork) await moveTo(walk, dueMs)
    else if (monotonicMs() - walk.renewedMs > renewEveryMs) await moveTo(walk, walk.atMs)
    const done = await runInstant(walk, next)
    if (done > 0) {
      walk.progressMs = monotonicMs()
      walk.idleRounds = 0
    } else if (!(await restOrStepAside(walk, next.othersWork))) {
      return
    }
  }
}

/** Runs to the target; after an error the next call, or the job, goes on from where the clock stands. */
export async function runOrLeave({ app, engine }: SandboxDeps, at: { tenant: Tenant; run: RunRow }): Promise<void> {
  let arrived = false
  try {
    await runToTarget(app, engine, at)
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
  const counts = await countRunEvents(tx, tenant, { after: run.eventsAfter, from: run.fromAt, to: run.targetAt })
  return {
    now: run.targetAt.toISOString(),
    frozen: run.wasFrozen,
    from: run.fromAt.toISOString(),
    to: run.targetAt.toISOString(),
    ...summariseDays(counts),
  }
}

interface Walk {
  app: App
  engine: Engine
  tenant: Tenant
  run: RunRow
  atMs: number
  /** Process time of the last renewal of the lease, and of the last thing done. */
  renewedMs: number
  progressMs: number
  idleRounds: number
  sent: number
  analyzeAtSent: number
}

/** Two planners at once would each know a different time. */
async function keepPlannersOut(app: App, tenant: Tenant, run: RunRow): Promise<void> {
  const startedMs = monotonicMs()
  for (;;) {
    const realNow = app.clock.now()
    const until = new Date(realNow.getTime() + runLeaseMs)
    if (await leasePlanner(app.db, tenant, { token: run.leaseToken, until, realNow })) return
    if (monotonicMs() - startedMs > waitForOthersMsMax) throw new Error('Another planner never ended.')
    await sleep(pollMs)
  }
}

/** Nothing was done: waits for other workers' claims, or leaves an instant that brings nothing. False: at the target. */
async function restOrStepAside(walk: Walk, othersWork: boolean): Promise<boolean> {
  const targetMs = walk.run.targetAt.getTime()
  if (othersWork) {
    if (monotonicMs() - walk.progressMs > waitForOthersMsMax) throw new Error('Claims of another worker never ended.')
    await sleep(pollMs)
  } else if (++walk.idleRounds > idleRoundsMax) {
    const doublings = Math.min(walk.idleRounds - idleRoundsMax - 1, stepAsideDoublingsMax)
    walk.app.log.warn({ event: 'sandbox.stepped_aside', accountId: walk.tenant.accountId, at: new Date(walk.atMs) })
    if (walk.atMs >= targetMs) return false
    await moveTo(walk, Math.min(walk.atMs + stepAsideMs * 2 ** doublings, targetMs))
  }
  return true
}

async function moveTo(walk: Walk, atMs: number): Promise<void> {
  const { app, tenant, run } = walk
  const leaseUntil = new Date(app.clock.now().getTime() + runLeaseMs)
  const moved = await moveClock(app.db, tenant, { at: new Date(atMs), leaseToken: run.leaseToken, leaseUntil })
  if (!moved) throw runsAlready()
  walk.atMs = atMs
  walk.renewedMs = monotonicMs()
}

/** One round at the clock's instant, in the order in which a second of real time would bring it; answers how much was done. */
async function runInstant(walk: Walk, next: NextInstants): Promise<number> {
  const { app, engine, tenant, run, atMs } = walk
  const now = new Date(atMs)
  const due = (at: Date | null) => at !== null && at.getTime() <= atMs
  let done = 0
  if (due(next.planAt)) {
    const sent = await engine.send(tenant, now, run.leaseToken)
    await analyzeAsTablesGrow(walk, sent)
    done += sent
  }
  if (due(next.jobAt)) done += await runDueJobs(app, tenant, now, engine.jobs())
  return done
}

// At 32 messages and at every doubling: as often as the sizes that plans are made for change, and no more.
async function analyzeAsTablesGrow(walk: Walk, sent: number): Promise<void> {
  walk.sent += sent
  if (walk.sent < walk.analyzeAtSent) return
  walk.analyzeAtSent = walk.sent * 2
  await analyzeRunTables(walk.app.db)
}

function earliestMs(next: NextInstants): number {
  const times = [next.planAt, next.jobAt]
  return Math.min(...times.map((at) => at?.getTime() ?? Infinity))
}
