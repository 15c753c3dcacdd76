import { departments, headcountRanges, seniorities } from '@overture/contract/lead-finder/lead-finder-vocabulary.ts'
import { hasBit, type Bits } from './sets/bit-kernel.ts'
import { noCompany, unknownCode, unknownDay, type SegmentData } from './records/columns.ts'
import { CompanySegment } from './company-segment.ts'
import type { PersonFilters, Range } from './records/filters.ts'
import type { PlacePattern } from './records/location.ts'
import { PeoplePlan, type Group, type Part } from './sets/people-plan.ts'
import { Employment, PeopleSets } from './sets/people-sets.ts'
import type { DocSet } from './sets/postings.ts'
import { SlicedColumn } from './sets/sliced-column.ts'
import { titleTokens } from './records/text.ts'

/** The people of a segment with their companies. Evaluates any combination of filters exactly. */
export class PersonSegment {
  readonly size: number
  readonly companies: CompanySegment
  readonly data: SegmentData
  readonly #plan: PeoplePlan
  readonly #employment: Employment
  readonly #seniority: PeopleSets
  readonly #department: PeopleSets
  readonly #place: PeopleSets
  readonly #country: PeopleSets
  readonly #token: PeopleSets
  readonly #tokenCodes = new Map<string, number>()
  readonly #titlesByToken: number[][] = []
  // These fields are of a person's company.
  readonly #industry: PeopleSets
  readonly #headcount: PeopleSets
  readonly #technology: PeopleSets
  readonly #companyCountry: PeopleSets
  readonly #years: SlicedColumn
  readonly #roleDay: SlicedColumn
  readonly #companyDay: SlicedColumn

  constructor(data: SegmentData) {
    const { columns, dictionaries } = data
    this.data = data
    this.size = columns.personNumber.length
    this.companies = new CompanySegment(data)
    const { places } = this.companies
    const byColumn = (codes: number, column: Uint8Array | Uint32Array) =>
      new PeopleSets(this.size, { codes, lists: true }, (doc, add) => add(column[doc]!))
    this.#seniority = byColumn(seniorities.length, columns.seniority)
    this.#department = byColumn(departments.length, columns.department)
    this.#place = byColumn(dictionaries.places.length, columns.personPlace)
    const { countryByPlace } = places
    this.#country = new PeopleSets(this.size, { codes: places.countries, lists: true }, (doc, add) =>
      add(countryByPlace[columns.personPlace[doc]!]!),
    )
    const tokens = dictionaries.titles.map((title) => titleTokens(title).map((word) => this.#tokenCode(word)))
    tokens.forEach((codes, title) => codes.forEach((code) => this.#titlesByToken[code]!.push(title)))
    this.#token = new PeopleSets(this.size, { codes: this.#tokenCodes.size, lists: true }, (doc, add) => {
      for (const code of tokens[columns.title[doc]!]!) add(code)
    })
    this.#employment = new Employment(columns.company, this.companies.size)
    this.#industry = this.#ofCompany(dictionaries.industries.length, columns.industry)
    this.#headcount = this.#ofCompany(headcountRanges.length, columns.headcount)
    this.#companyCountry = this.#ofCompany(places.countries, columns.companyPlace, countryByPlace)
    const { technology, technologyOffsets, company } = columns
    // For the many rare technologies only the companies are stored.
    const shape = { codes: dictionaries.technologies.length, lists: false }
    this.#technology = new PeopleSets(this.size, shape, (doc, add) => {
      const employer = company[doc]!
      if (employer === noCompany) return
      for (let index = technologyOffsets[employer]!; index < technologyOffsets[employer + 1]!; index++) {
        add(technology[index]!)
      }
    })
    this.#years = new SlicedColumn(columns.years, unknownCode)
    this.#roleDay = new SlicedColumn(columns.roleDay, unknownDay)
    this.#companyDay = new SlicedColumn(columns.companyDay, unknownDay)
    this.#plan = new PeoplePlan(this.size, this.#employment)
  }

  get memoryBytes(): number {
    const people = [this.#seniority, this.#department, this.#place, this.#country, this.#token]
    const employers = [this.#industry, this.#headcount, this.#technology, this.#companyCountry, this.#employment]
    const ranges = [this.#years, this.#roleDay, this.#companyDay]
    return [...people, ...employers, ...ranges, this.#plan].reduce((sum, { bytes }) => sum + bytes, 0)
  }

  /** The matching people: one set, or one per closeness tier, closest first, if the filters contain a company name. */
  evaluate(filters: PersonFilters): DocSet[] {
    const groups = [...this.#personGroups(filters), ...this.#companyGroups(filters)]
    const companies = this.companies.evaluate({
      ...filters,
      industry: undefined,
      headcount: undefined,
      technology: undefined,
      companyLocation: undefined,
    })
    if (companies === null) return [this.#plan.run(groups)]
    return companies.map((bits) => this.#plan.run([...groups, this.#employedBy(bits)]))
  }

  #personGroups(filters: PersonFilters): Group[] {
    const { columns } = this.data
    const groups: Group[] = []
    if (filters.seniority) groups.push(codeGroup(this.#seniority, columns.seniority, filters.seniority))
    if (filters.department) groups.push(codeGroup(this.#department, columns.department, filters.department))
    if (filters.personLocation) groups.push(this.#placeGroup(filters.personLocation))
    for (const word of filters.title ?? []) groups.push(this.#tokenGroup(word))
    if (filters.years) groups.push(rangeGroup(columns.years, this.#years, filters.years))
    if (filters.roleStart) groups.push(rangeGroup(columns.roleDay, this.#roleDay, filters.roleStart))
    if (filters.companyStart) groups.push(rangeGroup(columns.companyDay, this.#companyDay, filters.companyStart))
    return groups
  }

  /** Filters on companies that have stored sets of people. */
  #companyGroups(filters: PersonFilters): Group[] {
    const { columns } = this.data
    const companies = this.companies
    const groups: Group[] = []
    const passingCodes = (sets: PeopleSets, column: Uint8Array | Uint32Array, codes: readonly number[]) => {
      const passes = passTable(codes, 1 + Math.max(255, ...codes))
      const { company } = columns
      return anyGroup(
        codeParts(sets, codes),
        (doc) => company[doc] !== noCompany && passes[column[company[doc]!]!] === 1,
      )
    }
    if (filters.industry)
      groups.push(passingCodes(this.#industry, columns.industry, companies.industryCodes(filters.industry)))
    if (filters.headcount) groups.push(passingCodes(this.#headcount, columns.headcount, filters.headcount))
    if (filters.technology) groups.push(this.#technologyGroup(companies.technologyCodes(filters.technology)))
    if (filters.companyLocation) groups.push(this.#companyPlaceGroup(filters.companyLocation))
    return groups
  }

  #companyPlaceGroup(patterns: readonly PlacePattern[]): Group {
    const { company, companyPlace } = this.data.columns
    const { places } = this.companies
    const { countries, codes, passes } = places.split(patterns)
    const parts = codeParts(this.#companyCountry, countries)
    if (codes.length > 0) parts.push({ kind: 'companies', companies: this.companies.inPlaces(codes) })
    return anyGroup(
      parts,
      (doc) => company[doc] !== noCompany && passes(companyPlace[company[doc]!]!),
      this.#employment,
    )
  }

  #technologyGroup(codes: readonly number[]): Group {
    const { company } = this.data.columns
    const parts = codeParts(
      this.#technology,
      codes.filter((code) => this.#technology.holds(code)),
    )
    const rare = codes.filter((code) => !this.#technology.holds(code))
    if (rare.length > 0) parts.push({ kind: 'companies', companies: this.companies.withTechnologies(rare) })
    let bits: Bits | null = null
    const test = (doc: number) => {
      bits ??= this.companies.withTechnologies(codes)
      return company[doc] !== noCompany && hasBit(bits, company[doc]!)
    }
    return anyGroup(parts, test, this.#employment)
  }

  #placeGroup(patterns: readonly PlacePattern[]): Group {
    const { personPlace } = this.data.columns
    const { places } = this.companies
    const { countries, codes, passes } = places.split(patterns)
    const parts = [...codeParts(this.#country, countries), ...codeParts(this.#place, codes)]
    return anyGroup(parts, (doc) => passes(personPlace[doc]!))
  }

  #tokenGroup(word: string): Group {
    const code = this.#tokenCodes.get(word)
    if (code === undefined) return anyGroup([], () => false)
    const { title } = this.data.columns
    const passes = passTable(this.#titlesByToken[code]!, this.data.dictionaries.titles.length)
    return anyGroup(codeParts(this.#token, [code]), (doc) => passes[title[doc]!] === 1)
  }

  #employedBy(companies: Bits): Group {
    const { company } = this.data.columns
    const test = (doc: number) => company[doc] !== noCompany && hasBit(companies, company[doc]!)
    return anyGroup([{ kind: 'companies', companies }], test, this.#employment)
  }

  #ofCompany(codes: number, column: Uint8Array | Uint32Array, through?: Uint32Array): PeopleSets {
    const { company } = this.data.columns
    return new PeopleSets(this.size, { codes, lists: true }, (doc, add) => {
      const employer = company[doc]!
      if (employer !== noCompany) add(through ? through[column[employer]!]! : column[employer]!)
    })
  }

  #tokenCode(word: string): number {
    const known = this.#tokenCodes.get(word)
    if (known !== undefined) return known
    this.#tokenCodes.set(word, this.#tokenCodes.size)
    return this.#titlesByToken.push([]) - 1
  }
}

function codeGroup(sets: PeopleSets, column: Uint8Array, codes: readonly number[]): Group {
  const passes = passTable(codes, 256)
  return anyGroup(codeParts(sets, codes), (doc) => passes[column[doc]!] === 1)
}

function codeParts(sets: PeopleSets, codes: readonly number[]): Part[] {
  return codes.filter((code) => sets.count(code) > 0).map((code) => ({ kind: 'code', sets, code }))
}

function anyGroup(parts: Part[], test: (doc: number) => boolean, employment?: Employment): Group {
  let count = 0
  for (const part of parts) {
    count += part.kind === 'code' ? part.sets.count(part.code) : (employment?.count(part.companies) ?? 0)
  }
  return { kind: 'any', count, parts, test }
}

function passTable(codes: readonly number[], size: number): Uint8Array {
  const passes = new Uint8Array(size)
  for (const code of codes) passes[code] = 1
  return passes
}

// An unknown value is 255 or the earliest day, and is in no range.
function rangeGroup(values: Uint8Array | Int32Array, column: SlicedColumn, range: Range): Group {
  const isBytes = values instanceof Uint8Array
  const min = Math.max(isBytes ? 0 : unknownDay + 1, Math.ceil(range.min))
  const max = Math.min(isBytes ? unknownCode - 1 : 2_147_483_647, Math.floor(range.max))
  // An empty range must stay empty after it is limited to the values of the column.
  if (min > max) return anyGroup([], () => false)
  return { kind: 'range', column, min, max, test: (doc) => values[doc]! >= min && values[doc]! <= max }
}
