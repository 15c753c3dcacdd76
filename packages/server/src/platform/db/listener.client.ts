import pg from 'pg'
import { monotonicMs, sleep } from '../clock.ts'
import type { Logger } from '../log.shell.ts'
import { giveUp } from './give-up.client.ts'

export interface Listener {
  listen(channel: string, callback: () => void): () => void
  /** Stays connected from now on, listener or not: whether the database answers is known at any time. */
  watch(): void
  /**
   * Calls back when the database answers again on a new connection after an old one fell silent, with the time since
   * when (monotonic): what was connected before is as dead, and would not be told for many minutes.
   */
  onRevived(callback: (silentSinceMs: number) => void): () => void
  close(): Promise<void>
}

const pauseMsMin = 100
const pauseMsMax = 1_000
const connectTimeoutMs = 5_000
const keepAliveDelayMs = 10_000
const endMsMax = 1_000
/** Each beat asks for an answer; after so many without one the connection is given up. */
const beatMs = 1_000
const silentBeatsMax = 5

/**
 * One connection for LISTEN, opened with the first listener and opened again whenever it is lost. It beats: a host that
 * vanished without a word is noticed within seconds.
 */
export function createListener({ url, log }: { url: string; log: Logger }): Listener {
  const callbacks = new Map<string, Set<() => void>>()
  const revived = new Set<(silentSinceMs: number) => void>()
  const closing = new AbortController()
  let client: pg.Client | null = null
  let loop: Promise<void> | null = null
  let asked: Promise<unknown> = Promise.resolve()
  let silentSinceMs: number | null = null

  // One statement after the other. When one fails the connection is lost, and the next one listens to all.
  function listenFromNowOn(channel: string): void {
    const current = client
    if (current === null) return
    asked = asked.then(() => current.query(`listen ${pg.escapeIdentifier(channel)}`)).catch(() => undefined)
  }

  async function stayConnected(): Promise<void> {
    let pauseMs = pauseMsMin
    while (!closing.signal.aborted) {
      try {
        await listenUntilLost(() => {
          pauseMs = pauseMsMin
        })
      } catch (error) {
        log.debug({ event: 'database.listener_lost', reason: (error as Error).message })
      }
      await sleep(pauseMs, closing.signal)
      pauseMs = Math.min(pauseMs * 2, pauseMsMax)
    }
  }

  async function listenUntilLost(connected: () => void): Promise<void> {
    const current = openClient(url)
    const lost = new Promise<void>((resolve) => {
      current.on('error', () => resolve())
      current.on('end', () => resolve())
    })
    current.on('notification', (message) => callbacks.get(message.channel)?.forEach((callback) => callback()))
    let stopBeating = (): void => undefined
    try {
      await current.connect()
      stopBeating = beat(current, (sinceMs) => {
        silentSinceMs ??= sinceMs
        log.warn({ event: 'database.silent' })
        giveUp(current)
      })
      // A channel that is added meanwhile is met by the loop too.
      for (const channel of callbacks.keys()) await current.query(`listen ${pg.escapeIdentifier(channel)}`)
      client = current
      connected()
      tellRevived()
      // Something may have been told while nobody listened.
      for (const waiting of callbacks.values()) waiting.forEach((callback) => callback())
      if (!closing.signal.aborted) await lost
    } finally {
      client = null
      stopBeating()
      await current.end().catch(() => undefined)
    }
  }

  function tellRevived(): void {
    const sinceMs = silentSinceMs
    if (sinceMs === null) return
    silentSinceMs = null
    log.warn({ event: 'database.revived', silentMs: Math.round(monotonicMs() - sinceMs) })
    for (const callback of revived) callback(sinceMs)
  }

  return {
    listen(channel, callback) {
      const known = callbacks.get(channel)
      callbacks.set(channel, (known ?? new Set()).add(callback))
      if (known === undefined) listenFromNowOn(channel)
      loop ??= stayConnected()
      return () => void callbacks.get(channel)?.delete(callback)
    },
    watch() {
      loop ??= stayConnected()
    },
    onRevived(callback) {
      revived.add(callback)
      return () => void revived.delete(callback)
    },
    async close() {
      closing.abort()
      const current = client
      if (current !== null) {
        await Promise.race([current.end().catch(() => undefined), sleep(endMsMax)])
        giveUp(current)
      }
      await loop
    },
  }
}

/**
 * Asks again and again whether the connection answers. Counted in beats and not by the clock: a process that was stopped,
 * or busy for long, hears one late beat and then what has come meanwhile.
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
