import fc from 'fast-check'
import { storeBatch } from '@overture/server/lead-finder/store/store.commands.ts'
import { withSource } from '@overture/server/lead-finder/store/index-source.sql.ts'
import type { CompanyRecord, PersonRecord } from '@overture/server/lead-finder/records/records.ts'
import type { TestDatabase } from '../database.ts'
import type { World } from './naive-search.ts'
import { companyArb, personArb } from './worlds.ts'

/** Companies and people generated from a seed, in the shape of an imported file. */
function seeded(seed: number) {
  const [companies] = fc.sample(fc.array(companyArb, { minLength: 25, maxLength: 25 }), { seed, numRuns: 1 })
  const [people] = fc.sample(fc.array(personArb, { minLength: 400, maxLength: 400 }), { seed, numRuns: 1 })
  return { companies: companies!, people: people! }
}

/** Stores some of the people of a seed and all its companies, as an import of a file does. */
export async function storePeople(
  database: TestDatabase,
  { seed, from, to }: { seed: number; from: number; to: number },
): Promise<void> {
  const rows = seeded(seed)
  const day = (value: number | null) =>
    value === null ? null : new Date(value * 86_400_000).toISOString().slice(0, 10)
  const companies = rows.companies.map((company, index) => ({
    id: `c${index}`,
    website: null,
    logoUrl: null,
    linkedinUrl: null,
    founded: null,
    type: null,
    ...company.place,
    ...company,
    employeeCount: company.employees,
    fundingStage: company.funding,
  })) as unknown as CompanyRecord[]
  const people = rows.people.slice(from, to).map((person, index) => ({
    id: `p${from + index}`,
    firstName: 'Ada',
    lastName: 'Example',
    linkedinUrl: null,
    email: null,
    mobile: null,
    ...person.place,
    ...person,
    jobTitle: person.title,
    companyId: person.company < 0 ? null : `c${person.company}`,
    yearsExperience: person.years,
    roleStarted: day(person.roleDay),
    companyStarted: day(person.companyDay),
  })) as unknown as PersonRecord[]
  await database.db.transaction((tx) => storeBatch(tx, 'live', { people, companies }))
}

/** Reads the whole store as rows. */
export async function storedWorld(databaseUrl: string): Promise<World> {
  return withSource(databaseUrl, async (source) => {
    const numbers = new Map<string, number>()
    const found: World = { companies: [], people: [] }
    await source.eachCompany('live', -1, (company) => {
      numbers.set(company.id, company.number)
      found.companies.push(company)
    })
    await source.eachPerson('live', -1, (person) => {
      const companyNumber = numbers.get(person.companyId ?? '') ?? null
      if (!person.erased) found.people.push({ ...person, companyNumber })
    })
    return found
  })
}
