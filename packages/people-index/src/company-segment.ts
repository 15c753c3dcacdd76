import type { SegmentData } from './records/columns.ts'
import { allBits, and, bitWords, keepBits, setBit, type Bits } from './sets/bit-kernel.ts'
import { CompanyNames } from './company-names.ts'
import type { CompanyFilters, Range } from './records/filters.ts'
import { industryKey, technologyKey } from './records/industries.ts'
import { PlaceIndex, splitPlace } from './place-index.ts'
import { Dimension } from './sets/postings.ts'
import { headcountRanges } from '@overture/contract/lead-finder/lead-finder-vocabulary.ts'
import { normaliseDomain, titleTokens } from './records/text.ts'

/** The companies of a segment, and the evaluation of each filter on companies. */
export class CompanySegment {
  readonly size: number
  readonly places: PlaceIndex
  readonly #data: SegmentData
  readonly #names: CompanyNames
  readonly #byDomain = new Map<string, number[]>()
  readonly #industries: Dimension
  readonly #headcounts: Dimension
  readonly #technologies: Dimension
  readonly #hiring: Dimension
  readonly #place: Dimension
  readonly #industryNames: Map<string, number[]>
  readonly #technologyNames: Map<string, number[]>
  readonly #hiringTokens: Set<string>[]

  constructor(data: SegmentData) {
    const { columns, dictionaries } = data
    this.#data = data
    this.size = columns.companyNumber.length
    this.places = new PlaceIndex(dictionaries.places.map(splitPlace))
    this.#names = new CompanyNames(dictionaries.companyNames)
    dictionaries.companyDomains.forEach((domain, company) => {
      const plain = normaliseDomain(domain)
      if (plain !== '') push(this.#byDomain, plain, company)
    })
    this.#industries = new Dimension(this.size, dictionaries.industries.length, (company, add) =>
      add(columns.industry[company]!),
    )
    this.#headcounts = new Dimension(this.size, headcountRanges.length, (company, add) =>
      add(columns.headcount[company]!),
    )
    this.#technologies = manyValued(
      this.size,
      dictionaries.technologies.length,
      columns.technologyOffsets,
      columns.technology,
    )
    this.#hiring = manyValued(this.size, dictionaries.hiringTitles.length, columns.hiringOffsets, columns.hiring)
    this.#place = new Dimension(this.size, dictionaries.places.length, (company, add) =>
      add(columns.companyPlace[company]!),
    )
    this.#industryNames = codesByKey(dictionaries.industries, industryKey)
    this.#technologyNames = codesByKey(dictionaries.technologies, technologyKey)
    this.#hiringTokens = dictionaries.hiringTitles.map((title) => new Set(titleTokens(title)))
  }

  /**
   * The matching companies: one set, or one per closeness tier, closest first, if the filters contain a name. Null means every
   * company (no filter).
   */
  evaluate(filters: CompanyFilters): Uint32Array[] | null {
    const bits = this.#evaluateWithoutName(filters)
    if (!filters.companyName) return bits === null ? null : [bits]
    return this.#names.find(filters.companyName).map((companies) => {
      const tier = new Uint32Array(bitWords(this.size))
      for (const company of companies) setBit(tier, company)
      return bits === null ? tier : intersection(tier, bits)
    })
  }

  industryCodes(names: readonly string[]): number[] {
    return findCodes(this.#industryNames, names)
  }

  technologyCodes(names: readonly string[]): number[] {
    return findCodes(this.#technologyNames, names)
  }

  /** Companies with any of the technologies. */
  withTechnologies(codes: readonly number[]): Uint32Array {
    return union(this.#technologies, codes)
  }

  inPlaces(codes: readonly number[]): Uint32Array {
    return union(this.#place, codes)
  }

  #evaluateWithoutName(filters: CompanyFilters): Uint32Array | null {
    const { columns } = this.#data
    let bits: Uint32Array | null = null
    const narrow = (next: Uint32Array) => {
      bits = bits === null ? next : intersection(bits, next)
    }
    if (filters.domain !== undefined) narrow(this.#bitsOf(this.#byDomain.get(filters.domain) ?? []))
    if (filters.industry) narrow(union(this.#industries, this.industryCodes(filters.industry)))
    if (filters.technology) narrow(this.withTechnologies(this.technologyCodes(filters.technology)))
    if (filters.headcount) narrow(union(this.#headcounts, filters.headcount))
    if (filters.hiringFor) narrow(union(this.#hiring, this.#hiringCodes(filters.hiringFor)))
    if (filters.companyLocation) narrow(this.inPlaces([...this.places.codes(filters.companyLocation)]))
    if (filters.funding) {
      const wanted = new Set(filters.funding)
      narrow(this.#scan((company) => wanted.has(columns.funding[company]!)))
    }
    if (filters.revenue) narrow(this.#scanRange(columns.revenue, filters.revenue))
    if (filters.jobPostings) narrow(this.#scanRange(columns.jobPostings, filters.jobPostings))
    return bits
  }

  #hiringCodes(titles: string[][]): number[] {
    const codes: number[] = []
    this.#hiringTokens.forEach((tokens, code) => {
      if (titles.some((title) => title.length > 0 && title.every((word) => tokens.has(word)))) codes.push(code)
    })
    return codes
  }

  // An unknown value is stored as −1 and is in no range.
  #scanRange(column: ArrayLike<number>, range: Range): Uint32Array {
    return this.#scan((company) => column[company]! >= Math.max(0, range.min) && column[company]! <= range.max)
  }

  #scan(passes: (company: number) => boolean): Uint32Array {
    const bits = allBits(this.size)
    keepBits(bits, passes)
    return bits
  }

  #bitsOf(companies: readonly number[]): Uint32Array {
    const bits = new Uint32Array(bitWords(this.size))
    for (const company of companies) setBit(bits, company)
    return bits
  }
}

function manyValued(size: number, codes: number, offsets: Uint32Array, values: Uint32Array): Dimension {
  return new Dimension(size, codes, (doc, add) => {
    for (let index = offsets[doc]!; index < offsets[doc + 1]!; index++) add(values[index]!)
  })
}

function codesByKey(values: readonly string[], getKey: (value: string) => string): Map<string, number[]> {
  const codes = new Map<string, number[]>()
  values.forEach((value, code) => push(codes, getKey(value), code))
  return codes
}

function findCodes(codes: ReadonlyMap<string, number[]>, names: readonly string[]): number[] {
  return names.flatMap((name) => codes.get(name) ?? [])
}

function push(map: Map<string, number[]>, key: string, value: number): void {
  const known = map.get(key)
  if (known) known.push(value)
  else map.set(key, [value])
}

function union(dimension: Dimension, codes: readonly number[]): Uint32Array {
  const bits = new Uint32Array(bitWords(dimension.size))
  for (const code of codes) dimension.addTo(bits, code)
  return bits
}

function intersection(left: Bits, right: Bits): Bits {
  const both = new Uint32Array(left.length)
  and(both, left, right)
  return both
}
