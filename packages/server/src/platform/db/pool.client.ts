import type { Logger } from '../log.shell.ts'
import { Connections, reconnectBudgetMs, type Use } from './connections/connections.client.ts'
import type { Database } from './database.ts'
import { createGrowth } from './growth.client.ts'
import { createListener, type Listener } from './listener.client.ts'
import { createExecutor, type TransactionShell, transactionWithRetry } from './transactions.client.ts'
import { createWaker } from './waker.client.ts'
import { tracedPart } from '../traces/traces.shell.ts'

/** A Database that must be closed. */
export interface PoolDatabase extends Database {
  close(): Promise<void>
  /** Ends every connection: calls that wait for a reply fail at once. */
  giveUp(): void
  /** The numbers of open connections, idle ones, and callers that wait for one. */
  usage(): { total: number; idle: number; waiting: number }
}

interface PoolOptions {
  url: string
  log: Logger
  connectionsMax?: number
  /**
   * `generic` plans statements once, without regard to the values of their parameters. It is for work that finds rows by key,
   * where plans must not depend on statistics that lack new accounts.
   */
  plans?: 'by_value' | 'generic'
  /** Holds sending if the database has another history than before. Needs the migrations. */
  watchHistory?: boolean
  /** How long a caller waits for an unreachable server; defaults to the time of a restart. */
  patienceMs?: number
  /** Whether the database spans several servers (docs/citus.md). */
  distributed?: boolean
  /** A listener shared by several databases of a process; by default the database creates one. */
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
      ...createExecutor(
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
