import type { Logger } from '../log.shell.ts'
import { Connections, reconnectBudgetMs, type Use } from './connections/connections.client.ts'
import type { Database } from './database.ts'
import { createGrowth } from './growth.client.ts'
import { createListener, type Listener } from './listener.client.ts'
import { executorOf, type TransactionShell, transactionWithRetry } from './transactions.client.ts'
import { createWaker } from './waker.client.ts'
import { tracedPart } from '../traces/traces.shell.ts'

/** A Database that has to be closed. */
export interface PoolDatabase extends Database {
  close(): Promise<void>
  /** Gives up every connection: whoever waits for an answer there fails at once. */
  giveUp(): void
  /** Connections open, idle, and callers waiting for one. */
  usage(): { total: number; idle: number; waiting: number }
}

interface PoolOptions {
  url: string
  log: Logger
  connectionsMax?: number
  /**
   * `generic`: statements are planned once, by the columns they name and not by the values they are given. For work
   * that looks rows up by key, whatever the statistics say about an account that they have never seen.
   */
  plans?: 'by_value' | 'generic'
  /** Another history of the database than the one before holds sending. Needs the migrations. */
  watchHistory?: boolean
  /** How long a caller waits for a server that can't be reached; else as long as one takes to restart. */
  patienceMs?: number
  /** Of several servers (docs/operating.md, "Citus"). */
  distributed?: boolean
  /** One that listens for several databases of a process; else one is made. */
  listener?: Listener
}

const ourOwn: Use = { accountId: null, walled: false, relaxed: false }

export function createDatabase(options: PoolOptions): PoolDatabase {
  const { url, log, connectionsMax = 20, plans = 'by_value', watchHistory = false } = options
  const { patienceMs = reconnectBudgetMs, distributed = false } = options
  const connections = new Connections({ url, log, connectionsMax, plans, watchHistory, patienceMs, distributed })
  const listener = options.listener ?? createListener({ url, log })
  const stopWatching = listener.onRevived((silentSinceMs) => connections.giveUpOlderThan(silentSinceMs))
  const waker = createWaker(() => connections.take(ourOwn), log)
  const growth = createGrowth(() => connections.take(ourOwn), log)
  const after: Omit<TransactionShell, 'take'> = {
    wake: (channels) => waker.wake(channels),
    wrote: (written) => growth.note(written),
  }
  const open = (use: Use): Database => {
    const take = () => connections.take(use)
    return {
      ...executorOf(
        (run, name) =>
          tracedPart(`db ${name ?? 'statement'}`, { kind: 'client' }, async () => {
            const connection = await take()
            try {
              return await connection.alone(run)
            } finally {
              connection.release()
            }
          }),
        (written) => growth.note(written),
      ),
      transaction: (run, options) =>
        transactionWithRetry({ take, ...after, ...options }, (tx) => connections.inPlace(use, () => run(tx))),
      listen: (channel, callback) => listener.listen(channel, callback),
      within: (accountId) => open({ accountId, walled: accountId !== null, relaxed: false }),
      beyondWall: () => open({ ...use, walled: false }),
      relaxed: () => open({ ...use, relaxed: use.accountId === null && !distributed }),
    }
  }
  return {
    ...open(ourOwn),
    giveUp: () => connections.giveUpOlderThan(Number.POSITIVE_INFINITY),
    usage: () => connections.usage(),
    async close() {
      await waker.flush()
      await growth.settle()
      stopWatching()
      if (options.listener === undefined) await listener.close()
      await connections.close()
    },
  }
}
