const cells = 40

/** Shows the progress of a long task in one line of a terminal, which is rewritten when its figure changes. */
export class ProgressLine {
  #shown = -1
  readonly #terminal: { write(text: string): unknown }

  constructor(terminal: { write(text: string): unknown }) {
    this.#terminal = terminal
  }

  show(done: number, total: number): void {
    const percent = total === 0 ? 100 : Math.min(100, Math.floor((done / total) * 100))
    if (percent === this.#shown) return
    this.#shown = percent
    const filled = Math.round((percent / 100) * cells)
    this.#terminal.write(`\r${'█'.repeat(filled)}${'░'.repeat(cells - filled)} ${String(percent).padStart(3)} %`)
  }

  /** Keeps the line as it is; the next output begins on a new line. */
  end(): void {
    if (this.#shown !== -1) this.#terminal.write('\n')
    this.#shown = -1
  }
}
