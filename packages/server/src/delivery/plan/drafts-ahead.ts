import { dayMs, hourMs, minuteMs } from '@overture/ground/time/spans.ts'
import type { Wait } from '@overture/contract/campaigns/campaigns.ts'

/** How long before its due time a follow-up is written. */
export const aheadMs = dayMs

const lookEveryMs = { min: hourMs, max: 12 * hourMs }
const unitMs: Record<Wait['unit'], number> = {
  minutes: minuteMs,
  hours: hourMs,
  days: dayMs,
  business_days: dayMs,
}

/** When to check again: often enough that half of the shortest wait is left for writing and for a person's approval. */
export function nextLookMs(waits: readonly { waitValue: number; waitUnit: Wait['unit'] }[]): number {
  const shortest = Math.min(...waits.map((wait) => wait.waitValue * unitMs[wait.waitUnit]), Infinity)
  return Math.min(lookEveryMs.max, Math.max(lookEveryMs.min, shortest / 2))
}
