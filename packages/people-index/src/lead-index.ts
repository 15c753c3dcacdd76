import { searchPageSize, type SuggestField } from '@overture/contract/lead-finder/lead-finder.ts'
import type { CompanyFilters, PersonFilters } from './records/filters.ts'
import { allBits, bitWords, hasBit, setBit } from './sets/bit-kernel.ts'
import type { SegmentData } from './records/columns.ts'
import { PersonSegment } from './person-segment.ts'
import { collect, countDocs, fromBits, without, type DocSet, type Window } from './sets/postings.ts'
import { suggest, type Suggestion } from './suggest.ts'

export type SearchRequest =
  | { kind: 'people'; filters: PersonFilters; page: number }
  | { kind: 'companies'; filters: CompanyFilters; page: number }

/** The numbers of rows in the store, in result order, and the total number of matches. */
export interface SearchAnswer {
  numbers: number[]
  totalCount: number
}

/** A change over the base: a segment with changed and new rows, and the rows of the base that it replaces. */
interface Delta {
  data: SegmentData
  removedPeople: Iterable<number>
  /** Companies in the delta that are unchanged copies, which its people need. */
  copiedCompanies: Iterable<number>
}

const cachedResultsMax = 24

interface Kind {
  numbers: (segment: PersonSegment) => Uint32Array
  ranks: (segment: PersonSegment) => Uint32Array
}

const kinds: Record<SearchRequest['kind'], Kind> = {
  people: {
    numbers: (segment) => segment.data.columns.personNumber,
    ranks: (segment) => segment.data.columns.personRank,
  },
  companies: {
    numbers: (segment) => segment.data.columns.companyNumber,
    ranks: (segment) => segment.data.columns.companyRank,
  },
}

interface Result {
  tiers: { base: DocSet; delta: DocSet | null }[]
  totalCount: number
}

/** The whole index: an immutable base and a delta over it. Results are exact and in the same order, wherever a row is. */
export class LeadIndex {
  readonly #base: PersonSegment
  #delta: PersonSegment | null = null
  #removedPeople: Uint32Array | null = null
  #copiedCompanies: Uint32Array | null = null
  #places: Record<SearchRequest['kind'], Uint32Array> = {
    people: new Uint32Array(),
    companies: new Uint32Array(),
  }
  #companyNumbers: Set<number> | null = null
  readonly #results = new Map<string, Result>()

  constructor(data: SegmentData) {
    this.#base = new PersonSegment(data)
  }

  /** The memory of the people's sets and columns, without companies and dictionaries. */
  get memoryBytes(): number {
    return this.#base.memoryBytes
  }

  get size(): { people: number; companies: number; deltaPeople: number } {
    return { people: this.#base.size, companies: this.#base.companies.size, deltaPeople: this.#delta?.size ?? 0 }
  }

  hasCompany(number: number): boolean {
    this.#companyNumbers ??= new Set(this.#base.data.columns.companyNumber)
    return this.#companyNumbers.has(number)
  }

  /** Replaces the previous delta. */
  applyDelta(change: Delta): void {
    this.#results.clear()
    const removed = new Set(change.removedPeople)
    this.#removedPeople = new Uint32Array(bitWords(this.#base.size))
    this.#base.data.columns.personNumber.forEach((number, doc) => {
      if (removed.has(number)) setBit(this.#removedPeople!, doc)
    })
    const copied = new Set(change.copiedCompanies)
    this.#delta = new PersonSegment(change.data)
    this.#copiedCompanies = new Uint32Array(bitWords(this.#delta.companies.size))
    change.data.columns.companyNumber.forEach((number, company) => {
      if (copied.has(number)) setBit(this.#copiedCompanies!, company)
    })
    this.#places = { people: this.#placesInBase('people'), companies: this.#placesInBase('companies') }
  }

  search(request: SearchRequest): SearchAnswer {
    const result = this.#result(request)
    const window: Window = { skip: (request.page - 1) * searchPageSize, take: searchPageSize }
    const numbers: number[] = []
    for (const tier of result.tiers) this.#collectTier(request.kind, tier, window, numbers)
    return { numbers, totalCount: result.totalCount }
  }

  suggest(field: SuggestField, query: string, limit: number): Suggestion[] {
    return suggest([this.#base, ...(this.#delta ? [this.#delta] : [])], { field, query, limit })
  }

  // Further pages need the same result again, so results are cached. The least recently used one is dropped first.
  #result(request: SearchRequest): Result {
    const key = `${request.kind} ${JSON.stringify(request.filters)}`
    const known = this.#results.get(key)
    if (known) this.#results.delete(key)
    const result = known ?? this.#evaluate(request)
    this.#results.set(key, result)
    if (this.#results.size > cachedResultsMax) this.#results.delete(this.#results.keys().next().value!)
    return result
  }

  #evaluate(request: SearchRequest): Result {
    const base = buildSets(this.#base, request)
    const delta = this.#delta ? buildSets(this.#delta, request) : null
    const removed = request.kind === 'people' ? this.#removedPeople : null
    const tiers = base.map((set, index) => ({
      base: removed ? without(set, removed) : set,
      delta: delta ? this.#withoutCopies(request.kind, delta[index]!) : null,
    }))
    let totalCount = 0
    for (const tier of tiers) totalCount += countDocs(tier.base) + (tier.delta ? countDocs(tier.delta) : 0)
    return { tiers, totalCount }
  }

  #withoutCopies(kind: SearchRequest['kind'], set: DocSet): DocSet {
    return kind === 'companies' && this.#copiedCompanies ? without(set, this.#copiedCompanies) : set
  }

  #collectTier(kind: SearchRequest['kind'], tier: Result['tiers'][number], window: Window, out: number[]): void {
    const baseNumbers = kinds[kind].numbers(this.#base)
    const takeBase = (from: number, to: number) => {
      const docs: number[] = []
      collect(tier.base, { from, to }, window, docs)
      for (const doc of docs) out.push(baseNumbers[doc]!)
    }
    let from = 0
    if (tier.delta && this.#delta) {
      const places = this.#places[kind]
      const numbers = kinds[kind].numbers(this.#delta)
      for (const doc of listDocs(tier.delta)) {
        if (window.take === 0) return
        takeBase(from, places[doc]!)
        from = places[doc]!
        if (window.take === 0) return
        if (window.skip > 0) window.skip -= 1
        else {
          out.push(numbers[doc]!)
          window.take -= 1
        }
      }
    }
    takeBase(from, baseNumbers.length)
  }

  /** For every document of the delta, the number of documents of the base that come before it. */
  #placesInBase(kind: SearchRequest['kind']): Uint32Array {
    const ranks = kinds[kind].ranks(this.#base)
    const numbers = kinds[kind].numbers(this.#base)
    const deltaRanks = kinds[kind].ranks(this.#delta!)
    const deltaNumbers = kinds[kind].numbers(this.#delta!)
    return Uint32Array.from(deltaNumbers, (number, doc) => {
      let low = 0
      let high = numbers.length
      while (low < high) {
        const middle = (low + high) >>> 1
        const isBefore =
          ranks[middle]! > deltaRanks[doc]! || (ranks[middle]! === deltaRanks[doc]! && numbers[middle]! < number)
        if (isBefore) low = middle + 1
        else high = middle
      }
      return low
    })
  }
}

function buildSets(segment: PersonSegment, request: SearchRequest): DocSet[] {
  if (request.kind === 'people') return segment.evaluate(request.filters)
  const tiers = segment.companies.evaluate(request.filters)
  return (tiers ?? [allBits(segment.companies.size)]).map(fromBits)
}

function listDocs(set: DocSet): number[] {
  if (set.kind === 'list') return [...set.docs]
  const docs: number[] = []
  const size = set.bits.length * 32
  for (let doc = 0; doc < size; doc++) if (hasBit(set.bits, doc)) docs.push(doc)
  return docs
}
