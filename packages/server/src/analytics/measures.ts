import type { Analytics, Stats } from '@overture/contract/analytics/analytics.ts'

/** The sums of the log. `delivered` and the rates are derived from them. */
export interface Counts {
  leads: number
  contacted: number
  sent: number
  opened: number
  uniqueOpened: number
  machineOpened: number
  clicked: number
  uniqueClicked: number
  machineClicked: number
  replied: number
  uniqueReplied: number
  autoReplied: number
  bounced: number
  verifiedBounced: number
  unsubscribed: number
  interested: number
  meetingsBooked: number
  handedOver: number
  failed: number
  uncertain: number
  returned: number
}

export const noCounts: Counts = {
  leads: 0,
  contacted: 0,
  sent: 0,
  opened: 0,
  uniqueOpened: 0,
  machineOpened: 0,
  clicked: 0,
  uniqueClicked: 0,
  machineClicked: 0,
  replied: 0,
  uniqueReplied: 0,
  autoReplied: 0,
  bounced: 0,
  verifiedBounced: 0,
  unsubscribed: 0,
  interested: 0,
  meetingsBooked: 0,
  handedOver: 0,
  failed: 0,
  uncertain: 0,
  returned: 0,
}

export function addCounts(a: Counts, b: Counts): Counts {
  const sums = Object.keys(noCounts).map((name) => [name, a[name as keyof Counts] + b[name as keyof Counts]])
  return Object.fromEntries(sums) as unknown as Counts
}

/** The number of delivered messages that a variant needs before it is compared. */
const deliveredMin = 100
/** The two-sided 95 % quantile of the normal distribution. */
const z95 = 1.959964

/**
 * Adds derived values to the counts: delivered = sent − bounced − returned, and unique/delivered rates. Source: docs/contract.md,
 * "Statistics".
 */
export function computeStats(counts: Counts, notSent: Record<string, number> = {}): Stats {
  const delivered = Math.max(0, counts.sent - counts.bounced - counts.returned)
  return {
    leads: counts.leads,
    contacted: counts.contacted,
    sent: counts.sent,
    delivered,
    opened: counts.opened,
    uniqueOpened: counts.uniqueOpened,
    machineOpened: counts.machineOpened,
    clicked: counts.clicked,
    uniqueClicked: counts.uniqueClicked,
    machineClicked: counts.machineClicked,
    replied: counts.replied,
    uniqueReplied: counts.uniqueReplied,
    autoReplied: counts.autoReplied,
    bounced: counts.bounced,
    verifiedBounced: counts.verifiedBounced,
    unsubscribed: counts.unsubscribed,
    interested: counts.interested,
    meetingsBooked: counts.meetingsBooked,
    handedOver: counts.handedOver,
    failed: counts.failed,
    uncertain: counts.uncertain,
    returned: counts.returned,
    notSent,
    rates: {
      open: ratio(counts.uniqueOpened, delivered),
      click: ratio(counts.uniqueClicked, delivered),
      reply: ratio(counts.uniqueReplied, delivered),
      bounce: ratio(counts.bounced, counts.sent),
      unsubscribe: ratio(counts.unsubscribed, delivered),
      positiveReply: ratio(counts.interested, delivered),
    },
  }
}

/** Wilson's 95 % interval of a share. Null if there are no trials. */
export function wilsonInterval(successes: number, trials: number): { low: number; high: number } | null {
  if (trials <= 0) return null
  const share = Math.min(1, successes / trials)
  const spread = z95 * z95
  const center = (share + spread / (2 * trials)) / (1 + spread / trials)
  const half =
    (z95 * Math.sqrt((share * (1 - share)) / trials + spread / (4 * trials * trials))) / (1 + spread / trials)
  return { low: round(Math.max(0, center - half)), high: round(Math.min(1, center + half)) }
}

interface VariantCounts {
  variantId: string
  delivered: number
  replied: number
}

type Comparison = Omit<Analytics['comparisons'][number], 'stepId'>

/**
 * Compares the reply counts of a step's variants. There is a winner only if its rate differs from every other one by a
 * two-proportion test, with the threshold divided by the number of comparisons (Bonferroni).
 */
export function compareVariants(variants: readonly VariantCounts[]): Comparison {
  const few = variants.filter((variant) => variant.delivered < deliveredMin)
  if (few.length > 0) {
    const have = few.length === 1 ? 'has' : 'have'
    const detail = `${few.length} of ${variants.length} variants ${have} fewer than ${deliveredMin} delivered messages.`
    return { verdict: 'not_enough_data', winnerVariantId: null, detail }
  }
  const [best, ...others] = variants.toSorted((a, b) => share(b) - share(a))
  if (!best || others.length === 0) {
    return { verdict: 'not_enough_data', winnerVariantId: null, detail: 'There is only one variant.' }
  }
  const limit = zLimit(others.length)
  if (others.every((other) => zScore(best, other) > limit)) {
    const nextBest = percent(share(others[0]!))
    const detail = `${percent(share(best))} replies, against ${nextBest} for the next best. The difference is significant at 95 %.`
    return { verdict: 'winner', winnerVariantId: best.variantId, detail }
  }
  return { verdict: 'no_clear_difference', winnerVariantId: null, detail: 'The difference is not significant at 95 %.' }
}

function zScore(a: VariantCounts, b: VariantCounts): number {
  const pooled = (a.replied + b.replied) / (a.delivered + b.delivered)
  const error = Math.sqrt(pooled * (1 - pooled) * (1 / a.delivered + 1 / b.delivered))
  return error === 0 ? 0 : (share(a) - share(b)) / error
}

// Two-sided 5 % divided by 1 to 9 comparisons. More than ten variants use the last limit.
const zLimits = [1.96, 2.241, 2.394, 2.498, 2.576, 2.638, 2.69, 2.734, 2.773]
function zLimit(comparisons: number): number {
  return zLimits[Math.min(comparisons, zLimits.length) - 1]!
}

function share(variant: VariantCounts): number {
  return variant.replied / variant.delivered
}

function percent(value: number): string {
  return `${(value * 100).toFixed(1)} %`
}

function ratio(numerator: number, denominator: number): number {
  return denominator === 0 ? 0 : round(numerator / denominator)
}

function round(value: number): number {
  return Math.round(value * 1e6) / 1e6
}
