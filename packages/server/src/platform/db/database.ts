/** Rows come back with camelCase keys; timestamptz as Date, int8 and numeric as number, date as 'YYYY-MM-DD'. */
export interface Executor {
  /** Runs one statement. `name` makes it a prepared (named) statement: give one on hot paths. */
  query<Row>(text: string, values?: readonly unknown[], name?: string): Promise<Row[]>
  /** Runs one statement and answers the number of rows that it changed. */
  execute(text: string, values?: readonly unknown[], name?: string): Promise<number>
}

export interface Transaction extends Executor {
  /** Runs after a successful commit, in order; for waking workers, never for work that must not be lost. */
  afterCommit(callback: () => void): void
  /** After the commit, tells every process that listens on the channel; many within a few ms become one. */
  wake(channel: string): void
  /** Runs `copy … from stdin` and feeds it; answers the number of rows. */
  copyFrom(text: string, source: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>): Promise<number>
}

export interface TransactionOptions {
  /** Each statement sees the rows as they were at the first one; to change what changed since is tried again. */
  oneSnapshot?: boolean
}

export interface Database extends Executor {
  /** Begins, runs, commits; rolls back on a throw. Serialization failures and deadlocks are retried (3 times at most). */
  transaction<Result>(run: (tx: Transaction) => Promise<Result>, options?: TransactionOptions): Promise<Result>
  /**
   * Calls back after a `wake` of the channel in any process, and whenever some may have been missed (at the start and
   * after a lost connection). A hint to look sooner: whoever listens polls too. Answers how to stop.
   */
  listen(channel: string, callback: () => void): () => void
  /**
   * The same database for a request of this account: its rows are all that can be seen or written, it has its share of
   * the connections, and its statements end after ten seconds. Null: out of all that again.
   */
  within(accountId: string | null): Database
  /** The same without the wall, which keeps some operators from their index: each statement names its account then. */
  beyondWall(): Database
  /**
   * The same for work of our own whose commits need not be on disk when they are answered, for it is done again where they
   * are lost: leases, claims before their gate, places reached. A crash of the server may lose the last half second of them,
   * never one of them without those after it, and none that a commit of the other kind came after.
   */
  relaxed(): Database
}
