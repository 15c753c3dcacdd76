import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type AiServer, modelId, startAiServer } from '@overture/testing/server/ai-server.ts'
import { type OtlpDouble, type ReceivedSpan, startOtlpDouble } from '@overture/testing/server/otlp-double.server.ts'

// Each test runs a whole server and a collector.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

const patience = { timeout: 120_000, interval: 100 }
const caller = 'b7ad6b7169203331'
const answered = { text: JSON.stringify({ body: 'Should we talk?', subject: 'An idea', subjects: ['An idea'] }) }

let otlp: OtlpDouble
let ai: AiServer
let receiver: Server
let receiverUrl = ''
let receiverStatus = 204
beforeAll(async () => {
  otlp = await startOtlpDouble()
  ai = await startAiServer(answered, { OTEL_EXPORTER_OTLP_ENDPOINT: otlp.url })
  receiver = createServer((request, response) => {
    request.resume()
    response.writeHead(receiverStatus).end('not for a trace')
  })
  await new Promise<void>((listening) => receiver.listen(0, '127.0.0.1', listening))
  receiverUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hidden-path`
})
afterAll(async () => {
  await ai.stop()
  receiver.closeAllConnections()
  await new Promise((closed) => receiver.close(closed))
  await otlp.stop()
})

/** The model calls within one trace, which end before the request that caused them. */
async function asked(traceId: string): Promise<{ status: number; calls: ReceivedSpan[]; request: ReceivedSpan }> {
  const body = { modelId, prompt: 'Whisper to them.', kind: 'email', lead: { firstName: 'Zebedee' } }
  const headers = { traceparent: `00-${traceId}-${caller}-01` }
  const { status } = await ai.server.test('POST', '/v2/ai/generate-preview', body, headers)
  const inTrace = (name: string) => otlp.spans.filter((span) => span.traceId === traceId && span.name === name)
  await vi.waitFor(() => expect(inTrace('POST /v2/ai/generate-preview')).toHaveLength(1), patience)
  return { status, calls: inTrace('ai'), request: inTrace('POST /v2/ai/generate-preview')[0]! }
}

test('a model call is a child span of its request', async () => {
  const { status, calls, request } = await asked('a'.repeat(32))
  expect([status, calls.length]).toEqual([200, 1])
  expect(calls[0]).toMatchObject({
    parentSpanId: request.spanId,
    kind: 3,
    failed: false,
    attributes: { 'gen_ai.request.model': modelId, 'gen_ai.provider.name': 'compatible' },
  })
})

test.each([
  ['a retried call has one span per try', 'b', [{ status: 500 }], [true, false]],
  ['a refused call has a failed span', 'c', [{ status: 400 }], [true]],
] as const)('model calls: %s', async (_what, digit, turns, failed) => {
  ai.model.turns.push(...turns)
  const { calls } = await asked(digit.repeat(32))
  expect(calls.map((call) => call.failed)).toEqual(failed)
  for (const call of calls.filter((one) => one.failed)) expect(call.attributes['error.type']).toMatch(/^\w+$/)
})

/** The span of one webhook's first delivery. */
async function delivered(url: string): Promise<ReceivedSpan> {
  const made = await ai.server.test('POST', '/v2/webhooks', { url })
  expect(made.status).toBe(201)
  const { id } = made.body
  const steps = [{ variants: [{ subject: 'Hello', body: 'Hi.' }] }]
  const draft = await ai.server.test('POST', '/v2/campaigns', { name: 'For its event', steps })
  const leads = [{ email: 'zebedee@example.com' }]
  expect((await ai.server.test('POST', `/v2/campaigns/${draft.body.id}/leads`, { leads })).status).toBeLessThan(300)
  const own = () =>
    otlp.spans.find(({ name, attributes }) => name === 'webhook' && attributes['overture.webhook_id'] === id)
  await vi.waitFor(() => expect(own()).toBeDefined(), patience)
  return own()!
}

test.each([
  [204, false],
  [302, true],
  [410, true],
  [503, true],
])('a webhook response of %i has a span with failed: %s', async (status, failed) => {
  receiverStatus = status
  const span = await delivered(receiverUrl)
  expect(span).toMatchObject({
    kind: 3,
    failed,
    attributes: { 'overture.outcome': 'answered', 'http.response.status_code': status },
  })
  expect(span.attributes['error.type']).toBe(failed ? String(status) : undefined)
})

test('a delivery to an unreachable receiver has a failed span', async () => {
  const span = await delivered('http://127.0.0.1:9/hidden-path')
  expect(span).toMatchObject({ failed: true, attributes: { 'overture.outcome': 'failed', 'error.type': 'failed' } })
  expect(span.attributes).not.toHaveProperty('http.response.status_code')
})

test('these spans contain no texts, names or webhook URLs', () => {
  const all = otlp.requests.map(({ body }) => body).join('\n')
  for (const word of ['Whisper', 'Zebedee', 'Should we talk', 'hidden-path', 'not for a trace', '@', 'whsec_'])
    expect([word, all.includes(word)]).toEqual([word, false])
  expect(otlp.faults).toEqual([])
})
