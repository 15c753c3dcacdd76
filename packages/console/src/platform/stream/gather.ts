/** Twice a second, however many events there are. */
export const gatherMs = 500
/** What is committed together comes together: the first after a rest waits for no more than that. */
export const togetherMs = 30

export interface StaleAreas {
  /** What is out of date and was not read anew yet. */
  stale: ReadonlySet<string>
  /** When each was read anew the last time. */
  readAtMs: ReadonlyMap<string, number>
  /** How far apart readings of what is costly are; all else is read anew as fast as events are gathered. */
  apartMs: Readonly<Record<string, number>>
}

/** What is read anew at this moment. The first change after a rest is seen at once, the last one never later than its pace. */
export function dueNow(gathered: StaleAreas, nowMs: number): string[] {
  return [...gathered.stale].filter((area) => dueAtMs(gathered, area) <= nowMs)
}

/** How long until something is due; null where nothing is out of date. */
export function dueInMs(gathered: StaleAreas, nowMs: number): number | null {
  const { stale } = gathered
  if (stale.size === 0) return null
  return Math.max(togetherMs, Math.min(...[...stale].map((area) => dueAtMs(gathered, area))) - nowMs)
}

function dueAtMs({ readAtMs, apartMs }: StaleAreas, area: string): number {
  const readMs = readAtMs.get(area)
  return readMs === undefined ? Number.NEGATIVE_INFINITY : readMs + (apartMs[area] ?? gatherMs)
}
