import type { Database, Executor, Transaction } from '../platform/db/database.ts'

/** A database whose transactions all join an open one. */
interface JoinedDatabase {
  db: Database
  /** Aborted when the first statement fails: all later statements fail too, so retries are pointless. */
  failed: AbortSignal
  /** Closes the database. Throws the error of the statement that failed. */
  close(): void
}

/** Statements run one after the other on one connection. `transaction` reuses the open transaction. */
export function joinTransaction(tx: Transaction): JoinedDatabase {
  const failing = new AbortController()
  let last: Promise<unknown> = Promise.resolve()
  let closed = false

  function inTurn<Result>(run: () => Promise<Result>): Promise<Result> {
    const result = last.then(() => {
      if (closed) throw new Error('This transaction has ended.')
      failing.signal.throwIfAborted()
      return run()
    })
    last = result.catch((error: unknown) => failing.abort(error))
    return result
  }

  const executor: Executor = {
    query: <Row>(text: string, values?: readonly unknown[], name?: string) =>
      inTurn(() => tx.query<Row>(text, values, name)),
    execute: (text, values, name) => inTurn(() => tx.execute(text, values, name)),
  }
  const openTransaction = (lasts: (() => Promise<void>)[]): Transaction => ({
    ...executor,
    beforeCommit: (last) => lasts.push(last),
    afterCommit: (callback) => tx.afterCommit(callback),
    wake: (channel) => tx.wake(channel),
    copyFrom: (text, source) => inTurn(() => tx.copyFrom(text, source)),
  })
  const db: Database = {
    ...executor,
    transaction: (run) => runJoined(openTransaction, run),
    listen: () => {
      throw new Error('Nothing listens within a transaction.')
    },
    within: () => db,
    beyondWall: () => db,
    relaxed: () => db,
  }
  return {
    db,
    failed: failing.signal,
    close() {
      closed = true
      failing.signal.throwIfAborted()
    },
  }
}

// The writes that each inner transaction does last are visible to the next one, which finds the planner's next time there. A run holds the
// row of the planner from its first instant, so a request that has locked a campaign waits for it. The run gives up first, by its lock
// timeout.
async function runJoined<Result>(
  open: (lasts: (() => Promise<void>)[]) => Transaction,
  run: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  const lasts: (() => Promise<void>)[] = []
  const result = await run(open(lasts))
  for (const last of lasts) await last()
  return result
}
