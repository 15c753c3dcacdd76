import type { AuditChange } from '@overture/contract/team/audit.ts'
import { minuteMs } from '@overture/ground/time/spans.ts'

/** The number of stored denials over all callers. The oldest one is forgotten first. */
const keptMax = 10_000

export interface DenialCounts {
  /**
   * Counts one refusal. Returns null if there is already an entry for this minute, else the number of refusals without an entry
   * since the last one.
   */
  count(key: string, nowMs: number): number | null
}

/** Says in an entry how many refusals before it have none. */
export function refusedBefore(count: number): AuditChange[] {
  return count === 0 ? [] : [{ path: 'refusedBefore', before: null, after: count }]
}

/** Limits the entries for refusals. Otherwise a caller without rights could fill the audit log as fast as requests are admitted. */
export function createDenialCounts(): DenialCounts {
  const known = new Map<string, { atMs: number; unwritten: number }>()
  return {
    count(key, nowMs) {
      const last = known.get(key)
      if (last !== undefined && nowMs - last.atMs < minuteMs) {
        last.unwritten++
        return null
      }
      // Moved to the end: the map is in the order of the last entry.
      known.delete(key)
      known.set(key, { atMs: nowMs, unwritten: 0 })
      if (known.size > keptMax) known.delete(known.keys().next().value ?? '')
      return last?.unwritten ?? 0
    },
  }
}
