/** After so many failed rounds without a good one, a loop does no work. */
const failedRoundsMin = 3

/** Tracks for how long the current round of each loop has been running, to distinguish a hung loop from one that waits or is hindered. */
export class Heartbeats {
  /** True if no message may be sent, for a reason that is in the log. A restart would not help. */
  areGatesHindered = false
  readonly #begun = new Map<object, { loop: string; atMs: number; msMax: number }>()

  /** Failed rounds since the last good one, by loop. */
  readonly #failed = new Map<string, number>()

  /** Notes how a round of a loop ended. */
  note(loop: string, isGood: boolean): void {
    if (isGood) this.#failed.delete(loop)
    else this.#failed.set(loop, (this.#failed.get(loop) ?? 0) + 1)
  }

  /** Loops whose last rounds all failed. */
  failing(): string[] {
    return [...this.#failed].flatMap(([loop, rounds]) => (rounds >= failedRoundsMin ? [loop] : [])).toSorted()
  }

  /** Begins a round; `atMs` is from the monotonic clock. Returns a function that ends the round. */
  begin(loop: string, { atMs, msMax }: { atMs: number; msMax: number }): () => void {
    const round = {}
    this.#begun.set(round, { loop, atMs, msMax })
    return () => void this.#begun.delete(round)
  }

  /** Loops with a round that has taken longer than `msMax`, so that it is considered hung. */
  stuck(atMs: number): string[] {
    const late = [...this.#begun.values()].filter((round) => atMs - round.atMs > round.msMax)
    return [...new Set(late.map(({ loop }) => loop))].sort()
  }
}
