/** Runs pieces of work at the same time, up to a limit. The first failure is thrown by the next call. */
export class Lanes {
  readonly #running = new Set<Promise<void>>()
  readonly #max: number
  constructor(max: number) {
    this.#max = max
  }

  async run(work: () => Promise<void>): Promise<void> {
    while (this.#running.size >= this.#max) await Promise.race(this.#running)
    const piece = work().then(() => void this.#running.delete(piece))
    // The next call throws this error. Until then no call may be waiting, and an unhandled rejection would end the process.
    piece.catch(() => undefined)
    this.#running.add(piece)
  }

  async done(): Promise<void> {
    await Promise.all(this.#running)
  }
}
