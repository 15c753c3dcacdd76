import { isOneEdit } from './records/text.ts'

/**
 * Finds words at an edit distance of one without comparing every word. Two such words become equal when a letter is removed from
 * one or both. So each word is stored under its own hash and under the hashes of itself without each of its letters.
 */
export class WordNeighbours {
  readonly #words: readonly string[]
  readonly #shift: number
  readonly #offsets: Uint32Array
  readonly #codes: Uint32Array

  /** Words shorter than `lengthMin` are never found. */
  constructor(words: readonly string[], lengthMin: number) {
    this.#words = words
    let entries = 0
    for (const word of words) if (word.length >= lengthMin) entries += word.length + 1
    const bits = Math.min(26, Math.max(4, 32 - Math.clz32(entries)))
    this.#shift = 32 - bits
    const offsets = new Uint32Array(2 ** bits + 1)
    const each = (visit: (bucket: number, code: number) => void) =>
      words.forEach((word, code) => {
        if (word.length < lengthMin) return
        for (let skipped = -1; skipped < word.length; skipped++) visit(hash(word, skipped) >>> this.#shift, code)
      })
    each((bucket) => (offsets[bucket + 1]! += 1))
    for (let bucket = 1; bucket < offsets.length; bucket++) offsets[bucket]! += offsets[bucket - 1]!
    this.#offsets = offsets
    this.#codes = new Uint32Array(entries)
    const next = offsets.slice()
    each((bucket, code) => (this.#codes[next[bucket]!++] = code))
  }

  /** The positions of the words that differ by one edit (not equal). */
  find(word: string): number[] {
    const found = new Set<number>()
    for (let skipped = -1; skipped < word.length; skipped++) {
      const bucket = hash(word, skipped) >>> this.#shift
      for (let index = this.#offsets[bucket]!; index < this.#offsets[bucket + 1]!; index++) {
        const code = this.#codes[index]!
        if (!found.has(code) && isOneEdit(word, this.#words[code]!)) found.add(code)
      }
    }
    return [...found]
  }
}

/** FNV-1a with an additional mix, of a word without one letter (−1 for the whole word). */
function hash(word: string, skipped: number): number {
  let value = 0x811c9dc5
  for (let index = 0; index < word.length; index++) {
    if (index !== skipped) value = Math.imul(value ^ word.charCodeAt(index), 0x01000193)
  }
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  return (value ^ (value >>> 13)) >>> 0
}
