import { AppError } from '@overture/contract/errors.ts'
import type { App } from '../platform/app.ts'
import { monotonicMs, sleep } from '../platform/clock.ts'
import { runDueJobs } from '../platform/jobs/run-due-jobs.shell.ts'
import type { Tenant } from '../platform/tenant.ts'
import { earliestMs, isDue, runsAlready } from './clock.ts'
import {
  analyzeRunTables,
  findNextInstants,
  claimPlanner,
  renewRun,
  type NextInstants,
  type RunRow,
} from './clock.sql.ts'
import { moveRun, runInstants, type BatchEnd } from './instant-batches.shell.ts'
import type { SandboxTools } from './virtual-world.ts'

const renewEveryMs = 3_000
/** How long other workers may hold a claim or a plan of this tenant before the run gives up waiting for them. */
const waitForOthersMsMax = 150_000
const pollMs = 15
/** After this many rounds without progress in one instant the clock moves past it. */
const idleRoundsMax = 20
const stepAsideMs = 1000
const stepAsideDoublingsMax = 12
const firstAnalyzeAtSent = 32

/** Runs everything that is due up to the target, in order, moving the clock from instant to instant. */
export async function runToTarget(
  tools: SandboxTools,
  { tenant, run }: { tenant: Tenant; run: RunRow },
): Promise<void> {
  const { app } = tools
  await keepPlannersOut(app, tenant, run)
  const atMs = (await app.clocks.now(app.db, tenant)).getTime()
  const walk: Walk = {
    ...tools,
    tenant,
    run,
    atMs,
    sent: 0,
    analyzeAtSent: firstAnalyzeAtSent,
    idleRounds: 0,
    readUntilMs: -Infinity,
    progressMs: monotonicMs(),
  }
  const renewing = keepRenewing(walk)
  try {
    while (!(await goOn(walk))) await analyzeAsTablesGrow(walk)
  } finally {
    clearInterval(renewing)
  }
}

interface Walk extends SandboxTools {
  tenant: Tenant
  run: RunRow
  atMs: number
  /** The monotonic time of the last progress. */
  progressMs: number
  idleRounds: number
  sent: number
  analyzeAtSent: number
  /** A batch from memory failed before this time, so until then plans are read from the database. */
  readUntilMs: number
}

/** Returns true at the target. */
async function goOn(walk: Walk): Promise<boolean> {
  const ended = await runBatch(walk)
  if (ended === 'step') return step(walk)
  if (ended === 'planner') await keepPlannersOut(walk.app, walk.tenant, walk.run)
  return ended === 'arrived'
}

/**
 * Runs many instants in one transaction. If the process is killed, clock and data stay at the same moment; if two processes
 * hold the run, one of them can't commit.
 */
async function runBatch(walk: Walk): Promise<BatchEnd> {
  const startMs = walk.atMs
  const time = { now: new Date(startMs) }
  const plansFrom = startMs > walk.readUntilMs ? walk.plansFrom : 'database'
  try {
    const done = await walk.inOneTransaction(time, (world, failed) => {
      time.now = new Date(startMs)
      return runInstants(walk, { world, failed, time, plansFrom })
    })
    walk.sent += done.sent
    if (done.progress) Object.assign(walk, { atMs: time.now.getTime(), progressMs: monotonicMs(), idleRounds: 0 })
    return done.ended
  } catch (error) {
    if (error instanceof AppError) throw error
    // A request waits for its locks, or the batch failed. A step commits each part separately, so it waits or shows the error.
    walk.readUntilMs = time.now.getTime()
    const facts = { accountId: walk.tenant.accountId, at: time.now, reason: (error as Error).message }
    walk.app.log.info({ event: 'sandbox.batch_failed', ...facts })
    return 'step'
  }
}

/** Runs one instant and commits each part separately. Used for jobs with effects outside the database and after a failed batch. */
async function step(walk: Walk): Promise<boolean> {
  const { app, tenant, run } = walk
  const next = await findNextInstants(app.db, tenant, run.leaseToken)
  const dueMs = earliestMs(next)
  if (dueMs > run.targetAt.getTime() && !next.othersWork) return true
  await moveTo(walk, next.othersWork ? walk.atMs : Math.max(dueMs, walk.atMs))
  const done = await runInstant(walk, next)
  if (done === 0) return restOrStepAside(walk, next.othersWork)
  walk.progressMs = monotonicMs()
  walk.idleRounds = 0
  return false
}

/** Two concurrent planners would work with different times. */
async function keepPlannersOut(app: App, tenant: Tenant, run: RunRow): Promise<void> {
  const startedMs = monotonicMs()
  for (;;) {
    if (await claimPlanner(app.db, tenant, run.leaseToken)) return
    if (monotonicMs() - startedMs > waitForOthersMsMax) throw new Error('Another planner never ended.')
    await sleep(pollMs)
  }
}

function keepRenewing({ app, tenant, run }: Walk): NodeJS.Timeout {
  let busy = false
  return setInterval(() => {
    if (busy) return
    busy = true
    renewRun(app.db, tenant, run.leaseToken)
      .catch((error: Error) => app.log.warn({ event: 'sandbox.renew_failed', reason: error.message }))
      .finally(() => {
        busy = false
      })
  }, renewEveryMs)
}

/** Called if nothing was done. Waits for other workers' claims, or moves past an instant without progress. Returns true at the target. */
async function restOrStepAside(walk: Walk, othersWork: boolean): Promise<boolean> {
  const targetMs = walk.run.targetAt.getTime()
  if (othersWork) {
    if (monotonicMs() - walk.progressMs > waitForOthersMsMax) throw new Error('Claims of another worker never ended.')
    await sleep(pollMs)
  } else if (++walk.idleRounds > idleRoundsMax) {
    const doublings = Math.min(walk.idleRounds - idleRoundsMax - 1, stepAsideDoublingsMax)
    walk.app.log.warn({ event: 'sandbox.stepped_aside', accountId: walk.tenant.accountId, at: new Date(walk.atMs) })
    if (walk.atMs >= targetMs) return true
    await moveTo(walk, Math.min(walk.atMs + stepAsideMs * 2 ** doublings, targetMs))
  }
  return false
}

async function moveTo(walk: Walk, atMs: number): Promise<void> {
  const { held, planning } = await moveRun(walk.app, { ...walk, at: new Date(atMs) })
  if (!held) throw runsAlready()
  if (!planning) await keepPlannersOut(walk.app, walk.tenant, walk.run)
  walk.atMs = atMs
}

/** Runs one round at the clock's instant, in the order of a second of real time. Returns how much was done. */
async function runInstant(walk: Walk, next: NextInstants): Promise<number> {
  const { app, engine, tenant, run, atMs } = walk
  const now = new Date(atMs)
  let done = 0
  if (isDue(next.planAt, atMs)) {
    const sent = await engine.send(tenant, { now, leaseToken: run.leaseToken })
    walk.sent += sent
    done += sent
  }
  if (isDue(next.jobAt, atMs)) done += await runDueJobs(app, tenant, now, engine.jobs())
  return done
}

// Runs at 32 messages and at every doubling, which is when the best query plans may change.
async function analyzeAsTablesGrow(walk: Walk): Promise<void> {
  if (walk.sent < walk.analyzeAtSent) return
  walk.analyzeAtSent = walk.sent * 2
  await analyzeRunTables(walk.app.db)
}
