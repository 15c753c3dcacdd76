import type { Executor } from '../../platform/db/database.ts'
import type { Dataset, DatasetState } from '../records/dataset.ts'
import type { CompanyRecord, PersonRecord } from '../records/records.ts'
import type { FoundCompany, FoundPerson } from '../records/results.ts'

export type { Dataset, DatasetState } from '../records/dataset.ts'

export async function findDataset(db: Executor, dataset: Dataset): Promise<DatasetState | null> {
  const rows = await db.query<DatasetState>(
    `select generation, version, people, companies from finder_datasets where dataset = $1`,
    [dataset],
    'find_finder_dataset',
  )
  return rows[0] ?? null
}

/** Begins a batch. Only one writer at a time can do so. Returns the version for the rows of the batch. */
export async function lockNextVersion(db: Executor, dataset: Dataset): Promise<number> {
  const rows = await db.query<{ version: number }>(
    `insert into finder_datasets (dataset, version) values ($1, 1)
     on conflict (dataset) do update set version = finder_datasets.version + 1
     returning version`,
    [dataset],
  )
  return rows[0]!.version
}

export async function updateDatasetCounts(
  db: Executor,
  dataset: Dataset,
  added: { people: number; companies: number },
): Promise<void> {
  await db.execute(`update finder_datasets set people = people + $2, companies = companies + $3 where dataset = $1`, [
    dataset,
    added.people,
    added.companies,
  ])
}

const companyFields = `id text, name text, domain text, website text, "logoUrl" text, industry text,
  "employeeCount" integer, country text, state text, city text, "linkedinUrl" text, founded integer, revenue bigint,
  type text, technologies text[], "fundingStage" text, "jobPostings" integer, "hiringTitles" text[]`

/**
 * Inserts companies or fills in newly known fields. Unchanged rows keep their version. Returns how many are new and how many
 * changed, new ones included.
 */
export async function upsertCompanies(
  db: Executor,
  dataset: Dataset,
  batch: { companies: readonly CompanyRecord[]; version: number },
): Promise<{ added: number; changed: number }> {
  const rows = await db.query<{ added: boolean }>(
    `insert into finder_companies as c (dataset, id, name, domain, website, logo_url, industry, employee_count, country,
       state, city, linkedin_url, founded, revenue, type, technologies, funding_stage, job_postings, hiring_titles,
       version)
     select $1, r.id, r.name, r.domain, r.website, r."logoUrl", r.industry, r."employeeCount", r.country, r.state,
       r.city, r."linkedinUrl", r.founded, r.revenue, r.type, r.technologies, r."fundingStage", r."jobPostings",
       r."hiringTitles", $3
     from jsonb_to_recordset($2::jsonb) as r(${companyFields})
     on conflict (dataset, id) do update set
       name = excluded.name, domain = coalesce(excluded.domain, c.domain),
       website = coalesce(excluded.website, c.website), logo_url = coalesce(excluded.logo_url, c.logo_url),
       industry = coalesce(excluded.industry, c.industry),
       employee_count = coalesce(excluded.employee_count, c.employee_count),
       country = coalesce(excluded.country, c.country), state = coalesce(excluded.state, c.state),
       city = coalesce(excluded.city, c.city), linkedin_url = coalesce(excluded.linkedin_url, c.linkedin_url),
       founded = coalesce(excluded.founded, c.founded), revenue = coalesce(excluded.revenue, c.revenue),
       type = coalesce(excluded.type, c.type),
       technologies = case when excluded.technologies = '{}' then c.technologies else excluded.technologies end,
       funding_stage = coalesce(excluded.funding_stage, c.funding_stage),
       job_postings = coalesce(excluded.job_postings, c.job_postings),
       hiring_titles = case when excluded.hiring_titles = '{}' then c.hiring_titles else excluded.hiring_titles end,
       version = excluded.version
     where excluded.name <> c.name or excluded.domain <> coalesce(c.domain, '')
       or excluded.industry <> coalesce(c.industry, '') or excluded.employee_count <> coalesce(c.employee_count, -1)
       or excluded.country <> coalesce(c.country, '') or excluded.state <> coalesce(c.state, '')
       or excluded.city <> coalesce(c.city, '') or excluded.linkedin_url <> coalesce(c.linkedin_url, '')
       or excluded.founded <> coalesce(c.founded, -1) or excluded.revenue <> coalesce(c.revenue, -1)
       or excluded.type <> coalesce(c.type, '') or excluded.logo_url <> coalesce(c.logo_url, '')
       or (excluded.technologies <> '{}' and excluded.technologies <> c.technologies)
       or excluded.funding_stage <> coalesce(c.funding_stage, '')
       or excluded.job_postings <> coalesce(c.job_postings, -1)
       or (excluded.hiring_titles <> '{}' and excluded.hiring_titles <> c.hiring_titles)
     returning (xmax = 0) as added`,
    [dataset, JSON.stringify(batch.companies), batch.version],
    'upsert_finder_companies',
  )
  return { added: rows.filter((row) => row.added).length, changed: rows.length }
}

const personFields = `id text, "firstName" text, "lastName" text, "jobTitle" text, seniority text, department text,
  "linkedinUrl" text, country text, state text, city text, "companyId" text, email text, mobile text,
  "yearsExperience" real, "roleStarted" date, "companyStarted" date, rank integer`

const personColumns = `first_name, last_name, job_title, seniority, department, linkedin_url, country, state, city,
  company_id, email, mobile, years_experience, role_started, company_started, rank`

/** Inserts or replaces people. Unchanged and erased rows are not written. */
export async function upsertPeople(
  db: Executor,
  dataset: Dataset,
  batch: { people: readonly PersonRecord[]; version: number },
): Promise<{ added: number; changed: number }> {
  const excluded = personColumns.replace(/\w+/g, (name) => `excluded.${name}`)
  const current = personColumns.replace(/\w+/g, (name) => `p.${name}`)
  const rows = await db.query<{ added: boolean }>(
    `insert into finder_people as p (dataset, id, ${personColumns}, version)
     select $1, r.id, r."firstName", r."lastName", r."jobTitle", r.seniority, r.department, r."linkedinUrl", r.country,
       r.state, r.city, r."companyId", r.email, r.mobile, r."yearsExperience", r."roleStarted", r."companyStarted",
       r.rank, $3
     from jsonb_to_recordset($2::jsonb) as r(${personFields})
     on conflict (dataset, id) do update set (${personColumns}, version) = (${excluded}, excluded.version)
     where p.erased_at is null and (${current}) is distinct from (${excluded})
     returning (xmax = 0) as added`,
    [dataset, JSON.stringify(batch.people), batch.version],
    'upsert_finder_people',
  )
  return { added: rows.filter((row) => row.added).length, changed: rows.length }
}

/** Removes the data of people. Their rows stay, so that a later load doesn't add them again. */
export async function erasePeople(
  db: Executor,
  dataset: Dataset,
  erasure: { ids: readonly string[]; version: number },
): Promise<number> {
  return db.execute(
    `update finder_people set first_name = null, last_name = null, email = null, mobile = null, linkedin_url = null,
       erased_at = now(), version = $3
     where dataset = $1 and id = any($2::text[]) and erased_at is null`,
    [dataset, erasure.ids, erasure.version],
  )
}

export async function findCompaniesByNumber(
  db: Executor,
  dataset: Dataset,
  numbers: readonly number[],
): Promise<FoundCompany[]> {
  return db.query<FoundCompany>(
    `select number, id, name, domain, website, logo_url, industry, employee_count, country, state, city, linkedin_url,
       founded, revenue, type
     from finder_companies where dataset = $1 and number = any($2::integer[])`,
    [dataset, numbers],
    'find_finder_companies',
  )
}

/** The rows contain the real email and mobile number, so the caller must mask them first. */
export async function findPeopleByNumber(
  db: Executor,
  dataset: Dataset,
  numbers: readonly number[],
): Promise<FoundPerson[]> {
  return db.query<FoundPerson>(
    `select p.number, p.id, p.first_name, p.last_name, p.job_title, p.seniority, p.linkedin_url, p.country, p.city,
       p.email, p.mobile, c.name as company, c.domain as company_domain, c.website as company_website,
       c.logo_url as company_logo_url, c.industry as company_industry, c.employee_count as company_employee_count,
       c.country as company_country, c.city as company_city
     from finder_people p
     left join finder_companies c on c.dataset = p.dataset and c.id = p.company_id
     where p.dataset = $1 and p.number = any($2::integer[]) and p.erased_at is null`,
    [dataset, numbers],
    'find_finder_people',
  )
}

interface PersonContact {
  id: string
  email: string | null
  mobile: string | null
}

export async function findContacts(db: Executor, dataset: Dataset, ids: readonly string[]): Promise<PersonContact[]> {
  return db.query<PersonContact>(
    `select id, email, mobile from finder_people where dataset = $1 and id = any($2::text[]) and erased_at is null`,
    [dataset, ids],
    'find_finder_contacts',
  )
}
