import { expect, test } from 'vitest'
import { failureKind } from './provider-pace.ts'

const now = new Date('2027-02-01T08:00:00Z')
const openaiQuota = JSON.stringify({
  error: {
    message: 'You exceeded your current quota.',
    type: 'insufficient_quota',
    param: null,
    code: 'insufficient_quota',
  },
})
const googleBusy = JSON.stringify({
  error: {
    code: 429,
    status: 'RESOURCE_EXHAUSTED',
    details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34.5s' }],
  },
})
const anthropicBusy = JSON.stringify({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } })

/**
 * Failures as the providers document them: platform.openai.com/docs/guides/error-codes, docs.anthropic.com/en/api/errors and
 * rate-limits, ai.google.dev/gemini-api/docs/rate-limits, docs.mistral.ai/deployment/laplateforme/tier.
 */
test.each([
  ['OpenAI without money', 429, {}, openaiQuota, { kind: 'refused' }],
  [
    'OpenAI at its rate limit',
    429,
    { 'retry-after-ms': '1200', 'x-ratelimit-reset-requests': '1.2s' },
    '',
    { kind: 'busy', waitMs: 1200 },
  ],
  ['Anthropic at its rate limit', 429, { 'retry-after': '12' }, '', { kind: 'busy', waitMs: 12_000 }],
  ['Anthropic overloaded', 529, {}, anthropicBusy, { kind: 'busy', waitMs: 2_000 }],
  ['Google at its rate limit', 429, {}, googleBusy, { kind: 'busy', waitMs: 34_500 }],
  ['Mistral at its rate limit', 429, {}, '{"message":"Requests rate limit exceeded"}', { kind: 'busy', waitMs: 2_000 }],
  ['a gateway in front', 504, {}, '<html>', { kind: 'broken', waitMs: 500 }],
  ['a refused key', 401, {}, '', { kind: 'refused' }],
  ['no answer', null, {}, '', { kind: 'broken', waitMs: 500 }],
] as const)('%s is understood', (_, status, headers, body, expected) => {
  expect(failureKind({ status, headers, body }, now)).toEqual(expected)
})
