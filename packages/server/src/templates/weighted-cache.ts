/** A least-recently-used cache that is limited by the weight of its entries instead of their number. */
export class WeightedCache<Value> {
  readonly #entries = new Map<string, { value: Value; weight: number }>()
  readonly #weightMax: number
  #total = 0

  constructor(weightMax: number) {
    this.#weightMax = weightMax
  }

  get weight(): number {
    return this.#total
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    return entry.value
  }

  /** An entry that is heavier than the whole cache is not kept. */
  set(key: string, value: Value, weight: number): void {
    this.#drop(key)
    if (weight > this.#weightMax) return
    this.#entries.set(key, { value, weight })
    this.#total += weight
    for (const oldest of this.#entries.keys()) {
      if (this.#total <= this.#weightMax) return
      this.#drop(oldest)
    }
  }

  #drop(key: string): void {
    this.#total -= this.#entries.get(key)?.weight ?? 0
    this.#entries.delete(key)
  }
}
