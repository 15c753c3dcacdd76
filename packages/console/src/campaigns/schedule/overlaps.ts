import type { ScheduleWindow, Weekday } from '@overture/sdk'

export interface Overlap {
  /** The positions of the two windows. */
  windows: readonly [number, number]
  day: Weekday
}

/** The first two windows that are open at the same time; null if there are none. */
export function firstOverlap(windows: readonly ScheduleWindow[]): Overlap | null {
  for (const [at, one] of windows.entries())
    for (const [before, other] of windows.slice(0, at).entries()) {
      const day = one.days.find((name) => other.days.includes(name))
      if (day !== undefined && one.from < other.to && other.from < one.to) return { windows: [before, at], day }
    }
  return null
}
