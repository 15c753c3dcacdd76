import fc from 'fast-check'
import { expect, test } from 'vitest'
import { forEachConcurrently } from './for-each-concurrently.ts'

test('runs each item once and in order, with at most the limit at the same time', async () => {
  const inputs = [fc.array(fc.nat(4), { maxLength: 30 }), fc.integer({ min: 1, max: 6 })] as const
  await fc.assert(
    fc.asyncProperty(...inputs, async (steps, limit) => {
      const begun: number[] = []
      let [running, most] = [0, 0]
      await forEachConcurrently(steps.entries(), limit, async ([at, count]) => {
        begun.push(at)
        most = Math.max(most, ++running)
        for (let step = 0; step < count; step++) await Promise.resolve()
        running--
      })
      expect(begun).toEqual(steps.map((_, at) => at))
      expect(most).toBeLessThanOrEqual(limit)
      expect(running).toBe(0)
    }),
  )
})

test('rejects with the first error', async () => {
  const failing = forEachConcurrently([1, 2, 3], 2, (item) => Promise.reject(new Error(`item ${item}`)))
  await expect(failing).rejects.toThrow('item 1')
})
