import { describe, expect, test } from 'vitest'
import { createBatcher } from './batcher.shell.ts'

describe('batcher', () => {
  test('runs the items together that arrive during another run', async () => {
    const sizes: number[] = []
    const held: (() => void)[] = []
    const batcher = createBatcher<number, number>(
      async (items) => {
        sizes.push(items.length)
        await new Promise<void>((resolve) => held.push(resolve))
        return items.map((item) => item * 2)
      },
      { batchMax: 3 },
    )
    const results = Promise.all([1, 2, 3, 4, 5].map((item) => batcher.add(item)))
    for (let run = 0; run < 3; run++) {
      await until(() => held.length > run)
      held[run]?.()
    }
    expect(await results).toEqual([2, 4, 6, 8, 10])
    expect(sizes).toEqual([1, 3, 1])
  })

  test('waits for the announced items and runs with the last of them', async () => {
    let coming = 3
    const sizes: number[] = []
    const batcher = createBatcher<number, number>(
      async (items) => {
        sizes.push(items.length)
        return items
      },
      { batchMax: 10, coming: () => coming, gatherMs: 60_000 },
    )
    const results = [1, 2, 3].map((item) => {
      coming--
      return batcher.add(item)
    })
    expect(await Promise.all(results)).toEqual([1, 2, 3])
    expect(sizes).toEqual([3])
  })

  test("runs after gatherMs without announced items that don't arrive", async () => {
    const batcher = createBatcher<number, number>(async (items) => items, {
      batchMax: 10,
      coming: () => 1,
      gatherMs: 1,
    })
    expect(await batcher.add(7)).toBe(7)
  })

  test("a failed batch doesn't affect the next one", async () => {
    let runs = 0
    const batcher = createBatcher<number, number>(
      async (items) => {
        if (runs++ === 0) throw new Error('The first run fails.')
        return items
      },
      { batchMax: 1 },
    )
    const [first, second] = await Promise.allSettled([batcher.add(1), batcher.add(2)])
    expect(first.status).toBe('rejected')
    expect(second).toEqual({ status: 'fulfilled', value: 2 })
  })
})

async function until(condition: () => boolean): Promise<void> {
  for (let turn = 0; turn < 1_000 && !condition(); turn++) await Promise.resolve()
  if (!condition()) throw new Error('It never came.')
}
