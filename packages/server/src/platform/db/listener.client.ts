import pg from 'pg'
import { monotonicMs, sleep } from '../clock.ts'
import type { Logger } from '../log.shell.ts'
import { giveUp } from './connections/connections.client.ts'

export interface Listener {
  listen(channel: string, callback: () => void): () => void
  /** Stays connected from now on, even without a listener, so that the state of the database is always known. */
  watch(): void
  /**
   * Calls back when the database replies on a new connection after an old one fell silent, with the time since when it was silent
   * (monotonic). Connections from before are dead too, but TCP would report that only after many minutes.
   */
  onRevived(callback: (silentSinceMs: number) => void): () => void
  close(): Promise<void>
}

const pauseMsMin = 100
const pauseMsMax = 1_000
const connectTimeoutMs = 5_000
const keepAliveDelayMs = 10_000
const endMsMax = 1_000
/** Each beat sends a query. After this many beats without a reply the connection is closed. */
const beatMs = 1_000
const silentBeatsMax = 5

/**
 * One connection for LISTEN, opened with the first listener and reopened whenever it is lost. It sends regular queries, so that a
 * host that vanished silently is noticed within seconds.
 */
export function createListener(options: { url: string; log: Logger }): Listener {
  return new BeatingListener(options.url, options.log)
}

class BeatingListener implements Listener {
  readonly #url: string
  readonly #log: Logger
  readonly #callbacks = new Map<string, Set<() => void>>()
  readonly #revived = new Set<(silentSinceMs: number) => void>()
  readonly #closing = new AbortController()
  #client: pg.Client | null = null
  #loop: Promise<void> | null = null
  #asked: Promise<unknown> = Promise.resolve()
  #silentSinceMs: number | null = null

  constructor(url: string, log: Logger) {
    this.#url = url
    this.#log = log
  }

  listen(channel: string, callback: () => void): () => void {
    const known = this.#callbacks.get(channel)
    this.#callbacks.set(channel, (known ?? new Set()).add(callback))
    if (known === undefined) this.#listenFromNowOn(channel)
    this.watch()
    return () => void this.#callbacks.get(channel)?.delete(callback)
  }

  watch(): void {
    this.#loop ??= this.#stayConnected()
  }

  onRevived(callback: (silentSinceMs: number) => void): () => void {
    this.#revived.add(callback)
    return () => void this.#revived.delete(callback)
  }

  async close(): Promise<void> {
    this.#closing.abort()
    const current = this.#client
    if (current !== null) {
      await Promise.race([current.end().catch(() => undefined), sleep(endMsMax)])
      giveUp(current)
    }
    await this.#loop
  }

  // Runs one statement after the other. If one fails, the connection is lost and the next one listens to all channels.
  #listenFromNowOn(channel: string): void {
    const current = this.#client
    if (current === null) return
    this.#asked = this.#asked.then(() => current.query(`listen ${pg.escapeIdentifier(channel)}`)).catch(() => undefined)
  }

  async #stayConnected(): Promise<void> {
    const { signal } = this.#closing
    let pauseMs = pauseMsMin
    while (!signal.aborted) {
      try {
        await this.#listenUntilLost(() => {
          pauseMs = pauseMsMin
        })
      } catch (error) {
        this.#log.debug({ event: 'database.listener_lost', reason: (error as Error).message })
      }
      await sleep(pauseMs, signal)
      pauseMs = Math.min(pauseMs * 2, pauseMsMax)
    }
  }

  async #listenUntilLost(connected: () => void): Promise<void> {
    const callbacks = this.#callbacks
    const current = openClient(this.#url)
    const lost = new Promise<void>((resolve) => {
      current.on('error', () => resolve())
      current.on('end', () => resolve())
    })
    current.on('notification', (message) => callbacks.get(message.channel)?.forEach((callback) => callback()))
    let stopBeating = (): void => undefined
    try {
      await current.connect()
      stopBeating = beat(current, (sinceMs) => this.#giveUpSilent(current, sinceMs))
      // The loop also reaches a channel that is added meanwhile.
      for (const channel of callbacks.keys()) await current.query(`listen ${pg.escapeIdentifier(channel)}`)
      this.#client = current
      connected()
      this.#announceRevival()
      // Notifications may have been missed while there was no connection.
      for (const waiting of callbacks.values()) waiting.forEach((callback) => callback())
      if (!this.#closing.signal.aborted) await lost
    } finally {
      this.#client = null
      stopBeating()
      await current.end().catch(() => undefined)
    }
  }

  #giveUpSilent(client: pg.Client, sinceMs: number): void {
    this.#silentSinceMs ??= sinceMs
    this.#log.warn({ event: 'database.silent' })
    giveUp(client)
  }

  #announceRevival(): void {
    const sinceMs = this.#silentSinceMs
    if (sinceMs === null) return
    this.#silentSinceMs = null
    this.#log.warn({ event: 'database.revived', silentMs: Math.round(monotonicMs() - sinceMs) })
    for (const callback of this.#revived) callback(sinceMs)
  }
}

/**
 * Checks regularly whether the connection replies. It counts beats instead of time: a process that was suspended or busy for long
 * runs one late beat and then reads the replies that arrived meanwhile.
 */
function beat(client: pg.Client, onSilent: (sinceMs: number) => void): () => void {
  let silentBeats = 0
  let askedAtMs = 0
  const timer = setInterval(() => {
    if (++silentBeats > silentBeatsMax) {
      clearInterval(timer)
      return onSilent(askedAtMs)
    }
    if (silentBeats > 1) return
    askedAtMs = monotonicMs()
    client.query('select 1').then(
      () => (silentBeats = 0),
      () => undefined,
    )
  }, beatMs)
  timer.unref()
  return () => clearInterval(timer)
}

function openClient(url: string): pg.Client {
  return new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveDelayMs,
    application_name: 'overture listener',
  })
}
