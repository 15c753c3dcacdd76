/** What goes round in this process, and for how long already: what hangs is told from what waits, and from what is hindered. */
export class Heartbeats {
  /** No message may leave, for a reason that the log tells: a restart would change nothing. */
  areGatesHindered = false
  readonly #begun = new Map<object, { loop: string; atMs: number; msMax: number }>()

  /** A round begins; `atMs` of the monotonic clock. Answers how it ends. */
  begin(loop: string, { atMs, msMax }: { atMs: number; msMax: number }): () => void {
    const round = {}
    this.#begun.set(round, { loop, atMs, msMax })
    return () => void this.#begun.delete(round)
  }

  /** Loops of which a round has taken longer than any that ends. */
  stuck(atMs: number): string[] {
    const late = [...this.#begun.values()].filter((round) => atMs - round.atMs > round.msMax)
    return [...new Set(late.map(({ loop }) => loop))].sort()
  }
}
