import { hasHoldingPolicy } from '../contact-policy/index.ts'
import { hasRunningBranches } from '../delivery/index.ts'
import type { App } from '../platform/app.ts'
import { monotonicMs } from '../platform/clock.ts'
import type { JobHandler } from '../platform/jobs/job.ts'
import { runNextDueJob } from '../platform/jobs/run-due-jobs.shell.ts'
import { runUnclaimedJob } from '../platform/jobs/run-job.shell.ts'
import type { Tenant } from '../platform/tenant.ts'
import { runsAlready } from './clock.ts'
import { findNextInstants, moveClock, type HeldRun, type RunRow } from './clock.sql.ts'
import { changesLeadsAlone, reactionKind } from './prospect.ts'
import { reactionJob } from './reaction.jobs.ts'
import { BatchJobs } from './batch-jobs.shell.ts'
import { BatchMailboxes } from './batch-mailboxes.shell.ts'
import type { SandboxTools, World } from './virtual-world.ts'

/** Limits one transaction, so that requests that wait for its rows and viewers of the clock don't wait long. */
const batchMsMax = 200
const batchSendsMax = 200

/**
 * `step`: the next work can't be part of a batch. `planner`: another planner has the lease. `full`: the limits are reached,
 * and other transactions may wait for its locks.
 */
export type BatchEnd = 'arrived' | 'step' | 'planner' | 'full'

interface BatchResult {
  ended: BatchEnd
  sent: number
  progress: boolean
}

interface RunScope {
  tenant: Tenant
  run: RunRow
}

interface BatchScope {
  world: World
  failed: AbortSignal
  time: { now: Date }
  plansFrom: SandboxTools['plansFrom']
}

interface InstantBatch extends RunScope, BatchScope {
  done: BatchResult
  beganMs: number
  /** The last instant in which nothing was sent or done. */
  idleAtMs: number
}

/** Runs many instants in the transaction of a world, up to the target or the first work that can't be part of a batch. */
export async function runInstants({ tenant, run }: RunScope, scope: BatchScope): Promise<BatchResult> {
  const { app } = scope.world
  const beganMs = monotonicMs()
  const done: BatchResult = { ended: 'step', sent: 0, progress: false }
  const { held, planning } = await moveRun(app, { tenant, run, at: scope.time.now })
  if (!held) throw runsAlready()
  if (!planning) return { ...done, ended: 'planner' }
  const batch = { tenant, run, ...scope, done, beganMs, idleAtMs: -Infinity }
  await runBatch(batch, await openParts(batch))
  await moveRun(app, { tenant, run, at: scope.time.now })
  return done
}

export function moveRun(app: App, { tenant, run, at }: RunScope & { at: Date }): Promise<HeldRun> {
  return app.db.transaction((tx) => moveClock(tx, tenant, { leaseToken: run.leaseToken, at }))
}

/** Reads jobs and wake-up time again only after an act, a job or a plan from the database. */
async function runBatch(batch: InstantBatch, { jobs, planner, handlers, readNext, act }: Parts): Promise<void> {
  const { run, time, done } = batch
  let others = await readNext()
  for (;;) {
    const jobMs = jobs.next?.runAt.getTime() ?? Infinity
    const dueMs = Math.min(planner.nextMs, jobMs)
    const nowMs = Math.max(time.now.getTime(), dueMs)
    if (!others && dueMs > run.targetAt.getTime()) done.ended = 'arrived'
    // Work is due again in an instant in which nothing was done: a step moves past it.
    if (
      done.ended === 'arrived' ||
      others ||
      findDue(jobs.next, { nowMs, handlers }) === 'other' ||
      nowMs === batch.idleAtMs
    )
      break
    moveOn(batch, nowMs)
    const isPlanned = planner.nextMs <= nowMs
    const sent = isPlanned ? await planner.plan(time.now) : 0
    let acted = jobMs <= nowMs
    if (isPlanned && planner.usedDatabase) {
      others = await readNext()
      acted &&= !others && findDue(jobs.next, { nowMs, handlers }) === 'own'
    }
    if (acted && (await act())) others = await readNext()
    if (isFull(batch, { sent, acted })) break
  }
  await jobs.flush()
  await planner.settle()
}

type Parts = Awaited<ReturnType<typeof openParts>>

async function openParts({ tenant, run, world, failed, time, plansFrom }: InstantBatch) {
  const { app, engine } = world
  const { leaseToken } = run
  const handlers = createHandlers(world)
  const jobs = new BatchJobs(app, tenant)
  const mailboxes = new BatchMailboxes(world, tenant, jobs)
  // With branches, an act may decide at once where its lead continues. Planning from memory applies opens only before the next
  // plan, so plans are read from the database then. The memory does not contain the counts of the contact policy.
  const fromMemory =
    plansFrom === 'memory' && !(await hasRunningBranches(app.db, tenant)) && !(await hasHoldingPolicy(app.db, tenant))
  const planner = engine.openPlanner(tenant, { leaseToken, mailboxes, fromMemory, failed })
  return {
    jobs,
    planner,
    handlers,
    /** Reads jobs and wake-up time. Returns whether other workers are active, for which the clock must wait. */
    readNext: async (): Promise<boolean> => {
      await jobs.read()
      const { planAt, othersWork } = await findNextInstants(app.db, tenant, leaseToken)
      if (planAt !== null) await planner.takeWake(planAt)
      return othersWork
    },
    /** Runs the next act or job. Returns whether jobs and wake-up time must be read again. */
    act: async (): Promise<boolean> => {
      if (planner.fromMemory && (await mailboxes.takeMailHit(time.now))) {
        if (mailboxes.isFull) await planner.flush()
        return false
      }
      await planner.flush()
      if (!planner.fromMemory) {
        await jobs.flush()
        await runNextDueJob(app, { tenant, now: time.now, handlers: [...handlers.values()] })
        return true
      }
      const job = await jobs.take()
      const handler = handlers.get(job?.kind ?? '')
      if (job === undefined || handler === undefined) return true
      await runUnclaimedJob({ app, tenant, job, handler, now: time.now })
      const isOfLeads = job.kind === reactionKind && changesLeadsAlone(job.payload.act)
      planner.forget(isOfLeads ? 'leads' : 'everything')
      return true
    },
  }
}

/** The jobs that can be part of a batch, by kind. */
function createHandlers(world: World): ReadonlyMap<string, JobHandler> {
  const others = world.engine.jobs().filter((handler) => handler.rowsOnly)
  return new Map([...others, reactionJob(world)].map((handler) => [handler.kind, handler]))
}

type Handlers = ReturnType<typeof createHandlers>

/** Whether the next job is due: `own` can be part of a batch, `other` can't. */
function findDue(job: BatchJobs['next'], { nowMs, handlers }: { nowMs: number; handlers: Handlers }) {
  if (job === undefined || job.runAt.getTime() > nowMs) return null
  return job.claimed || !handlers.has(job.kind) ? 'other' : 'own'
}

function moveOn({ time, done }: InstantBatch, nowMs: number): void {
  if (nowMs > time.now.getTime()) done.progress = true
  time.now = new Date(nowMs)
}

function isFull(batch: InstantBatch, { sent, acted }: { sent: number; acted: boolean }): boolean {
  const { done, time, beganMs } = batch
  done.sent += sent
  if (sent > 0 || acted) done.progress = true
  else batch.idleAtMs = time.now.getTime()
  if (done.sent < batchSendsMax && monotonicMs() - beganMs <= batchMsMax) return false
  done.ended = 'full'
  return true
}
