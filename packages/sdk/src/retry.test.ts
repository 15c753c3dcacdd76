import { describe, expect, test } from 'vitest'
import { delayBeforeRetry, type Outcome, type Tries } from './retry.ts'

const tries: Tries = { before: 0, retriesMax: 2, retryAfterMsMax: 60_000, repeatable: true }
const answer = (status: number, code: string | null = null, retryAfterSeconds: number | null = null): Outcome => ({
  kind: 'answer',
  status,
  code,
  retryAfterSeconds,
})

describe('outcomes that are retried', () => {
  test.each<[string, Outcome, Partial<Tries>, number | null]>([
    ['a lost connection', { kind: 'lost' }, {}, 500],
    ['no answer in time', { kind: 'timeout' }, {}, 500],
    ['500', answer(500, 'INTERNAL_ERROR'), {}, 500],
    ['502 of a proxy', answer(502), {}, 500],
    ['504 of a proxy', answer(504), {}, 500],
    ['a second failure, later', answer(500), { before: 1 }, 1_000],
    ['a sixth failure, no later than eight seconds', answer(500), { before: 6, retriesMax: 9 }, 8_000],
    ['the rate limit, exactly when it says', answer(429, 'RATE_LIMIT_EXCEEDED', 7), {}, 7_000],
    ['a second refusal, later', answer(429, 'RATE_LIMIT_EXCEEDED', 7), { before: 1 }, 14_000],
    ['a later refusal, within the longest wait', answer(429, 'RATE_LIMIT_EXCEEDED', 31), { before: 1 }, 60_000],
    ['a temporary conflict', answer(409, 'CONFLICT', 1), {}, 1_000],
    ['503, once', answer(503, 'SERVICE_UNAVAILABLE'), {}, 500],
  ])('%s', (_name, outcome, given, delayMs) =>
    expect(delayBeforeRetry(outcome, { ...tries, ...given }, 1)).toBe(delayMs),
  )
})

describe('outcomes that are not retried', () => {
  test.each<[string, Outcome, Partial<Tries>]>([
    ['503, a second time', answer(503, 'SERVICE_UNAVAILABLE'), { before: 1 }],
    ['a used up quota, whatever it says', answer(429, 'QUOTA_EXCEEDED', 1), {}],
    ['a rate limit without a wait', answer(429), {}],
    ['a rate limit that lasts too long', answer(429, 'RATE_LIMIT_EXCEEDED', 61), {}],
    ['a conflict', answer(409, 'CONFLICT'), {}],
    ['a refused body', answer(400, 'VALIDATION_ERROR'), {}],
    ['a missing resource', answer(404, 'NOT_FOUND'), {}],
    ['a used key', answer(422, 'IDEMPOTENCY_KEY_REUSED'), {}],
    ['missing credits', answer(402, 'INSUFFICIENT_CREDITS'), {}],
    ['a body that was read already', { kind: 'lost' }, { repeatable: false }],
    ['a try too many', { kind: 'lost' }, { before: 2 }],
    ['anything, where nothing shall be', { kind: 'lost' }, { retriesMax: 0 }],
  ])('%s', (_name, outcome, given) => expect(delayBeforeRetry(outcome, { ...tries, ...given }, 1)).toBeNull())
})

test('retry delays are spread out, and never zero', () => {
  const delays = [0, 0.25, 0.5, 0.75, 1].map((chance) => delayBeforeRetry({ kind: 'lost' }, tries, chance)!)
  expect(new Set(delays).size).toBe(5)
  expect(Math.min(...delays)).toBeGreaterThanOrEqual(250)
})

test('callers that refuse each other return at different times, and never earlier than the server said', () => {
  const again: Tries = { ...tries, before: 1 }
  const limited = answer(429, 'RATE_LIMIT_EXCEEDED', 1)
  const delays = [0, 0.25, 0.5, 0.75, 1].map((chance) => delayBeforeRetry(limited, again, chance)!)
  expect(delays).toEqual([1_000, 1_250, 1_500, 1_750, 2_000])
})
