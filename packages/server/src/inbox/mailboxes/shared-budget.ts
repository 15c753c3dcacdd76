/** A budget of bytes or logins that all readers of a process share. A request for more than is free waits for its turn. */
export class SharedBudget {
  #free: number
  readonly #waiting: { amount: number; go: () => void }[] = []

  constructor(max: number) {
    this.#free = max
  }

  take(amount: number): Promise<void> {
    return new Promise((go) => {
      this.#waiting.push({ amount, go })
      this.#serve()
    })
  }

  give(amount: number): void {
    this.#free += amount
    this.#serve()
  }

  // Requests are served in order, so that smaller ones don't overtake a large one forever.
  #serve(): void {
    for (let next = this.#waiting[0]; next !== undefined && next.amount <= this.#free; next = this.#waiting[0]) {
      this.#waiting.shift()
      this.#free -= next.amount
      next.go()
    }
  }
}
