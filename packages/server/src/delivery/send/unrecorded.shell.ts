/**
 * Answers that were read and are not recorded. A process that is killed leaves these in doubt, beside what stands
 * between its gate and its answer: so no other gate opens while too many wait.
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

  /** Null: there is room for another one; else when there may be. */
  room(): Promise<void> | null {
    return this.#count < this.#countMax ? null : new Promise((resolve) => this.#waiting.push(resolve))
  }
}
