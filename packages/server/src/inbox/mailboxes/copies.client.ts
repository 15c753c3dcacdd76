import { monotonicMs, sleep } from '../../platform/clock.ts'

/** Copies that wait for one mailbox, and how long its connection is kept for the next one. */
const waitingPerMailboxMax = 100
const idleMs = 30_000
const mailboxesMax = 200

/** A mailbox that was opened to put copies into it. */
export interface CopyTarget {
  append(raw: Buffer): Promise<unknown>
  close(): Promise<void>
}

interface Line {
  waiting: { raw: Buffer; done: () => void; failed: (error: Error) => void }[]
  /** Runs while there is something to put away or the connection is kept. */
  working: Promise<void>
  wake: AbortController
}

/**
 * Puts copies of what was sent away: those of one mailbox one after the other over one connection, which is closed when
 * nothing came for half a minute. What waits is bounded; `stop` ends when all of it is put away.
 */
export class Copies {
  private readonly lines = new Map<string, Line>()
  private stopping = false
  private readonly open: (key: string) => Promise<CopyTarget | null>
  private readonly keptMs: number

  constructor(open: (key: string) => Promise<CopyTarget | null>, keptMs: number = idleMs) {
    this.open = open
    this.keptMs = keptMs
  }

  /** Refused where too much waits: a copy that is missing from Sent loses nothing. */
  append(key: string, raw: Buffer): Promise<void> {
    const known = this.lines.get(key)
    if (
      (known?.waiting.length ?? 0) >= waitingPerMailboxMax ||
      (known === undefined && this.lines.size >= mailboxesMax)
    )
      return Promise.reject(new Error('Too many copies wait.'))
    return new Promise((done, failed) => {
      const line = known ?? this.begin(key)
      line.waiting.push({ raw, done, failed })
      line.wake.abort()
    })
  }

  async stop(): Promise<void> {
    this.stopping = true
    for (const line of this.lines.values()) line.wake.abort()
    while (this.lines.size > 0) await Promise.all([...this.lines.values()].map((line) => line.working))
  }

  private begin(key: string): Line {
    const line: Line = { waiting: [], working: Promise.resolve(), wake: new AbortController() }
    this.lines.set(key, line)
    // Not before the caller has put something in.
    line.working = Promise.resolve().then(() => this.work(key, line))
    return line
  }

  private async work(key: string, line: Line): Promise<void> {
    let target: CopyTarget | null = null
    let putAway = 0
    try {
      target = await this.open(key)
      if (target === null) throw new Error('The mailbox has no folder for copies.')
      for (let untilMs = Infinity; monotonicMs() < untilMs;) {
        line.wake = new AbortController()
        for (let next = line.waiting[0]; next !== undefined; next = line.waiting[0]) {
          await target.append(next.raw)
          putAway++
          line.waiting.shift()
          next.done()
        }
        if (this.stopping) break
        untilMs = monotonicMs() + this.keptMs
        await sleep(this.keptMs, line.wake.signal)
        if (line.waiting.length > 0) untilMs = Infinity
      }
    } catch (error) {
      // A connection that was good before may have been closed by the server while it was kept: the next one tells.
      if (putAway === 0) for (const one of line.waiting.splice(0)) one.failed(error as Error)
    } finally {
      this.lines.delete(key)
      await target?.close().catch(() => undefined)
      // What came while the connection was closing begins anew.
      for (const one of line.waiting.splice(0)) void this.append(key, one.raw).then(one.done, one.failed)
    }
  }
}
