import { andNot, bitWords, count, hasBit, or, popcount, setList, type Bits } from './bit-kernel.ts'

/** Sets of documents of one segment: sorted lists for few documents, bits for many. Documents are the positions 0 to size−1. */
export type DocSet = { kind: 'list'; docs: Uint32Array } | { kind: 'bits'; bits: Bits; count: number }

export const emptySet: DocSet = { kind: 'list', docs: new Uint32Array(0) }

/** A list with at least a 32nd of all documents takes more memory than bits. */
const denseShare = 32

export function countDocs(set: DocSet): number {
  return set.kind === 'list' ? set.docs.length : set.count
}

export function fromBits(bits: Uint32Array): DocSet {
  return { kind: 'bits', bits, count: count(bits) }
}

/** The documents of `set` that are not in `removed`. */
export function without(set: DocSet, removed: Uint32Array): DocSet {
  if (set.kind === 'list') return { kind: 'list', docs: set.docs.filter((doc) => !hasBit(removed, doc)) }
  const bits = set.bits.slice()
  andNot(bits, removed)
  return fromBits(bits)
}

export interface Window {
  skip: number
  take: number
}

/** Appends the documents of `[from, to)` in order, after skipping `skip` of the window. Reduces the window accordingly. */
export function collect(set: DocSet, span: { from: number; to: number }, window: Window, out: number[]): void {
  if (window.take === 0 || span.from >= span.to) return
  if (set.kind === 'list') collectList(set.docs, span, window, out)
  else collectBits(set.bits, span, window, out)
}

function collectList(docs: Uint32Array, span: { from: number; to: number }, window: Window, out: number[]): void {
  let index = lowerBound(docs, span.from)
  const end = lowerBound(docs, span.to)
  const skipped = Math.min(window.skip, end - index)
  window.skip -= skipped
  index += skipped
  for (; index < end && window.take > 0; index++, window.take--) out.push(docs[index]!)
}

function collectBits(bits: Uint32Array, span: { from: number; to: number }, window: Window, out: number[]): void {
  const last = (span.to - 1) >>> 5
  for (let index = span.from >>> 5; index <= last && window.take > 0; index++) {
    let word = bits[index]!
    if (index === span.from >>> 5) word &= 0xffffffff << (span.from & 31)
    if (index === last && span.to & 31) word &= (1 << (span.to & 31)) - 1
    if (word === 0) continue
    if (window.skip > 0) {
      const found = popcount(word)
      if (found <= window.skip) {
        window.skip -= found
        continue
      }
    }
    while (word !== 0 && window.take > 0) {
      const lowest = word & -word
      word ^= lowest
      if (window.skip > 0) window.skip -= 1
      else {
        out.push((index << 5) + 31 - Math.clz32(lowest))
        window.take -= 1
      }
    }
  }
}

/** The first index whose value is at least `value`. */
export function lowerBound(values: ArrayLike<number>, value: number): number {
  let low = 0
  let high = values.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (values[middle]! < value) low = middle + 1
    else high = middle
  }
  return low
}

/** One field of a segment: the documents of every code. Bits of frequent codes are made at their first use. */
export class Dimension {
  readonly size: number
  readonly #offsets: Uint32Array
  readonly #docs: Uint32Array
  readonly #bitsByCode = new Map<number, Uint32Array>()

  /** `values(doc)` gives the codes of a document, each once. Codes from `codes` on mean no value. */
  constructor(size: number, codes: number, values: (doc: number, add: (code: number) => void) => void) {
    this.size = size
    const counts = new Uint32Array(codes + 1)
    for (let doc = 0; doc < size; doc++) {
      values(doc, (code) => {
        if (code < codes) counts[code + 1]! += 1
      })
    }
    for (let code = 0; code < codes; code++) counts[code + 1]! += counts[code]!
    this.#offsets = counts
    this.#docs = new Uint32Array(counts[codes]!)
    const next = counts.slice()
    for (let doc = 0; doc < size; doc++) {
      values(doc, (code) => {
        if (code < codes) this.#docs[next[code]!++] = doc
      })
    }
  }

  count(code: number): number {
    return (this.#offsets[code + 1] ?? 0) - (this.#offsets[code] ?? 0)
  }

  list(code: number): Uint32Array {
    return this.#docs.subarray(this.#offsets[code] ?? 0, this.#offsets[code + 1] ?? 0)
  }

  isDense(code: number): boolean {
    return this.count(code) * denseShare >= this.size
  }

  bits(code: number): Uint32Array {
    const known = this.#bitsByCode.get(code)
    if (known) return known
    const bits = new Uint32Array(bitWords(this.size))
    setList(bits, this.list(code))
    this.#bitsByCode.set(code, bits)
    return bits
  }

  /** Adds the documents of a code to `target`. */
  addTo(target: Uint32Array, code: number): void {
    if (this.isDense(code)) or(target, target, this.bits(code))
    else setList(target, this.list(code))
  }
}
