/** A job that waits to be taken by whoever has a place for it. */
export interface WaitingJob {
  accountId: string
  id: number
  runAt: Date
}

export interface JobPlaces {
  /** Those that are free. */
  limit: number
  /** Jobs that an account may have under way here, and how many it has. */
  perAccountMax: number
  underWay: ReadonlyMap<string, number>
}

/** Accounts that have no place left. */
export function fullAccounts({ perAccountMax, underWay }: JobPlaces): string[] {
  return [...underWay].filter(([, count]) => count >= perAccountMax).map(([accountId]) => accountId)
}

/** The oldest for which there are places, and of no account more than it has left. */
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
