import type pg from 'pg'
import { monotonicMs } from '../../clock.ts'

/** One for the process's own work, and the others for the accounts with the most recent requests. */
const parkedMax = 8
/** After this time another request for the same use is unlikely, so the connection returns to the pool, which closes idle ones. */
const parkedMs = 1_000

interface ParkedConnection {
  client: pg.PoolClient
  /** The use that it is set up for. */
  use: string
  sinceMs: number
}

/**
 * Connections of a pool between two uses, which keep their setup. Entering an account's wall costs a statement. It is saved if
 * the next use is for the same account, which is likely, since a request runs several statements.
 */
export class ParkedConnections {
  readonly #pool: pg.Pool
  readonly #connectionsMax: number
  /** The connection that was parked first comes first. */
  #parked: ParkedConnection[] = []
  /** Ended connections. The code that used one has received the error; the connection must not be lent again. */
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

  /**
   * Returns a connection that is set up for this use. If the pool has no other left, or the maximum is parked, returns any.
   * Undefined means that the caller must ask the pool.
   */
  take(use: string): pg.PoolClient | undefined {
    const same = this.#parked.findLastIndex((parked) => parked.use === use)
    const isFull = this.#pool.totalCount >= this.#connectionsMax && this.#pool.idleCount === 0
    const at = same === -1 && (isFull || this.#parked.length >= parkedMax) ? 0 : same
    return at === -1 ? undefined : this.#parked.splice(at, 1)[0]?.client
  }

  /** Parks a usable connection, unless a caller waits for one in the pool. */
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

  /** Handles the end of a parked connection as the pool does for an idle one. */
  #forget(client: pg.ClientBase, error: Error): void {
    this.#ended.add(client)
    const at = this.#parked.findIndex((parked) => parked.client === client)
    if (at === -1) return
    this.#parked.splice(at, 1)[0]?.client.release(error)
    this.#onLost(error)
  }
}
