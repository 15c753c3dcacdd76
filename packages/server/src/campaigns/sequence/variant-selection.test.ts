import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  deliveredBeforeRepliesDecide as enough,
  selectByReplies,
  computeShares,
  type SelectableVariant,
} from './variant-selection.ts'

const evidence = (least: number) =>
  fc
    .record({ delivered: fc.integer({ min: least, max: 5000 }), part: fc.double({ min: 0, max: 1, noNaN: true }) })
    .map(({ delivered, part }) => ({ delivered, replied: Math.floor(delivered * part) }))
const variants = (least: number) =>
  fc
    .array(fc.record({ weight: fc.integer({ min: 1, max: 9 }), evidence: evidence(least) }), {
      minLength: 2,
      maxLength: 6,
    })
    .map((rows): SelectableVariant[] => rows.map((row, index) => ({ id: `var_${index}`, ...row })))

const shareOf = (all: readonly SelectableVariant[], id: string) => computeShares(all, 'stp_1').get(id)!

describe('choosing variants by replies', () => {
  test('picks the same existing variant for the same lead, step and counts', () => {
    fc.assert(
      fc.property(variants(enough), fc.string(), (all, seed) => {
        const picked = selectByReplies(all, seed)
        expect(all).toContain(picked)
        expect(selectByReplies(structuredClone(all), seed)?.id).toBe(picked!.id)
      }),
    )
  })

  test('uses the weights while any variant has too few deliveries', () => {
    const poor = fc.record({
      weight: fc.integer({ min: 1, max: 9 }),
      evidence: fc.integer({ min: 0, max: enough - 1 }).map((delivered) => ({ delivered, replied: delivered })),
    })
    fc.assert(
      fc.property(variants(enough), poor, fc.string(), (all, few, seed) => {
        const withNew = [...all, { id: 'new', ...few }]
        expect(selectByReplies(withNew, seed)).toBeUndefined()
        const total = withNew.reduce((sum, { weight }) => sum + weight, 0)
        expect(computeShares(withNew, seed)).toEqual(new Map(withNew.map(({ id, weight }) => [id, weight / total])))
      }),
    )
  })

  test('never picks a variant of weight 0, and skips steps without automatic selection', () => {
    fc.assert(
      fc.property(variants(enough), fc.string(), (all, seed) => {
        const out = { id: 'out', weight: 0, evidence: { delivered: 5000, replied: 5000 } }
        expect(selectByReplies([...all, out], seed)?.id).toBe(selectByReplies(all, seed)!.id)
        expect(
          selectByReplies(
            all.map((variant) => ({ ...variant, evidence: null })),
            seed,
          ),
        ).toBeUndefined()
      }),
    )
  })

  test("shares add up to 1, and more replies don't lower a variant's share", () => {
    fc.assert(
      fc.property(variants(enough), (all) => {
        const shares = computeShares(all, 'stp_1')
        expect([...shares.values()].reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 9)
        const [first, ...others] = all as [SelectableVariant, ...SelectableVariant[]]
        const { delivered } = first.evidence!
        const with_ = (replied: number) => [{ ...first, evidence: { delivered, replied } }, ...others]
        // With a thousand sampled leads, chance alone changes a share by less than a twentieth.
        expect(shareOf(with_(delivered), first.id)).toBeGreaterThanOrEqual(shareOf(with_(0), first.id) - 0.05)
      }),
      { numRuns: 30 },
    )
  })

  test('a variant with twice the replies gets nearly all leads; equal variants share', () => {
    const of = (replied: number, id: string) => ({ id, weight: 1, evidence: { delivered: 400, replied } })
    expect(shareOf([of(20, 'a'), of(40, 'b')], 'b')).toBeGreaterThan(0.95)
    expect(shareOf([of(30, 'a'), of(30, 'b')], 'b')).toBeGreaterThan(0.42)
    expect(shareOf([of(30, 'a'), of(30, 'b')], 'b')).toBeLessThan(0.58)
  })
})
