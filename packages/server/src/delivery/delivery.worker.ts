import { createPollingWorker } from '../platform/lifecycle/polling.worker.ts'
import type { Worker } from '../platform/lifecycle/worker.ts'
import { monotonicMs } from '../platform/clock.ts'
import { errorFacts } from '../platform/log.shell.ts'
import { traced } from '../platform/traces/traces.shell.ts'
import { openDelivery } from './send/deliver.shell.ts'
import { OnTheWay } from './send/on-the-way.shell.ts'
import { timed } from './delivery-metrics.shell.ts'
import type { DeliveryTools } from './delivery.shell.ts'
import { runPlanning } from './plan/plan-tenant.shell.ts'
import { listDueTenantsAcrossAccounts, type DueTenant } from './plan/lease.sql.ts'
import { recoverExpired } from './record/recover.shell.ts'

const planningChannel = 'overture_planning'
/** The number of batches per tenant in flight at once: the next one is planned while the last one is sent. */
const batchesMax = 2

const defaults = {
  pollMs: 500,
  recoverEveryMs: 5_000,
  /** Planning stops at most this long after messages may no longer pass their gate. */
  hindranceEveryMs: 5_000,
  /** The number of tenants planned at once. */
  tenantsMax: 16,
  /** The length of a tenant's turn if all places are busy. Afterwards it waits behind the tenants that already wait. */
  turnMs: 10_000,
  /** No planning starts while this many messages of all tenants are in flight. */
  messagesMax: 6_400,
}

interface DeliveryWorkerOptions extends Partial<typeof defaults> {
  /** The number of messages of one batch in flight at once. */
  concurrency?: number
}

type Delivery = ReturnType<typeof openDelivery>

/**
 * Plans and delivers all due messages, several tenants concurrently. Any number of workers can share one database: the planning
 * lease and the claims' tokens separate them. Stopping waits for messages in flight.
 */
export function createDeliveryWorker(tools: DeliveryTools, options: DeliveryWorkerOptions = {}): Worker {
  const { app } = tools
  const { pollMs, recoverEveryMs, hindranceEveryMs, tenantsMax, turnMs, messagesMax } = { ...defaults, ...options }
  let wake = (): void => undefined
  const places = createPlaces(tenantsMax, () => wake())
  const onTheWay = new OnTheWay<Delivery>({ batchesMax, messagesMax, freed: () => wake() })
  const recover = createRecovery(tools, recoverEveryMs)
  const gates = createGateWatch(tools, hindranceEveryMs)

  async function round(signal: AbortSignal): Promise<boolean> {
    await recover()
    await gates.check()
    if (!onTheWay.hasRoom()) return false
    // Tenants without room for another batch are due as well and come first, so more are read.
    const limit = places.count * 4 + onTheWay.size
    for (const tenant of await listDueTenantsAcrossAccounts(app.db, { realNow: app.clock.now(), limit })) {
      const key = `${tenant.accountId} ${tenant.environment}`
      if (onTheWay.hasRoomFor(key)) places.offer(key, () => runTenant(key, tenant, signal))
    }
    return false
  }

  async function runTenant(key: string, tenant: DueTenant, signal: AbortSignal): Promise<void> {
    const endMs = monotonicMs() + turnMs
    const mayContinue = () =>
      !signal.aborted && gates.areOpen() && onTheWay.hasRoomFor(key) && (places.areFree() || monotonicMs() < endMs)
    const turn: Turn = { key, onTheWay, mayContinue, concurrency: options.concurrency, batches: [] }
    const work = inTrace(tenant, turn, () => planAndDeliver(tools, tenant, turn))
    await orLogged(tools, tenant, work)
  }

  const polling = createPollingWorker({
    name: 'delivery',
    ...watched(tools),
    pollMs,
    run: round,
    listen: (wakeUp) => app.db.listen(planningChannel, (wake = wakeUp)),
  })
  return {
    name: polling.name,
    start: () => polling.start(),
    async stop() {
      await polling.stop()
      await places.ended()
      await onTheWay.ended()
      await tools.sentFolder?.stop()
    },
  }
}

/** The places of planning tenants. `cameFree` is called when a place becomes free after a tenant was skipped. */
function createPlaces(count: number, cameFree: () => void) {
  const busy = new Map<string, Promise<void>>()
  let passedOver = false
  const leave = (key: string): void => {
    busy.delete(key)
    if (passedOver) cameFree()
    passedOver = false
  }
  return {
    count,
    areFree: () => busy.size < count,
    /** Starts the work unless the key is already busy or no place is free. */
    offer(key: string, work: () => Promise<void>): void {
      if (busy.has(key)) return
      if (busy.size >= count) passedOver = true
      else
        busy.set(
          key,
          work().finally(() => leave(key)),
        )
    },
    async ended(): Promise<void> {
      await Promise.all(busy.values())
    },
  }
}

/** Logs a failure of one tenant's work, so that the work of other tenants continues. */
async function orLogged({ app }: DeliveryTools, { accountId }: DueTenant, work: Promise<unknown>): Promise<void> {
  try {
    await work
  } catch (error) {
    app.log.error({ event: 'delivery.failed', accountId, ...errorFacts(error as Error) })
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

/** A heartbeat that checks at an interval whether messages may be sent. It fails with the reason while they may not. */
function createGateWatch({ app: { heartbeats }, findHindrance }: DeliveryTools, everyMs: number) {
  let areOpen = true
  let lookedAtMs = Number.NEGATIVE_INFINITY
  return {
    areOpen: () => areOpen,
    async check(): Promise<void> {
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

/** Continues the trace of the request that caused the plan. Deliveries are parts of the trace and are not awaited here. */
function inTrace(
  { accountId, environment, trace }: DueTenant,
  { batches }: Turn,
  run: () => Promise<void>,
): Promise<void> {
  const attributes = { 'overture.account_id': accountId, 'overture.environment': environment }
  const until = () => Promise.all(batches)
  return traced('delivery', { kind: 'consumer', attributes, cause: trace, until }, run)
}

function watched({ app: { log, heartbeats } }: DeliveryTools): Pick<DeliveryTools['app'], 'log' | 'heartbeats'> {
  return { log, heartbeats }
}

interface Turn {
  key: string
  onTheWay: OnTheWay<Delivery>
  mayContinue: () => boolean
  concurrency: number | undefined
  /** The batches that this turn sent off. */
  batches: Promise<void>[]
}

/** Ends when everything that can be sent now is planned; messages in flight don't occupy a place. */
async function planAndDeliver(tools: DeliveryTools, tenant: DueTenant, turn: Turn): Promise<void> {
  const { app } = tools
  const { key, onTheWay, mayContinue, concurrency, batches } = turn
  const startedMs = monotonicMs()
  // The live environment uses the machine's clock. A virtual clock is read once per turn, and advances unless it is frozen.
  const virtualTime = () => new Date(tenant.now.getTime() + (tenant.frozen ? 0 : monotonicMs() - startedMs))
  const currentTime = tenant.environment === 'live' ? () => app.clock.now() : virtualTime
  const open = () => openDelivery(tools, tenant, { now: tenant.now, currentTime, signal: neverAborted, concurrency })
  try {
    do {
      const planned = await timed('plan', () => runPlanning(tools, tenant, currentTime()))
      if (planned.claimed + planned.decided === 0) return
      if (planned.claimed === 0) continue
      const send = (delivery: Delivery) => orLogged(tools, tenant, delivery.deliver(planned.token))
      batches.push(onTheWay.add(key, open, { count: planned.claimed, send }))
      // The next message usually has to wait for its sender's gap, so nothing is read again until then.
      const isLater = planned.nextPlanAt === null || planned.nextPlanAt > currentTime()
      if (isLater && planned.decided === 0) return
    } while (mayContinue())
  } finally {
    // Messages that were planned by a test clock are sent before the clock is read again, because it may be moved at any time.
    if (tenant.environment === 'test') await onTheWay.ended(key)
  }
}

// Messages in flight at a stop are finished, not aborted: SMTP timeouts bound them.
const neverAborted = new AbortController().signal
