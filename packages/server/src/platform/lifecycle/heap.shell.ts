import { performance } from 'node:perf_hooks'
import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { memoryBytes } from '../machine.shell.ts'

/** By how much of what is alive a small heap may grow before all of it is looked through again, and a large one. */
const garbagePercent = { small: 30, large: 100 }
const largeBytes = 192 * 2 ** 20
/** Of the machine's memory, what garbage of a large heap may take. */
const garbagePart = 1 / 16
const lookEveryMs = 30_000
const afterStartMs = 10_000
/** Of its time: more, and the process has other things to do. */
const idleShareMax = 0.2

/**
 * Left alone, V8 lets the heap grow to some three times of what is alive before it collects: an import, whose batches live just long
 * enough to be taken for lasting, held 250 MB of garbage beside 95 MB. Every thread keeps to it, those that run already too. A heap that
 * is large for a reason (thousands of open mailboxes) may grow by as much again where the machine has room: each look goes through
 * all of it.
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

/** Of what is alive, by how much a heap may grow that holds so many bytes, on a machine with so much memory. */
export function growthPercent(heapBytes: number, machineBytes: number): number {
  if (heapBytes < largeBytes) return garbagePercent.small
  const fitting = Math.floor((100 * machineBytes * garbagePart) / heapBytes)
  return Math.min(garbagePercent.large, Math.max(garbagePercent.small, fitting))
}

function setGrowth(percent: number): void {
  setFlagsFromString(`--heap-growing-percent=${percent}`)
}

/**
 * Gives back what a start leaves behind, some 40 MB: V8 looks for garbage when something is added to it, and on Node 24 never in a
 * process with nothing to do. Once, ten seconds on, for 60 ms, and only where little happens; else what is done there collects.
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
