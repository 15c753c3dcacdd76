/** Files in memory that were asked for last, up to so many bytes in all; the others are read when they are asked for. */
export class KeptFiles {
  readonly #files = new Map<string, { body: Promise<Buffer>; bytes: number }>()
  readonly #bytesMax: number
  readonly #read: (name: string) => Promise<Buffer>
  bytes = 0

  constructor(read: (name: string) => Promise<Buffer>, bytesMax: number) {
    this.#read = read
    this.#bytesMax = bytesMax
  }

  /** Whoever asks for what is being read waits for the same reading. */
  get(name: string): Promise<Buffer> {
    const known = this.#files.get(name)
    if (known !== undefined) {
      // The youngest stands last.
      this.#files.delete(name)
      this.#files.set(name, known)
      return known.body
    }
    const file = { body: this.#read(name), bytes: 0 }
    this.#files.set(name, file)
    file.body.then(
      (body) => this.#keep(name, file, body.length),
      // Told to whoever asked; the next one reads again.
      () => this.#files.delete(name),
    )
    return file.body
  }

  #keep(name: string, file: { bytes: number }, bytes: number): void {
    if (bytes > this.#bytesMax) {
      this.#files.delete(name)
      return
    }
    file.bytes = bytes
    this.bytes += bytes
    for (const [old, { bytes: its }] of this.#files) {
      if (this.bytes <= this.#bytesMax) return
      // One that is being read holds nothing yet.
      if (its === 0) continue
      this.#files.delete(old)
      this.bytes -= its
    }
  }
}
