/** Sets of documents of one segment: sorted lists for few documents, bits for many. Documents are the positions 0 to size−1. */
export type DocSet = { kind: 'list'; docs: Uint32Array } | { kind: 'bits'; bits: Uint32Array; count: number }

export const emptySet: DocSet = { kind: 'list', docs: new Uint32Array(0) }

/** A list with at least a 32nd of all documents takes more memory than bits. */
const denseShare = 32

export function bitWords(size: number): number {
  return (size + 31) >>> 5
}

export function hasBit(bits: Uint32Array, doc: number): boolean {
  return ((bits[doc >>> 5]! >>> (doc & 31)) & 1) === 1
}

export function setBit(bits: Uint32Array, doc: number): void {
  bits[doc >>> 5] = bits[doc >>> 5]! | (1 << (doc & 31))
}

export function allBits(size: number): Uint32Array {
  const bits = new Uint32Array(bitWords(size)).fill(0xffffffff)
  if (size & 31) bits[bits.length - 1] = (1 << (size & 31)) - 1
  return bits
}

export function popcount(word: number): number {
  let x = word - ((word >>> 1) & 0x55555555)
  x = (x & 0x33333333) + ((x >>> 2) & 0x33333333)
  return Math.imul((x + (x >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

function countBits(bits: Uint32Array): number {
  let count = 0
  for (let index = 0; index < bits.length; index++) count += popcount(bits[index]!)
  return count
}

export function countOf(set: DocSet): number {
  return set.kind === 'list' ? set.docs.length : set.count
}

export function fromBits(bits: Uint32Array): DocSet {
  return { kind: 'bits', bits, count: countBits(bits) }
}

/** Keeps the bits of documents that pass the test. */
export function keepBits(bits: Uint32Array, passes: (doc: number) => boolean): void {
  for (let index = 0; index < bits.length; index++) {
    let kept = bits[index]!
    let left = kept
    while (left !== 0) {
      const lowest = left & -left
      if (!passes((index << 5) + 31 - Math.clz32(lowest))) kept ^= lowest
      left ^= lowest
    }
    bits[index] = kept
  }
}

/** The documents of `set` that are not in `removed`. */
export function without(set: DocSet, removed: Uint32Array): DocSet {
  if (set.kind === 'list') return { kind: 'list', docs: set.docs.filter((doc) => !hasBit(removed, doc)) }
  const bits = set.bits.slice()
  for (let index = 0; index < bits.length; index++) bits[index] = bits[index]! & ~removed[index]!
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
      const count = popcount(word)
      if (count <= window.skip) {
        window.skip -= count
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
  private readonly offsets: Uint32Array
  private readonly docs: Uint32Array
  private readonly bitsByCode = new Map<number, Uint32Array>()

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
    this.offsets = counts
    this.docs = new Uint32Array(counts[codes]!)
    const next = counts.slice()
    for (let doc = 0; doc < size; doc++) {
      values(doc, (code) => {
        if (code < codes) this.docs[next[code]!++] = doc
      })
    }
  }

  count(code: number): number {
    return (this.offsets[code + 1] ?? 0) - (this.offsets[code] ?? 0)
  }

  list(code: number): Uint32Array {
    return this.docs.subarray(this.offsets[code] ?? 0, this.offsets[code + 1] ?? 0)
  }

  isDense(code: number): boolean {
    return this.count(code) * denseShare >= this.size
  }

  bits(code: number): Uint32Array {
    const known = this.bitsByCode.get(code)
    if (known) return known
    const bits = new Uint32Array(bitWords(this.size))
    for (const doc of this.list(code)) setBit(bits, doc)
    this.bitsByCode.set(code, bits)
    return bits
  }

  /** Adds the documents of a code to `target`. */
  addTo(target: Uint32Array, code: number): void {
    if (!this.isDense(code)) {
      const list = this.list(code)
      for (let index = 0; index < list.length; index++) setBit(target, list[index]!)
      return
    }
    const bits = this.bits(code)
    for (let index = 0; index < bits.length; index++) target[index] = target[index]! | bits[index]!
  }
}
