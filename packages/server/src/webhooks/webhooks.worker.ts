import { randomUUID } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import type { App } from '../platform/app.ts'
import { sleep } from '../platform/clock.ts'
import type { Worker } from '../platform/lifecycle/worker.ts'
import { errorFacts } from '../platform/log.shell.ts'
import { deleteOldDeliveriesAcrossAccounts } from './deliveries.sql.ts'
import { claimDueWebhookAcrossAccounts, fanOutEventsAcrossAccounts } from './dispatch.sql.ts'
import { deliverTurn, leaseMs } from './turn.worker.ts'

const endpointsAtOnceMax = 64
/** Open requests, slow ones included; half of them to endpoints that fail already. */
const openAtOnceMax = 512
const failingAtOnceMax = openAtOnceMax / 2
const fanOutBatchMax = 1_000
const idleMs = 250
const stopGraceMs = 2_000
const deliveryDaysKept = 30
const cleanBatch = 10_000
const cleanEveryMs = 3_600_000

/**
 * Reads the log into deliveries and delivers them: many endpoints at once, each in its own order. Any number may run; a
 * worker that dies leaves leases that end by themselves. Real time in both environments. Source: docs/contract.md, "Events and webhooks".
 */
export function createWebhookWorker(app: App): Worker {
  const stopping = new AbortController()
  const cutting = new AbortController()
  // Every open request listens to it.
  setMaxListeners(0, cutting.signal)
  const turns = new Set<Promise<void>>()
  let failingTurns = 0
  let slowTurns = 0
  let running: Promise<unknown> = Promise.resolve()

  async function takeTurns(): Promise<void> {
    const isRoom = () => turns.size - slowTurns < endpointsAtOnceMax && turns.size < openAtOnceMax
    while (isRoom() && !stopping.signal.aborted) {
      const failingToo = failingTurns < failingAtOnceMax
      const webhook = await claimDueWebhookAcrossAccounts(app.db, { leaseToken: randomUUID(), leaseMs, failingToo })
      if (!webhook) return
      const weight = webhook.failingSince === null ? 0 : 1
      failingTurns += weight
      const slow = (change: number) => (slowTurns += change)
      const turn = deliverTurn(app, webhook, { stop: stopping.signal, cut: cutting.signal, slow })
        .catch((error: Error) =>
          app.log.error({ event: 'webhooks.turn_failed', webhookId: webhook.id, ...errorFacts(error) }),
        )
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
        loop(app, stopping.signal, () => fanOutAll(app, stopping.signal)),
        loop(app, stopping.signal, takeTurns),
        cleanLoop(app, stopping.signal),
      ])
    },
    async stop() {
      stopping.abort()
      await running
      // Receivers that answer at once are not asked twice because of a restart.
      await Promise.race([Promise.all(turns), sleep(stopGraceMs, cutting.signal)])
      cutting.abort()
      await Promise.all(turns)
    },
  }
}

/** Fans everything out that is in the log; a stop leaves the rest, at its place, to the next start. */
export async function fanOutAll({ db }: Pick<App, 'db'>, signal?: AbortSignal): Promise<void> {
  let read = fanOutBatchMax
  while (read === fanOutBatchMax && signal?.aborted !== true)
    read = await fanOutEventsAcrossAccounts(db, fanOutBatchMax)
}

async function loop(app: App, signal: AbortSignal, step: () => Promise<void>): Promise<void> {
  while (!signal.aborted) {
    await step().catch((error: Error) => app.log.error({ event: 'webhooks.failed', ...errorFacts(error) }))
    await sleep(idleMs, signal)
  }
}

async function cleanLoop(app: App, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const gone = await deleteOldDeliveriesAcrossAccounts(app.db, deliveryDaysKept, cleanBatch).catch((error: Error) => {
      app.log.error({ event: 'webhooks.clean_failed', ...errorFacts(error) })
      return 0
    })
    // A busy endpoint writes more within an hour than one batch takes out.
    if (gone < cleanBatch) await sleep(cleanEveryMs, signal)
  }
}
