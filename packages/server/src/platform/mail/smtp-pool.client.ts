import type { SmtpConnectOptions } from './smtp-connect.client.ts'
import {
  openSmtpSession,
  type OpenedSmtpSession,
  type QueuedMessage,
  type SmtpMessage,
  type SmtpSession,
} from './smtp-session.client.ts'
import type { SmtpResult } from './smtp-result.ts'

interface SmtpPoolOptions {
  /** Parallel connections for one key. */
  connectionsMax: number
  messagesPerConnectionMax: number
  idleCloseMs: number
}

const defaultSmtpPoolOptions: SmtpPoolOptions = {
  connectionsMax: 4,
  messagesPerConnectionMax: 100,
  idleCloseMs: 15_000,
}

export interface SmtpPool {
  /**
   * Sends over an idle connection of this lane or over a new one. `connect` is called for its options only for a new connection,
   * because it may fetch a token. The message waits if all connections are busy. A reused connection that turns out dead before
   * the message began is replaced once. A higher version closes the connections that were opened under lower ones.
   */
  send(
    lane: { key: string; version: number },
    connect: () => Promise<SmtpConnectOptions>,
    message: SmtpMessage,
  ): Promise<SmtpResult>
  /** Closes the idle connections of a key, for changed credentials. Busy ones close after their message. */
  forget(key: string): void
  close(): Promise<void>
}

/** A message that waits for a connection or is in flight. */
interface Turn {
  connect: () => Promise<SmtpConnectOptions>
  message: SmtpMessage
  resolve: (result: SmtpResult) => void
  reject: (error: unknown) => void
}

interface Lane {
  /** Connections in use: each sends one message after the other. */
  open: number
  idle: Set<{ session: SmtpSession; timer: NodeJS.Timeout }>
  waiting: Turn[]
  /** The highest requested version. */
  version: number
  generation: number
}

export function createSmtpPool(options: SmtpPoolOptions = defaultSmtpPoolOptions): SmtpPool {
  return new LanedPool(options)
}

class LanedPool implements SmtpPool {
  readonly #options: SmtpPoolOptions
  readonly #lanes = new Map<string, Lane>()

  constructor(options: SmtpPoolOptions) {
    this.#options = options
  }

  send(
    { key, version }: { key: string; version: number },
    connect: () => Promise<SmtpConnectOptions>,
    message: SmtpMessage,
  ): Promise<SmtpResult> {
    const lane = findLane(this.#lanes, key)
    if (version > lane.version) {
      forget(lane)
      lane.version = version
    }
    return new Promise((resolve, reject) => {
      lane.waiting.push({ connect, message, resolve, reject })
      if (lane.open < this.#options.connectionsMax) void this.#work(key, lane)
    })
  }

  /** Sends the waiting messages one after the other, until none is left. */
  async #work(key: string, lane: Lane): Promise<void> {
    lane.open++
    for (let turn = lane.waiting.shift(); turn !== undefined; turn = lane.waiting.shift()) {
      await this.#sendIn(lane, turn)
    }
    if (--lane.open === 0 && lane.idle.size === 0 && this.#lanes.get(key) === lane) this.#lanes.delete(key)
  }

  forget(key: string): void {
    const lane = this.#lanes.get(key)
    if (lane !== undefined) forget(lane)
  }

  async close(): Promise<void> {
    const closing: Promise<void>[] = []
    for (const lane of this.#lanes.values()) {
      lane.generation++
      for (const entry of lane.idle) {
        clearTimeout(entry.timer)
        closing.push(entry.session.close())
      }
      lane.idle.clear()
    }
    await Promise.all(closing)
    this.#lanes.clear()
  }

  async #sendIn(lane: Lane, first: Turn): Promise<void> {
    let session = takeIdle(lane)
    for (let turn: Turn | null = first; turn !== null; session = null) {
      const { generation } = lane
      const isReused = session !== null
      try {
        session ??= await this.#open(turn)
      } catch (error) {
        return turn.reject(error)
      }
      if (session === null) return
      turn = await this.#sendOver(lane, generation, { session, isReused, turn })
    }
  }

  /** Returns null if there is no connection; the message then has its result. */
  async #open({ connect, message, resolve }: Turn): Promise<SmtpSession | null> {
    const opened: OpenedSmtpSession = await openSmtpSession({ ...(await connect()), onPoint: message.onPoint })
    if (opened.kind === 'open') return opened.session
    resolve(opened)
    return null
  }

  /**
   * Sends a message and the messages pipelined after it. Returns the message that needs another connection because this one was
   * dead, else null.
   */
  async #sendOver(
    lane: Lane,
    generation: number,
    { session, isReused, turn }: { session: SmtpSession; isReused: boolean; turn: Turn },
  ): Promise<Turn | null> {
    const begun: { turn: Turn; result: Promise<SmtpResult> }[] = []
    const next = (): QueuedMessage | null => {
      const isLast = session.messagesSent + 1 >= this.#options.messagesPerConnectionMax
      const following = isLast || generation !== lane.generation ? undefined : lane.waiting.shift()
      if (following === undefined) return null
      return { message: following.message, result: (result) => begun.push({ turn: following, result }) }
    }
    begun.push({ turn, result: session.send(turn.message, next) })
    let canBeDead = isReused
    for (let sent = begun.shift(); sent !== undefined; sent = begun.shift()) {
      const result = await sent.result
      if (canBeDead && diedIdle(result)) {
        await session.close()
        return sent.turn
      }
      sent.turn.resolve(result)
      canBeDead = true
    }
    this.#giveBack(lane, generation, session)
    return null
  }

  #giveBack(lane: Lane, generation: number, session: SmtpSession): void {
    const { messagesPerConnectionMax, idleCloseMs } = this.#options
    if (!session.usable || generation !== lane.generation || session.messagesSent >= messagesPerConnectionMax)
      return void session.close()
    const entry = { session, timer: setTimeout(() => closeIdle(lane, entry), idleCloseMs) }
    entry.timer.unref()
    session.onClose(() => {
      clearTimeout(entry.timer)
      lane.idle.delete(entry)
    })
    lane.idle.add(entry)
  }
}

function findLane(lanes: Map<string, Lane>, key: string): Lane {
  let lane = lanes.get(key)
  if (lane === undefined) {
    lane = { open: 0, idle: new Set(), waiting: [], version: 0, generation: 0 }
    lanes.set(key, lane)
  }
  return lane
}

function forget(lane: Lane): void {
  lane.generation++
  for (const entry of lane.idle) closeIdle(lane, entry)
}

function takeIdle(lane: Lane): SmtpSession | null {
  for (const entry of lane.idle) {
    clearTimeout(entry.timer)
    lane.idle.delete(entry)
    if (entry.session.usable) return entry.session
  }
  return null
}

function closeIdle(lane: Lane, entry: { session: SmtpSession; timer: NodeJS.Timeout }): void {
  clearTimeout(entry.timer)
  lane.idle.delete(entry)
  void entry.session.close()
}

/** Before 354 no byte of the message was sent, so another connection may try. Only for a connection that was idle before. */
function diedIdle(result: SmtpResult): boolean {
  if (result.kind === 'dropped') return result.stage === 'mail'
  return result.kind === 'refused' && result.stage === 'mail' && result.code === 421
}
