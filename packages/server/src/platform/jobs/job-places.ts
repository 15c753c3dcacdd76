/** A job that waits until a worker has a place for it. */
export interface WaitingJob {
  accountId: string
  id: number
  runAt: Date
}

export interface JobPlaces {
  /** The number of free places. */
  limit: number
  /** The number of jobs that one account may run here, and the number that each runs now. */
  perAccountMax: number
  underWay: ReadonlyMap<string, number>
}

/** Accounts without a free place. */
export function fullAccounts({ perAccountMax, underWay }: JobPlaces): string[] {
  return [...underWay].filter(([, count]) => count >= perAccountMax).map(([accountId]) => accountId)
}

/** The oldest jobs for which there are places, per account at most as many as it has left. */
export function chooseJobs(
  waiting: readonly WaitingJob[],
  { limit, perAccountMax, underWay }: JobPlaces,
): WaitingJob[] {
  const counts = new Map(underWay)
  const chosen: WaitingJob[] = []
  for (const job of waiting.toSorted((a, b) => a.runAt.getTime() - b.runAt.getTime() || a.id - b.id)) {
    if (chosen.length >= limit) break
    const count = counts.get(job.accountId) ?? 0
    if (count >= perAccountMax) continue
    counts.set(job.accountId, count + 1)
    chosen.push(job)
  }
  return chosen
}
