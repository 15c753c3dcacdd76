import { monotonicMs, sleep } from '../clock.ts'
import { Counter, Gauge } from 'prom-client'
import type { Logger } from '../log.shell.ts'
import { metrics } from '../metrics.shell.ts'
import type { Database } from '../db/database.ts'
import { isUnavailable } from '../db/errors.ts'
import { createDatabase, type PoolDatabase } from '../db/pool.client.ts'
import { readingFrom } from './reading-database.ts'
import {
  hasReplayed,
  type ReplayedPosition,
  type ReplicaState,
  replicaStates,
  unfitReplica,
  type WrittenPosition,
} from './replica-state.ts'
import { findReplayedPosition, findWrittenPosition } from './replica.sql.ts'
import { SharedQuestion } from './shared-question.ts'

/** The polling interval, independent of readers. */
const lookEveryMs = 1_000
/** The pause between two queries for its position while a reader waits. */
const askEveryMs = 5
/** The time limit for a reply. After it the caller stops waiting and the replica's connections are closed. */
const answerMsMax = 2_000

const reads = new Counter({
  name: 'overture_replica_reads_total',
  help: 'Requests that may be read from the replica, by the server that was read: replica, primary, or both.',
  labelNames: ['how'],
  registers: [metrics],
})
const states = new Gauge({
  name: 'overture_replica_state',
  help: '1 for the state that the replica of this process is in: follows, lags or gone; absent where there is none.',
  labelNames: ['state'],
  registers: [metrics],
})
const lag = new Gauge({
  name: 'overture_replica_lag_seconds',
  help: 'Seconds until the replica had the last write, or seconds since that write if the replica does not have it yet.',
  registers: [metrics],
})
// Without a replica there must be no value, because it would look like one that follows.
lag.remove()

interface ReplicaOptions {
  url: string
  /** The primary, which is queried for its written position. */
  primary: Database
  log: Logger
  connectionsMax: number
  /** How long a reader waits until the replica has all earlier writes. */
  lagMsMax: number
}

/** The result of a poll. */
export interface ReplicaLook {
  state: ReplicaState
  /** A whole sentence; null if it follows. */
  reason: string | null
  /** True if the server can never be a replica of this primary. */
  isUnfit: boolean
}

/**
 * A server that follows the primary and serves reads. A reader sees everything that any process committed before: the primary is
 * queried for its written position, and the replica is used once it has reached that position.
 */
export class Replica {
  readonly #options: ReplicaOptions
  readonly #db: PoolDatabase
  readonly #closing = new AbortController()
  #state: ReplicaState = 'gone'
  /** When it last had all writes. */
  #followedAtMs = monotonicMs()
  readonly #written: SharedQuestion<WrittenPosition>
  readonly #replayed: SharedQuestion<ReplayedPosition>
  #loop: Promise<void> = Promise.resolve()

  constructor(options: ReplicaOptions) {
    const { url, log, connectionsMax } = options
    this.#options = options
    this.#db = createDatabase({ url, log, connectionsMax, patienceMs: 0 })
    this.#written = new SharedQuestion(() => findWrittenPosition(options.primary))
    this.#replayed = new SharedQuestion(() => this.#inTime(findReplayedPosition(this.#db)))
  }

  get state(): ReplicaState {
    return this.#state
  }

  usage(): ReturnType<PoolDatabase['usage']> {
    return this.#db.usage()
  }

  /** Polls the replica every second from now on. */
  start(): void {
    this.#loop = this.#keepLooking()
  }

  /** The database from which a request of this account reads; `primary` is its database on the primary. */
  async reader(primary: Database, accountId: string): Promise<Database> {
    if (!(await this.#hasCaughtUp())) {
      reads.inc({ how: 'primary' })
      return primary
    }
    reads.inc({ how: 'replica' })
    return readingFrom(this.#db.within(accountId), primary, (error) => {
      reads.inc({ how: 'both' })
      this.#options.log.warn({ event: 'replica.read_ended', reason: errorSentence(error) })
      if (isUnavailable(error)) this.#become({ state: 'gone', reason: errorSentence(error), isUnfit: false })
    })
  }

  /** Checks that it is a replica, and that it reaches the position written at the start of the check within the time limit. */
  async look(): Promise<ReplicaLook> {
    const beganMs = monotonicMs()
    const found = await this.#examine()
    if (found.state === 'follows') this.#followedAtMs = monotonicMs()
    lag.set((monotonicMs() - (found.state === 'follows' ? beganMs : this.#followedAtMs)) / 1000)
    this.#become(found)
    return found
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await this.#loop
    await this.#db.close()
    states.reset()
    lag.remove()
  }

  async #hasCaughtUp(): Promise<boolean> {
    if (this.#state !== 'follows') return false
    const found = await this.#examine()
    this.#become(found)
    return found.state === 'follows'
  }

  async #examine(): Promise<ReplicaLook> {
    const { lagMsMax } = this.#options
    const giveUpAtMs = monotonicMs() + lagMsMax
    try {
      const written = await this.#written.next()
      for (;;) {
        const replayed = await this.#replayed.current()
        const unfit = unfitReplica(written, replayed)
        if (unfit !== null) return { state: 'gone', reason: unfit, isUnfit: true }
        if (hasReplayed(written, replayed)) return { state: 'follows', reason: null, isUnfit: false }
        if (monotonicMs() > giveUpAtMs || this.#closing.signal.aborted) break
        await sleep(askEveryMs)
      }
      const reason = `The replica lags by more than ${lagMsMax} ms. DATABASE_URL is read until it catches up.`
      return { state: 'lags', reason, isUnfit: false }
    } catch (error) {
      return { state: 'gone', reason: errorSentence(error), isUnfit: false }
    }
  }

  async #inTime<Result>(answer: Promise<Result>): Promise<Result> {
    const late = new AbortController()
    const silence = sleep(answerMsMax, late.signal).then(() => {
      if (late.signal.aborted) return answer
      this.#db.giveUp()
      throw new Error('It does not respond')
    })
    try {
      return await Promise.race([answer, silence])
    } finally {
      late.abort()
    }
  }

  async #keepLooking(): Promise<void> {
    const { signal } = this.#closing
    while (!signal.aborted) {
      await sleep(lookEveryMs, signal)
      if (!signal.aborted) await this.look()
    }
  }

  #become({ state, reason }: ReplicaLook): void {
    for (const name of replicaStates) states.set({ state: name }, name === state ? 1 : 0)
    if (state === this.#state) return
    this.#state = state
    const { log } = this.#options
    if (state === 'follows') log.info({ event: 'replica.follows' })
    else log.warn({ event: `replica.${state}`, reason })
  }
}

function errorSentence(error: unknown): string {
  const message = (error as Error).message || 'no connection'
  return message.endsWith('.') ? message : `${message}.`
}
