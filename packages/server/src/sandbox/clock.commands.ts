import type { SandboxClockState } from '@overture/contract/sandbox/sandbox.ts'
import type { App } from '../platform/app.ts'
import type { Executor, Transaction } from '../platform/db/database.ts'
import type { Tenant } from '../platform/tenant.ts'
import { runsAlready, showsNow, type SandboxClock } from './clock.ts'
import { findClock, findRun, lockClock, updateClock } from './clock.sql.ts'

/** Reads the clock. While it is being moved, the state contains its current time and whether it will tick afterwards. */
export async function readClock(
  app: App,
  db: Executor,
  tenant: Tenant,
  clock: SandboxClock,
): Promise<SandboxClockState> {
  const run = await findRun(db, tenant)
  const now = showsNow(clock, app.clock.now())
  return { now: now.toISOString(), frozen: run ? run.wasFrozen : clock.frozenAt !== null }
}

/** The state of the clock for event streams, with the target of the current run. */
export async function describeClock(app: App, tenant: Tenant): Promise<SandboxClockState & { target: string | null }> {
  const [clock, run] = await Promise.all([findClock(app.db, tenant), findRun(app.db, tenant)])
  const now = showsNow(clock, app.clock.now())
  return {
    now: now.toISOString(),
    frozen: run ? run.wasFrozen : clock.frozenAt !== null,
    target: run?.targetAt.toISOString() ?? null,
  }
}

/** Freezes the clock, or lets it tick from its current time. */
export async function setFrozen(
  app: App,
  tx: Transaction,
  tenant: Tenant,
  frozen: boolean,
): Promise<SandboxClockState> {
  const clock = await lockClock(tx, tenant)
  if (await findRun(tx, tenant)) throw runsAlready()
  const realNow = app.clock.now()
  const now = showsNow(clock, realNow)
  const set = { offsetMs: now.getTime() - realNow.getTime(), frozenAt: frozen ? now : null }
  await updateClock(tx, tenant, set)
  return { now: now.toISOString(), frozen }
}
