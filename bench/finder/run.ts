import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { SegmentBuilder } from '../../packages/server/src/lead-finder/columns.ts'
import { personFilters } from '../../packages/server/src/lead-finder/filters.ts'
import { LeadIndex } from '../../packages/server/src/lead-finder/lead-index.ts'
import { startEmbeddedPostgres } from '../../packages/server/src/platform/db/embedded/embedded.ts'
import { createLogger } from '../../packages/server/src/platform/log.ts'
import { createData } from './data.ts'
import { PostgresPeople } from './postgres.ts'
import { createQueries } from './queries.ts'

const { values } = parseArgs({
  options: {
    people: { type: 'string', default: '1000000' },
    queries: { type: 'string', default: '60' },
    /** Measures PostgreSQL beside, on a temporary table: a URL, or `embedded` for the one that the product ships. */
    postgres: { type: 'string' },
    /** `javascript` leaves the WebAssembly kernel out. */
    kernel: { type: 'string' },
  },
})
const count = Number(values.people)
const now = new Date('2026-01-01T00:00:00.000Z')

const data = createData(count)
const people = Array.from({ length: count }, (_, index) => data.person(index + 1))
const queries = createQueries(data, Number(values.queries))

let from = performance.now()
const before = process.memoryUsage()
const builder = new SegmentBuilder()
data.companies.forEach((company) => builder.addCompany(company))
people.forEach((person) => builder.addPerson(person))
const segment = builder.finish()
const columnsMs = performance.now() - from
const snapshotBytes = Object.values(segment.columns).reduce(
  (sum: number, column: ArrayBufferView) => sum + column.byteLength,
  0,
)
from = performance.now()
const index = new LeadIndex(segment, values.kernel === undefined ? undefined : (values.kernel as 'wasm' | 'javascript'))
const indexMs = performance.now() - from
const after = process.memoryUsage()
console.log(
  `${count} people: columns ${seconds(columnsMs)}, index ${seconds(indexMs)}, snapshot ${megabytes(snapshotBytes)}, index memory ${megabytes(after.arrayBuffers - before.arrayBuffers)}`,
)

const folder = await mkdtemp(join(tmpdir(), 'bench-finder-'))
const log = createLogger('silent')
const embedded =
  values.postgres === 'embedded' ? await startEmbeddedPostgres({ dataDir: folder, log, kind: 'server' }) : null
const postgresUrl = embedded?.url ?? values.postgres
const postgres = postgresUrl ? new PostgresPeople(postgresUrl) : null
if (postgres) {
  from = performance.now()
  await postgres.load(data, people)
  console.log(`PostgreSQL loaded and indexed in ${seconds(performance.now() - from)}`)
}

let mismatches = 0
let totalMs = 0
let theirMs = 0
let theirQueries = 0
let sameMs = 0
let totalQueries = 0
console.log('class             | p50 ms | p99 ms | PostgreSQL p50 ms | p99 ms')
for (const [name, inputs] of Object.entries(queries)) {
  for (const input of inputs.slice(0, 5))
    index.search({ kind: 'people', filters: personFilters(input, now), page: input.page })
  const times: number[] = []
  const theirs: number[] = []
  for (const input of inputs) {
    const start = performance.now()
    const found = index.search({ kind: 'people', filters: personFilters(input, now), page: input.page })
    times.push(performance.now() - start)
    if (!postgres) continue
    const startTheirs = performance.now()
    const expected = await postgres.search(input)
    if (expected === null) continue
    theirs.push(performance.now() - startTheirs)
    sameMs += times.at(-1)!
    if (JSON.stringify(expected) !== JSON.stringify(found)) mismatches += 1
  }
  totalMs += times.reduce((sum, time) => sum + time, 0)
  totalQueries += times.length
  theirMs += theirs.reduce((sum, time) => sum + time, 0)
  theirQueries += theirs.length
  console.log(
    `${name.padEnd(17)} | ${percentile(times, 0.5)} | ${percentile(times, 0.99)} | ${percentile(theirs, 0.5)} | ${percentile(theirs, 0.99)}`,
  )
}
console.log(
  `whole mix, one thread: ${Math.round((totalQueries / totalMs) * 1000)} queries/s; mismatches with PostgreSQL: ${postgres ? mismatches : 'not measured'}`,
)
if (postgres) {
  console.log(
    `PostgreSQL: ${Math.round((theirQueries / theirMs) * 1000)} queries/s on the ${theirQueries} searches that it can answer, the index ${(theirMs / sameMs).toFixed(0)} times as fast on the same ones`,
  )
}
await postgres?.close()
await embedded?.stop()
await rm(folder, { recursive: true })

function percentile(times: number[], share: number): string {
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
