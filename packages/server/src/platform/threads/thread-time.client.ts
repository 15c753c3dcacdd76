import { readFileSync, readlinkSync } from 'node:fs'
import { monotonicMs } from '../clock.ts'

/** The id under which the system counts the CPU time of the calling thread; null if the system has no such list (only Linux has). */
export function systemIdOfThread(): string | null {
  try {
    return readlinkSync('/proc/thread-self').split('/').at(-1) ?? null
  } catch {
    return null
  }
}

/** The CPU time of a thread of this process; null if the system does not report it. */
export function readThreadCpuMs(systemId: string | null): number | null {
  if (systemId === null) return null
  try {
    const nanoseconds = Number(readFileSync(`/proc/self/task/${systemId}/schedstat`, 'latin1').split(' ')[0])
    return Number.isFinite(nanoseconds) ? nanoseconds / 1e6 : null
  } catch {
    return null
  }
}

/** Measures the work of a thread by its CPU time, which a busy machine does not extend. Falls back to elapsed time. */
export function createThreadTime(systemId: string | null): () => number {
  return () => readThreadCpuMs(systemId) ?? monotonicMs()
}
