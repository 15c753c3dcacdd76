import { readFileSync, readlinkSync } from 'node:fs'
import { monotonicMs } from '../clock.ts'

/** By which the system counts the CPU time of the thread that asks; null where it has no such list (it is Linux that has). */
export function systemIdOfThread(): string | null {
  try {
    return readlinkSync('/proc/thread-self').split('/').at(-1) ?? null
  } catch {
    return null
  }
}

/** CPU time of a thread of this process; null where the system does not tell it. */
export function cpuMsOf(systemId: string | null): number | null {
  if (systemId === null) return null
  try {
    const nanoseconds = Number(readFileSync(`/proc/self/task/${systemId}/schedstat`, 'latin1').split(' ')[0])
    return Number.isFinite(nanoseconds) ? nanoseconds / 1e6 : null
  } catch {
    return null
  }
}

/** Measures what a thread does by its CPU time, which a busy machine does not lengthen, and else by the time that passes. */
export function createThreadTime(systemId: string | null): () => number {
  return () => cpuMsOf(systemId) ?? monotonicMs()
}
