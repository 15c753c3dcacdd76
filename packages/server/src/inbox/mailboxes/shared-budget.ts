/** What all readers of a process share, bytes or logins under way: who asks for more than is free waits, in turn. */
export class SharedBudget {
  private free: number
  private readonly waiting: { amount: number; go: () => void }[] = []

  constructor(max: number) {
    this.free = max
  }

  take(amount: number): Promise<void> {
    return new Promise((go) => {
      this.waiting.push({ amount, go })
      this.serve()
    })
  }

  give(amount: number): void {
    this.free += amount
    this.serve()
  }

  // In order: a large one is not overtaken for ever.
  private serve(): void {
    for (let next = this.waiting[0]; next !== undefined && next.amount <= this.free; next = this.waiting[0]) {
      this.waiting.shift()
      this.free -= next.amount
      next.go()
    }
  }
}
