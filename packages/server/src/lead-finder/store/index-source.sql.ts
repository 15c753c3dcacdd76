import pg from 'pg'
import type { CompanyDoc, PersonDoc } from '@overture/people-index/records/columns.ts'
import type { Dataset } from './finder-store.sql.ts'

const batchRows = 20_000

const companyColumns = `number, id, name, domain, industry, employee_count, coalesce(city, ''), coalesce(state, ''),
  coalesce(country, ''), technologies, funding_stage, revenue::float8, job_postings, hiring_titles`
const personColumns = `number, rank, job_title, seniority, department, coalesce(city, ''), coalesce(state, ''),
  coalesce(country, ''), company_id, years_experience, role_started - date '1970-01-01',
  company_started - date '1970-01-01', erased_at is not null`

export interface SourceCompany extends CompanyDoc {
  id: string
}
interface SourcePerson extends Omit<PersonDoc, 'companyNumber'> {
  companyId: string | null
  erased: boolean
}

/** A version belongs to one generation of the store: another database starts to count again. */
export interface StoreVersion {
  version: number
  generation: string
}

type WithVersion<Row> = Row & { version: number }

/** The number of columns that `readPerson` reads per person. */
const personWidth = 13

/** The same columns qualified with a table name, except `''` and function names. */
function qualified(columns: string, name: string): string {
  return columns.replace(/\b(?!(?:coalesce|float8|date|is|not|null)\b)[a-z_]+\b(?!')/g, (column) => `${name}.${column}`)
}

/** Reads the store in batches over a separate connection, since the index thread can't use the server's pool. */
export async function withSource<Result>(url: string, run: (source: Source) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url, application_name: 'overture-lead-index' })
  // A lost connection also rejects the running query. Without a listener, the event would end the process.
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await run(new Source(client))
  } finally {
    await client.end()
  }
}

export class Source {
  readonly #client: pg.Client

  constructor(client: pg.Client) {
    this.#client = client
  }

  /** Runs all reads inside on one snapshot of the store. */
  async consistently<Result>(run: () => Promise<Result>): Promise<Result> {
    await this.#client.query('begin isolation level repeatable read read only')
    try {
      return await run()
    } finally {
      await this.#client.query('commit')
    }
  }

  /** Tries to take an advisory lock of this connection, for writers of a search cluster. */
  async tryLock(name: string): Promise<boolean> {
    const text = `select pg_try_advisory_lock(hashtextextended($1, 7310579610)) as locked`
    return (await this.#client.query<{ locked: boolean }>(text, [name])).rows[0]!.locked
  }

  async unlock(name: string): Promise<void> {
    await this.#client.query(`select pg_advisory_unlock(hashtextextended($1, 7310579610))`, [name])
  }

  async version(dataset: Dataset): Promise<StoreVersion | null> {
    const { rows } = await this.#client.query<{ version: string; generation: string }>(
      'select version, generation from finder_datasets where dataset = $1',
      [dataset],
    )
    return rows[0] ? { version: Number(rows[0].version), generation: rows[0].generation } : null
  }

  async eachCompany(dataset: Dataset, since: number, visit: (company: SourceCompany) => void): Promise<void> {
    const text = `select ${companyColumns} from finder_companies
      where dataset = $1 and number > $2 and version > $3 order by number limit ${batchRows}`
    await this.#each(text, [dataset, since], (row) => visit(readCompany(row)))
  }

  async eachPerson(dataset: Dataset, since: number, visit: (person: SourcePerson) => void): Promise<void> {
    const text = `select ${personColumns} from finder_people
      where dataset = $1 and number > $2 and version > $3 order by number limit ${batchRows}`
    await this.#each(text, [dataset, since], (row) => visit(readPerson(row)))
  }

  /** At most `limit` people who changed after a version. */
  async changedPeople(dataset: Dataset, since: number, limit: number): Promise<SourcePerson[]> {
    return this.#rows(`select ${personColumns} from finder_people where dataset = $1 and version > $2 limit $3`, [
      dataset,
      since,
      limit,
    ]).then((rows) => rows.map(readPerson))
  }

  async changedCompanies(dataset: Dataset, since: number, limit: number): Promise<SourceCompany[]> {
    return this.#rows(`select ${companyColumns} from finder_companies where dataset = $1 and version > $2 limit $3`, [
      dataset,
      since,
      limit,
    ]).then((rows) => rows.map(readCompany))
  }

  async companiesById(dataset: Dataset, ids: readonly string[]): Promise<SourceCompany[]> {
    return this.#rows(`select ${companyColumns} from finder_companies where dataset = $1 and id = any($2)`, [
      dataset,
      ids,
    ]).then((rows) => rows.map(readCompany))
  }

  /** Companies that changed after a version, by number. Waits for `visit`. */
  async eachChangedCompany(
    dataset: Dataset,
    since: number,
    visit: (company: WithVersion<SourceCompany>) => Promise<void>,
  ): Promise<void> {
    const text = `select ${companyColumns}, version from finder_companies
      where dataset = $1 and number > $2 and version > $3 order by number limit ${batchRows}`
    await this.#eachAwaited(text, [dataset, since], (row) =>
      visit({ ...readCompany(row.slice(0, -1)), version: Number(row.at(-1)) }),
    )
  }

  /** People who changed after a version, or whose company did, by number, each with the company. */
  async eachChangedPerson(
    dataset: Dataset,
    since: number,
    visit: (person: WithVersion<SourcePerson>, company: WithVersion<SourceCompany> | null) => Promise<void>,
  ): Promise<void> {
    const changed =
      since < 0
        ? `select number from finder_people where dataset = $1 and number > $2 and version > $3
           order by number limit ${batchRows}`
        : `select number from (
             select number from finder_people where dataset = $1 and version > $3
             union
             select p.number from finder_companies c
             join finder_people p on p.dataset = c.dataset and p.company_id = c.id
             where c.dataset = $1 and c.version > $3
           ) touched where number > $2 order by number limit ${batchRows}`
    const text = `with changed as (${changed})
      select ${qualified(personColumns, 'p')}, p.version, ${qualified(companyColumns, 'c')}, c.version
      from changed
      join finder_people p on p.dataset = $1 and p.number = changed.number
      left join finder_companies c on c.dataset = $1 and c.id = p.company_id
      order by p.number`
    await this.#eachAwaited(text, [dataset, since], (row) => {
      const company = row.slice(personWidth + 1)
      return visit(
        { ...readPerson(row), version: Number(row[personWidth]) },
        company[0] === null ? null : { ...readCompany(company), version: Number(company.at(-1)) },
      )
    })
  }

  async #eachAwaited(text: string, values: [Dataset, number], visit: (row: unknown[]) => Promise<void>): Promise<void> {
    const [dataset, since] = values
    for (let last = -1; ;) {
      const rows = await this.#rows(text, [dataset, last, since])
      for (const row of rows) await visit(row)
      if (rows.length < batchRows) return
      last = rows.at(-1)![0] as number
    }
  }

  async #each(text: string, values: [Dataset, number], visit: (row: unknown[]) => void): Promise<void> {
    const [dataset, since] = values
    for (let last = -1; ;) {
      const rows = await this.#rows(text, [dataset, last, since])
      rows.forEach(visit)
      if (rows.length < batchRows) return
      last = rows.at(-1)![0] as number
    }
  }

  async #rows(text: string, values: unknown[]): Promise<unknown[][]> {
    return (await this.#client.query<unknown[]>({ text, values, rowMode: 'array' })).rows
  }
}

function readCompany(row: unknown[]): SourceCompany {
  const [number, id, name, domain, industry, employees, city, state, country, technologies, funding, revenue, ...rest] =
    row
  return {
    number,
    id,
    name,
    domain,
    industry,
    employees,
    place: { city, state, country },
    technologies,
    funding,
    revenue,
    jobPostings: rest[0],
    hiringTitles: rest[1],
  } as SourceCompany
}

function readPerson(row: unknown[]): SourcePerson {
  const [
    number,
    rank,
    title,
    seniority,
    department,
    city,
    state,
    country,
    companyId,
    years,
    roleDay,
    companyDay,
    erased,
  ] = row
  return {
    number,
    rank,
    title,
    seniority,
    department,
    place: { city, state, country },
    companyId,
    years,
    roleDay,
    companyDay,
    erased,
  } as SourcePerson
}
