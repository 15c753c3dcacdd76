import { execFile } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { createWriteStream } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import {
  departments,
  toHeadcountRange,
  headcountRanges,
  seniorities,
} from '@overture/contract/lead-finder/lead-finder-vocabulary.ts'
import type { PersonDoc } from '@overture/people-index/records/columns.ts'
import type { PersonFilters } from '@overture/people-index/records/filters.ts'
import { industryKey, technologyKey } from '@overture/people-index/records/industries.ts'
import { normalisePlace, type Place, type PlacePattern } from '@overture/people-index/records/location.ts'
import { companyWords, titleTokens } from '@overture/people-index/records/text.ts'
import type { Data } from './data.ts'

const jars = '/usr/share/java'
const mixSeconds = 10
const mixThreads = 8
const run = promisify(execFile)

export interface LuceneSearch {
  name: string
  page: number
  filters: PersonFilters
}

export interface LuceneResult {
  buildSeconds: number
  bytes: number
  found: { totalCount: number; numbers: number[] }[]
  classes: Map<string, { p50: number; p99: number }>
  /** Searches per second, and CPU milliseconds per search. */
  single: { rate: number; cpuMs: number }
  mix: { rate: number; cpuMs: number }
}

/** The reason why Lucene can't be measured on this machine, or null if it can. */
export function luceneMissing(): string | null {
  if (classPath() === null) return "Lucene 8 is not installed (Debian's liblucene8-java)"
  return existsSync('/usr/bin/javac') ? null : 'no javac'
}

/** Indexes the same people in Lucene 8 and runs the same searches. `people` are in result order. */
export async function measureLucene(
  folder: string,
  { data, people, searches }: { data: Data; people: readonly PersonDoc[]; searches: readonly LuceneSearch[] },
): Promise<LuceneResult> {
  const classes = join(folder, 'classes')
  await mkdir(classes, { recursive: true })
  await run('javac', ['-cp', classPath()!, '-d', classes, join(import.meta.dirname, 'lucene/LeadSearch.java')])
  await pipeline(Readable.from(lines(data, people)), createWriteStream(join(folder, 'people.tsv')))
  await writeFile(join(folder, 'queries.tsv'), searches.map((search) => queryLine(search)).join('\n'))
  const arguments_ = ['people.tsv', 'queries.tsv', 'lucene'].map((name) => join(folder, name))
  const { stdout } = await run(
    'java',
    ['-Xmx3g', '-cp', `${classPath()}:${classes}`, 'LeadSearch', ...arguments_, String(mixSeconds), String(mixThreads)],
    { maxBuffer: 256 * 1024 * 1024 },
  )
  return read(stdout)
}

function classPath(): string | null {
  const found = existsSync(jars) ? readdirSync(jars) : []
  const core = found.find((name) => /^lucene-core-8.*\.jar$/.test(name))
  return core === undefined ? null : join(jars, core)
}

function read(output: string): LuceneResult {
  const rows = output.split('\n').map((line) => line.split('\t'))
  const of = (kind: string) => rows.filter(([name]) => name === kind).map(([, ...values]) => values)
  const rate = (kind: string) => ({ rate: Number(of(kind)[0]![0]), cpuMs: Number(of(kind)[0]![1]) })
  return {
    buildSeconds: Number(of('built')[0]![0]),
    bytes: Number(of('built')[0]![1]),
    found: of('found').map(([total, ...numbers]) => ({ totalCount: Number(total), numbers: numbers.map(Number) })),
    classes: new Map(of('class').map(([name, p50, p99]) => [name!, { p50: Number(p50), p99: Number(p99) }])),
    single: rate('single'),
    mix: rate('mix'),
  }
}

function* lines(data: Data, people: readonly PersonDoc[]): Generator<string> {
  const companies = data.companies.map((company) => {
    const words = companyWords(company.name)
    return [
      `industry=${industryKey(company.industry ?? '')}`,
      `headcount=${toHeadcountRange(company.employees ?? 0)}`,
      ...place('company', company.place),
      `companyWord=${words.join('|')}`,
      `companyJoined=${words.join('')}`,
      ...(company.technologies.length > 0 ? [`technology=${company.technologies.map(technologyKey).join('|')}`] : []),
    ].join('\t')
  })
  for (const person of people) {
    const fields = [
      `number=${person.number}`,
      `seniority=${person.seniority}`,
      `department=${person.department}`,
      ...place('person', person.place),
      `title=${titleTokens(person.title ?? '').join('|')}`,
      ...(person.years === null ? [] : [`years=${person.years}`]),
      companies[person.companyNumber! - 1]!,
    ]
    yield `${fields.join('\t')}\n`
  }
}

function place(prefix: string, written: Place): string[] {
  const { city, state, country } = normalisePlace(written)
  return [`${prefix}City=${city}`, `${prefix}State=${state}`, `${prefix}Country=${country}`]
}

function queryLine({ name, page, filters }: LuceneSearch): string {
  const clauses: string[] = []
  const any = (field: string, values: readonly string[] | undefined) => {
    if (values) clauses.push(`any:${field}=${values.join('|')}`)
  }
  any(
    'seniority',
    filters.seniority?.map((code) => seniorities[code]!),
  )
  any(
    'department',
    filters.department?.map((code) => departments[code]!),
  )
  for (const word of filters.title ?? []) any('title', [word])
  any('industry', filters.industry)
  any(
    'headcount',
    filters.headcount?.map((code) => headcountRanges[code]!),
  )
  any('technology', filters.technology)
  if (filters.personLocation) clauses.push(`place:person=${patterns(filters.personLocation)}`)
  if (filters.companyLocation) clauses.push(`place:company=${patterns(filters.companyLocation)}`)
  if (filters.years) clauses.push(`range:years=${filters.years.min}|${Math.min(254, filters.years.max)}`)
  if (filters.companyName) clauses.push(`company:=${filters.companyName.join('|')}`)
  return [name, page, ...clauses].join('\t')
}

function patterns(list: readonly PlacePattern[]): string {
  return list.map(({ city, state, country }) => [city, state, country].map((level) => level ?? '').join('/')).join('|')
}
