import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Rotation } from './rotation.ts'
import { SlowOwners } from './slow-owners.ts'

describe('rotation', () => {
  test('gives every waiting owner a turn between two turns of one owner', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 60 }), (owners) => {
        const rotation = new Rotation<{ owner: string; number: number }>()
        for (const [number, owner] of owners.entries()) rotation.add({ owner, number })
        const left = new Map<string, number>()
        for (const owner of owners) left.set(owner, (left.get(owner) ?? 0) + 1)
        let since = new Set<string>()
        let before: string | null = null
        for (let job = rotation.next(); job !== undefined; job = rotation.next()) {
          if (job.owner === before)
            expect([...left].filter(([other, count]) => other !== before && count > 0)).toEqual([])
          if (since.has(job.owner)) {
            for (const [other, count] of left) if (count > 0) expect(since.has(other)).toBe(true)
            since = new Set()
          }
          since.add(job.owner)
          before = job.owner
          left.set(job.owner, (left.get(job.owner) ?? 0) - 1)
        }
        expect([...left.values()].every((count) => count === 0)).toBe(true)
      }),
    )
  })

  test("keeps the order of one owner's jobs", () => {
    const rotation = new Rotation<{ owner: string; number: number }>()
    for (let number = 0; number < 5; number++) rotation.add({ owner: 'a', number })
    expect(Array.from({ length: 6 }, () => rotation.next()?.number)).toEqual([0, 1, 2, 3, 4, undefined])
  })
})

describe('a slow owner', () => {
  const minuteMs = 60_000

  test('is slow for some minutes only', () => {
    const slow = new SlowOwners()
    expect(slow.isSlow('a', 0)).toBe(false)
    slow.mark('a', 0)
    expect([slow.isSlow('a', 1), slow.isSlow('b', 1), slow.isSlow('a', 5 * minuteMs)]).toEqual([true, false, false])
  })

  test('has the item that ended a thread rest for a minute, or all items after many', () => {
    const slow = new SlowOwners()
    slow.rest('a', 'key', 0)
    expect([slow.rests('a', 'key', 1), slow.rests('a', 'other', 1), slow.rests('b', 'key', 1)]).toEqual([
      true,
      false,
      false,
    ])
    expect(slow.rests('a', 'key', minuteMs)).toBe(false)
    for (let key = 0; key < 20; key++) slow.rest('a', `key ${key}`, 0)
    expect([slow.rests('a', 'other', 1), slow.rests('b', 'other', 1)]).toEqual([true, false])
    expect(slow.rests('a', 'other', minuteMs)).toBe(false)
  })

  test('is forgotten after many others, so memory is limited', () => {
    const slow = new SlowOwners()
    for (let owner = 0; owner < 30_000; owner++) slow.mark(`owner ${owner}`, owner)
    expect(slow.size).toBeLessThanOrEqual(10_000)
  })
})
