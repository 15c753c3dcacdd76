import { randomUUID } from 'node:crypto'
import type { App } from '../platform/app.ts'
import { monotonicMs, sleep } from '../platform/clock.ts'
import type { Admission, Verdict } from '../platform/http/admission.ts'
import {
  deleteNodeAcrossAccounts,
  deleteSilentNodesAcrossAccounts,
  giveUpSoleAcrossAccounts,
  lockNodesAcrossAccounts,
  type NodeStanding,
  upsertNodeAcrossAccounts,
} from './api-nodes.sql.ts'
import { createMemoryAdmission } from './memory-admission.shell.ts'
import { createPostgresAdmission } from './postgres-admission.shell.ts'

interface NodeTimes {
  /** How long a node may count in memory without a response of the database, and is considered alive. */
  leaseMs: number
  beatMs: number
}

const defaultTimes: NodeTimes = { leaseMs: 4_000, beatMs: 1_000 }
const waitStepMs = 50

/**
 * Admission for a node of a deployment of any size. It counts in memory while it is the only node that serves requests, and in
 * the database as soon as there is another one. A node starts only when no other node counts in memory any more. Windows move
 * with the count, so that limits stay exact while nodes start and stop. With `mayBeSole: false` (role `api`) it counts in the
 * database from the start. Resolves when requests may start.
 */
export async function startNodeAdmission(
  app: App,
  options: { mayBeSole: boolean; times?: NodeTimes },
): Promise<Admission> {
  const node = new NodeAdmission(app, options.mayBeSole, options.times ?? defaultTimes)
  await node.settle()
  return node
}

class NodeAdmission implements Admission {
  readonly #app: App
  readonly #id = randomUUID()
  readonly #mayBeSole: boolean
  readonly #times: NodeTimes
  #place: 'memory' | 'database' = 'database'
  #counter: Admission
  /** Until then the place of counting is certain. Afterwards the database is queried before the next request is counted. */
  #validUntilMs = 0
  #settling: Promise<void> | null = null
  #running = 0
  #beating: Promise<void> | null = null
  readonly #timer: NodeJS.Timeout

  constructor(app: App, mayBeSole: boolean, times: NodeTimes) {
    this.#app = app
    this.#mayBeSole = mayBeSole
    this.#times = times
    this.#counter = createPostgresAdmission(app)
    this.#timer = setInterval(() => {
      this.#beating ??= this.#beat().finally(() => (this.#beating = null))
    }, times.beatMs)
    this.#timer.unref()
  }

  /** Finds the place of counting. New requests wait meanwhile, and the change waits for requests that are being counted. */
  settle(): Promise<void> {
    this.#settling ??= this.#findPlace().finally(() => (this.#settling = null))
    return this.#settling
  }

  admit(authorization: string | undefined): Verdict | Promise<Verdict> {
    if (this.#settling !== null || monotonicMs() >= this.#validUntilMs) {
      return this.settle().then(() => this.admit(authorization))
    }
    const verdict = this.#counter.admit(authorization)
    if (!(verdict instanceof Promise)) return verdict
    this.#running++
    return verdict.finally(() => this.#running--)
  }

  usage(accountId: string): Promise<number> {
    return this.#counter.usage(accountId)
  }

  forget(accountId: string): void {
    this.#counter.forget(accountId)
  }

  flush(): Promise<void> {
    return this.#counter.flush()
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#beating
    await this.#settling?.catch(() => undefined)
    await this.#counter.stop()
    await deleteNodeAcrossAccounts(this.#app.db, this.#id)
  }

  async #beat(): Promise<void> {
    if (this.#settling !== null) return
    try {
      const askedAtMs = monotonicMs()
      const { sole, othersCountMs } = await this.#ask()
      const place = sole && this.#mayBeSole ? 'memory' : 'database'
      const isInPlace = place === this.#place && othersCountMs === 0 && askedAtMs < this.#validUntilMs
      if (isInPlace) this.#validUntilMs = askedAtMs + this.#times.leaseMs
      else await this.settle()
    } catch (error) {
      // Without a response the lease expires, and each request then queries the database first, which may fail.
      this.#app.log.warn({ event: 'admission.beat_failed', name: (error as Error).name })
    }
  }

  async #findPlace(): Promise<void> {
    while (this.#running > 0) await sleep(1)
    if (monotonicMs() >= this.#validUntilMs) await this.#toDatabase()
    for (;;) {
      const askedAtMs = monotonicMs()
      const { sole, othersCountMs } = await this.#ask()
      if (sole && this.#mayBeSole) await this.#toMemory()
      else await this.#toDatabase()
      this.#validUntilMs = askedAtMs + this.#times.leaseMs
      if (othersCountMs === 0) return
      await sleep(Math.min(waitStepMs, othersCountMs))
    }
  }

  #ask(): Promise<NodeStanding> {
    const { leaseMs } = this.#times
    return this.#app.db.transaction(async (tx) => {
      await lockNodesAcrossAccounts(tx)
      await deleteSilentNodesAcrossAccounts(tx, leaseMs)
      return upsertNodeAcrossAccounts(tx, { id: this.#id, leaseMs, mayBeSole: this.#mayBeSole })
    })
  }

  async #toMemory(): Promise<void> {
    if (this.#place === 'memory') return
    await this.#counter.stop()
    this.#counter = createMemoryAdmission(this.#app)
    this.#place = 'memory'
    this.#app.log.info({ event: 'admission.in_memory' })
  }

  async #toDatabase(): Promise<void> {
    if (this.#place === 'database') return
    await this.#counter.stop()
    await giveUpSoleAcrossAccounts(this.#app.db, this.#id)
    this.#counter = createPostgresAdmission(this.#app)
    this.#place = 'database'
    this.#app.log.info({ event: 'admission.in_database' })
  }
}
