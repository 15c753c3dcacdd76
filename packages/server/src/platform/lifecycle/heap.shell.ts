import { performance } from 'node:perf_hooks'
import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { memoryBytes } from '../machine.shell.ts'

/** How far a heap may grow before the next full collection, in percent of the live data, for a small heap and a large one. */
const garbagePercent = { small: 30, large: 100 }
const largeBytes = 192 * 2 ** 20
/** The part of the machine's memory that garbage of a large heap may use. */
const garbagePart = 1 / 16
const lookEveryMs = 30_000
const afterStartMs = 10_000
/** The share of time that counts as idle; above it, the process has other work. */
const idleShareMax = 0.2

/**
 * Limits the growth of the heap. By default V8 lets it grow to about three times the live data before it collects: an import,
 * whose batches live just long enough to be promoted, had 250 MB of garbage besides 95 MB of data. The limit applies to every
 * thread, including running ones. Each collection scans the whole heap. So a heap that is large for a reason (thousands of open
 * mailboxes) may grow by up to 100 % if the machine has room.
 */
export function keepHeapSmall(): void {
  setGrowth(garbagePercent.small)
  let set = garbagePercent.small
  setInterval(() => {
    const percent = growthPercent(getHeapStatistics().used_heap_size, memoryBytes())
    if (percent !== set) setGrowth(percent)
    set = percent
  }, lookEveryMs).unref()
}

/** The allowed growth in percent of the live data, for a heap with so many bytes on a machine with so much memory. */
export function growthPercent(heapBytes: number, machineBytes: number): number {
  if (heapBytes < largeBytes) return garbagePercent.small
  const fitting = Math.floor((100 * machineBytes * garbagePart) / heapBytes)
  return Math.min(garbagePercent.large, Math.max(garbagePercent.small, fitting))
}

function setGrowth(percent: number): void {
  setFlagsFromString(`--heap-growing-percent=${percent}`)
}

/**
 * Frees about 40 MB that are garbage after a start. V8 only collects on allocation, and on Node 24 never in an idle process. It
 * runs once, ten seconds after the start, takes 60 ms, and is skipped in a busy process, which collects anyway.
 */
export function collectAfterStart(busyShare: () => number = busyShareFromNow()): void {
  setTimeout(() => {
    if (busyShare() <= idleShareMax) collectGarbage()
  }, afterStartMs).unref()
}

function busyShareFromNow(): () => number {
  const before = performance.eventLoopUtilization()
  return () => performance.eventLoopUtilization(before).utilization
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  setFlagsFromString('--no-expose-gc')
  collect()
}
