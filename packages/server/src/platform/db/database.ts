/** Rows have camelCase keys. timestamptz is a Date, int8 and numeric are numbers, date is 'YYYY-MM-DD'. */
export interface Executor {
  /** Runs one statement. `name` makes it a prepared (named) statement: give one on hot paths. */
  query<Row>(text: string, values?: readonly unknown[], name?: string): Promise<Row[]>
  /** Runs one statement and returns the number of rows that it changed. */
  execute(text: string, values?: readonly unknown[], name?: string): Promise<number>
}

export interface Transaction extends Executor {
  /**
   * Runs just before the commit, in order, as a part of the transaction. For rows that many transactions write: locked last, they
   * never wait in a circle for rows that a transaction locks in between.
   */
  beforeCommit(run: () => Promise<void>): void
  /** Runs after a successful commit, in order. Use it to wake workers, never for work that must not be lost. */
  afterCommit(callback: () => void): void
  /** After the commit, notifies every process that listens on the channel. Many wakes within a few ms become one. */
  wake(channel: string): void
  /** Runs `copy … from stdin` with this source and returns the number of rows. */
  copyFrom(text: string, source: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>): Promise<number>
}

export interface TransactionOptions {
  /** Each statement sees the rows as of the first statement. If it changes a row that changed since, the transaction is retried. */
  oneSnapshot?: boolean
  /** A serialization failure or a deadlock is thrown, not retried. */
  once?: boolean
}

export interface Database extends Executor {
  /** Begins, runs, commits; rolls back on a throw. Serialization failures and deadlocks are retried (5 times at most). */
  transaction<Result>(run: (tx: Transaction) => Promise<Result>, options?: TransactionOptions): Promise<Result>
  /**
   * Calls back after a `wake` of the channel in any process, and whenever a wake may have been missed (at the start and after a
   * lost connection). It is only a hint to poll sooner, so listeners must also poll at an interval. Returns a function that stops
   * listening.
   */
  listen(channel: string, callback: () => void): () => void
  /**
   * The same database for a request of this account: only its rows can be read or written, it has a limited share of the
   * connections, and its statements end after ten seconds. Null removes these limits.
   */
  within(accountId: string | null): Database
  /** The same without the wall, which prevents some operators from using their index. Each statement must then name its account. */
  beyondWall(): Database
  /**
   * The same for our own work whose commits need not be on disk at once, because it is repeated if they are lost: leases, claims
   * before their gate, positions. A crash of the server may lose the commits of about the last half second. A lost commit is
   * never followed by a kept one, so commits before a durable commit are safe.
   */
  relaxed(): Database
}

/**
 * Makes the commit of this transaction durable before anyone can learn of it. It is a command, because with several database
 * servers the one with the account's rows gets commands, but not the effects of functions.
 */
export async function commitDurably(tx: Transaction): Promise<void> {
  await tx.execute('set local synchronous_commit = on')
}

/** Serializes the statements of concurrent readers on a transaction's single connection: each is sent after the previous reply. */
export function inTurn(db: Executor): Executor {
  let last: Promise<unknown> = Promise.resolve()
  const after = <Answer>(ask: () => Promise<Answer>): Promise<Answer> => {
    const answer = last.then(ask)
    last = answer.catch(() => undefined)
    return answer
  }
  return {
    query: <Row>(text: string, values?: readonly unknown[], name?: string) =>
      after(() => db.query<Row>(text, values, name)),
    execute: (text, values, name) => after(() => db.execute(text, values, name)),
  }
}

/** One column of the rows that a statement is given as lists: its name in the statement, its type, and its value in a row. */
export type ListColumn<Row> = readonly [name: string, type: string, value: (row: Row) => unknown]

/**
 * The rows as a relation of a statement, called `t` unless `as` names it. The lists are its parameters from `$first` on, as `rowLists`
 * returns them. With `ordinal`, the relation also has the place of each row in the lists.
 */
export function listedRows<Row>(
  columns: readonly ListColumn<Row>[],
  first: number,
  { ordinal = false, as = 't' }: { ordinal?: boolean; as?: string } = {},
): string {
  const lists = columns.map(([, type], at) => `$${first + at}::${type}[]`)
  const names = [...columns.map(([name]) => name), ...(ordinal ? ['ordinal'] : [])]
  return `unnest(${lists.join(', ')})${ordinal ? ' with ordinality' : ''} ${as} (${names.join(', ')})`
}

/** The parameter with the list of one column, for a part of the statement that needs no other column. Throws for an unknown name. */
export function columnList<Row>(columns: readonly ListColumn<Row>[], first: number, name: string): string {
  const at = columns.findIndex(([column]) => column === name)
  const column = columns[at]
  if (column === undefined) throw new Error(`No column is called ${name}.`)
  return `$${first + at}::${column[1]}[]`
}

/** The values of each column, in the order of the columns. */
export function rowLists<Row>(columns: readonly ListColumn<Row>[], rows: readonly Row[]): unknown[][] {
  return columns.map(([, , value]) => rows.map(value))
}
