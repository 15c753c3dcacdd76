import { describe, expect, test } from 'vitest'
import { compareVariants, noCounts, computeStats, wilsonInterval } from './measures.ts'
import { pickByThompson } from '../campaigns/sequence/thompson.ts'

describe('measures', () => {
  test('delivered and rates follow from the counts, without division by zero', () => {
    const stats = computeStats({
      ...noCounts,
      sent: 210,
      bounced: 10,
      uniqueOpened: 50,
      uniqueReplied: 20,
      machineOpened: 99,
    })
    expect(stats.delivered).toBe(200)
    expect(stats.rates).toEqual({
      open: 0.25,
      click: 0,
      reply: 0.1,
      bounce: 0.047619,
      unsubscribe: 0,
      positiveReply: 0,
    })
    expect(Object.values(computeStats(noCounts).rates)).toEqual([0, 0, 0, 0, 0, 0])
  })

  test('wilsonInterval has the known values', () => {
    expect(wilsonInterval(10, 100)).toEqual({ low: expect.closeTo(0.0552, 3), high: expect.closeTo(0.1744, 3) })
    expect(wilsonInterval(0, 10)).toEqual({ low: 0, high: expect.closeTo(0.2775, 3) })
    expect(wilsonInterval(0, 0)).toBeNull()
  })

  test('compareVariants names a winner only with enough data', () => {
    const few = [
      { variantId: 'a', delivered: 99, replied: 40 },
      { variantId: 'b', delivered: 500, replied: 1 },
    ]
    expect(compareVariants(few)).toMatchObject({ verdict: 'not_enough_data', winnerVariantId: null })
    const close = [
      { variantId: 'a', delivered: 200, replied: 20 },
      { variantId: 'b', delivered: 200, replied: 24 },
    ]
    expect(compareVariants(close)).toMatchObject({ verdict: 'no_clear_difference', winnerVariantId: null })
    const clear = [
      { variantId: 'a', delivered: 400, replied: 20 },
      { variantId: 'b', delivered: 400, replied: 60 },
    ]
    expect(compareVariants(clear)).toMatchObject({ verdict: 'winner', winnerVariantId: 'b' })
  })
})

describe('Thompson sampling', () => {
  const arms = [
    { variantId: 'a', delivered: 300, replied: 9 },
    { variantId: 'b', delivered: 300, replied: 45 },
  ]

  test('picks the same variant for the same seed', () => {
    expect(pickByThompson('led_1 stp_1', arms)).toBe(pickByThompson('led_1 stp_1', arms))
    expect(pickByThompson('x', [])).toBeNull()
  })

  test('prefers variants with replies, and shares evenly without data', () => {
    const share = (of: typeof arms) =>
      Array.from({ length: 1000 }, (_, index) => pickByThompson(`led_${index}`, of)).filter((id) => id === 'b').length
    expect(share(arms)).toBeGreaterThan(980)
    const fresh = share(arms.map(({ variantId }) => ({ variantId, delivered: 0, replied: 0 })))
    expect(fresh).toBeGreaterThan(400)
    expect(fresh).toBeLessThan(600)
  })
})
