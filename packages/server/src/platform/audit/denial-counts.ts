import { minuteMs } from '../../ground/time/spans.ts'

/** Of all callers together. The one that was refused longest ago is forgotten first. */
const keptMax = 10_000

export interface DenialCounts {
  /**
   * Counts one refusal. Returns null if there is an entry of this minute already, else how many refusals had none since
   * the last entry.
   */
  count(key: string, nowMs: number): number | null
}

/** A caller without rights could otherwise fill the audit log as fast as requests are admitted. */
export function createDenialCounts(): DenialCounts {
  const known = new Map<string, { atMs: number; unwritten: number }>()
  return {
    count(key, nowMs) {
      const last = known.get(key)
      if (last !== undefined && nowMs - last.atMs < minuteMs) {
        last.unwritten++
        return null
      }
      // Put behind the others: the map is in the order of the last entry.
      known.delete(key)
      known.set(key, { atMs: nowMs, unwritten: 0 })
      if (known.size > keptMax) known.delete(known.keys().next().value ?? '')
      return last?.unwritten ?? 0
    },
  }
}
