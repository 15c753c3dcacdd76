import type { Logger } from '../log.shell.ts'
import type { Connection } from './connections/connections.client.ts'

const wakeDelayMs = 5

interface Waker {
  wake(channels: ReadonlySet<string>): void
  flush(): Promise<void>
}

/**
 * Sends notifications separately after the commit, once for the many commits of a few milliseconds. NOTIFY inside a transaction
 * would make all commits of the database wait for one lock.
 */
export function createWaker(take: () => Promise<Connection>, log: Logger): Waker {
  let pending = new Set<string>()
  let timer: NodeJS.Timeout | null = null
  async function flush(): Promise<void> {
    if (timer !== null) clearTimeout(timer)
    timer = null
    if (pending.size === 0) return
    const channels = [...pending]
    pending = new Set()
    try {
      const connection = await take()
      const text = `select pg_notify(channel, '') from unnest($1::text[]) as channel`
      await connection.ask(connection.client.query(text, [channels])).finally(() => connection.release())
    } catch (error) {
      log.debug({ event: 'database.wake_failed', reason: (error as Error).message })
    }
  }
  return {
    flush,
    wake(channels) {
      for (const channel of channels) pending.add(channel)
      if (pending.size > 0) timer ??= setTimeout(() => void flush(), wakeDelayMs)
    },
  }
}
