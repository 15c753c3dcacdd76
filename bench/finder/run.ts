import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { SegmentBuilder, type PersonDoc, type SegmentData } from '@overture/people-index/records/columns.ts'
import { personFilters } from '@overture/people-index/records/filters.ts'
import type { SearchAnswer } from '@overture/people-index/lead-index.ts'
import { startEmbeddedPostgres } from '@overture/server/platform/db/embedded/embedded.shell.ts'
import { createLogger } from '@overture/server/platform/log.shell.ts'
import { createData, type Data } from './data.ts'
import { luceneMissing, measureLucene, type LuceneResult } from './lucene.ts'
import type { Measured, MeasureTask } from './measure.thread.ts'
import { PostgresPeople } from './postgres.ts'
import { createQueries } from './queries.ts'

const { values } = parseArgs({
  options: {
    people: { type: 'string', default: '1000000' },
    queries: { type: 'string', default: '60' },
    /** Also measures PostgreSQL, on a temporary table: a URL, or `embedded` for the product's own PostgreSQL. */
    postgres: { type: 'string' },
    /** The number of searches of each class for PostgreSQL, which needs minutes for what the others do in a second. */
    postgresQueries: { type: 'string', default: '12' },
    /** Also measures Lucene 8, if Debian's package and javac are installed. */
    lucene: { type: 'boolean', default: false },
  },
})
const now = new Date('2026-01-01T00:00:00.000Z')

const data = createData(Number(values.people))
const people = Array.from({ length: Number(values.people) }, (_, index) => data.person(index + 1))
const searches = Object.entries(createQueries(data, Number(values.queries))).flatMap(([name, inputs]) =>
  inputs.map((input) => ({ name, page: input.page, filters: personFilters(input, now), input })),
)
const folder = await mkdtemp(join(tmpdir(), 'bench-finder-'))
try {
  const ours = await measureIndex({ segment: build(data, people), searches })
  const ranked = people.toSorted((left, right) => right.rank - left.rank || left.number - right.number)
  const missing = values.lucene ? luceneMissing() : 'not asked for (--lucene)'
  const lucene = missing === null ? await measureLucene(folder, { data, people: ranked, searches }) : null
  if (missing !== null) console.log(`Lucene skipped: ${missing}`)
  const postgres = values.postgres ? await measurePostgres(values.postgres) : null
  print(ours, lucene, postgres)
} finally {
  await rm(folder, { recursive: true })
}

function build(from: Data, rows: readonly PersonDoc[]): SegmentData {
  const start = performance.now()
  const builder = new SegmentBuilder()
  from.companies.forEach((company) => builder.addCompany(company))
  rows.forEach((person) => builder.addPerson(person))
  const segment = builder.finish()
  const bytes = Object.values(segment.columns).reduce(
    (sum: number, column: ArrayBufferView) => sum + column.byteLength,
    0,
  )
  console.log(
    `${rows.length} people: columns ${seconds(performance.now() - start)}, snapshot ${megabytes(bytes)}, ` +
      `whole process ${megabytes(process.memoryUsage().rss)} (with the bench's own rows)`,
  )
  return segment
}

async function measureIndex(workerData: MeasureTask): Promise<Measured> {
  const thread = new Worker(new URL('./measure.boot.mjs', import.meta.url), { workerData, execArgv: [] })
  const [measured] = (await once(thread, 'message')) as [Measured]
  console.log(
    `index ${seconds(measured.indexMs)}, people's sets and columns in memory ${megabytes(measured.memoryBytes)}`,
  )
  return measured
}

interface PostgresMeasured {
  classes: Map<string, number[]>
  rate: number
  oursRate: (ours: Measured) => number
  positions: number[]
  found: SearchAnswer[]
}

async function measurePostgres(where: string): Promise<PostgresMeasured> {
  const log = createLogger('silent')
  const embedded = where === 'embedded' ? await startEmbeddedPostgres({ dataDir: folder, log, kind: 'server' }) : null
  const postgres = new PostgresPeople(embedded?.url ?? where)
  try {
    const start = performance.now()
    await postgres.load(data, people)
    console.log(`PostgreSQL loaded and indexed in ${seconds(performance.now() - start)}`)
    const classes = new Map<string, number[]>()
    const positions: number[] = []
    const found: SearchAnswer[] = []
    let totalMs = 0
    for (const [position, { name, filters, page }] of searches.entries()) {
      const times = classes.get(name) ?? []
      if (filters.companyName || times.length >= Number(values.postgresQueries)) continue
      const begun = performance.now()
      found.push(await postgres.search(filters, page))
      const ms = performance.now() - begun
      totalMs += ms
      positions.push(position)
      classes.set(name, [...times, ms])
    }
    const oursRate = (ours: Measured) => {
      const all = [...ours.classes.values()].flat()
      return positions.length / (positions.reduce((sum, position) => sum + all[position]!, 0) / 1000)
    }
    return { classes, rate: (positions.length / totalMs) * 1000, oursRate, positions, found }
  } finally {
    await postgres.close()
    await embedded?.stop()
  }
}

function print(ours: Measured, lucene: LuceneResult | null, postgres: PostgresMeasured | null): void {
  console.log(
    '| class | index p50 ms | p99 ms | Lucene 8 p50 | p99 | PostgreSQL p50 | p99 |\n|---|---|---|---|---|---|---|',
  )
  for (const [name, times] of ours.classes) {
    const theirs = lucene?.classes.get(name)
    const sql = postgres?.classes.get(name) ?? []
    const lucenes = [theirs?.p50.toFixed(2) ?? '–', theirs?.p99.toFixed(2) ?? '–']
    const cells = [name, percentile(times, 0.5), percentile(times, 0.99), ...lucenes]
    console.log(`| ${[...cells, percentile(sql, 0.5), percentile(sql, 0.99)].join(' | ')} |`)
  }
  console.log(`index: ${ours.rate.toFixed(0)} searches/s on one thread, ${ours.cpuMs.toFixed(3)} CPU ms per search`)
  if (lucene) {
    console.log(
      `Lucene 8: built in ${lucene.buildSeconds.toFixed(0)} s, ${megabytes(lucene.bytes)}; ` +
        `one thread ${lucene.single.rate.toFixed(0)}/s, ` +
        `8 threads ${lucene.mix.rate.toFixed(0)}/s, ${lucene.mix.cpuMs.toFixed(2)} CPU ms per search; the index is ` +
        `${(ours.rate / lucene.mix.rate).toFixed(1)} times as fast in all, ${(lucene.mix.cpuMs / ours.cpuMs).toFixed(1)} times by CPU; ` +
        `${mismatches(ours, lucene.found, null)} mismatches of ${lucene.found.length}`,
    )
  }
  if (postgres) {
    console.log(
      `PostgreSQL: ${postgres.rate.toFixed(1)}/s on ${postgres.positions.length} searches, the index ` +
        `${(postgres.oursRate(ours) / postgres.rate).toFixed(0)} times as fast on the same; ` +
        `${mismatches(ours, postgres.found, postgres.positions)} mismatches`,
    )
  }
}

/** Compares totals and pages. Searches by company name are ordered by closeness, so only their totals are compared. */
function mismatches(ours: Measured, theirs: readonly SearchAnswer[], positions: readonly number[] | null): number {
  return theirs.filter((answer, index) => {
    const position = positions?.[index] ?? index
    const own = ours.found[position]!
    if (own.totalCount !== answer.totalCount) return true
    return !searches[position]!.filters.companyName && String(own.numbers) !== String(answer.numbers)
  }).length
}

function percentile(times: readonly number[], share: number): string {
  const sorted = times.toSorted((left, right) => left - right)
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
  return value === undefined ? '–' : value.toFixed(2)
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`
}
