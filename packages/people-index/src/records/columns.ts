import {
  departments,
  fundingStages,
  toHeadcountRange,
  headcountRanges,
  seniorities,
} from '@overture/contract/lead-finder/lead-finder-vocabulary.ts'
import type { Place } from './location.ts'

/** A company in the form of the index. `number` is its number in the store. */
export interface CompanyDoc {
  number: number
  name: string
  domain: string | null
  industry: string | null
  employees: number | null
  place: Place
  technologies: readonly string[]
  funding: string | null
  /** US dollars per year. */
  revenue: number | null
  jobPostings: number | null
  hiringTitles: readonly string[]
}

/** A person in the form of the index, which contains no name, address or phone number. Days count from 1970-01-01. */
export interface PersonDoc {
  number: number
  /** The static order of results: higher ranks first, then by number. From 0 to 1,048,575. */
  rank: number
  title: string | null
  seniority: string | null
  department: string | null
  place: Place
  companyNumber: number | null
  years: number | null
  roleDay: number | null
  companyDay: number | null
}

export const unknownCode = 255
export const unknownDay = -2_147_483_648
export const noCompany = 0xffffffff
const rankMax = 0xfffff

/** The data of a segment in result order, which is also the content of a snapshot file. */
export interface Columns {
  personNumber: Uint32Array
  personRank: Uint32Array
  title: Uint32Array
  seniority: Uint8Array
  department: Uint8Array
  personPlace: Uint32Array
  company: Uint32Array
  years: Uint8Array
  roleDay: Int32Array
  companyDay: Int32Array
  companyNumber: Uint32Array
  companyRank: Uint32Array
  industry: Uint32Array
  headcount: Uint8Array
  companyPlace: Uint32Array
  funding: Uint8Array
  revenue: Float64Array
  jobPostings: Int32Array
  technologyOffsets: Uint32Array
  technology: Uint32Array
  hiringOffsets: Uint32Array
  hiring: Uint32Array
}

/** Distinct texts by code. Places are `city\tstate\tcountry`. Company names and domains are by company. */
export interface Dictionaries {
  titles: string[]
  places: string[]
  industries: string[]
  technologies: string[]
  hiringTitles: string[]
  companyNames: string[]
  companyDomains: string[]
}

export interface SegmentData {
  columns: Columns
  dictionaries: Dictionaries
}

/** Collects documents in any order, except that companies come before their people, and writes them in result order. */
export class SegmentBuilder {
  readonly #companies: CompanyDoc[] = []
  readonly #people = new PeopleColumns()
  readonly #titles = new Dictionary()
  readonly #places = new Dictionary()
  readonly #industries = new Dictionary()
  readonly #technologies = new Dictionary()
  readonly #hiringTitles = new Dictionary()

  addCompany(company: CompanyDoc): void {
    this.#companies.push(company)
  }

  addPerson(person: PersonDoc): void {
    this.#people.add({
      number: person.number,
      rank: Math.min(rankMax, Math.max(0, person.rank)),
      title: this.#titles.code(person.title ?? ''),
      seniority: codeIn(seniorities, person.seniority),
      department: codeIn(departments, person.department),
      place: this.#places.code(placeText(person.place)),
      company: person.companyNumber ?? noCompany,
      years: person.years === null ? unknownCode : Math.min(254, Math.max(0, Math.floor(person.years))),
      roleDay: person.roleDay ?? unknownDay,
      companyDay: person.companyDay ?? unknownDay,
    })
  }

  finish(): SegmentData {
    this.#companies.sort((left, right) => companyRank(right) - companyRank(left) || left.number - right.number)
    const ordinals = new Map(this.#companies.map((company, ordinal) => [company.number, ordinal]))
    const columns = { ...this.#people.inOrder(ordinals), ...this.#companyColumns() }
    return {
      columns,
      dictionaries: {
        titles: this.#titles.values,
        places: this.#places.values,
        industries: this.#industries.values,
        technologies: this.#technologies.values,
        hiringTitles: this.#hiringTitles.values,
        companyNames: this.#companies.map((company) => company.name),
        companyDomains: this.#companies.map((company) => company.domain ?? ''),
      },
    }
  }

  #companyColumns() {
    const companies = this.#companies
    const technology = flatten(companies.map((company) => distinct(company.technologies, this.#technologies)))
    const hiring = flatten(companies.map((company) => distinct(company.hiringTitles, this.#hiringTitles)))
    return {
      companyNumber: Uint32Array.from(companies, (company) => company.number),
      companyRank: Uint32Array.from(companies, companyRank),
      industry: Uint32Array.from(companies, (company) => this.#industries.code(company.industry ?? '')),
      headcount: Uint8Array.from(companies, (company) =>
        company.employees === null ? unknownCode : headcountRanges.indexOf(toHeadcountRange(company.employees)),
      ),
      companyPlace: Uint32Array.from(companies, (company) => this.#places.code(placeText(company.place))),
      funding: Uint8Array.from(companies, (company) => codeIn(fundingStages, company.funding)),
      revenue: Float64Array.from(companies, (company) => company.revenue ?? -1),
      jobPostings: Int32Array.from(companies, (company) => company.jobPostings ?? -1),
      technologyOffsets: technology.offsets,
      technology: technology.values,
      hiringOffsets: hiring.offsets,
      hiring: hiring.values,
    }
  }
}

interface PersonRow {
  number: number
  rank: number
  title: number
  seniority: number
  department: number
  place: number
  company: number
  years: number
  roleDay: number
  companyDay: number
}

const width = 10

/** Rows of people as numbers, grown by doubling. A million rows need 80 MB during the build. */
class PeopleColumns {
  #values = new Float64Array(1024 * width)
  #size = 0

  add(row: PersonRow): void {
    const at = this.#size * width
    if (at + width > this.#values.length) {
      const grown = new Float64Array(this.#values.length * 2)
      grown.set(this.#values)
      this.#values = grown
    }
    this.#values.set(
      [
        row.number,
        row.rank,
        row.title,
        row.seniority,
        row.department,
        row.place,
        row.company,
        row.years,
        row.roleDay,
        row.companyDay,
      ],
      at,
    )
    this.#size += 1
  }

  inOrder(companies: ReadonlyMap<number, number>) {
    const size = this.#size
    const values = this.#values
    const order = this.#order()
    const at = (field: number) => (_: unknown, index: number) => values[order[index]! * width + field]!
    const of = { length: size }
    return {
      personNumber: Uint32Array.from(of, at(0)),
      personRank: Uint32Array.from(of, at(1)),
      title: Uint32Array.from(of, at(2)),
      seniority: Uint8Array.from(of, at(3)),
      department: Uint8Array.from(of, at(4)),
      personPlace: Uint32Array.from(of, at(5)),
      company: Uint32Array.from(of, (_, index) => companies.get(at(6)(_, index)) ?? noCompany),
      years: Uint8Array.from(of, at(7)),
      roleDay: Int32Array.from(of, at(8)),
      companyDay: Int32Array.from(of, at(9)),
    }
  }

  // Combines rank and row in one number, so that the engine's fast numeric sort can be used. Equal ranks are sorted by number.
  #order(): Uint32Array {
    const keys = new Float64Array(this.#size)
    const byNumber = Uint32Array.from({ length: this.#size }, (_, row) => row)
    byNumber.sort((left, right) => this.#values[left * width]! - this.#values[right * width]!)
    for (let position = 0; position < this.#size; position++) {
      keys[position] = (rankMax - this.#values[byNumber[position]! * width + 1]!) * 2 ** 32 + position
    }
    keys.sort()
    return Uint32Array.from(keys, (key) => byNumber[key % 2 ** 32]!)
  }
}

class Dictionary {
  readonly values: string[] = []
  readonly #codes = new Map<string, number>()

  code(value: string): number {
    const known = this.#codes.get(value)
    if (known !== undefined) return known
    this.#codes.set(value, this.values.length)
    return this.values.push(value) - 1
  }
}

function companyRank(company: CompanyDoc): number {
  return Math.min(0xffffffff, company.employees ?? 0)
}

function placeText(place: Place): string {
  return `${place.city}\t${place.state}\t${place.country}`
}

function codeIn(vocabulary: readonly string[], value: string | null): number {
  const code = value === null ? -1 : vocabulary.indexOf(value)
  return code < 0 ? unknownCode : code
}

function distinct(values: readonly string[], dictionary: Dictionary): number[] {
  return [...new Set(values)].map((value) => dictionary.code(value))
}

function flatten(lists: number[][]): { offsets: Uint32Array; values: Uint32Array } {
  const offsets = new Uint32Array(lists.length + 1)
  lists.forEach((list, index) => {
    offsets[index + 1] = offsets[index]! + list.length
  })
  return { offsets, values: Uint32Array.from(lists.flat()) }
}
