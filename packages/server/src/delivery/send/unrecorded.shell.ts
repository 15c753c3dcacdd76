/**
 * Counts replies that were read but not recorded. If the process is killed, these messages become uncertain, in addition to those
 * past their gate without a reply. Therefore no other gate opens while too many replies wait.
 */
export class UnrecordedAnswers {
  readonly #countMax: number
  #count = 0
  #waiting: (() => void)[] = []

  constructor(countMax: number) {
    this.#countMax = countMax
  }

  async while(recording: Promise<void>): Promise<void> {
    this.#count++
    try {
      await recording
    } finally {
      this.#count--
      if (this.#count < this.#countMax) for (const goOn of this.#waiting.splice(0)) goOn()
    }
  }

  /** Null if there is room for another one, else a promise that resolves when there may be. */
  room(): Promise<void> | null {
    return this.#count < this.#countMax ? null : new Promise((resolve) => this.#waiting.push(resolve))
  }
}
