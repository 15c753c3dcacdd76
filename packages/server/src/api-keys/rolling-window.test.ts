import fc from 'fast-check'
import { expect, test } from 'vitest'
import { retryAfterSeconds, RollingWindow, type Rates } from './rolling-window.ts'

/** Stores all requests. The ring must give the same results. */
class Oracle {
  readonly times: number[] = []

  hit(atMs: number, rates: Rates) {
    const minute = this.#count(atMs, 60_000)
    const second = this.#count(atMs, 1_000)
    this.times.push(atMs)
    const admitted = minute < rates.requestsPerMinute && second < rates.burstPerSecond
    return { admitted, remaining: admitted ? rates.requestsPerMinute - minute - 1 : 0 }
  }

  wouldPass(atMs: number, rates: Rates): boolean {
    return this.#count(atMs, 60_000) < rates.requestsPerMinute && this.#count(atMs, 1_000) < rates.burstPerSecond
  }

  #count(atMs: number, windowMs: number): number {
    return this.times.filter((time) => time > atMs - windowMs).length
  }
}

const gapMs = fc.oneof(
  fc.constantFrom(0, 1, 999, 1_000, 1_001, 59_999, 60_000, 60_001),
  fc.integer({ min: 0, max: 3_000 }),
  fc.integer({ min: 0, max: 90_000 }),
)
const rates = fc.record({
  requestsPerMinute: fc.integer({ min: 1, max: 30 }),
  burstPerSecond: fc.integer({ min: 1, max: 8 }),
})

test('agrees with a log of all requests, including refused ones and changed limits', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(gapMs, fc.option(rates)), { maxLength: 80 }), rates, (steps, first) => {
      const window = new RollingWindow()
      const oracle = new Oracle()
      let now = 1_700_000_000_000
      let current = first
      for (const [gap, change] of steps) {
        now += gap
        current = change ?? current
        const hit = window.hit(now, current)
        expect({ admitted: hit.admitted, remaining: hit.remaining }).toEqual(oracle.hit(now, current))
        if (hit.waitMs > 0) {
          const waitMs = retryAfterSeconds(hit.waitMs) * 1000
          expect(oracle.wouldPass(now + waitMs, current)).toBe(true)
          if (hit.waitMs > 1000) expect(oracle.wouldPass(now + waitMs - 1000, current)).toBe(false)
        }
      }
    }),
    { numRuns: 500 },
  )
})

test('many refused requests use limited memory and are counted correctly', () => {
  const window = new RollingWindow()
  const limits = { requestsPerMinute: 60, burstPerSecond: 10 }
  for (let index = 0; index < 100_000; index++) window.hit(1_000_000 + index, limits)
  const hit = window.hit(1_100_000, limits)
  expect(hit).toEqual({ admitted: false, remaining: 0, waitMs: 60_000 - 59 + 0 })
})

test("a clock that moves back doesn't open the window", () => {
  const window = new RollingWindow()
  const limits = { requestsPerMinute: 1, burstPerSecond: 1 }
  expect(window.hit(1_000_000, limits).admitted).toBe(true)
  expect(window.hit(500_000, limits).admitted).toBe(false)
})
