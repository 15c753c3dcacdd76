import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFromStream } from 'pg-copy-streams'
import { monotonicMs, sleep } from '../clock.ts'
import type { Logger } from '../log.shell.ts'
import { enterWall, hasWalledRole } from './account-wall.sql.ts'
import type { Database, Executor, Transaction } from './database.ts'
import { isRetryable, isUnavailable } from './errors.ts'
import { createListener } from './listener.client.ts'
import { rowTypes, toObjects } from './rows.client.ts'

/** A Database that has to be closed. */
export interface PoolDatabase extends Database {
  close(): Promise<void>
  /** Connections open, idle, and callers waiting for one. */
  usage(): { total: number; idle: number; waiting: number }
}

export interface PoolOptions {
  url: string
  log: Logger
  connectionsMax?: number
  /**
   * `generic`: statements are planned once, by the columns they name and not by the values they are given. For work
   * that looks rows up by key, whatever the statistics say about an account that they have never seen.
   */
  plans?: 'by_value' | 'generic'
}

const retriesMax = 3
const connectTimeoutMs = 10_000
/** How long a caller waits for a database that is restarting, before anything was sent to it. */
const reconnectBudgetMs = 5_000
const reconnectPauseMs = 50
const statementTimeoutMs = 120_000
const idleInTransactionTimeoutMs = 60_000
const wakeDelayMs = 5

export function createDatabase(options: PoolOptions): PoolDatabase {
  const { log } = options
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.connectionsMax ?? 20,
    connectionTimeoutMillis: connectTimeoutMs,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    application_name: 'overture',
    types: rowTypes,
    allowExitOnIdle: true,
  })
  // Without these two handlers a restart of PostgreSQL ends the process.
  let closing = false
  pool.on('error', (error) => {
    // A connection that is being given up may hear of the server's end before its own.
    if (!closing) log.warn({ event: 'database.connection_lost', reason: error.message })
  })
  pool.on('connect', (client) => {
    client.on('error', (error) => log.debug({ event: 'database.client_error', reason: error.message }))
  })
  const take = createTaker(pool, options.plans ?? 'by_value')
  const listener = createListener({ url: options.url, log })
  const waker = createWaker(pool, log)
  const open = (accountId: string | null): Database => {
    const takeWithin = () => take(accountId)
    return {
      ...pooledExecutor(takeWithin),
      transaction: (run) => transactionWithRetry({ take: takeWithin, wake: (channels) => waker.wake(channels) }, run),
      listen: (channel, callback) => listener.listen(channel, callback),
      within: open,
    }
  }
  return {
    ...open(null),
    usage: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    async close() {
      closing = true
      await waker.flush()
      await listener.close()
      await pool.end()
    },
  }
}

function pooledExecutor(take: TakeClient): Executor {
  async function withClient<Result>(run: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
    const client = await take()
    try {
      return await run(client)
    } finally {
      client.release()
    }
  }
  return {
    query: <Row>(text: string, values?: readonly unknown[], name?: string) =>
      withClient(async (client) => toObjects<Row>(await send(client, { text, values, name }))),
    execute: (text, values, name) =>
      withClient(async (client) => (await send(client, { text, values, name })).rowCount ?? 0),
  }
}

type TakeClient = () => Promise<pg.PoolClient>

interface TransactionShell {
  take: TakeClient
  wake(channels: ReadonlySet<string>): void
}

async function transactionWithRetry<Result>(
  shell: TransactionShell,
  run: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await runTransaction(shell, run)
    } catch (error) {
      if (attempt > retriesMax || !isRetryable(error)) throw error
      await sleep(attempt * 10 + Math.random() * 20)
    }
  }
}

async function runTransaction<Result>(
  shell: TransactionShell,
  run: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  const client = await begin(shell.take)
  const tx = openTransaction(client)
  let result: Result
  try {
    result = await run(tx.transaction)
    tx.end()
    const { command } = await client.query('commit')
    // PostgreSQL answers ROLLBACK when an earlier error of the transaction was swallowed.
    if (command !== 'COMMIT') throw new Error('The transaction had failed and was rolled back.')
  } catch (error) {
    tx.end()
    await rollback(client)
    throw error
  }
  client.release()
  shell.wake(tx.channels)
  for (const callback of tx.callbacks) callback()
  return result
}

// Nothing has been asked of the database before BEGIN is answered, so a dead connection is safely replaced.
async function begin(take: TakeClient): Promise<pg.PoolClient> {
  const giveUpAtMs = monotonicMs() + reconnectBudgetMs
  for (;;) {
    const client = await take()
    try {
      await client.query('begin')
      return client
    } catch (error) {
      client.release(true)
      if (!isUnavailable(error) || monotonicMs() > giveUpAtMs) throw error
      await sleep(reconnectPauseMs)
    }
  }
}

async function rollback(client: pg.PoolClient): Promise<void> {
  try {
    await client.query('rollback')
    client.release()
  } catch {
    client.release(true)
  }
}

function openTransaction(client: pg.PoolClient) {
  const callbacks: (() => void)[] = []
  const channels = new Set<string>()
  let open = true
  const live = (): pg.PoolClient => {
    if (!open) throw new Error('This transaction has ended.')
    return client
  }
  const transaction: Transaction = {
    query: async <Row>(text: string, values?: readonly unknown[], name?: string) =>
      toObjects<Row>(await send(live(), { text, values, name })),
    execute: async (text, values, name) => (await send(live(), { text, values, name })).rowCount ?? 0,
    afterCommit: (callback) => callbacks.push(callback),
    wake: (channel) => channels.add(channel),
    async copyFrom(text, source) {
      const sink = live().query(copyFromStream(text))
      await pipeline(Readable.from(source, { objectMode: false }), sink)
      return sink.rowCount ?? 0
    },
  }
  return {
    transaction,
    callbacks,
    channels,
    end() {
      open = false
    },
  }
}

interface Statement {
  text: string
  values: readonly unknown[] | undefined
  name: string | undefined
}

function send(client: pg.PoolClient, { text, values, name }: Statement): Promise<pg.QueryArrayResult> {
  return client.query({ text, values: values as unknown[] | undefined, name, rowMode: 'array' })
}

/** Takes a connection of the pool, set up; waits for a database that is restarting. */
function createTaker(pool: pg.Pool, plans: 'by_value' | 'generic') {
  /** Of each connection that is set up: behind whose wall it is, if anybody's. */
  const accounts = new WeakMap<pg.PoolClient, string | null>()
  let walled: boolean | undefined
  async function setUp(client: pg.PoolClient, accountId: string | null): Promise<void> {
    if (!accounts.has(client)) await prepare(client, plans)
    if ((accounts.get(client) ?? null) !== accountId) {
      walled ??= await hasWalledRole(client)
      if (walled) await enterWall(client, accountId)
    }
    accounts.set(client, accountId)
  }
  return async (accountId: string | null): Promise<pg.PoolClient> => {
    const giveUpAtMs = monotonicMs() + reconnectBudgetMs
    for (;;) {
      try {
        const client = await pool.connect()
        try {
          await setUp(client, accountId)
          return client
        } catch (error) {
          client.release(true)
          throw error
        }
      } catch (error) {
        if (!isUnavailable(error) || monotonicMs() > giveUpAtMs) throw error
        await sleep(reconnectPauseMs)
      }
    }
  }
}

// Once a connection. By statement and not by start-up parameter, which connection poolers refuse.
async function prepare(client: pg.PoolClient, plans: 'by_value' | 'generic'): Promise<void> {
  await client.query(
    `set statement_timeout = ${statementTimeoutMs};
     set idle_in_transaction_session_timeout = ${idleInTransactionTimeoutMs}; set timezone = 'UTC';
     set plan_cache_mode = ${plans === 'generic' ? 'force_generic_plan' : 'auto'}`,
  )
}

// NOTIFY inside a transaction makes all commits of the database queue behind one lock, so it goes out on its own
// afterwards, and once for the many commits of the same few milliseconds.
function createWaker(pool: pg.Pool, log: Logger) {
  let pending = new Set<string>()
  let timer: NodeJS.Timeout | null = null
  async function flush(): Promise<void> {
    if (timer !== null) clearTimeout(timer)
    timer = null
    if (pending.size === 0) return
    const channels = [...pending]
    pending = new Set()
    try {
      await pool.query(`select pg_notify(channel, '') from unnest($1::text[]) as channel`, [channels])
    } catch (error) {
      log.debug({ event: 'database.wake_failed', reason: (error as Error).message })
    }
  }
  return {
    flush,
    wake(channels: ReadonlySet<string>) {
      for (const channel of channels) pending.add(channel)
      if (pending.size > 0) timer ??= setTimeout(() => void flush(), wakeDelayMs)
    },
  }
}
