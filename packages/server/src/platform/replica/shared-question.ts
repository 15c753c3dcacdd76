/** Shares one query among concurrent callers. */
export class SharedQuestion<Answer> {
  readonly #ask: () => Promise<Answer>
  #asked: Promise<Answer> | null = null
  #next: Promise<Answer> | null = null

  constructor(ask: () => Promise<Answer>) {
    this.#ask = ask
  }

  /** The running query, or a new one if none is running. */
  current(): Promise<Answer> {
    return this.#asked ?? this.#begin()
  }

  /** A query that starts after this call. All callers during a running query share the next one. */
  next(): Promise<Answer> {
    if (this.#asked === null) return this.#begin()
    this.#next ??= this.#asked
      .catch(() => undefined)
      .then(() => {
        this.#next = null
        return this.#begin()
      })
    return this.#next
  }

  #begin(): Promise<Answer> {
    const answer = this.#ask().finally(() => {
      if (this.#asked === answer) this.#asked = null
    })
    this.#asked = answer
    return answer
  }
}
