import { performance } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** By how much of what is alive the heap may grow before all of it is looked through again. */
const garbagePercent = 30
const afterStartMs = 10_000
/** Of its time: more, and the process has other things to do. */
const idleShareMax = 0.2

/**
 * Left alone, V8 lets the heap grow to some three times of what is alive before it collects: an import, whose batches live just long
 * enough to be taken for lasting, held 250 MB of garbage beside 95 MB. Every thread keeps to it, those that run already too.
 */
export function keepHeapSmall(): void {
  setFlagsFromString(`--heap-growing-percent=${garbagePercent}`)
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
