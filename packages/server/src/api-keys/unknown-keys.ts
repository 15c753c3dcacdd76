const keptMs = 10_000
const keysMax = 1_000

/**
 * Keys that were looked for and not found, for a while: a client that goes on with one costs no more look-ups. None of
 * them can become a key meanwhile, for a new key is drawn by chance and a revoked one never comes back.
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
