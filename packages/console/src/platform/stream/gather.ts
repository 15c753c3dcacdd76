/** Stale data is read twice a second, however many events arrive. */
export const gatherMs = 500
/** Events that are committed together arrive together. The first event after a pause waits this long for the others. */
export const togetherMs = 30

export interface StaleAreas {
  /** Areas that are out of date and were not read again yet. */
  stale: ReadonlySet<string>
  /** When each area was last read again. */
  readAtMs: ReadonlyMap<string, number>
  /** The minimum time between two reads of a costly area. Other areas are read again each time events are gathered. */
  apartMs: Readonly<Record<string, number>>
}

/** The areas to read again now. The first change after a pause is shown at once, and the last one within the interval of its area. */
export function dueNow(gathered: StaleAreas, nowMs: number): string[] {
  return [...gathered.stale].filter((area) => dueAtMs(gathered, area) <= nowMs)
}

/** The time until an area is due, or null if none is out of date. */
export function dueInMs(gathered: StaleAreas, nowMs: number): number | null {
  const { stale } = gathered
  if (stale.size === 0) return null
  return Math.max(togetherMs, Math.min(...[...stale].map((area) => dueAtMs(gathered, area))) - nowMs)
}

function dueAtMs({ readAtMs, apartMs }: StaleAreas, area: string): number {
  const readMs = readAtMs.get(area)
  return readMs === undefined ? Number.NEGATIVE_INFINITY : readMs + (apartMs[area] ?? gatherMs)
}
