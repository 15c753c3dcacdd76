import { monotonicMs, sleep } from '../platform/clock.ts'
import type { Tenant } from '../platform/tenant.ts'
import { createBatcher, type Batcher } from './batcher.ts'
import { composeClaims, type ReadyMessage } from './compose.jobs.ts'
import { listClaimTokens } from './compose.sql.ts'
import type { DeliveryDeps } from './delivery.shell.ts'
import { extendLeases, passGate, type GateRequest } from './gate.sql.ts'
import { outcomeOf } from './outcome.ts'
import { leaseMs } from './planning.jobs.ts'
import { recordOutcomes, recordUnwritten, type Finished } from './record.jobs.ts'
import type { SmtpResult } from './transport.ts'

const gateBatchMax = 100
const recordBatchMax = 100
const concurrencyDefault = 40
const renewEveryMs = 20_000
/** Left of a lease that a message must still have when its gate was passed. */
const leaseMarginMs = 2_000
const recordPauseMs = { min: 200, max: 10_000 }

export interface DeliverOptions {
  /** A planning run's claims; without it all that is claimed in the tenant. */
  token?: string
  /** The tenant's time as it goes on; without it `now` stands still (the test environment's advance). */
  currentTime?: () => Date
  concurrency?: number | undefined
  signal?: AbortSignal
}

/** Writes, sends and records what was claimed. Resolves when every message has its outcome recorded. */
export async function deliverClaimed(
  deps: DeliveryDeps,
  tenant: Tenant,
  now: Date,
  options: DeliverOptions = {},
): Promise<number> {
  const tokens = options.token === undefined ? await listClaimTokens(deps.app.db, tenant) : [options.token]
  let delivered = 0
  for (const token of tokens) delivered += await deliverToken(deps, tenant, { now, token, options })
  return delivered
}

interface Run {
  deps: DeliveryDeps
  tenant: Tenant
  time: () => Date
  gate: Batcher<GateRequest, boolean>
  record: Batcher<Finished, void>
  signal: AbortSignal
  /** On the monotonic clock. */
  leaseEndMs: number
}

async function deliverToken(
  deps: DeliveryDeps,
  tenant: Tenant,
  { now, token, options }: { now: Date; token: string; options: DeliverOptions },
): Promise<number> {
  const run = startRun(deps, tenant, { now, options })
  await deps.faults.hit('F1')
  const renewing = setInterval(() => void renew(run, token), renewEveryMs)
  try {
    const batch = await composeClaims(deps, tenant, { token, now: run.time() })
    for (const unwritten of batch.unwritten) {
      await deps.app.db.transaction((tx) => recordUnwritten(tx, tenant, unwritten, run.time()))
    }
    await forEachConcurrently(batch.ready, options.concurrency ?? concurrencyDefault, (message) =>
      deliverOne(run, message),
    )
    return batch.ready.length
  } finally {
    clearInterval(renewing)
  }
}

function startRun(deps: DeliveryDeps, tenant: Tenant, { now, options }: { now: Date; options: DeliverOptions }): Run {
  const time = options.currentTime ?? (() => now)
  const signal = options.signal ?? new AbortController().signal
  const { db, clock } = deps.app
  return {
    deps,
    tenant,
    time,
    signal,
    leaseEndMs: monotonicMs() + leaseMs,
    gate: createBatcher(async (requests) => {
      const passed = await passGate(db, tenant, { requests, now: time(), realNow: clock.now() })
      return requests.map((request) => passed.has(request.id))
    }, gateBatchMax),
    record: createBatcher(async (finished) => {
      await recordPatiently(deps, tenant, finished, signal)
      return finished.map(() => undefined)
    }, recordBatchMax),
  }
}

async function deliverOne(run: Run, message: ReadyMessage): Promise<void> {
  const { deps, tenant } = run
  const result = await attempt(run, message)
  if (result.kind === 'accepted') await deps.faults.hit('F15')
  const at = run.time()
  const { attempts, firstAttemptAt } = message.row
  const outcome = outcomeOf(result, { attempts, firstAttemptAt, now: at })
  await run.record.add({ message, outcome, at })
  if (outcome.kind !== 'sent') return
  await deps.faults.hit('F17')
  await deps.faults.hit('F18')
  appendToSent(deps, tenant, message)
}

async function attempt(run: Run, message: ReadyMessage): Promise<SmtpResult> {
  const { deps, tenant } = run
  const { row, sender } = message
  const recipients = [...row.toAddresses, ...row.ccAddresses, ...row.bccAddresses].map((address) => address.email)
  let inDoubt = false
  const result = await deps.transportFor(tenant, sender.provider).send({
    tenant,
    sendingAccountId: sender.id,
    messageId: row.id,
    envelope: { from: sender.email, to: recipients },
    bytes: message.raw,
    signal: run.signal,
    hit: (point) => deps.faults.hit(point),
    async gate() {
      await deps.faults.hit('F19')
      if (deps.faults.armed) await deps.faults.hit('F11')
      const passed = await run.gate.add({ id: row.id, token: message.token })
      // A worker that was frozen here must not send after its lease: others have called the message uncertain by now.
      if (passed && monotonicMs() > run.leaseEndMs - leaseMarginMs) return false
      inDoubt = passed
      return passed
    },
  })
  // Only where the gate was passed can the end of the message have left.
  return result.kind === 'in_doubt' && !inDoubt ? { kind: 'failed', stage: 'message', reason: result.reason } : result
}

/** The answer of a mail server is not thrown away because the database restarts: recording is tried until it is back. */
async function recordPatiently(
  deps: DeliveryDeps,
  tenant: Tenant,
  finished: readonly Finished[],
  signal: AbortSignal,
): Promise<void> {
  let pauseMs = recordPauseMs.min
  for (;;) {
    try {
      await deps.faults.hit('F16')
      await deps.app.db.transaction((tx) => recordOutcomes(tx, tenant, finished))
      return
    } catch (error) {
      deps.app.log.warn({ event: 'delivery.record_failed', count: finished.length, reason: (error as Error).message })
      // One message that can't be recorded must not keep the others from it.
      if (finished.length > 1 && (error as { code?: string }).code?.startsWith('2')) {
        for (const item of finished) await recordPatiently(deps, tenant, [item], signal)
        return
      }
      if (!(await sleep(pauseMs, signal))) throw error
      pauseMs = Math.min(pauseMs * 2, recordPauseMs.max)
    }
  }
}

async function renew(run: Run, token: string): Promise<void> {
  const { app } = run.deps
  const realNow = app.clock.now()
  const endMs = monotonicMs() + leaseMs
  try {
    await extendLeases(app.db, run.tenant, { token, until: new Date(realNow.getTime() + leaseMs), realNow })
    run.leaseEndMs = endMs
  } catch (error) {
    app.log.warn({ event: 'delivery.renew_failed', reason: (error as Error).message })
  }
}

// After the record, and never in its way: a copy that is missing from Sent loses nothing.
function appendToSent(deps: DeliveryDeps, tenant: Tenant, message: ReadyMessage): void {
  const { provider, id } = message.sender
  if (deps.sentFolder === null || tenant.environment === 'test' || provider !== 'smtp') return
  deps.sentFolder.append(tenant, id, message.raw).catch((error: Error) => {
    deps.app.log.info({
      event: 'delivery.append_failed',
      sendingAccountId: id,
      messageId: message.row.id,
      reason: error.message,
    })
  })
}

async function forEachConcurrently<Item>(
  items: readonly Item[],
  limit: number,
  run: (item: Item) => Promise<void>,
): Promise<void> {
  let next = 0
  async function lane(): Promise<void> {
    for (;;) {
      const item = items[next++]
      if (item === undefined) return
      await run(item)
    }
  }
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, lane))
}
