import { hourMs } from '@overture/ground/time/spans.ts'
import { forgetByAccount } from '../platform/lifecycle/forget.ts'
import { createPollingWorker } from '../platform/lifecycle/polling.worker.ts'
import { randomUUID } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import type { App } from '../platform/app.ts'
import { sleep } from '../platform/clock.ts'
import type { Transaction } from '../platform/db/database.ts'
import { readLog } from '../platform/events/log-reading.shell.ts'
import type { ReadEvents, ReadFrom } from '../platform/events/places.sql.ts'
import type { Worker } from '../platform/lifecycle/worker.ts'
import { errorFacts } from '../platform/log.shell.ts'
import type { Tenant } from '../platform/tenant.ts'
import { deleteOldDeliveries, listOldDeliveriesAcrossAccounts } from './deliveries.sql.ts'
import {
  claimDueWebhook,
  type ClaimedWebhook,
  fanOutEvents,
  listAccountsWithWebhooksAcrossAccounts,
  listDueWebhooksAcrossAccounts,
  updateWebhooksDue,
} from './dispatch.sql.ts'
import { attemptTimeoutMs } from './post.client.ts'
import { deliverTurn, leaseForAttempt } from './turn.worker.ts'

const endpointsAtOnceMax = 64
/** The number of due endpoints that are claimed before the list is read again. */
const claimedAtOnce = 16
/** The most open requests, including slow ones. At most half of them go to failing endpoints. */
const openAtOnceMax = 512
const failingAtOnceMax = openAtOnceMax / 2
const fanOutBatchMax = 1_000
const idleMs = 250
/** The longest expected round: one that reads a whole restored log, or deletes an hour's old deliveries. */
const roundMsMax = 2 * hourMs
const stopGraceMs = 2_000
const deliveryDaysKept = 30
const cleanBatch = 10_000
const forgetOld = forgetByAccount(listOldDeliveriesAcrossAccounts, deleteOldDeliveries)

/**
 * Turns log events into deliveries and delivers them, to many endpoints at once and in order for each. Any number of workers
 * may run; the leases of a dead worker expire. Uses real time in both environments. Source: docs/contract.md, "Events and
 * webhooks".
 */
export function createWebhookWorker(app: App, attemptMs = attemptTimeoutMs): Worker {
  const turns = new Turns(app, attemptMs)
  const polling = (name: string, pollMs: number, run: () => Promise<boolean>) =>
    createPollingWorker({ name, log: app.log, heartbeats: app.heartbeats, pollMs, roundMsMax, run })
  const loops = [
    polling('webhook fan-out', idleMs, () => fanOutAll(app, turns.stopping.signal)),
    polling('webhooks', idleMs, () => turns.take()),
    polling('old deliveries', hourMs, () => forgetDeliveries(app)),
  ]
  return {
    name: 'webhooks',
    async start() {
      await Promise.all(loops.map((loop) => loop.start()))
    },
    async stop() {
      turns.stopping.abort()
      await Promise.all(loops.map((loop) => loop.stop()))
      await turns.end()
    },
  }
}

/** The active turns of endpoints. */
class Turns {
  readonly stopping = new AbortController()
  readonly #app: App
  readonly #attemptMs: number
  readonly #cutting = new AbortController()
  readonly #open = new Set<Promise<void>>()
  #failing = 0
  #slow = 0

  constructor(app: App, attemptMs: number) {
    this.#app = app
    this.#attemptMs = attemptMs
    // Every open request adds a listener to this signal.
    setMaxListeners(0, this.#cutting.signal)
  }

  async take(): Promise<boolean> {
    let begun = 1
    while (begun > 0 && this.#mayBegin()) {
      begun = 0
      const page = { failingToo: this.#failingToo(), limit: claimedAtOnce }
      for (const dueWebhook of await listDueWebhooksAcrossAccounts(this.#app.db, page)) {
        if (!this.#mayBegin()) break
        const claim = {
          leaseToken: randomUUID(),
          leaseMs: leaseForAttempt(this.#attemptMs),
          failingToo: this.#failingToo(),
        }
        const webhook = await claimDueWebhook(this.#app.db, dueWebhook, claim)
        if (webhook === null) continue
        this.#begin(webhook)
        begun++
      }
    }
    return false
  }

  #mayBegin(): boolean {
    return this.#isRoom() && !this.stopping.signal.aborted
  }

  #failingToo(): boolean {
    return this.#failing < failingAtOnceMax
  }

  async end(): Promise<void> {
    // Waits briefly, so that fast receivers do not get a request twice because of a restart.
    await Promise.race([Promise.all(this.#open), sleep(stopGraceMs, this.#cutting.signal)])
    this.#cutting.abort()
    await Promise.all(this.#open)
  }

  #isRoom(): boolean {
    return this.#open.size - this.#slow < endpointsAtOnceMax && this.#open.size < openAtOnceMax
  }

  #begin(webhook: ClaimedWebhook): void {
    const weight = webhook.failingSince === null ? 0 : 1
    this.#failing += weight
    const signals = { attemptMs: this.#attemptMs, stop: this.stopping.signal, cut: this.#cutting.signal }
    const turn = deliverTurn(this.#app, webhook, { ...signals, slow: (change) => (this.#slow += change) })
      .catch((error: Error) =>
        this.#app.log.error({ event: 'webhooks.turn_failed', webhookId: webhook.id, ...errorFacts(error) }),
      )
      .finally(() => {
        this.#failing -= weight
        this.#open.delete(turn)
      })
    this.#open.add(turn)
  }
}

/** Fans out all events in the log. After a stop the next start continues at the stored place. Returns false: nothing is left. */
export async function fanOutAll({ db }: Pick<App, 'db'>, signal?: AbortSignal): Promise<false> {
  await readLog(db, {
    reader: 'webhooks',
    limit: fanOutBatchMax,
    signal,
    read: (tenant, from) => db.transaction((tx) => fanOutOfTenant(tx, tenant, from)),
    concerned: async (tenants) => {
      const ids = [...new Set(tenants.map(({ accountId }) => accountId))]
      const listening = new Set(await listAccountsWithWebhooksAcrossAccounts(db, ids))
      return tenants.filter(({ accountId }) => listening.has(accountId))
    },
  })
  return false
}

async function fanOutOfTenant(tx: Transaction, tenant: Tenant, from: ReadFrom): Promise<ReadEvents> {
  const { webhookIds, ...read } = await fanOutEvents(tx, tenant, from)
  if (webhookIds.length > 0) await updateWebhooksDue(tx, tenant, webhookIds)
  return read
}

// A busy endpoint writes more deliveries per hour than one batch deletes.
async function forgetDeliveries({ db }: App): Promise<boolean> {
  return (await forgetOld(db, deliveryDaysKept, cleanBatch)) === cleanBatch
}
