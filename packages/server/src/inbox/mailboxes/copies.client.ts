import { monotonicMs } from '../../platform/clock.ts'
import { createSignal } from '../../platform/lifecycle/polling.worker.ts'

const waitingPerMailboxMax = 100
/** The total bytes of all waiting copies. */
const waitingBytesMax = 128 * 1024 * 1024
/** How long a connection is kept for the next copy, and how many mailboxes may have one. */
const defaults = { keptMs: 30_000, mailboxesMax: 200 }

/** A mailbox that was opened to store copies in it. */
export interface CopyTarget {
  append(raw: Buffer): Promise<unknown>
  close(): Promise<void>
}

interface Line {
  waiting: { raw: Buffer; done: () => void; failed: (error: Error) => void }[]
  /** Runs while copies wait or the connection is kept. */
  working: Promise<void>
  wake: ReturnType<typeof createSignal>
  /** Whether its connection is kept and waits for the next copy. */
  isIdle: boolean
  /** Whether another mailbox needs the place, so that the connection is no longer kept. */
  isEnding: boolean
}

/**
 * Stores copies of sent messages. The copies of one mailbox are stored one after the other over one connection. It is closed
 * after half a minute without a copy, or when another mailbox needs its place. The number and the size of waiting copies are
 * bounded. `stop` resolves once all copies are stored.
 */
export class Copies {
  readonly #lines = new Map<string, Line>()
  #stopping = false
  #waitingBytes = 0
  readonly #open: (key: string) => Promise<CopyTarget | null>
  readonly #options: typeof defaults

  constructor(open: (key: string) => Promise<CopyTarget | null>, options: Partial<typeof defaults> = {}) {
    this.#open = open
    this.#options = { ...defaults, ...options }
  }

  /** Rejects if too many copies wait. A copy that is missing from Sent loses nothing. */
  append(key: string, raw: Buffer): Promise<void> {
    const known = this.#lines.get(key)
    const isFull =
      this.#waitingBytes + raw.length > waitingBytesMax || (known?.waiting.length ?? 0) >= waitingPerMailboxMax
    if (isFull || (known === undefined && !this.#makeRoom())) return Promise.reject(new Error('Too many copies wait.'))
    this.#waitingBytes += raw.length
    return new Promise<void>((done, failed) => {
      const line = known ?? this.#begin(key)
      line.waiting.push({ raw, done, failed })
      line.wake.raise()
    }).finally(() => (this.#waitingBytes -= raw.length))
  }

  async stop(): Promise<void> {
    this.#stopping = true
    for (const line of this.#lines.values()) line.wake.raise()
    while (this.#lines.size > 0) await Promise.all([...this.#lines.values()].map((line) => line.working))
  }

  // Closes the connection that has waited longest for a copy, to make room for another mailbox.
  #makeRoom(): boolean {
    const { mailboxesMax } = this.#options
    if (this.#lines.size < mailboxesMax) return true
    const lines = [...this.#lines.values()].filter((line) => !line.isEnding)
    if (lines.length < mailboxesMax) return true
    const idle = lines.find((line) => line.isIdle)
    if (idle === undefined) return false
    idle.isEnding = true
    idle.wake.raise()
    return true
  }

  #begin(key: string): Line {
    const line: Line = {
      waiting: [],
      working: Promise.resolve(),
      wake: createSignal(),
      isIdle: false,
      isEnding: false,
    }
    this.#lines.set(key, line)
    // Starts only after the caller has added its copy.
    line.working = Promise.resolve().then(() => this.#work(key, line))
    return line
  }

  async #work(key: string, line: Line): Promise<void> {
    let target: CopyTarget | null = null
    let putAway = 0
    try {
      target = await this.#open(key)
      if (target === null) throw new Error('The mailbox has no folder for copies.')
      for (let untilMs = Infinity; monotonicMs() < untilMs;) {
        line.wake.reset()
        for (let next = line.waiting[0]; next !== undefined; next = line.waiting[0]) {
          await target.append(next.raw)
          putAway++
          line.waiting.shift()
          next.done()
        }
        if (this.#stopping || line.isEnding || this.#options.keptMs === 0) break
        untilMs = monotonicMs() + this.#options.keptMs
        line.isIdle = true
        await line.wake.wait(this.#options.keptMs)
        line.isIdle = false
        if (line.waiting.length > 0) untilMs = Infinity
      }
    } catch (error) {
      // The server may have closed a kept connection that worked before. The next connection shows whether the mailbox works.
      if (putAway === 0) for (const copy of line.waiting.splice(0)) copy.failed(error as Error)
    } finally {
      this.#lines.delete(key)
      await target?.close().catch(() => undefined)
      // Copies that arrived while the connection was closing are appended again.
      for (const copy of line.waiting.splice(0)) void this.append(key, copy.raw).then(copy.done, copy.failed)
    }
  }
}
