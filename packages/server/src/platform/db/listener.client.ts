import pg from 'pg'
import { sleep } from '../clock.ts'
import type { Logger } from '../log.shell.ts'

export interface Listener {
  listen(channel: string, callback: () => void): () => void
  close(): Promise<void>
}

const pauseMsMin = 100
const pauseMsMax = 5_000

/** One connection for LISTEN, opened with the first listener and opened again whenever it is lost. */
export function createListener({ url, log }: { url: string; log: Logger }): Listener {
  const callbacks = new Map<string, Set<() => void>>()
  const closing = new AbortController()
  let client: pg.Client | null = null
  let loop: Promise<void> | null = null
  let asked: Promise<unknown> = Promise.resolve()

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
    const current = new pg.Client({ connectionString: url, keepAlive: true, application_name: 'overture listener' })
    const lost = new Promise<void>((resolve) => {
      current.on('error', () => resolve())
      current.on('end', () => resolve())
    })
    current.on('notification', (message) => callbacks.get(message.channel)?.forEach((callback) => callback()))
    try {
      await current.connect()
      // A channel that is added meanwhile is met by the loop too.
      for (const channel of callbacks.keys()) await current.query(`listen ${pg.escapeIdentifier(channel)}`)
      client = current
      connected()
      // Something may have been told while nobody listened.
      for (const waiting of callbacks.values()) waiting.forEach((callback) => callback())
      if (!closing.signal.aborted) await lost
    } finally {
      client = null
      await current.end().catch(() => undefined)
    }
  }

  return {
    listen(channel, callback) {
      const known = callbacks.get(channel)
      callbacks.set(channel, (known ?? new Set()).add(callback))
      if (known === undefined) listenFromNowOn(channel)
      loop ??= stayConnected()
      return () => void callbacks.get(channel)?.delete(callback)
    },
    async close() {
      closing.abort()
      await client?.end().catch(() => undefined)
      await loop
    },
  }
}
