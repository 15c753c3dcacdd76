import { createPollingWorker } from '../platform/lifecycle/polling.worker.ts'
import type { Worker } from '../platform/lifecycle/worker.ts'
import { monotonicMs } from '../platform/clock.ts'
import { errorFacts } from '../platform/log.shell.ts'
import { traced } from '../platform/traces/traces.shell.ts'
import { openDelivery } from './send/deliver.shell.ts'
import { timed } from './delivery-metrics.shell.ts'
import type { DeliveryTools } from './delivery.shell.ts'
import { runPlanning } from './claim/plan-tenant.shell.ts'
import { listDueTenantsAcrossAccounts, type DueTenant } from './planning.sql.ts'
import { recoverExpired } from './record/recover.shell.ts'

const planningChannel = 'overture_planning'
const pollMs = 500
const tenantsMax = 16
/** A tenant's turn, where every place is taken: then it waits behind those who have waited. */
const turnMs = 10_000
const recoverEveryMs = 5_000
/** Nothing is planned for longer than this once messages may no longer pass their gate. */
const hindranceEveryMs = 5_000
/** Batches of one tenant under way at once: the next is planned while the last is sent. */
const batchesMax = 2

interface DeliveryWorkerOptions {
  pollMs?: number
  recoverEveryMs?: number
  hindranceEveryMs?: number
  /** Messages of one batch on their way at once. */
  concurrency?: number
  tenantsMax?: number
  turnMs?: number
}

/**
 * Plans and delivers whatever is due, tenant by tenant, side by side. Any number of these share one database: the
 * planning lease and the claims' tokens keep them apart. Stopping lets what is under way end.
 */
export function createDeliveryWorker(tools: DeliveryTools, options: DeliveryWorkerOptions = {}): Worker {
  const busy = new Map<string, Promise<void>>()
  const places = options.tenantsMax ?? tenantsMax
  const recover = createRecovery(tools, options.recoverEveryMs ?? recoverEveryMs)
  const gates = createGateWatch(tools, options.hindranceEveryMs ?? hindranceEveryMs)

  async function round(signal: AbortSignal): Promise<boolean> {
    const { app } = tools
    await recover()
    await gates.look()
    const due = await listDueTenantsAcrossAccounts(app.db, { realNow: app.clock.now(), limit: places * 4 })
    for (const tenant of due) {
      const key = `${tenant.accountId} ${tenant.environment}`
      if (busy.has(key) || busy.size >= places) continue
      busy.set(
        key,
        runTenant(tenant, signal).finally(() => busy.delete(key)),
      )
    }
    return false
  }

  async function runTenant(tenant: DueTenant, signal: AbortSignal): Promise<void> {
    const endMs = monotonicMs() + (options.turnMs ?? turnMs)
    const goesOn = () => !signal.aborted && gates.areOpen() && (busy.size < places || monotonicMs() < endMs)
    try {
      await inTrace(tenant, () => planAndDeliver(tools, tenant, { goesOn, concurrency: options.concurrency }))
    } catch (error) {
      tools.app.log.error({ event: 'delivery.failed', accountId: tenant.accountId, ...errorFacts(error as Error) })
    }
  }

  const polling = createPollingWorker({
    name: 'delivery',
    ...watched(tools),
    pollMs: options.pollMs ?? pollMs,
    run: round,
    listen: (wake) => tools.app.db.listen(planningChannel, wake),
  })
  return {
    name: polling.name,
    start: () => polling.start(),
    async stop() {
      await polling.stop()
      await Promise.all(busy.values())
      await tools.sentFolder?.stop()
    },
  }
}

function createRecovery({ app }: DeliveryTools, everyMs: number) {
  let recoveredAtMs = Number.NEGATIVE_INFINITY
  return async (): Promise<void> => {
    if (monotonicMs() - recoveredAtMs < everyMs) return
    await recoverExpired(app)
    recoveredAtMs = monotonicMs()
  }
}

/** Where somebody must look from time to time whether messages may leave: a round fails while they may not, and says why. */
function createGateWatch({ app: { heartbeats }, findHindrance }: DeliveryTools, everyMs: number) {
  let areOpen = true
  let lookedAtMs = Number.NEGATIVE_INFINITY
  return {
    areOpen: () => areOpen,
    async look(): Promise<void> {
      if (findHindrance === undefined || (areOpen && monotonicMs() - lookedAtMs < everyMs)) return
      try {
        const reason = await findHindrance()
        if (reason !== null) throw new Error(`No message is sent: ${reason}`)
      } catch (error) {
        areOpen = false
        heartbeats.areGatesHindered = true
        throw error
      }
      areOpen = true
      heartbeats.areGatesHindered = false
      lookedAtMs = monotonicMs()
    },
  }
}

/** It goes on with the trace of whatever asked for it. */
function inTrace({ accountId, environment, trace }: DueTenant, run: () => Promise<void>): Promise<void> {
  const attributes = { 'overture.account_id': accountId, 'overture.environment': environment }
  return traced('delivery', { kind: 'consumer', attributes, cause: trace }, run)
}

function watched({ app: { log, heartbeats } }: DeliveryTools): Pick<DeliveryTools['app'], 'log' | 'heartbeats'> {
  return { log, heartbeats }
}

async function planAndDeliver(
  tools: DeliveryTools,
  tenant: DueTenant,
  { goesOn, concurrency }: { goesOn: () => boolean; concurrency: number | undefined },
): Promise<void> {
  const { app } = tools
  const startedMs = monotonicMs()
  // Live runs on with the machine's clock; a virtual one is read once per round, and ticks unless it is frozen.
  const virtualTime = () => new Date(tenant.now.getTime() + (tenant.frozen ? 0 : monotonicMs() - startedMs))
  const currentTime = tenant.environment === 'live' ? () => app.clock.now() : virtualTime
  const delivery = openDelivery(tools, tenant, { now: tenant.now, currentTime, signal: neverAborted, concurrency })
  const batches: Promise<number>[] = []
  try {
    do {
      const planned = await timed('plan', () => runPlanning(tools, tenant, currentTime()))
      if (planned.claimed + planned.decided === 0) return
      if (planned.claimed === 0) continue
      const batch = delivery.deliver(planned.token)
      // It is awaited a round later: a failure until then (the database restarts) must not end the process.
      batch.catch(() => undefined)
      batches.push(batch)
      // Behind a message the next one mostly waits for its sender's gap: nothing is read again until then.
      const isLater = planned.nextPlanAt === null || planned.nextPlanAt > currentTime()
      if (isLater && planned.decided === 0) return
      if (batches.length >= batchesMax) await batches.shift()
    } while (goesOn())
  } finally {
    await Promise.all(batches)
  }
}

// What is under way at a stop is ended, not cut off: SMTP timeouts bound it.
const neverAborted = new AbortController().signal
