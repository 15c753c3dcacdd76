import type { Employment, PeopleSets, Universe } from './people-sets.ts'
import { emptySet, keepBits, type DocSet } from './postings.ts'

/** The filter on one field: matches any of its parts. */
export type Group =
  | {
      kind: 'any'
      /** The largest number of people that all parts together can match. */
      count: number
      parts: Part[]
      /** Tests a document by a column, which is faster than setting bits for few documents. */
      test: (doc: number) => boolean
    }
  | {
      kind: 'range'
      column: number
      width: 'bytes' | 'ints'
      min: number
      max: number
      test: (doc: number) => boolean
    }

export type Part = { kind: 'code'; sets: PeopleSets; code: number } | { kind: 'companies'; companies: Uint32Array }

type AnyGroup = Extract<Group, { kind: 'any' }>

/** A filter that matches at most this share of all people, or this number, is collected and tested one by one. */
const sparseShare = 1024
const sparseMin = 64

/** Finds the people that match every group, sorted. The plan depends on the number that each group matches. */
export class PeoplePlan {
  private readonly universe: Universe
  private readonly employment: Employment

  constructor(universe: Universe, employment: Employment) {
    this.universe = universe
    this.employment = employment
  }

  run(groups: readonly Group[]): DocSet {
    const any = groups.filter((group) => group.kind === 'any').toSorted((left, right) => left.count - right.count)
    const [first] = any
    if (first?.count === 0) return emptySet
    const isFew = first && first.count <= Math.max(sparseMin, this.universe.size / sparseShare)
    if (isFew && first.parts.every((part) => part.kind === 'companies' || part.sets.bitsAt(part.code) === 0)) {
      return this.sparse(
        first,
        groups.filter((group) => group !== first),
      )
    }
    const only = groups.length === 1 && first ? this.stored(first) : null
    if (groups.length === 0)
      return { kind: 'bits', bits: this.universe.words(this.universe.all), count: this.universe.size }
    if (only) return only
    return this.dense(
      any,
      groups.filter((group) => group.kind === 'range'),
    )
  }

  /** A single value that is stored as bits is used directly as the result, because nothing writes into it. */
  private stored(group: AnyGroup): DocSet | null {
    const [part] = group.parts
    if (group.parts.length !== 1 || part?.kind !== 'code') return null
    const at = part.sets.bitsAt(part.code)
    return at === 0 ? null : { kind: 'bits', bits: this.universe.words(at), count: group.count }
  }

  private dense(any: readonly AnyGroup[], ranges: readonly Extract<Group, { kind: 'range' }>[]): DocSet {
    const { universe } = this
    const { kernel } = universe.memory
    let isFirst = true
    // Groups of companies come last: testing the remaining people by company is cheaper than setting bits for all their people.
    for (const group of any.toSorted((left, right) => Number(isOfCompanies(left)) - Number(isOfCompanies(right)))) {
      const [part] = group.parts
      if (isFirst) this.layOut(group, universe.result)
      else if (part?.kind === 'companies' && group.parts.length === 1) this.narrowToCompanies(group, part.companies)
      else kernel.and(universe.result, this.bitsOf(group), universe.bytes)
      isFirst = false
    }
    if (isFirst) kernel.copy(universe.result, universe.all, universe.bytes)
    for (const { width, column, min, max } of ranges) {
      if (width === 'bytes') kernel.keepBytes(universe.result, universe.bytes, column, min, max)
      else kernel.keepInts(universe.result, universe.bytes, column, min, max)
    }
    const count = kernel.count(universe.result, universe.bytes)
    return { kind: 'bits', bits: universe.words(universe.result).slice(), count }
  }

  /** The address of the group's bits: the stored ones, or a temporary set. */
  private bitsOf(group: AnyGroup): number {
    const [part] = group.parts
    const stored = group.parts.length === 1 && part?.kind === 'code' ? part.sets.bitsAt(part.code) : 0
    if (stored > 0) return stored
    this.layOut(group, this.universe.other)
    return this.universe.other
  }

  private layOut(group: AnyGroup, to: number): void {
    const { memory, bytes } = this.universe
    const [first, ...others] = group.parts
    const stored = first?.kind === 'code' ? first.sets.bitsAt(first.code) : 0
    if (stored > 0) memory.kernel.copy(to, stored, bytes)
    else memory.kernel.clear(to, bytes)
    for (const part of stored > 0 ? others : group.parts) {
      if (part.kind === 'code') part.sets.addTo(to, part.code)
      else this.employment.addTo(to, part.companies)
    }
  }

  private narrowToCompanies(group: AnyGroup, companies: Uint32Array): void {
    const { universe, employment } = this
    const { kernel } = universe.memory
    if (kernel.count(universe.result, universe.bytes) <= group.count) return employment.keep(universe.result, companies)
    this.layOut(group, universe.other)
    kernel.and(universe.result, universe.other, universe.bytes)
  }

  private sparse(first: AnyGroup, rest: readonly Group[]): DocSet {
    const kept = new Uint32Array(first.count)
    let size = 0
    this.each(first, (doc) => {
      for (const group of rest) if (!group.test(doc)) return
      kept[size++] = doc
    })
    const docs = kept.subarray(0, size)
    if (first.parts.length === 1 && first.parts[0]!.kind === 'code') return { kind: 'list', docs: docs.slice() }
    docs.sort()
    return { kind: 'list', docs: docs.filter((doc, index) => index === 0 || doc !== docs[index - 1]) }
  }

  private each(group: AnyGroup, visit: (doc: number) => void): void {
    for (const part of group.parts) {
      if (part.kind === 'code') part.sets.list(part.code).forEach(visit)
      else {
        keepBits(part.companies, (company) => {
          this.employment.list(company).forEach(visit)
          return true
        })
      }
    }
  }
}

function isOfCompanies(group: AnyGroup): boolean {
  return group.parts.some((part) => part.kind === 'companies')
}
