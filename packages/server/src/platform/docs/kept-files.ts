/** A cache of the most recently requested files, limited by their total bytes. Other files are read on request. */
export class KeptFiles {
  readonly #files = new Map<string, { body: Promise<Buffer>; bytes: number }>()
  readonly #bytesMax: number
  readonly #read: (name: string) => Promise<Buffer>
  bytes = 0

  constructor(read: (name: string) => Promise<Buffer>, bytesMax: number) {
    this.#read = read
    this.#bytesMax = bytesMax
  }

  /** Concurrent requests for a file share one read. */
  get(name: string): Promise<Buffer> {
    const known = this.#files.get(name)
    if (known !== undefined) {
      // Moved to the end: the last file is the most recently used.
      this.#files.delete(name)
      this.#files.set(name, known)
      return known.body
    }
    const file = { body: this.#read(name), bytes: 0 }
    this.#files.set(name, file)
    file.body.then(
      (body) => this.#keep(name, file, body.length),
      // The error goes to the waiting requests; the next request reads again.
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
      // A file that is still being read has no bytes yet.
      if (its === 0) continue
      this.#files.delete(old)
      this.bytes -= its
    }
  }
}
