import { expect, test } from 'vitest'
import { buildBreakdown, type Names } from './breakdown.ts'
import { noCounts } from './measures.ts'

const evidence = { delivered: 0, replied: 0 }
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

test('variants that are switched off or removed are not compared, since they get no further messages', () => {
  const sent = { a: 200, b: 150, off: 3, removed: 2 }
  expect(comparisonsOf(sent, { a: {}, b: {}, off: { enabled: false } })).toMatchObject([
    { stepId: 'stp_1', verdict: 'no_clear_difference' },
  ])
  expect(comparisonsOf(sent, { a: {}, off: { enabled: false } })).toEqual([])
})

test('the verdict of a step that chooses by replies says that it shifts messages before the difference is certain', () => {
  const few = '1 of 2 variants has fewer than 100 delivered messages.'
  expect(comparisonsOf({ a: 200, b: 60 }, { a: {}, b: {} })[0]?.detail).toBe(few)
  expect(comparisonsOf({ a: 200, b: 60 }, { a: { evidence }, b: { evidence } })[0]?.detail).toBe(
    `${few} Meanwhile the step sends the variant with more replies more often.`,
  )
})
