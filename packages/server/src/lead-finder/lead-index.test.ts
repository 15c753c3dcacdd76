import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { departments, fundingStages, headcountRanges, seniorities } from '@overture/contract/lead-finder-vocabulary.ts'
import { SegmentBuilder, type CompanyDoc, type PersonDoc } from './columns.ts'
import type { CompanyFilters, PersonFilters } from './filters.ts'
import { LeadIndex } from './lead-index.ts'
import { parseLocation } from './location.ts'
import { naiveCompanies, naivePeople, type World } from './naive-search.ts'
import { companyWords, titleQuery } from './text.ts'

const places = [
  { city: 'Berlin', state: 'Berlin', country: 'Germany' },
  { city: 'Munich', state: 'Bavaria', country: 'Germany' },
  { city: 'Paris', state: '', country: 'France' },
  { city: 'Austin', state: 'Texas', country: 'United States' },
  { city: 'New York City', state: 'New York', country: 'United States' },
  { city: '', state: '', country: '' },
]
const titles = ['VP Sales', 'Vice President of Sales', 'CTO', 'Head of Engineering', 'Sales Manager', 'Engineer', null]
const names = [
  'Acme Robotics GmbH',
  'Acme',
  'Globex Corporation',
  'Globex',
  'Initech LLC',
  'Café Noir SA',
  'Stark & Wayne Inc',
]
const industries = ['Software Development', 'computer software', 'Retail', null]
const technologies = ['React', 'Node.js', 'SAP']

const companyArb = fc.record({
  name: fc.constantFrom(...names),
  domain: fc.constantFrom('acme.example', 'globex.example', null),
  industry: fc.constantFrom(...industries),
  employees: fc.constantFrom(null, 5, 15, 900, 20_000),
  place: fc.constantFrom(...places),
  technologies: fc.subarray(technologies),
  funding: fc.constantFrom(null, 'seed', 'series_a'),
  revenue: fc.constantFrom(null, 0, 1_000_000, 7_000_000),
  jobPostings: fc.constantFrom(null, 0, 3, 40),
  hiringTitles: fc.subarray(['Sales Manager', 'Vice President of Engineering']),
})
const personArb = fc.record({
  rank: fc.integer({ min: 0, max: 3 }),
  title: fc.constantFrom(...titles),
  seniority: fc.constantFrom(null, 'vp', 'director', 'c_suite'),
  department: fc.constantFrom(null, 'sales', 'finance'),
  place: fc.constantFrom(...places),
  company: fc.integer({ min: -1, max: 9 }),
  years: fc.constantFrom(null, 0, 3, 10, 40),
  roleDay: fc.constantFrom(null, 10, 20_000),
  companyDay: fc.constantFrom(null, 5, 19_000),
})
const codes = (vocabulary: readonly string[], values: string[]) =>
  fc.option(
    fc.subarray(values, { minLength: 1 }).map((list) => list.map((value) => vocabulary.indexOf(value))),
    { nil: undefined },
  )
const rangeArb = (values: number[]) =>
  fc.option(
    fc
      .tuple(fc.constantFrom(...values), fc.constantFrom(...values))
      .map(([a, b]) => ({ min: Math.min(a, b), max: Math.max(a, b) })),
    { nil: undefined },
  )
const locationArb = fc.option(
  fc
    .subarray(['Germany', 'Berlin', 'US', 'Texas', 'Austin, TX', 'Paris, France', 'Nowhere'], {
      minLength: 1,
      maxLength: 3,
    })
    .map((list) => list.flatMap(parseLocation)),
  { nil: undefined },
)
const option = <Value>(...values: Value[]) => fc.option(fc.constantFrom(...values), { nil: undefined, freq: 2 })

const companyFiltersArb: fc.Arbitrary<CompanyFilters> = fc.record({
  domain: option('acme.example', 'none.example'),
  companyName: option('acme', 'amce', 'globex corp', 'gloebx', 'cafe noir', 'stark wayne', 'zzzz').map((name) =>
    name === undefined ? undefined : companyWords(name),
  ),
  industry: option(['softwaredevelopment'], ['retail', 'softwaredevelopment'], ['mining']),
  headcount: codes(headcountRanges, ['1-10', '11-20', '501-1000', '10000+']),
  companyLocation: locationArb,
  technology: option(['react'], ['nodejs', 'sap'], ['cobol']),
  revenue: rangeArb([0, 1_000_000, 8_000_000]),
  funding: codes(fundingStages, ['seed', 'series_a']),
  jobPostings: rangeArb([0, 3, 50]),
  hiringFor: option([['manager', 'sales']], [['vp', 'engineering'], ['nobody']]),
})
const personFiltersArb: fc.Arbitrary<PersonFilters> = fc
  .tuple(
    companyFiltersArb,
    fc.record({
      title: option('vp sales', 'cto', 'sales', 'engineering').map((title) =>
        title === undefined ? undefined : titleQuery(title),
      ),
      seniority: codes(seniorities, ['vp', 'director', 'intern']),
      department: codes(departments, ['sales', 'finance']),
      personLocation: locationArb,
      years: rangeArb([0, 3, 60]),
      roleStart: rangeArb([5, 15, 30_000]),
      companyStart: rangeArb([0, 100, 30_000]),
    }),
  )
  .map(([company, person]) => ({ ...company, ...person }))

const worldArb: fc.Arbitrary<World> = fc
  .tuple(fc.array(companyArb, { minLength: 1, maxLength: 10 }), fc.array(personArb, { maxLength: 120 }))
  .map(([companies, people]) => ({
    companies: companies.map((company, index) => ({ ...company, number: index + 1 })),
    people: people.map(({ company, ...person }, index) => ({
      ...person,
      number: index + 1,
      companyNumber: company >= 0 && company < companies.length ? company + 1 : null,
    })),
  }))

describe('the index', () => {
  it('answers any combination of filters as a filter over an array does', () => {
    fc.assert(
      fc.property(worldArb, personFiltersArb, fc.integer({ min: 1, max: 3 }), (world, filters, page) => {
        const index = new LeadIndex(build(world))
        const inWasm = new LeadIndex(build(world), 'wasm')
        expect(index.search({ kind: 'people', filters: clean(filters), page })).toEqual(
          pageOf(naivePeople(world, filters), page),
        )
        expect(inWasm.search({ kind: 'people', filters: clean(filters), page })).toEqual(
          pageOf(naivePeople(world, filters), page),
        )
        expect(index.search({ kind: 'companies', filters: clean(filters), page })).toEqual(
          pageOf(naiveCompanies(world, filters), page),
        )
      }),
      { numRuns: 400 },
    )
  })

  it('answers the same with part of it in a delta and rows replaced', () => {
    fc.assert(
      fc.property(worldArb, personFiltersArb, fc.nat({ max: 60 }), (world, filters, oldest) => {
        // People up to `oldest` were there before with other values; the rest are new; odd ones changed.
        const before = {
          ...world,
          people: world.people
            .filter((person) => person.number <= oldest)
            .map((person) => (person.number % 2 ? { ...person, title: 'Ghost', rank: 9 } : person)),
        }
        const changed = world.people.filter((person) => person.number > oldest || person.number % 2)
        const index = new LeadIndex(build(before))
        index.applyDelta({
          data: build({ companies: world.companies, people: changed }),
          removedPeople: changed.map((person) => person.number),
          copiedCompanies: world.companies.map((company) => company.number),
        })
        for (const page of [1, 2, 3]) {
          expect(index.search({ kind: 'people', filters: clean(filters), page })).toEqual(
            pageOf(naivePeople(world, filters), page),
          )
        }
        expect(index.search({ kind: 'companies', filters: clean(filters), page: 1 })).toEqual(
          pageOf(naiveCompanies(world, filters), 1),
        )
      }),
      { numRuns: 200 },
    )
  })

  it('turns pages without gap or repeat, in dense and sparse results', () => {
    const people = Array.from({ length: 3000 }, (_, index) => ({
      number: index + 1,
      rank: index % 7,
      title: 'Engineer',
      seniority: index % 3 ? 'vp' : 'intern',
      department: index % 100 ? null : 'sales',
      place: places[index % 5]!,
      companyNumber: null,
      years: null,
      roleDay: null,
      companyDay: null,
    }))
    const world = { companies: [], people }
    const index = new LeadIndex(build(world))
    for (const filters of [
      {},
      { seniority: [seniorities.indexOf('vp')] },
      { department: [departments.indexOf('sales')] },
    ]) {
      const expected = naivePeople(world, filters)
      const found: number[] = []
      for (let page = 1; found.length < expected.length; page++)
        found.push(...index.search({ kind: 'people', filters, page }).numbers)
      expect(found).toEqual(expected)
    }
  })
})

describe('suggestions', () => {
  it('complete words of values, the frequent first, places at every level', () => {
    const world = {
      companies: [{ ...company(1), industry: 'Software Development' }],
      people: [person(1, 0), person(2, 0), person(3, 2)],
    }
    const index = new LeadIndex(build(world))
    expect(index.suggest('location', 'ger', 5)).toEqual([{ value: 'Germany', count: 2 }])
    expect(index.suggest('location', 'ber', 5).map((found) => found.value)).toContain('Berlin, Berlin, Germany')
    expect(index.suggest('industry', 'dev', 5)).toEqual([{ value: 'Software Development', count: 1 }])
    expect(index.suggest('jobTitle', 'xyz', 5)).toEqual([])
  })
})

function company(number: number): CompanyDoc {
  return {
    number,
    name: 'Acme',
    domain: null,
    industry: null,
    employees: null,
    place: places[0]!,
    technologies: [],
    funding: null,
    revenue: null,
    jobPostings: null,
    hiringTitles: [],
  }
}

function person(number: number, place: number): PersonDoc {
  return {
    number,
    rank: 0,
    title: 'CTO',
    seniority: null,
    department: null,
    place: places[place]!,
    companyNumber: 1,
    years: null,
    roleDay: null,
    companyDay: null,
  }
}

function build(world: World) {
  const builder = new SegmentBuilder()
  world.companies.forEach((entry) => builder.addCompany(entry))
  world.people.forEach((entry) => builder.addPerson(entry))
  return builder.finish()
}

function clean<Filters extends object>(filters: Filters): Filters {
  return JSON.parse(JSON.stringify(filters)) as Filters
}

function pageOf(numbers: number[], page: number) {
  return { numbers: numbers.slice((page - 1) * 25, page * 25), totalCount: numbers.length }
}
