import { allBits, and, bitWords, count, keepBits, union, type Bits } from './bit-kernel.ts'
import type { Employment, PeopleSets } from './people-sets.ts'
import { emptySet, type DocSet } from './postings.ts'
import type { SlicedColumn } from './sliced-column.ts'

/** The filter on one field: matches any of its parts. */
export type Group = AnyGroup | RangeGroup

interface AnyGroup {
  kind: 'any'
  /** The largest number of people that all parts together can match. */
  count: number
  parts: Part[]
  /** Tests a document by a column, which is faster than setting bits for few documents. */
  test: (doc: number) => boolean
}

interface RangeGroup {
  kind: 'range'
  column: SlicedColumn
  min: number
  max: number
  test: (doc: number) => boolean
}

export type Part = { kind: 'code'; sets: PeopleSets; code: number } | { kind: 'companies'; companies: Bits }

/** A filter that matches at most this share of all people, or this number, is collected and tested one by one. */
const sparseShare = 1024
const sparseMin = 64
/**
 * Costs are counted in documents of a loop over sets of bits, which takes 15 µs for a million documents. A test takes as long as this
 * many of them (150 ns), and setting one bit as long as `costOfBit` (1 ns).
 */
const costOfTest = 10_000
const costOfBit = 64

/** Finds the people that match every group, sorted. The plan depends on the number that each group matches. */
export class PeoplePlan {
  readonly #size: number
  readonly #employment: Employment
  readonly #all: Bits
  /** The set of one group while it is combined with the result. */
  readonly #other: Bits

  constructor(size: number, employment: Employment) {
    this.#size = size
    this.#employment = employment
    this.#all = allBits(size)
    this.#other = new Uint32Array(bitWords(size))
  }

  get bytes(): number {
    return this.#all.byteLength + this.#other.byteLength
  }

  run(groups: readonly Group[]): DocSet {
    if (groups.length === 0) return { kind: 'bits', bits: this.#all, count: this.#size }
    const any = groups.filter((group) => group.kind === 'any').toSorted((left, right) => left.count - right.count)
    const ranges = groups.filter((group) => group.kind === 'range')
    const [first, ...others] = any
    if (first?.count === 0) return emptySet
    const stored = groups.length === 1 && first ? storedSet(first) : null
    if (stored) return stored
    const isFew = first && first.count <= Math.max(sparseMin, this.#size / sparseShare)
    if (isFew && first.parts.every((part) => part.kind === 'companies' || part.sets.bits(part.code) === null)) {
      return this.#sparse(first, [...others, ...ranges])
    }
    return this.#dense(any, ranges)
  }

  /** Narrows the result group by group, and document by document as soon as few documents are left for much work. */
  #dense(any: readonly AnyGroup[], ranges: readonly RangeGroup[]): DocSet {
    // Groups of companies come last: testing the remaining people by company is cheaper than setting bits for all their people.
    const rest: Group[] = any.toSorted((left, right) => Number(isOfCompanies(left)) - Number(isOfCompanies(right)))
    rest.push(...ranges)
    const result = new Uint32Array(bitWords(this.#size))
    let found = this.#all
    let expected = this.#size
    while (rest.length > 0) {
      if (expected * costOfTest < this.#cost(rest)) {
        // The expected number assumes that filters don't depend on each other, so it is checked.
        expected = count(found)
        if (expected * costOfTest < this.#cost(rest)) return tested(found, expected, rest)
      }
      const group = rest.shift()!
      found = this.#narrow(found, group, result)
      if (group.kind === 'any') expected *= Math.min(1, group.count / this.#size)
    }
    return { kind: 'bits', bits: found, count: count(found) }
  }

  #cost(groups: readonly Group[]): number {
    let cost = 0
    for (const group of groups) {
      if (group.kind === 'range') cost += group.column.passes * this.#size
      else
        for (const part of group.parts)
          cost += partBits(part) === null ? costOfBit * countPeople(part, group) : this.#size
    }
    return cost
  }

  /** Returns the people of `found` that are in the group. They are in `result`, or in the stored set of the first group. */
  #narrow(found: Bits, group: Group, result: Bits): Bits {
    if (group.kind === 'range') {
      if (found !== result) result.set(found)
      group.column.keep(result, group.min, group.max)
      return result
    }
    const stored = storedBits(group)
    if (found === this.#all) {
      if (stored === null) this.#layOut(group, result)
      return stored ?? result
    }
    const [part] = group.parts
    if (part?.kind === 'companies' && group.parts.length === 1 && count(found) <= group.count) {
      if (found !== result) result.set(found)
      this.#employment.keep(result, part.companies)
      return result
    }
    if (stored === null) this.#layOut(group, this.#other)
    and(result, found, stored ?? this.#other)
    return result
  }

  #layOut(group: AnyGroup, to: Bits): void {
    const stored = group.parts.flatMap((part) => partBits(part) ?? [])
    union(to, stored)
    for (const part of group.parts) {
      if (part.kind === 'companies') this.#employment.addTo(to, part.companies)
      else if (partBits(part) === null) part.sets.addTo(to, part.code)
    }
  }

  #sparse(first: AnyGroup, rest: readonly Group[]): DocSet {
    const kept = new Uint32Array(first.count)
    let size = 0
    this.#each(first, (doc) => {
      for (const group of rest) if (!group.test(doc)) return
      kept[size++] = doc
    })
    const docs = kept.subarray(0, size)
    if (first.parts.length === 1 && first.parts[0]!.kind === 'code') return { kind: 'list', docs: docs.slice() }
    docs.sort()
    return { kind: 'list', docs: docs.filter((doc, index) => index === 0 || doc !== docs[index - 1]) }
  }

  #each(group: AnyGroup, visit: (doc: number) => void): void {
    for (const part of group.parts) {
      if (part.kind === 'code') part.sets.list(part.code).forEach(visit)
      else {
        keepBits(part.companies, (company) => {
          this.#employment.list(company).forEach(visit)
          return true
        })
      }
    }
  }
}

/** The documents of a set that pass every test. */
function tested(bits: Bits, documents: number, tests: readonly Group[]): DocSet {
  const docs = new Uint32Array(documents)
  let size = 0
  for (let index = 0; index < bits.length; index++) {
    for (let remaining = bits[index]!; remaining !== 0; remaining &= remaining - 1) {
      const doc = (index << 5) + 31 - Math.clz32(remaining & -remaining)
      if (passesAll(tests, doc)) docs[size++] = doc
    }
  }
  return { kind: 'list', docs: size === documents ? docs : docs.slice(0, size) }
}

function passesAll(tests: readonly Group[], doc: number): boolean {
  for (let index = 0; index < tests.length; index++) if (!tests[index]!.test(doc)) return false
  return true
}

/** The set of a single value. It is used directly as the result, because nothing writes into it. */
function storedSet(group: AnyGroup): DocSet | null {
  const [part] = group.parts
  if (group.parts.length !== 1 || part?.kind !== 'code') return null
  const bits = part.sets.bits(part.code)
  return bits === null ? { kind: 'list', docs: part.sets.list(part.code) } : { kind: 'bits', bits, count: group.count }
}

function storedBits(group: AnyGroup): Bits | null {
  return group.parts.length === 1 ? partBits(group.parts[0]!) : null
}

function partBits(part: Part): Bits | null {
  return part.kind === 'code' ? part.sets.bits(part.code) : null
}

function countPeople(part: Part, group: AnyGroup): number {
  return part.kind === 'code' ? part.sets.count(part.code) : group.count
}

function isOfCompanies(group: AnyGroup): boolean {
  return group.parts.some((part) => part.kind === 'companies')
}
