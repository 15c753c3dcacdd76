import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import {
  departments,
  toHeadcountRange,
  headcountRanges,
  seniorities,
} from '@overture/contract/lead-finder/lead-finder-vocabulary.ts'
import type { PersonDoc } from '@overture/people-index/records/columns.ts'
import type { PersonFilters } from '@overture/people-index/records/filters.ts'
import { industryKey, technologyKey } from '@overture/people-index/records/industries.ts'
import { normalisePlace, type PlacePattern } from '@overture/people-index/records/location.ts'
import { titleTokens } from '@overture/people-index/records/text.ts'
import type { Data } from './data.ts'

/** Stores the same people in one wide table with the best ordinary indexes: B-trees for equality, GIN for words. */
export class PostgresPeople {
  readonly #client: pg.Client

  constructor(url: string) {
    this.#client = new pg.Client({ connectionString: url })
  }

  async load(data: Data, people: readonly PersonDoc[]): Promise<void> {
    await this.#client.connect()
    await this.#client.query(`create temp table bench_people (number integer primary key, rank integer, seniority text,
      department text, city text, state text, country text, words text[], years integer, industry text, headcount text,
      technologies text[], company_city text, company_state text, company_country text)`)
    const target = this.#client.query(copyFrom('copy bench_people from stdin'))
    await pipeline(Readable.from(lines(data, people)), target)
    await this.#client.query(`create index on bench_people (rank desc, number);
      create index on bench_people (seniority, rank desc, number); create index on bench_people (department, rank desc);
      create index on bench_people (country, rank desc, number); create index on bench_people (state);
      create index on bench_people (city);
      create index on bench_people (company_city); create index on bench_people (company_country);
      create index on bench_people using gin (words);
      create index on bench_people using gin (technologies); create index on bench_people (industry); analyze bench_people`)
  }

  /** Supports every search except by company name, since ordinary indexes don't match typing errors. */
  async search(filters: PersonFilters, page: number): Promise<{ numbers: number[]; totalCount: number }> {
    const where: string[] = []
    const values: unknown[] = []
    const add = (text: string, value: unknown) => where.push(text.replace('?', `$${values.push(value)}`))
    if (filters.seniority)
      add(
        'seniority = any(?)',
        filters.seniority.map((code) => seniorities[code]),
      )
    if (filters.department)
      add(
        'department = any(?)',
        filters.department.map((code) => departments[code]),
      )
    if (filters.title) add('words @> ?', filters.title)
    if (filters.industry) add('industry = any(?)', filters.industry)
    if (filters.technology) add('technologies && ?', filters.technology)
    if (filters.headcount)
      add(
        'headcount = any(?)',
        filters.headcount.map((code) => headcountRanges[code]),
      )
    if (filters.years) add('years >= ?', filters.years.min)
    if (filters.years) add('years <= ?', Math.min(254, filters.years.max))
    for (const [prefix, patterns] of [
      ['', filters.personLocation],
      ['company_', filters.companyLocation],
    ] as const) {
      if (patterns) where.push(`(${patterns.map((pattern) => placeCondition(prefix, pattern, values)).join(' or ')})`)
    }
    const filter = where.length > 0 ? `where ${where.join(' and ')}` : ''
    const counted = await this.#client.query<{ count: string }>(`select count(*) from bench_people ${filter}`, values)
    const rows = await this.#client.query<{ number: number }>(
      `select number from bench_people ${filter} order by rank desc, number limit 25 offset ${(page - 1) * 25}`,
      values,
    )
    return { numbers: rows.rows.map((row) => row.number), totalCount: Number(counted.rows[0]!.count) }
  }

  async close(): Promise<void> {
    await this.#client.end()
  }
}

function placeCondition(prefix: string, pattern: PlacePattern, values: unknown[]): string {
  const parts = (['city', 'state', 'country'] as const).flatMap((level) =>
    pattern[level] === null ? [] : [`${prefix}${level} = $${values.push(pattern[level])}`],
  )
  return `(${parts.join(' and ')})`
}

function* lines(data: Data, people: readonly PersonDoc[]): Generator<string> {
  for (const person of people) {
    const company = data.companies[person.companyNumber! - 1]!
    const { city, state, country } = normalisePlace(person.place)
    const home = normalisePlace(company.place)
    const technologies = `{${company.technologies.map(technologyKey).join(',')}}`
    const fields = [
      person.number,
      person.rank,
      person.seniority,
      person.department,
      city,
      state,
      country,
      `{${titleTokens(person.title ?? '').join(',')}}`,
      person.years ?? '\\N',
      industryKey(company.industry ?? ''),
      toHeadcountRange(company.employees ?? 0),
      technologies,
      home.city,
      home.state,
      home.country,
    ]
    yield `${fields.join('\t')}\n`
  }
}
