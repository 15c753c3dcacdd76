import { channel } from 'node:diagnostics_channel'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFromStream } from 'pg-copy-streams'
import { monotonicMs, sleep } from '../clock.ts'
import { type Connection, reconnectBudgetMs, reconnectPauseMs } from './connections/connections.client.ts'
import type { Executor, Transaction, TransactionOptions } from './database.ts'
import { isRetryable, isUnavailable } from './errors.ts'
import { isBulk, type WrittenStatement } from './growth.client.ts'
import { toObjects } from './rows.client.ts'
import type { Span } from '../traces/span.ts'
import { tracedPart } from '../traces/traces.shell.ts'

export interface TransactionShell extends TransactionOptions {
  take: () => Promise<Connection>
  wake(channels: ReadonlySet<string>): void
  wrote(written: WrittenStatement): void
}

const retriesMax = 5

/** Publishes the text and the name of each statement as it is sent, synchronously in the caller's stack. */
const statements = channel('overture.statement')

/** Runs a transaction as one span of the trace, which contains the number of statements. */
export function transactionWithRetry<Result>(
  shell: TransactionShell,
  run: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  return tracedPart('db.transaction', { kind: 'client' }, (span) => untilCommitted({ ...shell, span }, run))
}

interface TracedShell extends TransactionShell {
  span: Span | null
}

async function untilCommitted<Result>(shell: TracedShell, run: (tx: Transaction) => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await runTransaction(shell, run)
    } catch (error) {
      if (shell.once === true || attempt > retriesMax || !isRetryable(error)) throw error
      await sleep(attempt * 10 + Math.random() * 20)
    }
  }
}

async function runTransaction<Result>(shell: TracedShell, run: (tx: Transaction) => Promise<Result>): Promise<Result> {
  const connection = await begin(shell)
  const tx = openTransaction(connection)
  const { span } = shell
  let result: Result
  try {
    result = await run(tx.transaction)
    for (const last of tx.lasts) await last()
    tx.end()
    span?.set({ 'overture.statements': tx.statementCount() })
    const { command } = await connection.ask(connection.client.query('commit'))
    // PostgreSQL replies ROLLBACK if an earlier error of the transaction was swallowed.
    if (command !== 'COMMIT') throw new Error('The transaction had failed and was rolled back.')
  } catch (error) {
    tx.end()
    await rollback(connection)
    throw error
  }
  connection.release()
  shell.wake(tx.channels)
  for (const written of tx.bulks) shell.wrote(written)
  for (const callback of tx.callbacks) callback()
  return result
}

// Nothing was sent to the database before BEGIN succeeds, so a dead connection can be replaced safely.
async function begin({ take, oneSnapshot = false }: TransactionShell): Promise<Connection> {
  const giveUpAtMs = monotonicMs() + reconnectBudgetMs
  for (;;) {
    const connection = await take()
    try {
      await connection.begin(oneSnapshot)
      return connection
    } catch (error) {
      connection.release(true)
      if (!isUnavailable(error) || monotonicMs() > giveUpAtMs) throw error
      await sleep(reconnectPauseMs)
    }
  }
}

async function rollback(connection: Connection): Promise<void> {
  try {
    await connection.ask(connection.client.query('rollback'))
    connection.release()
  } catch {
    connection.release(true)
  }
}

function openTransaction(connection: Connection) {
  const lasts: (() => Promise<void>)[] = []
  const callbacks: (() => void)[] = []
  const channels = new Set<string>()
  const bulks: WrittenStatement[] = []
  let open = true
  let statementCount = 0
  const live = (): Connection => {
    if (!open) throw new Error('This transaction has ended.')
    statementCount++
    return connection
  }
  const transaction: Transaction = {
    ...createExecutor(
      async (run) => run(live()),
      (written) => bulks.push(written),
    ),
    beforeCommit: (last) => lasts.push(last),
    afterCommit: (callback) => callbacks.push(callback),
    wake: (channel) => channels.add(channel),
    async copyFrom(text, source) {
      const sink = live().client.query(copyFromStream(text))
      await live().ask(pipeline(Readable.from(source, { objectMode: false }), sink))
      return sink.rowCount ?? 0
    },
  }
  return {
    transaction,
    lasts,
    callbacks,
    channels,
    bulks,
    statementCount: () => statementCount,
    end() {
      open = false
    },
  }
}

/** Runs single statements, each on the connection that `on` lends. `wrote` is called for statements that wrote many rows. */
export function createExecutor(
  on: <Result>(run: (connection: Connection) => Promise<Result>, name: string | undefined) => Promise<Result>,
  wrote: (written: WrittenStatement) => void,
): Executor {
  const send = async (text: string, values: readonly unknown[] | undefined, name: string | undefined) => {
    if (statements.hasSubscribers) statements.publish({ text, preparedAs: name })
    const result = await on<pg.QueryArrayResult>(
      (connection) =>
        connection.ask(
          connection.client.query({ text, values: values as unknown[] | undefined, name, rowMode: 'array' }),
        ),
      name,
    )
    const written = { text, values: values?.slice(0, 3), rows: result.rowCount ?? 0 }
    if (isBulk(written)) wrote(written)
    return result
  }
  return {
    query: async <Row>(text: string, values?: readonly unknown[], name?: string) =>
      toObjects<Row>(await send(text, values, name)),
    execute: async (text, values, name) => (await send(text, values, name)).rowCount ?? 0,
  }
}
