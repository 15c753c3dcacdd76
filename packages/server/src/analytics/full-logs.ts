import { minuteMs } from '../ground/time/spans.ts'

const keptMs = 15 * minuteMs
const listsMax = 10_000

/**
 * Lists of the log that were counted as far as counting goes. What was counted once stays until retention takes it: for a while nobody
 * reads ten thousand entries of an index to say the same.
 */
export class FullLogs {
  /** Until when, by name; the one that was noted longest ago comes first. */
  readonly #untilMs = new Map<string, number>()

  has(list: string, nowMs: number): boolean {
    return (this.#untilMs.get(list) ?? 0) > nowMs
  }

  note(list: string, nowMs: number): void {
    this.#untilMs.delete(list)
    this.#untilMs.set(list, nowMs + keptMs)
    for (const oldest of this.#untilMs.keys()) {
      if (this.#untilMs.size <= listsMax) break
      this.#untilMs.delete(oldest)
    }
  }
}
