import type { Database, Transaction } from '../../platform/db/database.ts'
import {
  erasePeople,
  lockNextVersion,
  updateDatasetCounts,
  upsertCompanies,
  upsertPeople,
  type Dataset,
} from './finder-store.sql.ts'
import type { CompanyRecord, PersonRecord } from '../records/records.ts'

export interface Batch {
  people: readonly PersonRecord[]
  companies: readonly CompanyRecord[]
}

interface BatchResult {
  peopleAdded: number
  peopleChanged: number
  companiesAdded: number
  companiesChanged: number
}

/** Writes one batch. If an id is repeated, the last row counts. Loading the same rows again changes nothing. */
export async function storeBatch(tx: Transaction, dataset: Dataset, batch: Batch): Promise<BatchResult> {
  const version = await lockNextVersion(tx, dataset)
  const companies = [...new Map(batch.companies.map((company) => [company.id, company])).values()]
  const people = [...new Map(batch.people.map((person) => [person.id, person])).values()]
  const storedCompanies = await upsertCompanies(tx, dataset, { companies, version })
  const storedPeople = await upsertPeople(tx, dataset, { people, version })
  await updateDatasetCounts(tx, dataset, { people: storedPeople.added, companies: storedCompanies.added })
  return {
    peopleAdded: storedPeople.added,
    peopleChanged: storedPeople.changed - storedPeople.added,
    companiesAdded: storedCompanies.added,
    companiesChanged: storedCompanies.changed - storedCompanies.added,
  }
}

/** Erases people permanently: no search finds them and no later load adds them. Returns their number. */
export async function erasePeopleFromFinder(db: Database, dataset: Dataset, ids: readonly string[]): Promise<number> {
  return db.transaction(async (tx) => {
    const version = await lockNextVersion(tx, dataset)
    const erased = await erasePeople(tx, dataset, { ids, version })
    await updateDatasetCounts(tx, dataset, { people: -erased, companies: 0 })
    return erased
  })
}
