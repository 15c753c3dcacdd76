import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import { collectAfterStart, growthPercent } from './heap.shell.ts'

afterEach(() => void vi.useRealTimers())

const leave = () => new WeakRef({ by: 'a start' })

/** Whether unreferenced objects are collected ten seconds after a start. */
async function isCollected(busyShare: number): Promise<boolean> {
  const left = leave()
  // A WeakRef keeps its object until the end of the current turn.
  await turn()
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  collectAfterStart(() => busyShare)
  vi.advanceTimersByTime(10_000)
  vi.useRealTimers()
  return left.deref() === undefined
}

test('the garbage of the start is collected once when the process is idle', async () => {
  expect(await isCollected(0.5)).toBe(false)
  expect(await isCollected(0.1)).toBe(true)
})

test('a small heap grows slowly, and a large one too on a small machine', () => {
  const [mebibyte, gibibyte] = [2 ** 20, 2 ** 30]
  const percents = [1, 2, 4, 16].map((of) => growthPercent(256 * mebibyte, of * gibibyte))
  expect(percents).toEqual([30, 50, 100, 100])
  expect(growthPercent(191 * mebibyte, 64 * gibibyte)).toBe(30)
})
