import { isOneEdit } from '../records/text.ts'

/**
 * Words one edit apart, found without looking at every word: two such words are equal once a letter is left out of one
 * or of both, so each word lies under the hashes of itself and of itself without each of its letters.
 */
export class WordNeighbours {
  private readonly words: readonly string[]
  private readonly shift: number
  private readonly offsets: Uint32Array
  private readonly codes: Uint32Array

  /** Words shorter than `lengthMin` are not found. */
  constructor(words: readonly string[], lengthMin: number) {
    this.words = words
    let entries = 0
    for (const word of words) if (word.length >= lengthMin) entries += word.length + 1
    const bits = Math.min(26, Math.max(4, 32 - Math.clz32(entries)))
    this.shift = 32 - bits
    const offsets = new Uint32Array(2 ** bits + 1)
    const each = (visit: (bucket: number, code: number) => void) =>
      words.forEach((word, code) => {
        if (word.length < lengthMin) return
        for (let skipped = -1; skipped < word.length; skipped++) visit(hash(word, skipped) >>> this.shift, code)
      })
    each((bucket) => (offsets[bucket + 1]! += 1))
    for (let bucket = 1; bucket < offsets.length; bucket++) offsets[bucket]! += offsets[bucket - 1]!
    this.offsets = offsets
    this.codes = new Uint32Array(entries)
    const next = offsets.slice()
    each((bucket, code) => (this.codes[next[bucket]!++] = code))
  }

  /** Positions of the words that are one edit away (not equal). */
  find(word: string): number[] {
    const found = new Set<number>()
    for (let skipped = -1; skipped < word.length; skipped++) {
      const bucket = hash(word, skipped) >>> this.shift
      for (let index = this.offsets[bucket]!; index < this.offsets[bucket + 1]!; index++) {
        const code = this.codes[index]!
        if (!found.has(code) && isOneEdit(word, this.words[code]!)) found.add(code)
      }
    }
    return [...found]
  }
}

/** FNV-1a with its bits mixed once more, of a word without one letter (−1: with all). */
function hash(word: string, skipped: number): number {
  let value = 0x811c9dc5
  for (let index = 0; index < word.length; index++) {
    if (index !== skipped) value = Math.imul(value ^ word.charCodeAt(index), 0x01000193)
  }
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  return (value ^ (value >>> 13)) >>> 0
}
