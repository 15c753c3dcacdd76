import { departments, seniorities } from '@overture/contract/lead-finder-vocabulary.ts'
import { noCompany, unknownCode, type SegmentData } from './columns.ts'
import { CompanySegment } from './company-segment.ts'
import type { PersonFilters, Range } from './filters.ts'
import type { PlacePattern } from './location.ts'
import {
  allBits,
  andBits,
  bitWords,
  countBits,
  denseShare,
  Dimension,
  emptySet,
  fromBits,
  hasBit,
  keepBits,
  type DocSet,
} from './postings.ts'
import { titleTokens } from './text.ts'

interface Part {
  dimension: Dimension
  code: number
}

/** One field's filter, in every form that some plan needs. */
interface Group {
  /** How many documents it takes at most. */
  count: number
  /** Its documents, each once or more, in any order: for groups that take few. */
  gather: (() => Uint32Array) | null
  /** Its documents as new bits. */
  scan: () => Uint32Array
  test: (doc: number) => boolean
  /** Cheap to lay out as bits, whatever came before. */
  isDense: boolean
}

/** Above this share of documents left, laying a filter out is cheaper than testing what is left one by one. */
const scanShare = 8

/** The people of a segment with their companies: answers any combination of filters exactly. */
export class PersonSegment {
  readonly size: number
  readonly companies: CompanySegment
  readonly data: SegmentData
  private readonly seniority: Dimension
  private readonly department: Dimension
  private readonly place: Dimension
  private readonly country: Dimension
  private readonly countryCodes: Map<string, number>
  private readonly token: Dimension
  private readonly tokenCodes = new Map<string, number>()
  private readonly titlesByToken: Dimension
  private readonly company: Dimension

  constructor(data: SegmentData) {
    const { columns, dictionaries } = data
    this.data = data
    this.size = columns.personNumber.length
    this.companies = new CompanySegment(data)
    const { places } = this.companies.places
    this.seniority = new Dimension(this.size, seniorities.length, (doc, add) => add(columns.seniority[doc]!))
    this.department = new Dimension(this.size, departments.length, (doc, add) => add(columns.department[doc]!))
    this.place = new Dimension(this.size, dictionaries.places.length, (doc, add) => add(columns.personPlace[doc]!))
    this.countryCodes = new Map([...new Set(places.map((place) => place.country))].map((name, code) => [name, code]))
    const countryOf = places.map((place) => this.countryCodes.get(place.country)!)
    this.country = new Dimension(this.size, this.countryCodes.size, (doc, add) =>
      add(countryOf[columns.personPlace[doc]!]!),
    )
    const tokens = dictionaries.titles.map((title) => titleTokens(title).map((word) => this.tokenCode(word)))
    this.titlesByToken = new Dimension(tokens.length, this.tokenCodes.size, (title, add) => tokens[title]!.forEach(add))
    this.token = new Dimension(this.size, this.tokenCodes.size, (doc, add) => tokens[columns.title[doc]!]!.forEach(add))
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
    if (filters.years) groups.push(rangeGroup(columns.years, filters.years, unknownCode))
    if (filters.roleStart) groups.push(rangeGroup(columns.roleDay, filters.roleStart))
    if (filters.companyStart) groups.push(rangeGroup(columns.companyDay, filters.companyStart))
    return groups
  }

  private placeGroup(patterns: readonly PlacePattern[]): Group {
    const { personPlace } = this.data.columns
    const codes = this.companies.places.codes(patterns)
    const passes = new Uint8Array(this.companies.places.places.length)
    const countries = new Set<number>()
    for (const pattern of patterns) {
      const code = this.countryCodes.get(pattern.country ?? '')
      if (pattern.city === null && pattern.state === null && code !== undefined) countries.add(code)
    }
    const parts: Part[] = [...countries].map((code) => ({ dimension: this.country, code }))
    for (const code of codes) {
      passes[code] = 1
      const country = this.countryCodes.get(this.companies.places.places[code]!.country)!
      if (!countries.has(country)) parts.push({ dimension: this.place, code })
    }
    return partsGroup(this.size, parts, (doc) => passes[personPlace[doc]!] === 1)
  }

  private tokenGroup(word: string): Group {
    const code = this.tokenCodes.get(word)
    if (code === undefined) return partsGroup(this.size, [], () => false)
    const { title } = this.data.columns
    const passes = new Uint8Array(this.data.dictionaries.titles.length)
    for (const found of this.titlesByToken.list(code)) passes[found] = 1
    return partsGroup(this.size, [{ dimension: this.token, code }], (doc) => passes[title[doc]!] === 1)
  }

  private companyGroup(bits: Uint32Array): Group {
    const { company } = this.data.columns
    const { size } = this
    const codes: number[] = []
    let count = 0
    keepBits(bits, (code) => {
      count += this.company.count(code)
      codes.push(code)
      return true
    })
    return {
      count,
      gather: () =>
        gather(
          codes.map((code) => ({ dimension: this.company, code })),
          count,
        ),
      scan() {
        const passes = new Uint8Array(bits.length * 32 + 1)
        for (const code of codes) passes[code] = 1
        const found = new Uint32Array(bitWords(size))
        for (let doc = 0; doc < size; doc++) {
          if (passes[company[doc]!] === 1) found[doc >>> 5] = found[doc >>> 5]! | (1 << (doc & 31))
        }
        return found
      },
      test: (doc) => company[doc] !== noCompany && hasBit(bits, company[doc]!),
      isDense: false,
    }
  }

  private intersect(groups: readonly Group[]): DocSet {
    if (groups.length === 0) return fromBits(allBits(this.size))
    const [first, ...rest] = groups.toSorted((left, right) => left.count - right.count)
    if (first!.count === 0) return emptySet
    if (first!.gather && first!.count * denseShare < this.size) return sparse(first!.gather(), rest)
    // What lies there as bits goes first; the others are tested on what is left, or laid out when much is.
    const [start, ...others] = [first!, ...rest].toSorted((left, right) => Number(right.isDense) - Number(left.isDense))
    const bits = start!.scan()
    let left = this.size
    for (const group of others) {
      if (!group.isDense) left = countBits(bits)
      if (group.isDense || left * scanShare > this.size) andBits(bits, group.scan())
      else keepBits(bits, group.test)
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
  return partsGroup(dimension.size, parts, (doc) => passes[column[doc]!] === 1)
}

function partsGroup(size: number, parts: readonly Part[], test: (doc: number) => boolean): Group {
  let count = 0
  for (const { dimension, code } of parts) count += dimension.count(code)
  return {
    count,
    test,
    gather: () => gather(parts, count),
    isDense: true,
    scan() {
      const [only] = parts
      if (parts.length === 1 && only!.dimension.isDense(only!.code)) return only!.dimension.bits(only!.code).slice()
      const bits = new Uint32Array(bitWords(size))
      for (const { dimension, code } of parts) dimension.addTo(bits, code)
      return bits
    },
  }
}

function rangeGroup(column: Uint8Array | Int32Array, range: Range, unknown?: number): Group {
  const { min, max } = range
  return {
    count: column.length,
    gather: null,
    isDense: false,
    test: (doc) => column[doc]! >= min && column[doc]! <= max && column[doc] !== unknown,
    scan() {
      const bits = new Uint32Array(bitWords(column.length))
      for (let doc = 0; doc < column.length; doc++) {
        const value = column[doc]!
        if (value >= min && value <= max && value !== unknown) bits[doc >>> 5] = bits[doc >>> 5]! | (1 << (doc & 31))
      }
      return bits
    },
  }
}

function gather(parts: readonly Part[], count: number): Uint32Array {
  const gathered = new Uint32Array(count)
  let size = 0
  for (const { dimension, code } of parts) {
    gathered.set(dimension.list(code), size)
    size += dimension.count(code)
  }
  return parts.length > 1 ? gathered.sort() : gathered
}

function sparse(gathered: Uint32Array, rest: readonly Group[]): DocSet {
  const kept = new Uint32Array(gathered.length)
  let size = 0
  let last = -1
  for (const doc of gathered) {
    if (doc === last) continue
    last = doc
    if (rest.every((group) => group.test(doc))) kept[size++] = doc
  }
  return { kind: 'list', docs: kept.slice(0, size) }
}
