import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { eventSamples } from '@overture/contract/events/event-samples.ts'
import { sign, SignatureError, verify, webhookHandler } from './webhooks.ts'

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const other = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'
const event = {
  id: 'evt_1',
  type: 'reply.received',
  occurredAt: '2026-11-03T09:30:00.000Z',
  environment: 'live',
  data: { ...eventSamples['reply.received'], leadEmail: 'grüße@example.com' },
}
const body = JSON.stringify(event)
const nowMs = Date.parse('2026-11-03T09:30:05Z')
const now = () => nowMs

function signed(given = body, key = secret, id = 'evt_1') {
  const signature = new Webhook(key).sign(id, new Date(nowMs), given)
  return { 'webhook-id': id, 'webhook-timestamp': String(nowMs / 1000), 'webhook-signature': signature }
}

describe('a signed event is accepted', () => {
  test.each([
    ['as text, with headers of Node', body, signed()],
    ['as bytes, with headers of fetch', new TextEncoder().encode(body), new Headers(signed())],
  ])('%s', async (_name, given, headers) => expect(await verify(given, headers, secret, { now })).toEqual(event))

  test('during a secret rotation, with either secret', async () => {
    const both = { ...signed(), 'webhook-signature': `${signed()['webhook-signature']} v2,x v1,!!` }
    expect(await verify(body, both, [other, secret], { now })).toEqual(event)
    const two = `${signed(body, other)['webhook-signature']} ${signed()['webhook-signature']}`
    expect(await verify(body, { ...signed(), 'webhook-signature': two }, secret, { now })).toEqual(event)
  })

  test('and this client signs like the standard', async () => {
    const headers = await sign(body, { id: 'evt_1', secret, now })
    expect(headers).toEqual(signed())
  })
})

describe('anything else is refused', () => {
  test.each<[string, string, Record<string, string | undefined>, number?]>([
    ['another body', `${body} `, signed()],
    ['another id', body, { ...signed(), 'webhook-id': 'evt_2' }],
    ['another time', body, { ...signed(), 'webhook-timestamp': String(nowMs / 1000 + 1) }],
    ['another secret', body, signed(body, other)],
    ['no signature', body, { ...signed(), 'webhook-signature': undefined }],
    ['an invalid signature', body, { ...signed(), 'webhook-signature': 'v1,%%%' }],
    [
      'a signature of another version',
      body,
      { ...signed(), 'webhook-signature': signed()['webhook-signature'].replace('v1', 'v1a') },
    ],
    ['an invalid time', body, { ...signed(), 'webhook-timestamp': '1e9' }],
    ['what was recorded six minutes ago', body, signed(), nowMs + 360_000],
    ['what comes from the future', body, signed(), nowMs - 360_000],
  ])('%s', async (_name, given, headers, at = nowMs) => {
    await expect(verify(given, headers, secret, { now: () => at })).rejects.toThrow(SignatureError)
  })

  test('an invalid secret has its own error', async () => {
    await expect(verify(body, signed(), 'whsec_%%%', { now })).rejects.toThrow(/not a webhook secret/)
  })
})

describe('a webhook handler', () => {
  const post = (given: string, headers: Record<string, string>) =>
    new Request('https://hooks.example.com/', { method: 'POST', body: given, headers })

  test("calls the function of the event's type, else the one for *", async () => {
    const seen: string[] = []
    const handler = webhookHandler({
      secret,
      now,
      on: {
        'reply.received': ({ data }) => void seen.push(data.rule),
        '*': ({ type }) => void seen.push(type),
      },
    })
    const unknown = JSON.stringify({ ...event, type: 'lead.levitated' })
    const inherited = JSON.stringify({ ...event, type: 'toString' })
    for (const one of [body, unknown, inherited]) expect((await handler(post(one, signed(one)))).status).toBe(204)
    expect(seen).toEqual([event.data.rule, 'lead.levitated', 'toString'])
  })

  test('returns 400 for wrong signatures and bodies, 405 for other methods, 500 if it fails', async () => {
    const handler = webhookHandler({ secret, now, on: { 'reply.received': () => Promise.reject(new Error('full')) } })
    expect((await handler(post(body, signed(body, other)))).status).toBe(400)
    expect((await handler(post('no json', signed('no json')))).status).toBe(400)
    expect((await handler(new Request('https://hooks.example.com/'))).status).toBe(405)
    expect((await handler(post(body, signed()))).status).toBe(500)
    const silent = JSON.stringify({ ...event, type: 'lead.added' })
    expect((await handler(post(silent, signed(silent)))).status).toBe(204)
  })
})
