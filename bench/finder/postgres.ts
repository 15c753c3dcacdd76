import pg from 'pg'
import { headcountRangeOf } from '@overture/contract/lead-finder-vocabulary.ts'
import { from as copyFrom } from 'pg-copy-streams'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { PersonSearchInput } from '@overture/contract/lead-finder.ts'
import { canonicalHeadcount } from '@overture/contract/lead-finder-vocabulary.ts'
import { titleTokens, titleQuery } from '../../packages/server/src/lead-finder/text.ts'
import type { Data } from './data.ts'
import type { PersonDoc } from '../../packages/server/src/lead-finder/columns.ts'

/** The same people in one wide table with the best ordinary indexes: b-trees on equality, GIN on words. */
export class PostgresPeople {
  private readonly client: pg.Client

  constructor(url: string) {
    this.client = new pg.Client({ connectionString: url })
  }

  async load(data: Data, people: readonly PersonDoc[]): Promise<void> {
    await this.client.connect()
    await this.client.query(`create temp table bench_people (number integer primary key, rank integer, seniority text,
      department text, city text, state text, country text, words text[], years integer, industry text, headcount text,
      technologies text[])`)
    const target = this.client.query(copyFrom('copy bench_people from stdin'))
    await pipeline(Readable.from(lines(data, people)), target)
    await this.client.query(`create index on bench_people (rank desc, number);
      create index on bench_people (seniority, rank desc, number); create index on bench_people (department, rank desc);
      create index on bench_people (country, rank desc, number); create index on bench_people (state);
      create index on bench_people (city); create index on bench_people using gin (words);
      create index on bench_people using gin (technologies); create index on bench_people (industry); analyze bench_people`)
  }

  /** Null for searches that ordinary indexes do not answer (a company name with a typing error). */
  async search(input: PersonSearchInput): Promise<{ numbers: number[]; totalCount: number } | null> {
    if (input.companyName || input.companyLocation || input.personLocation?.length) return null
    const where: string[] = []
    const values: unknown[] = []
    const add = (text: string, value: unknown) => where.push(text.replace('?', `$${values.push(value)}`))
    if (input.seniority) add('seniority = any(?)', input.seniority)
    if (input.department) add('department = any(?)', input.department)
    if (input.jobTitle) add('words @> ?', titleQuery(input.jobTitle))
    if (input.industry) add('industry = any(?)', input.industry)
    if (input.technology) add('technologies && ?', input.technology)
    if (input.headcountRange)
      add(
        'headcount = any(?)',
        input.headcountRange.flatMap((text) => canonicalHeadcount(text) ?? []),
      )
    if (input.minYearsExperience !== undefined) add('years >= ?', input.minYearsExperience)
    if (input.maxYearsExperience !== undefined) add('years <= ?', input.maxYearsExperience)
    const filter = where.length > 0 ? `where ${where.join(' and ')}` : ''
    const counted = await this.client.query<{ count: string }>(`select count(*) from bench_people ${filter}`, values)
    const page = await this.client.query<{ number: number }>(
      `select number from bench_people ${filter} order by rank desc, number limit 25 offset ${(input.page - 1) * 25}`,
      values,
    )
    return { numbers: page.rows.map((row) => row.number), totalCount: Number(counted.rows[0]!.count) }
  }

  async close(): Promise<void> {
    await this.client.end()
  }
}

function* lines(data: Data, people: readonly PersonDoc[]): Generator<string> {
  for (const person of people) {
    const company = data.companies[person.companyNumber! - 1]!
    const { city, state, country } = person.place
    const technologies = `{${company.technologies.map((name) => `"${name}"`).join(',')}}`
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
      company.industry,
      headcountRangeOf(company.employees ?? 0),
      technologies,
    ]
    yield `${fields.join('\t')}\n`
  }
}
