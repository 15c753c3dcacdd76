const keptMs = 10_000
const keysMax = 1_000

/**
 * Remembers unknown keys for a while, so that a client that repeats one costs no more queries. An unknown key can't become
 * valid meanwhile: new keys are random, and a revoked key never becomes valid again.
 */
export class UnknownKeys {
  readonly #untilMs = new Map<string, number>()

  has(digest: string, nowMs: number): boolean {
    const untilMs = this.#untilMs.get(digest)
    if (untilMs === undefined) return false
    if (untilMs > nowMs && untilMs <= nowMs + keptMs) return true
    this.#untilMs.delete(digest)
    return false
  }

  add(digest: string, nowMs: number): void {
    this.#untilMs.delete(digest)
    this.#untilMs.set(digest, nowMs + keptMs)
    // The oldest is the first in the map.
    for (const oldest of this.#untilMs.keys()) {
      if (this.#untilMs.size <= keysMax) return
      this.#untilMs.delete(oldest)
    }
  }

  get size(): number {
    return this.#untilMs.size
  }
}
