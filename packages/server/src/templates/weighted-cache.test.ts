import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parsed, plain } from './dialect.ts'
import { WeightedCache } from './weighted-cache.ts'

test('a cache never exceeds its maximum weight, and keeps the last used entries', () => {
  const uses = fc.array(
    fc.tuple(fc.constantFrom('a', 'b', 'c', 'd', 'e'), fc.option(fc.integer({ min: 1, max: 120 }), { nil: null })),
  )
  fc.assert(
    fc.property(uses, (list) => {
      const cache = new WeightedCache<number>(100)
      const model: { key: string; weight: number }[] = []
      for (const [key, weight] of list) {
        const at = model.findIndex((entry) => entry.key === key)
        const [known] = at < 0 ? [] : model.splice(at, 1)
        if (weight === null) {
          expect(cache.get(key)).toBe(known?.weight)
          if (known !== undefined) model.push(known)
          continue
        }
        cache.set(key, weight, weight)
        if (weight <= 100) model.push({ key, weight })
        while (model.reduce((sum, entry) => sum + entry.weight, 0) > 100) model.shift()
        expect(cache.weight).toBe(model.reduce((sum, entry) => sum + entry.weight, 0))
      }
    }),
  )
})

test('parsed templates are cached by their cost, in at most 32 MiB', () => {
  for (let number = 0; number < 40; number++) parsed(plain, `${number}${'{{a}}'.repeat(3_900)}`)
  expect(plain.parsed.weight).toBeGreaterThan(16 * 1024 * 1024)
  expect(plain.parsed.weight).toBeLessThanOrEqual(32 * 1024 * 1024)
})
