import { and, andNot, bitWords, or, setBit, type Bits } from './bit-kernel.ts'

/**
 * A column of numbers as sets of documents, one per binary digit of the number: slice 3 has the documents whose number has digit
 * 3 set. A comparison with a bound then takes one `and` or `or` of whole sets per digit, for 32 documents at a time, where a loop
 * over the numbers takes one step per document. Digits that no number needs have no slice, so the slices also take less memory.
 */
export class SlicedColumn {
  /** The smallest and the largest number. Documents have their distance from the number before the smallest, and 0 if unknown. */
  readonly #least: number
  readonly #most: number
  readonly #slices: Bits[]
  readonly #above: Bits

  constructor(values: Uint8Array | Int32Array, unknown: number) {
    let least = Infinity
    let most = -Infinity
    for (const value of values) {
      if (value === unknown) continue
      least = Math.min(least, value)
      most = Math.max(most, value)
    }
    this.#least = least
    this.#most = most
    const digits = most < least ? 0 : 32 - Math.clz32(most - least + 1)
    this.#slices = Array.from({ length: digits }, () => new Uint32Array(bitWords(values.length)))
    this.#above = new Uint32Array(bitWords(values.length))
    values.forEach((value, doc) => {
      if (value === unknown) return
      const distance = value - least + 1
      for (let digit = 0; digit < digits; digit++) if ((distance >>> digit) & 1) setBit(this.#slices[digit]!, doc)
    })
  }

  get bytes(): number {
    return (this.#slices.length + 1) * this.#above.byteLength
  }

  /** The number of loops over whole sets that `keep` takes at most. */
  get passes(): number {
    return 2 * this.#slices.length + 2
  }

  /** Keeps documents whose number is known and between `min` and `max`, both inclusive. */
  keep(to: Bits, min: number, max: number): void {
    if (min > max || min > this.#most || max < this.#least) return void to.fill(0)
    and(to, to, this.#isAbove(Math.max(min, this.#least) - this.#least))
    if (max < this.#most) andNot(to, this.#isAbove(max - this.#least + 1))
  }

  /**
   * Documents whose distance is more than the bound. From the lowest digit up: where the bound has a 0, a document with a 1 is
   * above it. Where it has a 1, a document stays above only with a 1. Digits below the bound's lowest 0 decide nothing.
   */
  #isAbove(bound: number): Bits {
    const above = this.#above
    const slices = this.#slices
    const lowest = 31 - Math.clz32(~bound & -~bound)
    let found = slices[lowest]!
    for (let digit = lowest + 1; digit < slices.length; digit++) {
      if ((bound >>> digit) & 1) and(above, found, slices[digit]!)
      else or(above, found, slices[digit]!)
      found = above
    }
    return found
  }
}
