import { minuteMs } from '@overture/ground/time/spans.ts'
const slowForMs = 5 * minuteMs
const restMs = minuteMs
const restingKeysMax = 20
const ownersMax = 10_000

interface Mark {
  untilMs: number
  /** The time until which each key rests: its items are not tried before. */
  resting: Map<string, number>
}

/** The owners with slow items, and the keys that rest because one of their items has just ended a thread. */
export class SlowOwners {
  readonly #marks = new Map<string, Mark>()

  get size(): number {
    return this.#marks.size
  }

  isSlow(owner: string, nowMs: number): boolean {
    return (this.#marks.get(owner)?.untilMs ?? nowMs) > nowMs
  }

  mark(owner: string, nowMs: number): void {
    const { resting } = this.#marks.get(owner) ?? { resting: new Map<string, number>() }
    this.#marks.delete(owner)
    this.#marks.set(owner, { untilMs: nowMs + slowForMs, resting })
    for (const [other, { untilMs }] of this.#marks) {
      if (untilMs > nowMs && this.#marks.size <= ownersMax) return
      this.#marks.delete(other)
    }
  }

  rest(owner: string, key: string, nowMs: number): void {
    this.mark(owner, nowMs)
    this.#marks.get(owner)?.resting.set(key, nowMs + restMs)
  }

  /** Whether a key rests. An owner with too many resting keys rests with all of its items. */
  rests(owner: string, key: string, nowMs: number): boolean {
    const resting = this.#marks.get(owner)?.resting
    if (resting === undefined) return false
    for (const [other, untilMs] of resting) if (untilMs <= nowMs) resting.delete(other)
    return resting.has(key) || resting.size >= restingKeysMax
  }
}
