import { expect, test } from 'vitest'
import { buildBreakdown, type Names } from './breakdown.ts'
import { noCounts } from './measures.ts'

const none = { paths: [], tasks: [], reached: new Map(), waiting: new Map() }

function comparisonsOf(
  sent: Readonly<Record<string, number>>,
  variants: Readonly<Record<string, Partial<Names['variants'][number]>>>,
) {
  const names: Names = {
    steps: [],
    senders: [],
    variants: Object.entries(variants).map(([id, changes]) => ({
      id,
      stepId: 'stp_1',
      label: id,
      weight: 1,
      enabled: true,
      evidence: null,
      ...changes,
    })),
  }
  const lines = Object.entries(sent).map(([variantId, count]) => ({
    ...noCounts,
    sent: count,
    dimension: 'variant' as const,
    bucket: null,
    stepId: 'stp_1',
    variantId,
    sendingAccountId: null,
  }))
  return buildBreakdown(lines, [], names, none).comparisons
}

test('only variants that can still be sent are compared', () => {
  const sent = { a: 200, b: 150, off: 3, removed: 2 }
  const compared = [{ stepId: 'stp_1', verdict: 'no_clear_difference' }]
  expect(comparisonsOf(sent, { a: {}, b: {}, off: { enabled: false } })).toMatchObject(compared)
  expect(comparisonsOf(sent, { a: {}, b: {}, off: { weight: 0 } })).toMatchObject(compared)
  expect(comparisonsOf(sent, { a: {}, off: { enabled: false } })).toEqual([])
})

test('a step that chooses by replies says that it shifts messages', () => {
  const few = '1 of 2 variants has fewer than 100 delivered messages.'
  const detailOf = (delivered: number | null) => {
    const evidence = delivered === null ? null : { delivered, replied: 0 }
    return comparisonsOf({ a: 200, b: 60 }, { a: { evidence }, b: { evidence } })[0]?.detail
  }
  expect(detailOf(null)).toBe(few)
  // The weights decide until each variant was delivered 50 times.
  expect(detailOf(49)).toBe(few)
  expect(detailOf(50)).toBe(`${few} Meanwhile the step sends the variant with more replies more often.`)
})
