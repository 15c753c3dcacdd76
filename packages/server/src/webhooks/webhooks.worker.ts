import { hourMs } from '../ground/time/spans.ts'
import { createPollingWorker } from '../platform/lifecycle/polling.worker.ts'
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

  async function takeTurns(): Promise<boolean> {
    const isRoom = () => turns.size - slowTurns < endpointsAtOnceMax && turns.size < openAtOnceMax
    while (isRoom() && !stopping.signal.aborted) {
      const failingToo = failingTurns < failingAtOnceMax
      const webhook = await claimDueWebhookAcrossAccounts(app.db, { leaseToken: randomUUID(), leaseMs, failingToo })
      if (!webhook) return false
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
    return false
  }

  const polling = (name: string, pollMs: number, run: () => Promise<boolean>) =>
    createPollingWorker({ name, log: app.log, pollMs, run })
  const loops = [
    polling('webhook fan-out', idleMs, () => fanOutAll(app, stopping.signal)),
    polling('webhooks', idleMs, takeTurns),
    polling('old deliveries', hourMs, () => deleteOldDeliveries(app)),
  ]
  return {
    name: 'webhooks',
    async start() {
      await Promise.all(loops.map((loop) => loop.start()))
    },
    async stop() {
      stopping.abort()
      await Promise.all(loops.map((loop) => loop.stop()))
      // Receivers that answer at once are not asked twice because of a restart.
      await Promise.race([Promise.all(turns), sleep(stopGraceMs, cutting.signal)])
      cutting.abort()
      await Promise.all(turns)
    },
  }
}

/** Fans everything out that is in the log; a stop leaves the rest, at its place, to the next start. Nothing is left to do. */
export async function fanOutAll({ db }: Pick<App, 'db'>, signal?: AbortSignal): Promise<false> {
  let read = fanOutBatchMax
  while (read === fanOutBatchMax && signal?.aborted !== true)
    read = await fanOutEventsAcrossAccounts(db, fanOutBatchMax)
  return false
}

// A busy endpoint writes more within an hour than one batch takes out.
async function deleteOldDeliveries({ db }: App): Promise<boolean> {
  return (await deleteOldDeliveriesAcrossAccounts(db, deliveryDaysKept, cleanBatch)) === cleanBatch
}
