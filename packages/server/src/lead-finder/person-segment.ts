import { departments, seniorities } from '@overture/contract/lead-finder-vocabulary.ts'
import { noCompany, unknownCode, type SegmentData } from './columns.ts'
import { CompanySegment, placeTable } from './company-segment.ts'
import type { PersonFilters, Range } from './filters.ts'
import type { PlacePattern } from './location.ts'
import {
  allBits,
  bitWords,
  denseShare,
  Dimension,
  emptySet,
  fromBits,
  hasBit,
  keepBits,
  type DocSet,
} from './postings.ts'
import { titleTokens } from './text.ts'

/** One field's filter: which postings it takes, how many documents they hold at most, and how to test one document. */
interface Group {
  parts: { dimension: Dimension; code: number }[] | null
  count: number
  test: (doc: number) => boolean
}

/** The people of a segment with their companies: answers any combination of filters exactly. */
export class PersonSegment {
  readonly size: number
  readonly companies: CompanySegment
  readonly data: SegmentData
  private readonly seniority: Dimension
  private readonly department: Dimension
  private readonly place: Dimension
  private readonly country: Dimension
  private readonly countryNames: Map<string, number>
  private readonly token: Dimension
  private readonly tokenCodes = new Map<string, number>()
  private readonly titleTokens: number[][]
  private readonly company: Dimension

  constructor(data: SegmentData) {
    const { columns, dictionaries } = data
    this.data = data
    this.size = columns.personNumber.length
    this.companies = new CompanySegment(data)
    this.seniority = new Dimension(this.size, seniorities.length, (doc, add) => add(columns.seniority[doc]!))
    this.department = new Dimension(this.size, departments.length, (doc, add) => add(columns.department[doc]!))
    this.place = new Dimension(this.size, dictionaries.places.length, (doc, add) => add(columns.personPlace[doc]!))
    this.countryNames = new Map(
      [...new Set(this.companies.places.map((place) => place.country))].map((name, code) => [name, code]),
    )
    const countryOfPlace = this.companies.places.map((place) => this.countryNames.get(place.country)!)
    this.country = new Dimension(this.size, this.countryNames.size, (doc, add) =>
      add(countryOfPlace[columns.personPlace[doc]!]!),
    )
    this.titleTokens = dictionaries.titles.map((title) => titleTokens(title).map((word) => this.tokenCode(word)))
    this.token = new Dimension(this.size, this.tokenCodes.size, (doc, add) =>
      this.titleTokens[columns.title[doc]!]!.forEach(add),
    )
    this.company = new Dimension(this.size, this.companies.size, (doc, add) => add(columns.company[doc]!))
  }

  /** Closest company names first: one set, or one a tier when a company name is asked for. */
  evaluate(filters: PersonFilters): DocSet[] {
    const groups = this.groups(filters)
    const companies = this.companies.evaluate(filters)
    if (companies === null) return [this.intersect(groups)]
    return companies.map((bits) => this.intersect([...groups, this.companyGroup(bits)]))
  }

  private groups(filters: PersonFilters): Group[] {
    const { columns } = this.data
    const groups: Group[] = []
    if (filters.seniority) groups.push(codeGroup(this.seniority, columns.seniority, filters.seniority))
    if (filters.department) groups.push(codeGroup(this.department, columns.department, filters.department))
    if (filters.personLocation) groups.push(this.placeGroup(filters.personLocation))
    for (const word of filters.title ?? []) groups.push(this.tokenGroup(word))
    if (filters.years) groups.push(this.rangeGroup(columns.years, filters.years, unknownCode))
    if (filters.roleStart) groups.push(this.rangeGroup(columns.roleDay, filters.roleStart))
    if (filters.companyStart) groups.push(this.rangeGroup(columns.companyDay, filters.companyStart))
    return groups
  }

  private placeGroup(patterns: readonly PlacePattern[]): Group {
    const { personPlace } = this.data.columns
    const passes = placeTable(this.companies.places, patterns)
    const countries = new Set<number>()
    for (const pattern of patterns) {
      const code = this.countryNames.get(pattern.country ?? '')
      if (pattern.city === null && pattern.state === null && code !== undefined) countries.add(code)
    }
    const parts = [...countries].map((code) => ({ dimension: this.country, code }))
    this.companies.places.forEach((place, code) => {
      if (passes[code] === 1 && this.place.count(code) > 0 && !countries.has(this.countryNames.get(place.country)!)) {
        parts.push({ dimension: this.place, code })
      }
    })
    return { parts, count: total(parts), test: (doc) => passes[personPlace[doc]!] === 1 }
  }

  private tokenGroup(word: string): Group {
    const code = this.tokenCodes.get(word)
    if (code === undefined) return { parts: [], count: 0, test: () => false }
    const passes = Uint8Array.from(this.titleTokens, (tokens) => (tokens.includes(code) ? 1 : 0))
    const parts = [{ dimension: this.token, code }]
    return { parts, count: total(parts), test: (doc) => passes[this.data.columns.title[doc]!] === 1 }
  }

  private companyGroup(bits: Uint32Array): Group {
    const { company } = this.data.columns
    const test = (doc: number) => company[doc] !== noCompany && hasBit(bits, company[doc]!)
    const parts: { dimension: Dimension; code: number }[] = []
    let count = 0
    keepBits(bits.slice(), (code) => {
      const size = this.company.count(code)
      count += size
      if (size > 0) parts.push({ dimension: this.company, code })
      return true
    })
    return { parts, count, test }
  }

  private rangeGroup(column: ArrayLike<number>, range: Range, unknown?: number): Group {
    const test = (doc: number) => column[doc]! >= range.min && column[doc]! <= range.max && column[doc] !== unknown
    return { parts: null, count: this.size, test }
  }

  private intersect(groups: readonly Group[]): DocSet {
    if (groups.length === 0) return fromBits(allBits(this.size))
    const byCount = groups.toSorted((left, right) => left.count - right.count)
    const [first] = byCount
    if (first!.count === 0) return emptySet
    const rest = byCount.slice(1)
    if (first!.parts !== null && first!.count * denseShare < this.size) return sparse(first!.parts, rest)
    return this.dense(byCount)
  }

  private dense(groups: readonly Group[]): DocSet {
    const { size } = this
    let bits: Uint32Array | null = null
    for (const group of groups) {
      // Many small lists cost more to lay out than to test on what is left.
      if (group.parts === null || (bits !== null && group.parts.length > 64)) continue
      bits = intersectParts(bits, group.parts, size)
    }
    bits ??= allBits(size)
    for (const group of groups) {
      if (group.parts === null || group.parts.length > 64) keepBits(bits, group.test)
    }
    return fromBits(bits)
  }

  private tokenCode(word: string): number {
    const known = this.tokenCodes.get(word)
    if (known !== undefined) return known
    this.tokenCodes.set(word, this.tokenCodes.size)
    return this.tokenCodes.size - 1
  }
}

function codeGroup(dimension: Dimension, column: Uint8Array, codes: readonly number[]): Group {
  const passes = new Uint8Array(256)
  for (const code of codes) passes[code] = 1
  const parts = codes.map((code) => ({ dimension, code }))
  return { parts, count: total(parts), test: (doc) => passes[column[doc]!] === 1 }
}

function total(parts: readonly { dimension: Dimension; code: number }[]): number {
  let count = 0
  for (const { dimension, code } of parts) count += dimension.count(code)
  return count
}

function sparse(parts: readonly { dimension: Dimension; code: number }[], rest: readonly Group[]): DocSet {
  const gathered = new Uint32Array(total(parts))
  let size = 0
  for (const { dimension, code } of parts) {
    gathered.set(dimension.list(code), size)
    size += dimension.count(code)
  }
  if (parts.length > 1) gathered.sort()
  let kept = 0
  let last = -1
  for (const doc of gathered) {
    if (doc === last) continue
    last = doc
    if (rest.every((group) => group.test(doc))) gathered[kept++] = doc
  }
  return { kind: 'list', docs: gathered.slice(0, kept) }
}

function intersectParts(
  bits: Uint32Array | null,
  parts: readonly { dimension: Dimension; code: number }[],
  size: number,
): Uint32Array {
  const [only] = parts
  let next: Uint32Array
  if (parts.length === 1 && only!.dimension.isDense(only!.code)) next = only!.dimension.bits(only!.code)
  else {
    next = new Uint32Array(bitWords(size))
    for (const { dimension, code } of parts) dimension.addTo(next, code)
  }
  if (bits === null) return next.slice()
  for (let index = 0; index < bits.length; index++) bits[index] = bits[index]! & next[index]!
  return bits
}
