import { dayMs } from '@overture/ground/time/spans.ts'
export interface BounceCounts {
  sent: number
  bounced: number
}

const mailboxSendsMin = 20
const mailboxWarnRate = 0.02
const mailboxPauseRate = 0.05
/** The number of a mailbox's last messages that the breaker considers. */
export const mailboxWindow = 100

/** Three soft bounces in 14 days suppress an address for 30 days. */
export const softBounces = { count: 3, withinMs: 14 * dayMs, suppressMs: 30 * dayMs } as const

/** The breaker per mailbox. Source: docs/delivery.md. */
export function mailboxVerdict({ sent, bounced }: BounceCounts): 'fine' | 'warn' | 'pause' {
  if (sent < mailboxSendsMin) return 'fine'
  const rate = bounced / sent
  return rate >= mailboxPauseRate ? 'pause' : rate >= mailboxWarnRate ? 'warn' : 'fine'
}

/** Whether a campaign's own bounce protection trips (docs/contract.md, "Campaigns"). */
export function campaignTrips(
  counts: BounceCounts,
  protection: { enabled: boolean; maxBounceRate: number; minSent: number },
): boolean {
  return (
    protection.enabled && counts.sent >= protection.minSent && counts.bounced / counts.sent > protection.maxBounceRate
  )
}
