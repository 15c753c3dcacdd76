import { minuteMs } from '@overture/ground/time/spans.ts'
import pg from 'pg'
import { monotonicMs, sleep } from '../../clock.ts'
import type { Logger } from '../../log.shell.ts'
import { enterWall, hasWalledRole, wallWithin } from '../account-wall.sql.ts'
import { isUnavailable } from '../errors.ts'
import { noteHistory } from '../history.sql.ts'
import { settingsStayHere } from '../several-servers.ts'
import { version } from '../../version.ts'
import { ParkedConnections } from './parked.client.ts'
import { Places } from './places.client.ts'
import { rowTypes } from '../rows.client.ts'

/** The purpose for which a connection is used. */
export interface Use {
  /** The account of a request, which has a share of the connections and a short statement timeout. Null for our own work. */
  accountId: string | null
  /** Whether row-level security hides every other account. */
  walled: boolean
  /** Whether its commits may reach the disk a little later; only for our own work. */
  relaxed: boolean
}

interface ConnectionOptions {
  url: string
  log: Logger
  connectionsMax: number
  plans: 'by_value' | 'generic'
  /** Whether each new connection checks the history of its database. */
  watchHistory: boolean
  /** How long to wait for an unreachable server. */
  patienceMs: number
  /** Whether the database spans several servers. Then session settings stay on the first one, and generic plans are not possible. */
  distributed: boolean
}

/** How long a caller waits for a database that is restarting, before anything was sent to it. */
export const reconnectBudgetMs = 5_000
export const reconnectPauseMs = 50
/** How long a caller waits for a connection of a busy pool. `connectTimeoutMs` is the limit for opening a new one. */
const poolTimeoutMs = 10_000
const connectTimeoutMs = 5_000
const keepAliveDelayMs = 10_000
const requestStatementMs = 10_000
const workStatementMs = 120_000
/** The time that a reply may take in addition to its statement, for the network and while this process is busy. */
const answerMarginMs = 5_000
const lateAnswerMs = 1_000
const idleInTransactionMs = minuteMs
/** Connections that requests leave free for keys and limits, health checks and the short statements of workers. */
const connectionsKept = 2
const sharePerAccount = 0.4

/** A connection of the pool while it is in use. */
export class Connection {
  readonly client: pg.PoolClient
  /** The statements at the start of each transaction, if a session setting is not enough; null for none. */
  readonly #wall: string | null
  readonly #answerMsMax: number
  readonly #giveBack: (isBroken: boolean) => void

  constructor(
    client: pg.PoolClient,
    {
      wall,
      answerMsMax,
      giveBack,
    }: { wall: string | null; answerMsMax: number; giveBack: (isBroken: boolean) => void },
  ) {
    this.client = client
    this.#wall = wall
    this.#answerMsMax = answerMsMax
    this.#giveBack = giveBack
  }

  async begin(oneSnapshot: boolean): Promise<void> {
    await this.ask(this.client.query(oneSnapshot ? 'begin isolation level repeatable read' : 'begin'))
    // Separate, because a distributed database sends the text of a setting to each server, which would begin again.
    if (this.#wall !== null) await this.ask(this.client.query(this.#wall))
  }

  /** Runs one statement, in its own transaction if only that keeps it behind the wall. */
  async alone<Result>(run: (connection: Connection) => Promise<Result>): Promise<Result> {
    if (this.#wall === null) return run(this)
    await this.begin(false)
    try {
      const result = await run(this)
      await this.ask(this.client.query('commit'))
      return result
    } catch (error) {
      // A connection whose transaction is still open must not be lent again.
      await this.ask(this.client.query('rollback')).catch(() => giveUp(this.client))
      throw error
    }
  }

  /** Waits for a reply a little longer than the server's limit for it; then closes the connection and fails. */
  ask<Answer>(answer: Promise<Answer>): Promise<Answer> {
    return answered(this.client, answer, this.#answerMsMax)
  }

  release(isBroken = false): void {
    this.#giveBack(isBroken)
  }
}

export class Connections {
  readonly #pool: pg.Pool
  readonly #plans: ConnectionOptions['plans']
  readonly #distributed: boolean
  readonly #watchHistory: boolean
  readonly #patienceMs: number
  readonly #log: Logger
  readonly #places: Places
  readonly #parked: ParkedConnections
  readonly #madeAtMs = new Map<pg.ClientBase, number>()
  /** The use that each connection is set up for. A new connection has none. */
  readonly #uses = new WeakMap<pg.ClientBase, string>()
  readonly #relaxed = new WeakSet<pg.ClientBase>()
  #hasWall: boolean | undefined
  #closing = false
  constructor({ url, log, connectionsMax, plans, watchHistory, patienceMs, distributed }: ConnectionOptions) {
    this.#distributed = distributed
    this.#patienceMs = patienceMs
    this.#plans = plans
    this.#watchHistory = watchHistory
    this.#log = log
    this.#places = new Places({
      total: Math.max(1, connectionsMax - connectionsKept),
      perAccount: Math.max(1, Math.floor(connectionsMax * sharePerAccount)),
    })
    this.#pool = openPool(url, connectionsMax)
    const onLost = (error: Error): void => {
      // A connection that is being closed may receive the server's shutdown message first, so it is not logged.
      if (!this.#closing) log.warn({ event: 'database.connection_lost', reason: error.message })
    }
    this.#parked = new ParkedConnections(this.#pool, { connectionsMax, onLost })
    // Without these two handlers, a restart of PostgreSQL ends the process.
    this.#pool.on('error', onLost)
    this.#pool.on('connect', (client) => {
      this.#madeAtMs.set(client, monotonicMs())
      client.on('error', (error) => log.debug({ event: 'database.client_error', reason: error.message }))
    })
    this.#pool.on('remove', (client) => this.#madeAtMs.delete(client))
  }

  async take(use: Use): Promise<Connection> {
    const leave = use.accountId === null ? () => undefined : await this.#places.take(use.accountId)
    try {
      const client = await this.#connectPatiently(use)
      const wall = this.#isWalledByTransaction(use) ? wallWithin(use.accountId) : null
      const giveBack = (isBroken: boolean): void => {
        if (isBroken) client.release(true)
        else this.#parked.giveBack(client, useKey(use))
        leave()
      }
      return new Connection(client, { wall, answerMsMax: statementMs(use) + answerMarginMs, giveBack })
    } catch (error) {
      leave()
      throw error
    }
  }

  /** Runs work of an account that already has its place among the connections. */
  inPlace<Result>({ accountId }: Use, run: () => Promise<Result>): Promise<Result> {
    return accountId === null ? run() : this.#places.inPlace(accountId, run)
  }

  /** Closes the connections made before `atMs` of the monotonic clock: calls that wait for a reply there fail at once. */
  giveUpOlderThan(atMs: number): void {
    for (const [client, madeAtMs] of this.#madeAtMs) if (madeAtMs < atMs) giveUp(client)
  }

  usage(): { total: number; idle: number; waiting: number } {
    const { totalCount, idleCount, waitingCount } = this.#pool
    return { total: totalCount, idle: idleCount + this.#parked.count, waiting: waitingCount }
  }

  async close(): Promise<void> {
    this.#closing = true
    this.#parked.close()
    await this.#pool.end()
  }

  async #connectPatiently(use: Use): Promise<pg.PoolClient> {
    const giveUpAtMs = monotonicMs() + this.#patienceMs
    for (;;) {
      try {
        return await this.#connect(use)
      } catch (error) {
        if (!isUnavailable(error) || monotonicMs() > giveUpAtMs) throw error
        await sleep(reconnectPauseMs)
      }
    }
  }

  async #connect(use: Use): Promise<pg.PoolClient> {
    const wanted = useKey(use)
    const client = this.#parked.take(wanted) ?? (await this.#pool.connect())
    try {
      const known = this.#uses.get(client)
      if (known !== wanted) await answered(client, this.#setUp(client, use, known), requestStatementMs)
      this.#uses.set(client, wanted)
      return client
    } catch (error) {
      client.release(true)
      throw error
    }
  }

  async #setUp(client: pg.PoolClient, use: Use, known: string | undefined): Promise<void> {
    if (known === undefined) await prepare(client, this.#distributed ? 'distributed' : this.#plans)
    if (known === undefined && this.#watchHistory) await this.#note(client)
    if (use.relaxed || this.#relaxed.has(client)) await this.#relax(client, use.relaxed)
    if (known === undefined ? use.accountId === null : known.startsWith(wallKey(use))) return
    this.#hasWall ??= await hasWalledRole(client)
    const accountId = this.#hasWall && use.walled && !this.#distributed ? use.accountId : null
    await enterWall(client, accountId, statementMs(use))
  }

  async #relax(client: pg.PoolClient, isRelaxed: boolean): Promise<void> {
    await client.query(isRelaxed ? 'set synchronous_commit = off' : 'reset synchronous_commit')
    this.#relaxed[isRelaxed ? 'add' : 'delete'](client)
  }

  #isWalledByTransaction(use: Use): use is Use & { accountId: string } {
    return this.#distributed && this.#hasWall === true && use.walled && use.accountId !== null
  }

  async #note(client: pg.PoolClient): Promise<void> {
    const { rows } = await client.query<{ changed: boolean }>(noteHistory)
    if (rows[0]?.changed !== true) return
    this.#log.error({ event: 'database.history_changed', sending: 'held', resume: 'overture resume-after-restore' })
  }
}

function useKey(use: Use): string {
  return `${wallKey(use)}${use.relaxed}`
}

function wallKey({ accountId, walled }: Use): string {
  return `${accountId} ${walled} `
}

function statementMs({ accountId }: Use): number {
  return accountId === null ? workStatementMs : requestStatementMs
}

function openPool(url: string, connectionsMax: number): pg.Pool {
  return new pg.Pool({
    connectionString: url,
    max: connectionsMax,
    connectionTimeoutMillis: poolTimeoutMs,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveDelayMs,
    application_name: `overture ${version}`,
    types: rowTypes,
    allowExitOnIdle: true,
    Client: QuickClient,
  })
}

/** The timeout of the pool covers waiting for a free connection; opening a new connection has this shorter limit. */
class QuickClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(typeof config === 'object' ? { ...config, connectionTimeoutMillis: connectTimeoutMs } : config)
  }
}

// Every statement of these connections walks an index from a given start. If PostgreSQL's statistics say that a table is empty, a
// queue short or an account new, it would read and sort the whole of it: 10,000 leads of a campaign to find the first one.
const genericPlans = `set plan_cache_mode = force_generic_plan; set enable_seqscan = off; set enable_sort = off`

// Runs once per connection. Uses statements, because connection poolers refuse these start-up parameters.
async function prepare(client: pg.PoolClient, plans: ConnectionOptions['plans'] | 'distributed'): Promise<void> {
  await client.query(
    `set statement_timeout = ${workStatementMs}; set idle_in_transaction_session_timeout = ${idleInTransactionMs}; set timezone = 'UTC';
     ${plans === 'generic' ? genericPlans : 'set plan_cache_mode = auto'};
     ${plans === 'distributed' ? settingsStayHere : ''}`,
  )
}

// In a busy process the timer fires before the replies that have arrived are read. So a late reply gets a little more time.
async function answered<Answer>(client: pg.ClientBase, answer: Promise<Answer>, waitMs: number): Promise<Answer> {
  let timer = setTimeout(() => {
    timer = setTimeout(() => giveUp(client), lateAnswerMs)
  }, waitMs)
  try {
    return await answer
  } finally {
    clearTimeout(timer)
  }
}

/** Closes the socket of a connection: all calls that wait for a reply there fail at once, and nothing more is sent. */
export function giveUp(client: pg.ClientBase): void {
  // The published types lack the connection, but it exists.
  ;(client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy()
}
