import { describe, expect, test } from 'vitest'
import * as models from './model-services.ts'
import { apollo, pdl, prospeo } from './people-services.ts'
import type { Service, ServiceRequest } from './service-request.ts'
import { StripeKeys, stripe } from './stripe-service.ts'
import { calComWebhook, calendlyWebhook, stripeWebhook } from './webhook-senders.ts'

interface Valid {
  service: Service
  method?: string
  path: string
  query?: Record<string, string>
  headers: Record<string, string>
  body?: object | string
}

const json = { 'content-type': 'application/json' }
const messages = [{ role: 'user', content: 'Hi' }]
const session = {
  mode: 'payment',
  success_url: 'https://example.com/ok',
  'line_items[0][quantity]': '1',
  'line_items[0][price_data][currency]': 'eur',
  'line_items[0][price_data][unit_amount]': '2900',
}

/** One request per service that it accepts, and the headers, fields and parameters that it needs. */
const requests: [string, Valid, readonly string[]][] = [
  [
    'OpenAI',
    {
      service: models.openai,
      path: '/v1/responses',
      headers: { ...json, authorization: 'Bearer key' },
      body: { model: 'm', input: 'Hi' },
    },
    ['authorization', 'content-type', 'model', 'input'],
  ],
  [
    'Mistral',
    {
      service: models.mistral,
      path: '/v1/chat/completions',
      headers: { ...json, authorization: 'Bearer key' },
      body: { model: 'm', messages },
    },
    ['authorization', 'content-type', 'model', 'messages'],
  ],
  [
    'Anthropic',
    {
      service: models.anthropic,
      path: '/v1/messages',
      headers: { ...json, 'x-api-key': 'key', 'anthropic-version': '2023-06-01' },
      body: { model: 'm', max_tokens: 9, messages },
    },
    ['x-api-key', 'anthropic-version', 'content-type', 'model', 'max_tokens', 'messages'],
  ],
  [
    'Google',
    {
      service: models.google,
      path: '/v1beta/models/m:generateContent',
      headers: { ...json, 'x-goog-api-key': 'key' },
      body: { contents: messages },
    },
    ['x-goog-api-key', 'content-type', 'contents'],
  ],
  [
    'Prospeo',
    {
      service: prospeo,
      path: '/search-person',
      headers: { ...json, 'x-key': 'key' },
      body: { filters: { person_job_title: {} } },
    },
    ['x-key', 'content-type', 'filters'],
  ],
  [
    'Prospeo, one person',
    {
      service: prospeo,
      path: '/enrich-person',
      headers: { ...json, 'x-key': 'key' },
      body: { data: { person_id: 'p' } },
    },
    ['x-key', 'data'],
  ],
  [
    'People Data Labs',
    {
      service: pdl,
      path: '/v5/person/search',
      headers: { ...json, 'x-api-key': 'key' },
      body: { query: {}, size: 25 },
    },
    ['x-api-key', 'content-type', 'query'],
  ],
  [
    'Apollo',
    { service: apollo, path: '/api/v1/mixed_people/api_search', headers: { 'x-api-key': 'key' } },
    ['x-api-key'],
  ],
  [
    'Apollo, one person',
    { service: apollo, path: '/api/v1/people/match', query: { id: 'p' }, headers: { 'x-api-key': 'key' } },
    ['x-api-key', 'id'],
  ],
  [
    'Apollo, a mobile',
    {
      service: apollo,
      path: '/api/v1/people/match',
      query: { id: 'p', reveal_phone_number: 'true', webhook_url: 'https://example.com/' },
      headers: { 'x-api-key': 'key' },
    },
    ['webhook_url'],
  ],
  [
    'Stripe',
    {
      service: stripe,
      path: '/v1/checkout/sessions',
      headers: { authorization: 'Bearer key', 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(session).toString(),
    },
    ['authorization', 'content-type', ...Object.keys(session)],
  ],
]

function requestOf(valid: Valid, without = ''): ServiceRequest {
  const kept = (values: object) => Object.fromEntries(Object.entries(values).filter(([name]) => name !== without))
  const form = typeof valid.body === 'string' ? new URLSearchParams(valid.body) : null
  form?.delete(without)
  return {
    method: valid.method ?? 'POST',
    path: valid.path,
    query: new URLSearchParams(kept(valid.query ?? {})),
    headers: kept(valid.headers),
    body: form?.toString() ?? JSON.stringify(kept((valid.body as object | undefined) ?? {})),
  }
}

describe('doubles of outside services', () => {
  test.each(requests)('%s: a complete request is accepted, with public sources', (_, valid) => {
    expect(valid.service.toRefusal(requestOf(valid), 'key')).toBeNull()
    expect(valid.service.sources.every((source) => source.startsWith('https://'))).toBe(true)
    expect(valid.service.sources.length).toBeGreaterThan(1)
  })

  test.each(requests.flatMap(([name, valid, needed]) => needed.map((missing) => [name, missing, valid] as const)))(
    '%s refuses a request without %s',
    (_, missing, valid) => {
      const refusal = valid.service.toRefusal(requestOf(valid, missing), 'key')
      expect(refusal?.status).toBeGreaterThanOrEqual(400)
      expect(refusal?.status).toBeLessThan(500)
      expect(refusal?.body).toBeTypeOf('object')
    },
  )

  test.each(requests)('%s refuses another key, another method and another path', (_, valid) => {
    const request = requestOf(valid)
    expect(valid.service.toRefusal(request, 'another')).not.toBeNull()
    expect(valid.service.toRefusal({ ...request, method: 'PUT' }, 'key')).not.toBeNull()
    expect(valid.service.toRefusal({ ...request, path: '/v0/nothing' }, 'key')).not.toBeNull()
  })

  test('a server of one’s own needs no key unless it was started with one', () => {
    const request = requestOf({ ...requests[1]![1], headers: json })
    expect(models.compatible.toRefusal(request, null)).toBeNull()
    expect(models.compatible.toRefusal(request, 'key')?.status).toBe(401)
  })

  test('Stripe replays an answer by its idempotency key, and refuses the key with other parameters', () => {
    const keys = new StripeKeys()
    let created = 0
    const create = () => ({ status: 200, body: { id: `cs_${(created += 1)}` } })
    const request = { ...requestOf(requests.at(-1)![1]), headers: { 'idempotency-key': 'k' } }
    const first = keys.answer(request, create)
    expect(keys.answer(request, create)).toEqual({ ...first, headers: { 'idempotent-replayed': 'true' } })
    expect(keys.answer({ ...request, body: 'mode=setup' }, create)).toMatchObject({
      status: 400,
      body: { error: { type: 'idempotency_error' } },
    })
    expect(created).toBe(1)
  })
})

describe('senders of webhooks', () => {
  const sentAt = new Date('2027-02-01T08:00:00Z')

  test('Stripe signs time and body, once per secret', () => {
    const { headers } = stripeWebhook({ id: 'evt_1' }, { secrets: ['a', 'b'], sentAt })
    expect(headers['stripe-signature']).toMatch(/^t=1801468800,v1=[0-9a-f]{64},v1=[0-9a-f]{64},v0=[0-9a-f]{64}$/)
  })

  test('Cal.com signs the body, or says that it has no secret', () => {
    expect(calComWebhook('PING', {}, { secret: 'a', sentAt }).headers['x-cal-signature-256']).toMatch(/^[0-9a-f]{64}$/)
    expect(calComWebhook('PING', {}, { secret: null, sentAt }).headers['x-cal-signature-256']).toBe(
      'no-secret-provided',
    )
  })

  test('Calendly signs time and body', () => {
    const { headers } = calendlyWebhook('invitee.created', {}, { secret: 'a', sentAt })
    expect(headers['calendly-webhook-signature']).toMatch(/^t=1801468800,v1=[0-9a-f]{64}$/)
  })
})
