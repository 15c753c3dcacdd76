import { minuteMs } from '@overture/ground/time/spans.ts'

const keptMs = 15 * minuteMs
const listsMax = 10_000

/**
 * Remembers lists of the log that have reached the largest count. Events stay until retention deletes them, so for a while the
 * count doesn't have to read ten thousand index entries again.
 */
export class FullLogs {
  /** The time until which a list counts as full, by name, in the order in which they were noted. */
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
