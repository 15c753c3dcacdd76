import { describe, expect, test } from 'vitest'
import { decide, retryDelaysMs, type PostResult } from './retry.ts'

const now = new Date('2026-03-01T00:00:00Z')
const answered = (status: number, retryAfter: string | null = null): PostResult => ({
  kind: 'answered',
  status,
  retryAfter,
  excerpt: '',
  durationMs: 1,
})
const attempted = (attempts: number) => ({ deliveryId: 'dlv_1', attempts, now })

describe('retries', () => {
  test('follow the schedule, with at most a tenth of jitter, for about 76 hours', () => {
    const delays = retryDelaysMs.map((delayMs, index) => {
      const decision = decide(answered(500), attempted(index + 1))
      expect(decision.kind).toBe('retry')
      const given = decision.kind === 'retry' ? decision.delayMs : 0
      expect(given).toBeGreaterThanOrEqual(delayMs)
      expect(given).toBeLessThanOrEqual(delayMs * 1.1)
      return delayMs
    })
    expect(delays.map((delayMs) => delayMs / 1000)).toEqual([5, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400])
    expect(decide(answered(500), attempted(10))).toEqual({ kind: 'failed' })
  })

  test.each([
    [answered(200), 'succeeded'],
    [answered(204), 'succeeded'],
    [answered(301), 'retry'],
    [answered(400), 'retry'],
    [answered(410), 'gone'],
    [{ kind: 'failed', error: 'ECONNREFUSED', durationMs: 1 } as PostResult, 'retry'],
  ])('%o is %s', (result, kind) => {
    expect(decide(result, attempted(1)).kind).toBe(kind)
  })

  test('wait as Retry-After says, in both formats, at most a day', () => {
    expect(decide(answered(429, '120'), attempted(1))).toEqual({ kind: 'retry', delayMs: 120_000 })
    const waitMs = (header: string) => decide(answered(429, header), attempted(1))
    expect(waitMs('Sun, 01 Mar 2026 00:10:00 GMT')).toEqual({ kind: 'retry', delayMs: 600_000 })
    expect(waitMs('999999999')).toEqual({ kind: 'retry', delayMs: 86_400_000 })
    const own = decide(answered(429), attempted(1))
    expect(waitMs('soon')).toEqual(own)
    expect(waitMs('Sun, 01 Mar 2020 00:00:00 GMT')).toEqual(own)
  })
})
