import { monotonicMs } from '../../platform/clock.ts'
import { createSignal } from '../../platform/lifecycle/polling.worker.ts'

const waitingPerMailboxMax = 100
/** Of all copies that wait together. */
const waitingBytesMax = 128 * 1024 * 1024
/** How long a connection is kept for the next copy, and how many mailboxes have one. */
const defaults = { keptMs: 30_000, mailboxesMax: 200 }

/** A mailbox that was opened to put copies into it. */
export interface CopyTarget {
  append(raw: Buffer): Promise<unknown>
  close(): Promise<void>
}

interface Line {
  waiting: { raw: Buffer; done: () => void; failed: (error: Error) => void }[]
  /** Runs while there is something to put away or the connection is kept. */
  working: Promise<void>
  wake: ReturnType<typeof createSignal>
  /** Its connection is kept, and waits for the next copy. */
  isIdle: boolean
  /** Another mailbox needs the place: the connection is kept no longer. */
  isEnding: boolean
}

/**
 * Puts copies of what was sent away: those of one mailbox one after the other over one connection, which is closed when
 * nothing came for half a minute, or another mailbox needs its place. What waits is bounded; `stop` ends when all of it is put away.
 */
export class Copies {
  private readonly lines = new Map<string, Line>()
  private stopping = false
  private waitingBytes = 0
  private readonly open: (key: string) => Promise<CopyTarget | null>
  private readonly options: typeof defaults

  constructor(open: (key: string) => Promise<CopyTarget | null>, options: Partial<typeof defaults> = {}) {
    this.open = open
    this.options = { ...defaults, ...options }
  }

  /** Refused where too much waits: a copy that is missing from Sent loses nothing. */
  append(key: string, raw: Buffer): Promise<void> {
    const known = this.lines.get(key)
    const isFull =
      this.waitingBytes + raw.length > waitingBytesMax || (known?.waiting.length ?? 0) >= waitingPerMailboxMax
    if (isFull || (known === undefined && !this.makeRoom())) return Promise.reject(new Error('Too many copies wait.'))
    this.waitingBytes += raw.length
    return new Promise<void>((done, failed) => {
      const line = known ?? this.begin(key)
      line.waiting.push({ raw, done, failed })
      line.wake.raise()
    }).finally(() => (this.waitingBytes -= raw.length))
  }

  async stop(): Promise<void> {
    this.stopping = true
    for (const line of this.lines.values()) line.wake.raise()
    while (this.lines.size > 0) await Promise.all([...this.lines.values()].map((line) => line.working))
  }

  // The connection that waits longest for a copy makes place for one that has a copy.
  private makeRoom(): boolean {
    const { mailboxesMax } = this.options
    if (this.lines.size < mailboxesMax) return true
    const lines = [...this.lines.values()].filter((line) => !line.isEnding)
    if (lines.length < mailboxesMax) return true
    const idle = lines.find((line) => line.isIdle)
    if (idle === undefined) return false
    idle.isEnding = true
    idle.wake.raise()
    return true
  }

  private begin(key: string): Line {
    const line: Line = {
      waiting: [],
      working: Promise.resolve(),
      wake: createSignal(),
      isIdle: false,
      isEnding: false,
    }
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
        line.wake.reset()
        for (let next = line.waiting[0]; next !== undefined; next = line.waiting[0]) {
          await target.append(next.raw)
          putAway++
          line.waiting.shift()
          next.done()
        }
        if (this.stopping || line.isEnding || this.options.keptMs === 0) break
        untilMs = monotonicMs() + this.options.keptMs
        line.isIdle = true
        await line.wake.wait(this.options.keptMs)
        line.isIdle = false
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
