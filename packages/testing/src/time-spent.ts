/** A preparation that a test waits for before it starts. */
export type Preparation = 'database' | 'server' | 'process' | 'browser' | 'console build'

const spentMs = new Map<Preparation, number>()

/** Runs the work and adds its time, in milliseconds, to the table of slow files at the end of a run. */
export async function prepared<T>(what: Preparation, work: () => Promise<T>): Promise<T> {
  const startedMs = performance.now()
  try {
    return await work()
  } finally {
    spentMs.set(what, (spentMs.get(what) ?? 0) + performance.now() - startedMs)
  }
}

/** Returns the time spent on each preparation since the last call, in milliseconds, and resets it to zero. */
export function takeTimeSpent(): Partial<Record<Preparation, number>> {
  const spent = Object.fromEntries(spentMs)
  spentMs.clear()
  return spent
}
