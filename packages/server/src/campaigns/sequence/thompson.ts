import { seededRandom } from '@overture/ground/chance/seeded.ts'

/** A variant's evidence: its delivered messages and the first replies to them. */
interface Arm {
  variantId: string
  delivered: number
  replied: number
}

/**
 * Picks a variant by Thompson sampling: one draw from each Beta(1 + replies, 1 + silence), the highest wins. The same seed, for
 * instance a lead and step, picks the same variant, so a preview matches the sent message. Returns null without arms.
 */
export function pickByThompson(seed: string, arms: readonly Arm[]): string | null {
  const random = seededRandom(seed)
  let best: { variantId: string; value: number } | null = null
  for (const arm of arms) {
    const silent = Math.max(0, arm.delivered - arm.replied)
    const value = beta(random, 1 + Math.min(arm.replied, arm.delivered), 1 + silent)
    if (!best || value > best.value) best = { variantId: arm.variantId, value }
  }
  return best?.variantId ?? null
}

function beta(random: () => number, a: number, b: number): number {
  const x = gamma(random, a)
  return x / (x + gamma(random, b))
}

// Marsaglia and Tsang's method, for shapes of at least 1.
function gamma(random: () => number, shape: number): number {
  const d = shape - 1 / 3
  const c = 1 / Math.sqrt(9 * d)
  for (;;) {
    const x = normal(random)
    const v = (1 + c * x) ** 3
    if (v > 0 && Math.log(1 - random()) < 0.5 * x * x + d - d * v + d * Math.log(v)) return d * v
  }
}

function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}
