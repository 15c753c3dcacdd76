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
}

export interface Database extends Executor {
  /** Begins, runs, commits; rolls back on a throw. Serialization failures and deadlocks are retried (3 times at most). */
  transaction<Result>(run: (tx: Transaction) => Promise<Result>): Promise<Result>
}
