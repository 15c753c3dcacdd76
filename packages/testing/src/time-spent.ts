/** What a test waits for before it can begin. */
export type Preparation = 'database' | 'server' | 'process' | 'browser' | 'console build'

const spentMs = new Map<Preparation, number>()

/** Does the work and counts its time, in milliseconds, for the table of slow files at the end of a run. */
export async function prepared<T>(what: Preparation, work: () => Promise<T>): Promise<T> {
  const startedMs = performance.now()
  try {
    return await work()
  } finally {
    spentMs.set(what, (spentMs.get(what) ?? 0) + performance.now() - startedMs)
  }
}

/** The time spent on each preparation since the last call, in milliseconds; counts from zero again. */
export function takeTimeSpent(): Partial<Record<Preparation, number>> {
  const spent = Object.fromEntries(spentMs)
  spentMs.clear()
  return spent
}
