import fc from 'fast-check'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { BusyItem } from '@overture/testing/threads/busy-items.thread.ts'
import { FairThreads, type Outcome } from './fair-threads.client.ts'

// Each test starts and ends hundreds of threads.
vi.setConfig({ testTimeout: 300_000 })

const boot = new URL(import.meta.resolve('@overture/testing/threads/busy-items.boot.mjs'))
const budget = { itemMs: 50, totalMs: 10_000 }
const opened: FairThreads<BusyItem, number>[] = []

function open(ended: string[] = []): FairThreads<BusyItem, number> {
  const threads = new FairThreads<BusyItem, number>({
    boot,
    heapMaxMb: 64,
    getKey: ({ does, value }) => `${does} ${value}`,
    onEnded: (owner) => ended.push(owner),
  })
  opened.push(threads)
  return threads
}

afterEach(async () => {
  for (const threads of opened.splice(0)) await threads.stop()
})

const answers = (count: number): BusyItem[] => Array.from({ length: count }, (_, value) => ({ does: 'answer', value }))
const spin = (value = 0): BusyItem => ({ does: 'spin', value })

/** Counts turns of this event loop until the work is done. */
async function beatsDuring(work: Promise<unknown>): Promise<number> {
  let beats = 0
  const beat = setInterval(() => beats++, 1)
  await work.finally(() => clearInterval(beat))
  return beats
}

describe('work of unknown cost', () => {
  test('has its results in the order of its items, over any number of slices', async () => {
    const outcomes = await open().run('one', answers(1_000), budget)
    expect(outcomes).toEqual(answers(1_000).map(({ value }) => ({ kind: 'answered', answer: value })))
    expect(await open().run('one', [], budget)).toEqual([])
  })

  test('never ends other work in the same thread: property over owners and items', async () => {
    const bad = fc.constantFrom<BusyItem['does'][]>('spin', 'allocate', 'throw', 'exit')
    const does = fc.oneof(
      { weight: 15, arbitrary: fc.constant<BusyItem['does']>('answer') },
      { weight: 1, arbitrary: bad },
    )
    const owners = fc.array(fc.array(does, { minLength: 1, maxLength: 12 }), { minLength: 2, maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(owners, async (lists) => {
        const threads = open()
        const items = lists.map((list, owner) =>
          list.map((what, at): BusyItem => ({ does: what, value: owner * 100 + at })),
        )
        const outcomes = await Promise.all(items.map((own, owner) => threads.run(`owner ${owner}`, own, budget)))
        for (const [owner, own] of items.entries()) {
          for (const [at, { does: what, value }] of own.entries()) {
            const outcome = outcomes[owner]?.[at] as Outcome<number>
            if (what === 'answer') expect(outcome).toEqual({ kind: 'answered', answer: value })
            else expect(outcome).toEqual({ kind: 'overran' })
          }
        }
        await threads.stop()
      }),
      { numRuns: 6 },
    )
  })

  test('leaves the event loop free, and reports the owner that ended a thread', async () => {
    const ended: string[] = []
    const work = open(ended).run('hostile', [spin()], budget)
    expect(await beatsDuring(work)).toBeGreaterThan(5)
    expect(await work).toEqual([{ kind: 'overran' }])
    expect(ended).toEqual(['hostile', 'hostile'])
  })

  test('of an owner that ended a thread delays no others', async () => {
    const threads = open()
    await threads.run('hostile', [spin()], budget)
    const endless = threads.run('hostile', [spin(1)], { itemMs: 600_000, totalMs: 600_000 })
    const isOver = endless.then(
      () => true,
      () => true,
    )
    for (let turn = 0; turn < 3; turn++)
      expect((await threads.run('other', answers(100), budget)).every(({ kind }) => kind === 'answered')).toBe(true)
    expect(await Promise.race([isOver, Promise.resolve(false)])).toBe(false)
    await threads.stop()
    await expect(endless).rejects.toThrow()
  })

  test('of an owner that ended a thread is postponed, and its other work continues', async () => {
    const threads = open()
    const first = await threads.run('one', [spin(), spin(), ...answers(3)], budget)
    expect(first.map(({ kind }) => kind)).toEqual(['overran', 'postponed', 'answered', 'answered', 'answered'])
    const second = await threads.run('one', [spin(), ...answers(2)], budget)
    expect(second.map(({ kind }) => kind)).toEqual(['postponed', 'answered', 'answered'])
  })

  test('is postponed after its own time', async () => {
    const outcomes = await open().run('one', answers(200), { itemMs: 50, totalMs: 0 })
    expect(outcomes.slice(0, 64).every(({ kind }) => kind === 'answered')).toBe(true)
    expect(outcomes.slice(64).every(({ kind }) => kind === 'postponed')).toBe(true)
  })
})
