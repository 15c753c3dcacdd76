import type { SmtpConnectOptions } from './smtp-connect.client.ts'
import { openSmtpSession, type OpenedSmtpSession, type SmtpMessage, type SmtpSession } from './smtp-session.client.ts'
import type { SmtpResult } from './smtp-result.ts'

interface SmtpPoolOptions {
  /** Connections at once for one key. */
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
   * Sends over an idle connection of this lane, or a new one: `connect` is asked for its options only then (it may
   * fetch a token). Waits its turn when all are busy. A reused connection that turns out dead before the message
   * began is replaced once. A version above those before it closes what was opened under them.
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

interface Lane {
  open: number
  idle: Set<{ session: SmtpSession; timer: NodeJS.Timeout }>
  waiting: (() => void)[]
  /** The highest that was asked for. */
  version: number
  generation: number
}

export function createSmtpPool(options: SmtpPoolOptions = defaultSmtpPoolOptions): SmtpPool {
  return new LanedPool(options)
}

class LanedPool implements SmtpPool {
  private readonly options: SmtpPoolOptions
  private readonly lanes = new Map<string, Lane>()

  constructor(options: SmtpPoolOptions) {
    this.options = options
  }

  async send(
    { key, version }: { key: string; version: number },
    connect: () => Promise<SmtpConnectOptions>,
    message: SmtpMessage,
  ): Promise<SmtpResult> {
    const lane = laneOf(this.lanes, key)
    if (version > lane.version) {
      forget(lane)
      lane.version = version
    }
    if (lane.open >= this.options.connectionsMax) await new Promise<void>((resolve) => lane.waiting.push(resolve))
    else lane.open++
    try {
      return await this.sendIn(lane, connect, message)
    } finally {
      // The place passes to the next in line, or comes free.
      const next = lane.waiting.shift()
      if (next !== undefined) next()
      else if (--lane.open === 0 && lane.idle.size === 0 && this.lanes.get(key) === lane) this.lanes.delete(key)
    }
  }

  forget(key: string): void {
    const lane = this.lanes.get(key)
    if (lane !== undefined) forget(lane)
  }

  async close(): Promise<void> {
    const closing: Promise<void>[] = []
    for (const lane of this.lanes.values()) {
      lane.generation++
      for (const entry of lane.idle) {
        clearTimeout(entry.timer)
        closing.push(entry.session.close())
      }
      lane.idle.clear()
    }
    await Promise.all(closing)
    this.lanes.clear()
  }

  private async sendIn(
    lane: Lane,
    connect: () => Promise<SmtpConnectOptions>,
    message: SmtpMessage,
  ): Promise<SmtpResult> {
    const { generation } = lane
    const reused = takeIdle(lane)
    if (reused !== null) {
      const result = await reused.send(message)
      if (!diedIdle(result)) {
        this.giveBack(lane, generation, reused)
        return result
      }
      await reused.close()
    }
    const opened: OpenedSmtpSession = await openSmtpSession({ ...(await connect()), onPoint: message.onPoint })
    if (opened.kind !== 'open') return opened
    const result = await opened.session.send(message)
    this.giveBack(lane, generation, opened.session)
    return result
  }

  private giveBack(lane: Lane, generation: number, session: SmtpSession): void {
    const { messagesPerConnectionMax, idleCloseMs } = this.options
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

function laneOf(lanes: Map<string, Lane>, key: string): Lane {
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

/** Before 354 nothing of the message has left, so another connection may try; only for one that was idle before. */
function diedIdle(result: SmtpResult): boolean {
  if (result.kind === 'dropped') return result.stage === 'mail'
  return result.kind === 'refused' && result.stage === 'mail' && result.code === 421
}
