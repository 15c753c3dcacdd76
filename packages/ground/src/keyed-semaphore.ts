/** Frees what was acquired. A second call does nothing. */
export type Release = () => void

interface Waiter {
  count: number
  grant: () => void
}

interface Line {
  used: number
  waiting: Set<Waiter>
}

interface KeyedSemaphoreOptions {
  /** The number of permits of a key. It is read again at each acquire and release. */
  permits: (key: string) => number
}

interface Bounds {
  signal?: AbortSignal
  /** The number of callers of one key that may wait. */
  waitingMax: number
}

/**
 * Limits what runs at the same time, for each key separately. Callers of one key are served in order, so a small request never
 * overtakes a large one. A request for more permits than the key has runs alone.
 */
export class KeyedSemaphore {
  readonly #permits: (key: string) => number
  readonly #lines = new Map<string, Line>()

  constructor({ permits }: KeyedSemaphoreOptions) {
    this.#permits = permits
  }

  /** The number of keys with a running or waiting caller. */
  get size(): number {
    return this.#lines.size
  }

  has(key: string): boolean {
    return this.#lines.has(key)
  }

  /** Waits as long as it takes. */
  acquire(key = '', count = 1): Promise<Release> {
    // Without a bound and a signal, each caller gets its turn.
    return this.#enter(key, count, { waitingMax: Infinity }) as Promise<Release>
  }

  /** Returns null if the signal aborts first, or if too many callers wait already. */
  tryAcquire(key: string, bounds: Bounds): Promise<Release | null> {
    return this.#enter(key, 1, bounds)
  }

  #enter(key: string, count: number, { signal, waitingMax }: Bounds): Promise<Release | null> {
    const line = this.#lines.get(key) ?? { used: 0, waiting: new Set() }
    this.#lines.set(key, line)
    if (line.waiting.size === 0 && this.#fits(key, line, count)) return Promise.resolve(this.#grant(key, line, count))
    if (line.waiting.size >= waitingMax || signal?.aborted === true) return Promise.resolve(null)
    return new Promise((resolve) => {
      const giveUp = (): void => {
        line.waiting.delete(waiter)
        this.#serve(key, line)
        resolve(null)
      }
      const waiter: Waiter = {
        count,
        grant: () => {
          signal?.removeEventListener('abort', giveUp)
          resolve(this.#grant(key, line, count))
        },
      }
      line.waiting.add(waiter)
      signal?.addEventListener('abort', giveUp, { once: true })
    })
  }

  #fits(key: string, line: Line, count: number): boolean {
    return line.used === 0 || line.used + count <= this.#permits(key)
  }

  #grant(key: string, line: Line, count: number): Release {
    line.used += count
    let held = true
    return () => {
      if (!held) return
      held = false
      line.used -= count
      this.#serve(key, line)
    }
  }

  #serve(key: string, line: Line): void {
    for (const waiter of line.waiting) {
      if (!this.#fits(key, line, waiter.count)) break
      line.waiting.delete(waiter)
      waiter.grant()
    }
    if (line.used === 0 && line.waiting.size === 0) this.#lines.delete(key)
  }
}
