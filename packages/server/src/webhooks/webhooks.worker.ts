import { randomUUID } from 'node:crypto'
import type { App } from '../platform/app.ts'
import { monotonicMs, sleep } from '../platform/clock.ts'
import { appendEvents } from '../platform/events/events.ts'
import { eventBodyOf } from '../platform/events/feed.ts'
import type { Worker } from '../platform/lifecycle/worker.ts'
import { deleteOldDeliveriesAcrossAccounts, failPendingDeliveries } from './deliveries.sql.ts'
import {
  claimDueWebhookAcrossAccounts,
  disableWebhook,
  fanOutEventsAcrossAccounts,
  findDueDelivery,
  recordAttempt,
  releaseWebhook,
  renewLease,
  updateWebhookHealth,
  type ClaimedWebhook,
  type DueDelivery,
} from './dispatch.sql.ts'
import { postWebhook } from './post.client.ts'
import { decide, disableAfterMs, type Decision, type PostResult } from './retry.ts'
import { signatureHeaders } from './signature.ts'
import { secretContext } from './webhooks.commands.ts'

const endpointsAtOnceMax = 64
/** Endpoints that fail take half of the places at most: many dead receivers delay nobody either. */
const failingAtOnceMax = 32
const leaseMs = 30_000
/** How long one endpoint keeps a place before it queues again behind the others. */
const turnMs = 10_000
const fanOutBatchMax = 1_000
const idleMs = 250
const deliveryDaysKept = 30
const cleanEveryMs = 3_600_000
const dayMs = 86_400_000

/**
 * Reads the log into deliveries and delivers them: many endpoints at once, each in its own order. Any number may run; a
 * worker that dies leaves leases that end by themselves. Real time in both environments. Source: contract 12.
 */
export function createWebhookWorker(app: App): Worker {
  const stopping = new AbortController()
  const turns = new Set<Promise<void>>()
  let failingTurns = 0
  let running: Promise<unknown> = Promise.resolve()

  async function takeTurns(): Promise<void> {
    while (turns.size < endpointsAtOnceMax && !stopping.signal.aborted) {
      const failingToo = failingTurns < failingAtOnceMax
      const webhook = await claimDueWebhookAcrossAccounts(app.db, { leaseToken: randomUUID(), leaseMs, failingToo })
      if (!webhook) return
      const weight = webhook.failingSince === null ? 0 : 1
      failingTurns += weight
      const turn = deliverTurn(app, webhook, stopping.signal)
        .catch((error: unknown) => app.log.error({ err: error, webhookId: webhook.id }, 'webhook_turn_failed'))
        .finally(() => {
          failingTurns -= weight
          turns.delete(turn)
        })
      turns.add(turn)
    }
  }

  return {
    name: 'webhooks',
    async start() {
      running = Promise.all([
        loop(app, stopping.signal, () => fanOutAll(app)),
        loop(app, stopping.signal, takeTurns),
        cleanLoop(app, stopping.signal),
      ])
    },
    async stop() {
      stopping.abort()
      await running
      await Promise.all(turns)
    },
  }
}

/** Fans everything out that is in the log. */
export async function fanOutAll(app: Pick<App, 'db'>): Promise<void> {
  while ((await fanOutEventsAcrossAccounts(app.db, fanOutBatchMax)) === fanOutBatchMax);
}

/** Delivers what is due to one claimed endpoint, in order, until nothing is, its turn is over or the lease is lost. */
export async function deliverTurn(app: App, webhook: ClaimedWebhook, signal: AbortSignal): Promise<void> {
  const endsAtMs = monotonicMs() + turnMs
  while (!signal.aborted && monotonicMs() < endsAtMs) {
    if (!(await renewLease(app.db, webhook, leaseMs))) break
    const delivery = await findDueDelivery(app.db, webhook)
    if (!delivery) break
    const result = await attemptDelivery(app, webhook, { delivery, signal })
    // A request that was cut off by the stop itself says nothing about the receiver; it is made again.
    if (signal.aborted && result.kind === 'failed') break
    await settle(app, webhook, { delivery, result })
  }
  await app.db.transaction((tx) => releaseWebhook(tx, webhook))
}

async function attemptDelivery(
  app: App,
  webhook: ClaimedWebhook,
  attempt: { delivery: DueDelivery; signal: AbortSignal },
): Promise<PostResult> {
  const { delivery, signal } = attempt
  const event = delivery.testBody ?? (delivery.id === null ? null : eventBodyOf(delivery))
  if (event === null) return { kind: 'failed', error: 'The event is no longer kept.', durationMs: 0 }
  const body = JSON.stringify(event)
  const context = secretContext(webhook.id)
  const secrets = [webhook.secret, webhook.previousSecret].flatMap((sealed) =>
    sealed ? [app.secrets.decrypt(sealed, context)] : [],
  )
  const timestampS = Math.floor(app.clock.now().getTime() / 1000)
  const signed = signatureHeaders({ id: delivery.deliveryEventId, timestampS, body }, secrets)
  return postWebhook({
    url: webhook.url,
    headers: { 'content-type': 'application/json', 'user-agent': 'Overture-Webhooks/1', ...signed },
    body,
    allowPrivate: app.config.network.allowPrivateTargets,
    signal,
  })
}

async function settle(
  app: App,
  webhook: ClaimedWebhook,
  done: { delivery: DueDelivery; result: PostResult },
): Promise<void> {
  const { delivery, result } = done
  const at = app.clock.now()
  const lost = delivery.testBody === null && delivery.id === null
  const decision: Decision = lost
    ? { kind: 'failed' }
    : decide(result, { deliveryId: delivery.deliveryId, attempts: delivery.attempts + 1, now: at })
  const tenant = { accountId: webhook.accountId, environment: webhook.environment }
  const tenantNow = await app.clocks.now(app.db, tenant)
  await app.db.transaction(async (tx) => {
    const recorded = await recordAttempt(tx, webhook, {
      deliveryId: delivery.deliveryId,
      status: statusOf(decision),
      delayMs: decision.kind === 'retry' ? decision.delayMs : null,
      responseStatus: result.kind === 'answered' ? result.status : null,
      excerpt: result.kind === 'answered' ? result.excerpt : null,
      error: errorOf(result),
      durationMs: result.durationMs,
      at,
    })
    if (!recorded || lost) return
    const failingSince = await updateWebhookHealth(tx, webhook, decision.kind === 'succeeded')
    const reason = disableReason(decision, failingSince, at)
    if (reason === null || !(await disableWebhook(tx, webhook, reason))) return
    await failPendingDeliveries(tx, tenant, webhook.id, 'The webhook was disabled.')
    await appendEvents(tx, tenant, [
      { type: 'webhook.disabled', occurredAt: tenantNow, data: { webhookId: webhook.id, url: webhook.url, reason } },
    ])
  })
}

function statusOf(decision: Decision): 'pending' | 'succeeded' | 'failed' {
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

function disableReason(decision: Decision, failingSince: Date | null, now: Date): string | null {
  if (decision.kind === 'gone') return 'gone'
  const fails = decision.kind !== 'succeeded' && failingSince !== null
  return fails && now.getTime() - failingSince.getTime() >= disableAfterMs ? 'failing_for_five_days' : null
}

function errorOf(result: PostResult): string | null {
  if (result.kind === 'failed') return result.error
  if (result.status >= 300 && result.status < 400) return 'Redirects are not followed.'
  return result.status >= 200 && result.status < 300 ? null : `Answered ${result.status}.`
}

async function loop(app: App, signal: AbortSignal, step: () => Promise<void>): Promise<void> {
  while (!signal.aborted) {
    await step().catch((error: unknown) => app.log.error({ err: error }, 'webhooks_failed'))
    await sleep(idleMs, signal)
  }
}

async function cleanLoop(app: App, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const before = new Date(app.clock.now().getTime() - deliveryDaysKept * dayMs)
    await deleteOldDeliveriesAcrossAccounts(app.db, before, 10_000).catch((error: unknown) =>
      app.log.error({ err: error }, 'webhooks_clean_failed'),
    )
    await sleep(cleanEveryMs, signal)
  }
}
