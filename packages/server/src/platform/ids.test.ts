import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { crockfordDigits } from '@overture/ground/text/crockford.ts'
import { madeAtMs } from '@overture/ground/text/id-form.ts'
import { idFrom, newId } from './ids.ts'
import { createRequestIds } from './request-ids.ts'

const form = /^[a-z]{3}_[0-9a-hjkmnp-tv-z]{18}$/
const todayMs = Date.UTC(2026, 10, 24)
const year3084Ms = Date.UTC(3084, 0, 1)
const times = fc.integer({ min: todayMs, max: year3084Ms })
const drawn = (id: string) => id.slice('evt_'.length + 9)

/** Compares by code unit, which is the order of `collate "C"` for ASCII text. */
function expectRising(ids: readonly string[]): void {
  for (let at = 1; at < ids.length; at++) if (!(ids[at - 1]! < ids[at]!)) expect([at, ids[at - 1], ids[at]]).toEqual([])
}

describe('ids from a seed', () => {
  test('have the usual form, repeat per seed, and differ between seeds and kinds', () => {
    const seeds = Array.from({ length: 500 }, (_, at) => `cmp_1 7 ${at}`)
    const ids = seeds.flatMap((seed) => [idFrom('stp', seed), idFrom('brn', seed)])
    for (const id of ids) expect(id).toMatch(form)
    expect(new Set(ids.map((id) => id.slice(4))).size).toBe(ids.length)
    expect(seeds.flatMap((seed) => [idFrom('stp', seed), idFrom('brn', seed)])).toEqual(ids)
  })
})

describe('ids', () => {
  test('have the same form and a prefix', () => {
    for (const prefix of ['acc', 'evt', 'sam'] as const) {
      expect(newId(prefix)).toMatch(form)
      expect(newId(prefix).slice(0, 4)).toBe(`${prefix}_`)
    }
    fc.assert(fc.property(times, (atMs) => form.test(newId('cmp', atMs))))
  })

  test('of one process sort in the order of creation, also within a millisecond', () => {
    expectRising(Array.from({ length: 100_000 }, () => newId('evt')))
    fc.assert(
      fc.property(
        times,
        fc.array(fc.tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 1, max: 50 })), { maxLength: 20 }),
        (fromMs, turns) => {
          let atMs = fromMs
          expectRising(
            turns.flatMap(([laterMs, count]) => {
              atMs += laterMs
              return Array.from({ length: count }, () => newId('evt', atMs))
            }),
          )
        },
      ),
    )
  })

  test('of one millisecond increase without overflow', () => {
    for (let atMs = todayMs; atMs < todayMs + 5_000; atMs++) expect(drawn(newId('evt', atMs))[0]! < 'g').toBe(true)
    const ids = Array.from({ length: 300_000 }, () => newId('evt', todayMs))
    expectRising(ids)
    expect(new Set(ids.map(madeAtMs)).size).toBe(1)
  })

  test("of one millisecond don't reveal the next one", () => {
    const valueOf = (id: string) =>
      Array.from(drawn(id)).reduce((sum, digit) => sum * 32 + crockfordDigits.indexOf(digit), 0)
    const values = Array.from({ length: 2_000 }, () => valueOf(newId('msg', todayMs)))
    const steps = new Set(values.slice(1).map((value, at) => value - values[at]!))
    expect(steps.size).toBeGreaterThan(1_990)
  })

  test('contain their time of creation', () => {
    fc.assert(
      fc.property(times, (atMs) => {
        expect(madeAtMs(newId('aud', atMs))).toBe(atMs)
      }),
    )
  })
})

test('request ids of different processes differ, also within a millisecond', () => {
  vi.useFakeTimers({ now: todayMs })
  try {
    const counters = Array.from({ length: 100 }, createRequestIds)
    const ids = counters.flatMap((next) => [next(), next(), next()])
    expect(new Set(ids).size).toBe(ids.length)
    for (const id of ids) expect(id).toMatch(/^req_[0-9a-hjkmnp-tv-z]{24}$/)
  } finally {
    vi.useRealTimers()
  }
})
