import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { departments, seniorities } from '@overture/contract/lead-finder/lead-finder-vocabulary.ts'
import { SegmentBuilder, type CompanyDoc, type PersonDoc } from './records/columns.ts'
import { LeadIndex } from './lead-index.ts'
import { naiveCompanies, naivePeople, type World } from '@overture/testing/lead-finder/naive-search.ts'
import { personFiltersArb, places, worldArb } from '@overture/testing/lead-finder/worlds.ts'

describe('the index', () => {
  test('returns the same for any filters as filtering an array', () => {
    fc.assert(
      fc.property(worldArb, personFiltersArb, fc.integer({ min: 1, max: 3 }), (world, filters, page) => {
        const index = new LeadIndex(build(world))
        expect(index.search({ kind: 'people', filters: clean(filters), page })).toEqual(
          pageOf(naivePeople(world, filters), page),
        )
        expect(index.search({ kind: 'companies', filters: clean(filters), page })).toEqual(
          pageOf(naiveCompanies(world, filters), page),
        )
      }),
      { numRuns: 400 },
    )
  })

  test('returns the same with a delta and replaced rows', () => {
    fc.assert(
      fc.property(worldArb, personFiltersArb, fc.nat({ max: 60 }), (world, filters, oldest) => {
        // People up to `oldest` existed before, and those with odd numbers have changed. All others are new.
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

  test('returns pages without gaps or repeats, in dense and sparse results', () => {
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
  test('complete words of values, most frequent first, and places of every level', () => {
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
