/** Bytes that all readers of a process together may hold; who asks for more than is free waits, in turn. */
export class ByteBudget {
  private free: number
  private readonly waiting: { bytes: number; go: () => void }[] = []

  constructor(bytesMax: number) {
    this.free = bytesMax
  }

  take(bytes: number): Promise<void> {
    return new Promise((go) => {
      this.waiting.push({ bytes, go })
      this.serve()
    })
  }

  give(bytes: number): void {
    this.free += bytes
    this.serve()
  }

  // In order: a large one is not overtaken for ever.
  private serve(): void {
    for (let next = this.waiting[0]; next !== undefined && next.bytes <= this.free; next = this.waiting[0]) {
      this.waiting.shift()
      this.free -= next.bytes
      next.go()
    }
  }
}
