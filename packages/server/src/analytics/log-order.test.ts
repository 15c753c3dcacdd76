import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isAfter, oldest } from './log-order.ts'

const place = fc.record({ txId: fc.bigInt({ min: 0n, max: 2n ** 63n }).map(String), position: fc.nat() })

test('positions have a total order, and the oldest is before all others', () => {
  fc.assert(
    fc.property(fc.array(place, { minLength: 1, maxLength: 8 }), (places) => {
      const least = oldest(places)
      expect(places).toContain(least)
      for (const one of places) expect(isAfter(least!, one)).toBe(false)
      expect(oldest([...places, null])).toBeNull()
    }),
  )
})

test('a transaction with more digits is later than one with fewer', () => {
  expect(isAfter({ txId: '1000', position: 1 }, { txId: '999', position: 2 })).toBe(true)
  expect(isAfter({ txId: '999', position: 2 }, null)).toBe(true)
})
