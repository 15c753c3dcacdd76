import { Counter } from 'prom-client'
import type { App } from '../platform/app.ts'
import { recordSystem } from '../platform/audit/acts.commands.ts'
import { monotonicMs } from '../platform/clock.ts'
import type { Transaction } from '../platform/db/database.ts'
import { isRefusedValue } from '../platform/db/errors.ts'
import { appendEvents } from '../platform/events/events.sql.ts'
import { publicEvent } from '../platform/events/feed.sql.ts'
import { metrics } from '../platform/metrics.shell.ts'
import type { Span } from '../platform/traces/span.ts'
import { traced } from '../platform/traces/traces.shell.ts'
import { accountReach } from '../platform/mail/network-guard.client.ts'
import { failPendingDeliveries } from './deliveries.sql.ts'
import {
  disableWebhook,
  listDueDeliveries,
  recordAttempts,
  releaseWebhook,
  renewLease,
  updateWebhookHealth,
  type ClaimedWebhook,
  type DeliveryRecord,
  type DueDelivery,
} from './dispatch.sql.ts'
import { postWebhook } from './post.client.ts'
import { decide, disableAfterMs, isSuccess, type Decision, type PostResult } from './retry.ts'
import { signatureHeaders } from './signature.ts'
import { secretContext } from './webhooks.shell.ts'

/** A lease is longer than the attempt that it covers. */
export const leaseForAttempt = (attemptMs: number): number => 2 * attemptMs
const renewEveryMs = 2_000
/** After this time an endpoint gives up its place and queues again behind the others. */
const turnMs = 10_000
/** Deliveries that are read at once. Each is posted after the response to the one before it. */
const deliveriesReadMax = 25
/** A request that takes longer gives up its place to the next endpoint, so that many dead receivers delay others by no more than this. */
const slowAfterMs = 1_000
const answerLeftOut = 'The receiver answered with text that could not be stored.'

const attemptsTotal = new Counter({
  name: 'overture_webhook_attempts_total',
  help: 'Attempts to deliver an event to a webhook, by outcome.',
  labelNames: ['outcome'],
  registers: [metrics],
})

/** The values that a turn gets from its worker. */
interface Turn {
  /** The longest time for a response. */
  attemptMs: number
  /** Aborted when no new request may begin. */
  stop: AbortSignal
  /** Aborted when the open request must be aborted. */
  cut: AbortSignal
  /** Called with +1 or −1 when a request becomes slow or ends. */
  slow(change: number): void
}

/**
 * Delivers due events to one claimed endpoint, in order, until none is due, its turn is over or the lease is lost. While a
 * delivery is in flight, the results of those before it are written: a crash repeats only these.
 */
export async function deliverTurn(app: App, webhook: ClaimedWebhook, turn: Turn): Promise<void> {
  const endsAtMs = monotonicMs() + turnMs
  const successes = createRecorder(app, webhook)
  let failing = webhook.failingSince !== null
  let renewAtMs = 0
  let due: DueDelivery[] = []
  while (!turn.stop.aborted && monotonicMs() < endsAtMs) {
    if (monotonicMs() >= renewAtMs) {
      if (!(await renewLease(app.db, webhook, leaseForAttempt(turn.attemptMs)))) break
      renewAtMs = monotonicMs() + renewEveryMs
    }
    if (due.length === 0) {
      await successes.written()
      due = await listDueDeliveries(app.db, webhook, deliveriesReadMax)
    }
    const delivery = due.shift()
    if (!delivery) break
    const attributes = { 'overture.account_id': webhook.accountId, 'overture.webhook_id': webhook.id }
    const result = await traced('webhook', { kind: 'client', attributes }, async (span) => {
      const posted = await attemptDelivery(app, webhook, { delivery, turn })
      describePost(span, posted)
      return posted
    })
    // A request that the stop itself aborted says nothing about the receiver. It is made again.
    if (turn.cut.aborted && result.kind === 'failed') break
    const outcome = decideOutcome(app, { delivery, result })
    if (outcome.decision.kind === 'succeeded' && !failing) {
      successes.add(outcome.record)
      continue
    }
    await successes.written()
    failing = await settle(app, webhook, { outcome, failing })
    // Deliveries after a failed one may have to wait for it, so they are read again.
    due = []
  }
  await successes.written()
  await app.db.transaction((tx) => releaseWebhook(tx, webhook))
}

function describePost(span: Span | null, posted: PostResult): void {
  const status = posted.kind === 'answered' ? posted.status : null
  span?.set({ 'overture.outcome': posted.kind, 'http.response.status_code': status })
  // A rejected delivery is retried. It is no error for the service, but the trace marks it as one.
  if (status === null) span?.fail(posted.kind)
  else if (!isSuccess(status)) span?.fail(String(status))
}

/** Writes successful deliveries in the background; those that arrive during a write are written together. */
function createRecorder(app: App, webhook: ClaimedWebhook) {
  let waiting: DeliveryRecord[] = []
  let writing: Promise<void> | null = null
  let failure: { error: unknown } | null = null

  async function write(): Promise<void> {
    while (waiting.length > 0 && failure === null) {
      const records = waiting
      waiting = []
      await storable(records, (kept) => recordAttempts(app.db, webhook, kept)).catch(
        (error: unknown) => (failure = { error }),
      )
    }
    writing = null
  }

  return {
    add(record: DeliveryRecord): void {
      waiting.push(record)
      writing ??= write()
    },
    /** Resolves after everything is written. Throws the error of a failed write; the lease then expires. */
    async written(): Promise<void> {
      await writing
      if (failure !== null) throw failure.error
    },
  }
}

async function attemptDelivery(
  app: App,
  webhook: ClaimedWebhook,
  attempt: { delivery: DueDelivery; turn: Turn },
): Promise<PostResult> {
  const { delivery, turn } = attempt
  const event = delivery.testBody ?? (delivery.id === null ? null : publicEvent(delivery))
  if (event === null) return { kind: 'failed', error: 'The event is no longer stored.', durationMs: 0 }
  const body = JSON.stringify(event)
  const context = secretContext(webhook.id)
  const secrets = [webhook.secret, webhook.previousSecret].flatMap((sealed) =>
    sealed ? [app.secrets.decrypt(sealed, context)] : [],
  )
  const timestampS = Math.floor(app.clock.now().getTime() / 1000)
  const signed = signatureHeaders({ id: delivery.deliveryEventId, timestampS, body }, secrets)
  return countingSlowness(
    turn,
    postWebhook(
      {
        url: webhook.url,
        headers: { 'content-type': 'application/json', 'user-agent': 'Overture-Webhooks/1', ...signed },
        body,
        reach: accountReach(app, webhook.accountId),
        signal: turn.cut,
      },
      turn.attemptMs,
    ),
  )
}

async function countingSlowness(turn: Turn, post: Promise<PostResult>): Promise<PostResult> {
  let slow = 0
  const timer = setTimeout(() => turn.slow((slow = 1)), slowAfterMs)
  try {
    return await post
  } finally {
    clearTimeout(timer)
    turn.slow(-slow)
  }
}

interface Outcome {
  /** Whether retention has deleted the event. That says nothing about the receiver. */
  lost: boolean
  decision: Decision
  record: DeliveryRecord
}

function decideOutcome(app: App, { delivery, result }: { delivery: DueDelivery; result: PostResult }): Outcome {
  const at = app.clock.now()
  const lost = delivery.testBody === null && delivery.id === null
  const decision: Decision = lost
    ? { kind: 'failed' }
    : decide(result, { deliveryId: delivery.deliveryId, attempts: delivery.attempts + 1, now: at })
  attemptsTotal.inc({ outcome: decision.kind })
  return {
    lost,
    decision,
    record: {
      deliveryId: delivery.deliveryId,
      status: deliveryStatus(decision),
      delayMs: decision.kind === 'retry' ? decision.delayMs : null,
      responseStatus: result.kind === 'answered' ? result.status : null,
      excerpt: result.kind === 'answered' ? result.excerpt : null,
      error: describeError(result),
      durationMs: result.durationMs,
      at,
    },
  }
}

/** Stores an outcome that also changes the endpoint. Returns whether the endpoint is failing now. */
async function settle(
  app: App,
  webhook: ClaimedWebhook,
  { outcome, failing }: { outcome: Outcome; failing: boolean },
): Promise<boolean> {
  const { lost, decision, record } = outcome
  const works = decision.kind === 'succeeded'
  await storable([record], (kept) =>
    app.db.transaction(async (tx) => {
      const recorded = await recordAttempts(tx, webhook, kept)
      if (recorded === 0 || lost) return
      const failingMs = await updateWebhookHealth(tx, webhook, works)
      const reason = disableReason(decision, failingMs)
      if (reason !== null) await disable(app, tx, { webhook, reason })
    }),
  )
  return lost ? failing : !works
}

/** Writes records. If the database refuses the receiver's text, they are written without it, so that no outcome is lost. */
async function storable<Result>(
  records: readonly DeliveryRecord[],
  write: (kept: readonly DeliveryRecord[]) => Promise<Result>,
): Promise<Result> {
  try {
    return await write(records)
  } catch (error) {
    if (!isRefusedValue(error)) throw error
    return write(records.map((record) => ({ ...record, excerpt: null, error: record.error && answerLeftOut })))
  }
}

async function disable(
  app: App,
  tx: Transaction,
  { webhook, reason }: { webhook: ClaimedWebhook; reason: string },
): Promise<void> {
  if (!(await disableWebhook(tx, webhook, reason))) return
  const tenant = { accountId: webhook.accountId, environment: webhook.environment }
  await failPendingDeliveries(tx, tenant, webhook.id, 'The webhook was disabled.')
  const occurredAt = await app.clocks.now(tx, tenant)
  const data = { webhookId: webhook.id, url: webhook.url, reason }
  await appendEvents(tx, tenant, [{ type: 'webhook.disabled', occurredAt, data }])
  await recordSystem(tx, { ...tenant, action: 'system.webhooks.disable', targetId: webhook.id })
}

function deliveryStatus(decision: Decision): 'pending' | 'succeeded' | 'failed' {
  switch (decision.kind) {
    case 'succeeded':
      return 'succeeded'
    case 'retry':
      return 'pending'
    case 'failed':
    case 'gone':
      return 'failed'
  }
}

function disableReason(decision: Decision, failingMs: number): string | null {
  if (decision.kind === 'gone') return 'gone'
  return decision.kind !== 'succeeded' && failingMs >= disableAfterMs ? 'failing_for_five_days' : null
}

function describeError(result: PostResult): string | null {
  if (result.kind === 'failed') return result.error
  if (result.status >= 300 && result.status < 400) return 'Redirects are not followed.'
  return result.status >= 200 && result.status < 300 ? null : `Answered ${result.status}.`
}
