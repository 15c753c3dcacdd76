import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { chooseByWeight, hash32, pick, seededIndex, seededRandom, unitInterval } from './seeded.ts'

const seeds = Array.from({ length: 4_000 }, (_, index) => `led_01m7zc1v28krhjs9d8j7${String(index).padStart(6, '0')}`)

describe('seeded random values', () => {
  test('are the same for the same seed, and within bounds', () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 1, max: 1_000 }), (seed, count) => {
        expect(hash32(seed)).toBe(hash32(seed))
        expect(seededIndex(seed, count)).toBeLessThan(count)
        expect(unitInterval(seed)).toBeLessThan(1)
        const [one, other] = [seededRandom(seed), seededRandom(seed)]
        for (let draw = 0; draw < 5; draw++) expect(one()).toBe(other())
      }),
    )
  })

  test('spread similar ids evenly', () => {
    for (const count of [2, 3, 7]) {
      const hits = Array.from({ length: count }, () => 0)
      for (const seed of seeds) hits[seededIndex(seed, count)]! += 1
      for (const hit of hits) expect(Math.abs(hit / seeds.length - 1 / count)).toBeLessThan(0.04)
    }
  })

  test('choose in proportion to weights', () => {
    const items = [
      { name: 'a', weight: 3 },
      { name: 'b', weight: 1 },
      { name: 'never', weight: 0 },
    ]
    const chosen = seeds.map((seed) => chooseByWeight(items, seed)?.name)
    expect(Math.abs(chosen.filter((name) => name === 'a').length / seeds.length - 0.75)).toBeLessThan(0.04)
    expect(chosen).not.toContain('never')
    expect(pick(['only'], 'x')).toBe('only')
  })
})
