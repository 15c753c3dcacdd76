import type pg from 'pg'
import { monotonicMs } from '../../clock.ts'

/** One for the process's own work, and for the accounts that asked last. */
const parkedMax = 8
/** After this nobody is expected who asks for the same: the pool has it back, and closes it in time. */
const parkedMs = 1_000

interface ParkedConnection {
  client: pg.PoolClient
  /** What it is set up for. */
  use: string
  sinceMs: number
}

/**
 * Connections of a pool between two uses. Behind whose wall a session stands is told to the server by a statement, which
 * is saved where the next one to ask is the same account: as most are, for a request asks several times.
 */
export class ParkedConnections {
  readonly #pool: pg.Pool
  readonly #connectionsMax: number
  /** Who has waited longest comes first. */
  #parked: ParkedConnection[] = []
  /** Whoever was asking there heard of it; the connection itself is not to be lent again. */
  readonly #ended = new WeakSet<pg.ClientBase>()
  #timer: NodeJS.Timeout | undefined
  #closed = false
  readonly #onLost: (error: Error) => void

  constructor(pool: pg.Pool, { connectionsMax, onLost }: { connectionsMax: number; onLost: (error: Error) => void }) {
    this.#pool = pool
    this.#onLost = onLost
    this.#connectionsMax = connectionsMax
    pool.on('connect', (client) => {
      client.on('error', (error) => this.#forget(client, error))
      client.on('end', () => this.#forget(client, new Error('The connection ended.')))
    })
  }

  get count(): number {
    return this.#parked.length
  }

  /** One that is set up for this use, or, where the pool can give no other, any; undefined: the pool is to be asked. */
  take(use: string): pg.PoolClient | undefined {
    const same = this.#parked.findLastIndex((parked) => parked.use === use)
    const isFull = this.#pool.totalCount >= this.#connectionsMax && this.#pool.idleCount === 0
    const at = same === -1 && (isFull || this.#parked.length >= parkedMax) ? 0 : same
    return at === -1 ? undefined : this.#parked.splice(at, 1)[0]?.client
  }

  /** Takes back a connection that may be used again; whoever waits for one in the pool has it first. */
  giveBack(client: pg.PoolClient, use: string): void {
    if (this.#ended.has(client)) return client.release(true)
    if (this.#closed || this.#pool.waitingCount > 0) return client.release()
    this.#parked.push({ client, use, sinceMs: monotonicMs() })
    if (this.#parked.length > parkedMax) this.#parked.shift()?.client.release()
    this.#timer ??= setTimeout(() => this.#releaseOld(), parkedMs).unref()
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#timer)
    for (const { client } of this.#parked.splice(0)) client.release()
  }

  #releaseOld(): void {
    const fromMs = monotonicMs() - parkedMs
    const old = this.#parked.filter(({ sinceMs }) => sinceMs <= fromMs)
    this.#parked = this.#parked.filter(({ sinceMs }) => sinceMs > fromMs)
    for (const { client } of old) client.release()
    this.#timer = this.#parked.length > 0 ? setTimeout(() => this.#releaseOld(), parkedMs).unref() : undefined
  }

  /** As the pool does with one of its own that ends while nobody uses it. */
  #forget(client: pg.ClientBase, error: Error): void {
    this.#ended.add(client)
    const at = this.#parked.findIndex((parked) => parked.client === client)
    if (at === -1) return
    this.#parked.splice(at, 1)[0]?.client.release(error)
    this.#onLost(error)
  }
}
