import type { Wait } from '@overture/contract/campaigns/campaigns.ts'

/** How long before it is due a follow-up is written. */
export const aheadMs = 24 * 3_600_000

const lookEveryMs = { min: 3_600_000, max: 12 * 3_600_000 }
const unitMs: Record<Wait['unit'], number> = {
  minutes: 60_000,
  hours: 3_600_000,
  days: 86_400_000,
  business_days: 86_400_000,
}

/** When to look again: often enough that half of the shortest wait is left for writing and for a person to look. */
export function nextLookMs(waits: readonly { waitValue: number; waitUnit: Wait['unit'] }[]): number {
  const shortest = Math.min(...waits.map((wait) => wait.waitValue * unitMs[wait.waitUnit]), Infinity)
  return Math.min(lookEveryMs.max, Math.max(lookEveryMs.min, shortest / 2))
}
