/** Work that runs side by side, so many pieces at once at most. The first that fails is told by the next call. */
export class Lanes {
  readonly #running = new Set<Promise<void>>()
  readonly #max: number
  constructor(max: number) {
    this.#max = max
  }

  async run(work: () => Promise<void>): Promise<void> {
    while (this.#running.size >= this.#max) await Promise.race(this.#running)
    const piece = work().then(() => void this.#running.delete(piece))
    // Told by whoever waits next; nobody may be waiting at the moment.
    piece.catch(() => undefined)
    this.#running.add(piece)
  }

  async done(): Promise<void> {
    await Promise.all(this.#running)
  }
}
