/** A question that many have at the same time is asked once for all of them. */
export class SharedQuestion<Answer> {
  readonly #ask: () => Promise<Answer>
  #asked: Promise<Answer> | null = null
  #next: Promise<Answer> | null = null

  constructor(ask: () => Promise<Answer>) {
    this.#ask = ask
  }

  /** Whatever is being asked at this moment, else asked now. */
  current(): Promise<Answer> {
    return this.#asked ?? this.#begin()
  }

  /** Asked after this was called: whoever comes while it is being asked has the next answer, with all who come then. */
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
    const asked = this.#ask().finally(() => {
      if (this.#asked === asked) this.#asked = null
    })
    this.#asked = asked
    return asked
  }
}
