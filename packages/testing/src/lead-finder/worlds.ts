import fc from 'fast-check'
import {
  departments,
  fundingStages,
  headcountRanges,
  seniorities,
} from '@overture/contract/lead-finder/lead-finder-vocabulary.ts'
import type { CompanyFilters, PersonFilters } from '@overture/people-index/records/filters.ts'
import { parseLocation } from '@overture/people-index/records/location.ts'
import type { World } from './naive-search.ts'
import { companyWords, titleQuery } from '@overture/people-index/records/text.ts'

export const places = [
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
  'Globex Group',
  'Acme Robotics Holding & Co. KG',
  'Café Noir SA',
  'Stark & Wayne Inc',
]
const industries = ['Software Development', 'computer software', 'Retail', null]
const technologies = ['React', 'Node.js', 'SAP']

export const companyArb = fc.record({
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
export const personArb = fc.record({
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

export const companyFiltersArb: fc.Arbitrary<CompanyFilters> = fc.record({
  domain: option('acme.example', 'none.example'),
  companyName: option(
    'acme',
    'amce',
    'globex corp',
    'gloebx',
    'cafe noir',
    'stark wayne',
    'zzzz',
    'globex gruop',
    'acme hodling',
    'group globex',
  ).map((name) => (name === undefined ? undefined : companyWords(name))),
  industry: option(['softwaredevelopment'], ['retail', 'softwaredevelopment'], ['mining']),
  headcount: codes(headcountRanges, ['1-10', '11-20', '501-1000', '10000+']),
  companyLocation: locationArb,
  technology: option(['react'], ['nodejs', 'sap'], ['cobol']),
  revenue: rangeArb([0, 1_000_000, 8_000_000]),
  funding: codes(fundingStages, ['seed', 'series_a']),
  jobPostings: rangeArb([0, 3, 50]),
  hiringFor: option([['manager', 'sales']], [['vp', 'engineering'], ['nobody']]),
})
export const personFiltersArb: fc.Arbitrary<PersonFilters> = fc
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

export const worldArb: fc.Arbitrary<World> = fc
  .tuple(fc.array(companyArb, { minLength: 1, maxLength: 10 }), fc.array(personArb, { maxLength: 120 }))
  .map(([companies, people]) => ({
    companies: companies.map((company, index) => ({ ...company, number: index + 1 })),
    people: people.map(({ company, ...person }, index) => ({
      ...person,
      number: index + 1,
      companyNumber: company >= 0 && company < companies.length ? company + 1 : null,
    })),
  }))
