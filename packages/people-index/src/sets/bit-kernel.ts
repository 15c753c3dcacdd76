/**
 * Loops over sets of documents. A set has one bit per document in words of 32 bits, so a loop over words handles 32 documents at
 * a time. The loops are unrolled, which halves their time, and allocate nothing. Sets of one call have the same length.
 *
 * An owner (a company) has the documents `docs[offsets[owner] … offsets[owner + 1]]`.
 */
export type Bits = Uint32Array

export function bitWords(size: number): number {
  return (size + 31) >>> 5
}

export function hasBit(bits: Bits, doc: number): boolean {
  return ((bits[doc >>> 5]! >>> (doc & 31)) & 1) === 1
}

export function setBit(bits: Bits, doc: number): void {
  bits[doc >>> 5]! |= 1 << (doc & 31)
}

export function allBits(size: number): Bits {
  const bits = new Uint32Array(bitWords(size)).fill(0xffffffff)
  if (size & 31) bits[bits.length - 1] = (1 << (size & 31)) - 1
  return bits
}

export function setList(to: Bits, docs: Uint32Array): void {
  for (let index = 0; index < docs.length; index++) setBit(to, docs[index]!)
}

/** Replaces `to` by the documents that are in any of the sets. */
export function union(to: Bits, sets: readonly Bits[]): void {
  const [first, second, ...others] = sets
  if (!first) to.fill(0)
  else if (!second) to.set(first)
  else or(to, first, second)
  for (const other of others) or(to, to, other)
}

/** Replaces `to` by the documents that are in either set. `to` may be one of them. */
export function or(to: Bits, left: Bits, right: Bits): void {
  const rest = to.length & ~7
  for (let at = 0; at < rest; at += 8) {
    to[at] = left[at]! | right[at]!
    to[at + 1] = left[at + 1]! | right[at + 1]!
    to[at + 2] = left[at + 2]! | right[at + 2]!
    to[at + 3] = left[at + 3]! | right[at + 3]!
    to[at + 4] = left[at + 4]! | right[at + 4]!
    to[at + 5] = left[at + 5]! | right[at + 5]!
    to[at + 6] = left[at + 6]! | right[at + 6]!
    to[at + 7] = left[at + 7]! | right[at + 7]!
  }
  for (let at = rest; at < to.length; at++) to[at] = left[at]! | right[at]!
}

/** Replaces `to` by the documents that are in both sets. `to` may be one of them. */
export function and(to: Bits, left: Bits, right: Bits): void {
  const rest = to.length & ~7
  for (let at = 0; at < rest; at += 8) {
    to[at] = left[at]! & right[at]!
    to[at + 1] = left[at + 1]! & right[at + 1]!
    to[at + 2] = left[at + 2]! & right[at + 2]!
    to[at + 3] = left[at + 3]! & right[at + 3]!
    to[at + 4] = left[at + 4]! & right[at + 4]!
    to[at + 5] = left[at + 5]! & right[at + 5]!
    to[at + 6] = left[at + 6]! & right[at + 6]!
    to[at + 7] = left[at + 7]! & right[at + 7]!
  }
  for (let at = rest; at < to.length; at++) to[at] = left[at]! & right[at]!
}

export function andNot(to: Bits, removed: Bits): void {
  const rest = to.length & ~3
  for (let at = 0; at < rest; at += 4) {
    to[at] = to[at]! & ~removed[at]!
    to[at + 1] = to[at + 1]! & ~removed[at + 1]!
    to[at + 2] = to[at + 2]! & ~removed[at + 2]!
    to[at + 3] = to[at + 3]! & ~removed[at + 3]!
  }
  for (let at = rest; at < to.length; at++) to[at] = to[at]! & ~removed[at]!
}

export function popcount(word: number): number {
  let x = word - ((word >>> 1) & 0x55555555)
  x = (x & 0x33333333) + ((x >>> 2) & 0x33333333)
  return Math.imul((x + (x >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

/**
 * The number of documents (Harley and Seal's method). Each bit position is a binary counter: `ones`, `twos` and `fours` are its
 * digits, and eight words are added to all 32 counters at once. Only the carries to the eights are counted word by word, so the
 * loop takes half the time of a `popcount` per word.
 */
export function count(bits: Bits): number {
  const rest = bits.length & ~7
  let ones = 0
  let twos = 0
  let fours = 0
  let eights = 0
  for (let at = 0; at < rest; at += 8) {
    const twosA = carry(ones, bits[at]!, bits[at + 1]!)
    ones ^= bits[at]! ^ bits[at + 1]!
    const twosB = carry(ones, bits[at + 2]!, bits[at + 3]!)
    ones ^= bits[at + 2]! ^ bits[at + 3]!
    const twosC = carry(ones, bits[at + 4]!, bits[at + 5]!)
    ones ^= bits[at + 4]! ^ bits[at + 5]!
    const twosD = carry(ones, bits[at + 6]!, bits[at + 7]!)
    ones ^= bits[at + 6]! ^ bits[at + 7]!
    const foursA = carry(twos, twosA, twosB)
    twos ^= twosA ^ twosB
    const foursB = carry(twos, twosC, twosD)
    twos ^= twosC ^ twosD
    eights += popcount(carry(fours, foursA, foursB))
    fours ^= foursA ^ foursB
  }
  let total = 8 * eights + 4 * popcount(fours) + 2 * popcount(twos) + popcount(ones)
  for (let at = rest; at < bits.length; at++) total += popcount(bits[at]!)
  return total
}

/** The carry of the sum of three bits, for 32 positions. */
function carry(a: number, b: number, c: number): number {
  return (a & b) | ((a ^ b) & c)
}

/** Keeps the documents that pass the test. */
export function keepBits(bits: Bits, passes: (doc: number) => boolean): void {
  for (let index = 0; index < bits.length; index++) {
    let kept = bits[index]!
    let remaining = kept
    while (remaining !== 0) {
      const lowest = remaining & -remaining
      if (!passes((index << 5) + 31 - Math.clz32(lowest))) kept ^= lowest
      remaining ^= lowest
    }
    bits[index] = kept
  }
}

/** The number of documents that the owners have. */
export function sumOwned(owners: Bits, offsets: Uint32Array): number {
  let sum = 0
  for (let index = 0; index < owners.length; index++) {
    let remaining = owners[index]!
    while (remaining !== 0) {
      const owner = (index << 5) + 31 - Math.clz32(remaining & -remaining)
      sum += offsets[owner + 1]! - offsets[owner]!
      remaining &= remaining - 1
    }
  }
  return sum
}

/** Adds the documents of the owners. */
export function setOwned(to: Bits, owners: Bits, owned: { offsets: Uint32Array; docs: Uint32Array }): void {
  const { offsets, docs } = owned
  for (let index = 0; index < owners.length; index++) {
    let remaining = owners[index]!
    while (remaining !== 0) {
      const owner = (index << 5) + 31 - Math.clz32(remaining & -remaining)
      const end = offsets[owner + 1]!
      for (let at = offsets[owner]!; at < end; at++) setBit(to, docs[at]!)
      remaining &= remaining - 1
    }
  }
}

/** Keeps the documents whose owner is in the set `owners`. */
export function keepOwned(to: Bits, ownerByMember: Uint32Array, owners: Bits): void {
  for (let index = 0; index < to.length; index++) {
    let kept = to[index]!
    let remaining = kept
    while (remaining !== 0) {
      const lowest = remaining & -remaining
      const owner = ownerByMember[(index << 5) + 31 - Math.clz32(lowest)]!
      const isOwned = (owners[owner >>> 5]! >>> (owner & 31)) & 1
      // The loop has no branch on the owner, because the processor would predict it wrongly half of the time.
      kept ^= lowest & (isOwned - 1)
      remaining ^= lowest
    }
    to[index] = kept
  }
}
