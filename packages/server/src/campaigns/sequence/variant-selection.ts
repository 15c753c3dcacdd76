import { pickByThompson } from './thompson.ts'

/** Messages of a variant that were delivered, and leads whose first reply answered one of them. */
export interface Evidence {
  delivered: number
  replied: number
}

export interface SelectableVariant {
  id: string
  weight: number
  /** Null where the step chooses by weights alone. */
  evidence: Evidence | null
}

/** Before each variant of a step has been delivered so often, replies say too little and the weights decide. */
export const deliveredBeforeRepliesDecide = 50
/** Leads that a share is reckoned from. */
const sampledLeads = 1000

/**
 * The variant of one step whose turn it is for the lead of this seed, by what replies say; undefined where the weights
 * decide, because the step is not automatic, has one variant to choose from, or knows too little yet. A weight of 0
 * takes a variant out, as everywhere; above 0 it no longer matters. The same counts and seed give the same variant.
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

/** The part of the next leads that each variant of one step gets, by id; adds up to 1 where anything can be sent. */
export function sharesOf(variants: readonly SelectableVariant[], seed: string): Map<string, number> {
  if (selectByReplies(variants, seed) === undefined) {
    const total = variants.reduce((sum, { weight }) => sum + weight, 0)
    return new Map(variants.map(({ id, weight }) => [id, total === 0 ? 0 : weight / total]))
  }
  const picks = Array.from({ length: sampledLeads }, (_, lead) => selectByReplies(variants, `${seed} ${lead}`)?.id)
  return new Map(variants.map(({ id }) => [id, picks.filter((picked) => picked === id).length / sampledLeads]))
}
