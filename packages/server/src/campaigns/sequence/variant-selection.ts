import { pickByThompson } from './thompson.ts'

/** The delivered messages of a variant, and the leads whose first reply answered one of them. */
export interface Evidence {
  delivered: number
  replied: number
}

export interface SelectableVariant {
  id: string
  weight: number
  /** Null if the step selects by weights only. */
  evidence: Evidence | null
}

/** Until each variant of a step has this many delivered messages, replies say too little and the weights decide. */
export const deliveredBeforeRepliesDecide = 50
/** The number of simulated leads from which shares are computed. */
const sampledLeads = 1000

/**
 * Selects the variant for the lead of this seed by the replies so far. Returns undefined if the weights decide: the step is not
 * automatic, has only one variant to select from, or has too few deliveries.
 * A weight of 0 excludes a variant, as everywhere; any other weight is ignored. The same counts and seed select the same
 * variant.
 */
export function selectByReplies<Variant extends SelectableVariant>(
  variants: readonly Variant[],
  seed: string,
): Variant | undefined {
  const known = variants.flatMap((variant) =>
    variant.weight > 0 && variant.evidence !== null ? [{ variant, ...variant.evidence }] : [],
  )
  if (known.length < 2 || known.some(({ delivered }) => delivered < deliveredBeforeRepliesDecide)) return undefined
  const picked = pickByThompson(
    seed,
    known.map(({ variant, delivered, replied }) => ({ variantId: variant.id, delivered, replied })),
  )
  return known.find(({ variant }) => variant.id === picked)?.variant
}

/** The share of the next leads that each variant of a step gets, by id. The shares add up to 1 if anything can be sent. */
export function computeShares(variants: readonly SelectableVariant[], seed: string): Map<string, number> {
  if (selectByReplies(variants, seed) === undefined) {
    const total = variants.reduce((sum, { weight }) => sum + weight, 0)
    return new Map(variants.map(({ id, weight }) => [id, total === 0 ? 0 : weight / total]))
  }
  const picks = Array.from({ length: sampledLeads }, (_, lead) => selectByReplies(variants, `${seed} ${lead}`)?.id)
  return new Map(variants.map(({ id }) => [id, picks.filter((picked) => picked === id).length / sampledLeads]))
}
