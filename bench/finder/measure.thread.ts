import { parentPort, workerData } from 'node:worker_threads'
import type { SegmentData } from '@overture/people-index/records/columns.ts'
import { LeadIndex, type SearchAnswer } from '@overture/people-index/lead-index.ts'
import type { LuceneSearch } from './lucene.ts'

/** The number of runs of a class. The fastest time of each search counts, so that waiting for a core isn't counted. */
const rounds = 3
const warmUps = 2

export interface Measured {
  found: SearchAnswer[]
  classes: Map<string, number[]>
  rate: number
  cpuMs: number
  indexMs: number
  memoryBytes: number
}

export interface MeasureTask {
  segment: SegmentData
  searches: readonly LuceneSearch[]
}

/**
 * Runs in its own thread, as the product searches. In the main thread, garbage collection of the bench's millions of objects would
 * count as search time.
 */
const { segment, searches } = workerData as MeasureTask
const begun = performance.now()
const index = new LeadIndex(segment)
const indexMs = performance.now() - begun
parentPort!.postMessage({ ...measure(index, searches), indexMs, memoryBytes: index.memoryBytes } satisfies Measured)

function measure(index: LeadIndex, list: readonly LuceneSearch[]): Omit<Measured, 'indexMs' | 'memoryBytes'> {
  const search = ({ filters, page }: LuceneSearch) => index.search({ kind: 'people', filters, page })
  for (let round = 0; round < warmUps; round++) list.forEach(search)
  const best = list.map(() => Infinity)
  const cpu = process.cpuUsage()
  const begun = performance.now()
  for (let round = 0; round < rounds; round++) {
    list.forEach((each, position) => {
      const start = performance.now()
      search(each)
      best[position] = Math.min(best[position]!, performance.now() - start)
    })
  }
  const wallMs = performance.now() - begun
  const { user, system } = process.cpuUsage(cpu)
  const classes = new Map<string, number[]>()
  list.forEach(({ name }, position) => {
    const times = classes.get(name) ?? []
    classes.set(name, [...times, best[position]!])
  })
  const runs = rounds * list.length
  return { found: list.map(search), classes, rate: (runs / wallMs) * 1000, cpuMs: (user + system) / 1000 / runs }
}
