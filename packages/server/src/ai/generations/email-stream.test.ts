import { request } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readBalance, creditSummary, setBalance } from '../../credits/index.ts'
import { type ModelDouble, startModelDouble } from '@overture/testing/model-double.server.ts'
import { startTestServer, type TestServer } from '@overture/testing/server.ts'
import { aiRoutes } from '../index.ts'

const modelId = 'openai-compatible/tiny'
const good = JSON.stringify({ body: 'Hi Ada, shall we talk about it this week?', subjects: ['A quick idea'] })
const bad = JSON.stringify({ body: 'Hi [First Name], shall we talk?', subjects: ['A quick idea'] })

let model: ModelDouble
let server: TestServer

beforeAll(async () => {
  model = await startModelDouble({ text: good })
  server = await startTestServer({
    environment: {
      OVERTURE_AI_BASE_URL: model.baseUrl,
      OVERTURE_AI_MODEL: 'tiny',
      OVERTURE_ALLOW_PRIVATE_TARGETS: '1',
      OVERTURE_AI_TIMEOUT_SECONDS: '2',
      OVERTURE_AI_CONCURRENCY: '3',
    },
    routes: () => aiRoutes({ findLeadFacts: () => Promise.resolve(undefined) }),
  })
})
afterAll(async () => {
  await server.stop()
  await model.stop()
})
beforeEach(() => model.reset())

const email = { modelId, prompt: 'Invite them to talk.', lead: { firstName: 'Ada' } }
const balance = () => readBalance(server.app.db, server.tenant)
const reserved = async () => {
  const { balance: whole, available } = await creditSummary(server.app.db, server.tenant)
  return whole - available
}

interface Event {
  event: string
  data: Record<string, unknown>
}

interface Options {
  headers?: Record<string, string>
  key?: string
}

const headersOf = (options: Options) => ({
  authorization: `Bearer ${options.key ?? server.keys.live}`,
  'content-type': 'application/json',
  accept: 'text/event-stream',
  ...options.headers,
})

async function open(body: unknown, options: Options = {}) {
  const init = { method: 'POST', headers: headersOf(options), body: JSON.stringify(body) }
  return fetch(`${server.url}/v2/ai/generate-email`, init)
}

/** A client with its own connection, which it can close at any time. Resolves with the first piece of the response. */
function openToLeave(body: unknown, options: Options = {}) {
  const made = request(`${server.url}/v2/ai/generate-email`, {
    method: 'POST',
    headers: headersOf(options),
    agent: false,
  })
  const first = new Promise<number>((resolve, reject) => {
    made.on('error', reject)
    made.on('response', (response) => {
      response.on('error', () => undefined)
      response.once('data', () => resolve(response.statusCode ?? 0))
    })
  })
  first.catch(() => undefined)
  made.end(JSON.stringify(body))
  return { first, leave: () => made.destroy() }
}

function eventsOf(text: string): Event[] {
  return text
    .split('\n\n')
    .filter((block) => block.startsWith('event: '))
    .map((block) => {
      const [name = '', data = ''] = block.split('\n')
      return { event: name.slice(7), data: JSON.parse(data.slice(6)) as Record<string, unknown> }
    })
}

const stream = async (body: unknown, options: Options = {}) => {
  const response = await open(body, options)
  return { response, events: eventsOf(await response.text()) }
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let look = 0; look < 500; look++) {
    if (await holds()) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  throw new Error('never came true')
}

describe('a streamed email', () => {
  test('comes in parts, ends with the JSON result, and is charged once', async () => {
    const before = await balance()
    const { response, events } = await stream(email)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(response.headers.get('x-request-id')).toMatch(/^req_/)
    expect(response.headers.get('x-ratelimit-limit')).not.toBeNull()
    const deltas = events.filter((one) => one.event === 'delta')
    expect(deltas.length).toBeGreaterThan(2)
    const body = deltas.filter((one) => one.data['field'] === 'body').map((one) => one.data['text'])
    expect(body.join('')).toBe('Hi Ada, shall we talk about it this week?')
    expect(events.at(-1)).toMatchObject({
      event: 'result',
      data: { body: 'Hi Ada, shall we talk about it this week?', subject: 'A quick idea', creditsCharged: 1 },
    })
    const plain = await server.call('POST', '/v2/ai/generate-email', { key: server.keys.live, body: email })
    expect(Object.keys(events.at(-1)?.data ?? {})).toEqual(Object.keys(plain.body))
    expect(events.at(-1)?.data).toMatchObject({ promptTokens: 10, completionTokens: 5, creditsRemaining: before - 1 })
    expect(await balance()).toBe(before - 2)
    expect(model.calls.map((call) => call.streamed)).toEqual([true, false])
  })

  test('is also available from the built-in drafter, for free', async () => {
    const { events } = await stream(
      { ...email, modelId: 'builtin/drafter', prompt: 'Write about a demo.' },
      { key: server.keys.test },
    )
    expect(events.map((one) => one.event)).toEqual(['delta', 'delta', 'result'])
    expect(events.at(-1)?.data).toMatchObject({ creditsCharged: 0 })
  })

  test('that fails its checks is restarted with an event', async () => {
    model.turns = [{ text: bad }]
    const { events } = await stream(email)
    const names = events.map((one) => one.event)
    expect(names.filter((name) => name === 'restart')).toHaveLength(1)
    const afterRestart = events.slice(names.indexOf('restart') + 1)
    expect(
      afterRestart.flatMap((one) => (one.data['field'] === 'body' ? [String(one.data['text'])] : [])).join(''),
    ).toBe('Hi Ada, shall we talk about it this week?')
    expect(names.at(-1)).toBe('result')
    expect(model.calls).toHaveLength(2)
  })

  test.each([
    ['text that fails its checks twice', { text: bad }],
    ['a connection that drops in the middle', { drop: true, text: good.slice(0, 40) }],
    ['a model that stops sending', { stall: 'after_some', text: good.slice(0, 40) }],
  ] as const)('%s ends with a standard error event and no charge', async (_name, turn) => {
    model.usual = turn
    const before = await balance()
    const { response, events } = await stream(email)
    expect(response.status).toBe(200)
    expect(events.at(-1)).toEqual({
      event: 'error',
      data: {
        error: {
          code: 'SERVICE_UNAVAILABLE',
          message: expect.any(String),
          request_id: response.headers.get('x-request-id'),
        },
      },
    })
    expect(await balance()).toBe(before)
    expect(await reserved()).toBe(0)
  })

  test.each([
    ['an unknown model', { ...email, modelId: 'no/model' }, 404],
    ['a body that is not valid', { ...email, subjectCount: 9 }, 400],
  ])('%s is refused like without a stream', async (_name, body, status) => {
    const response = await open(body)
    expect(response.status).toBe(status)
    expect(response.headers.get('content-type')).toContain('application/json')
    expect(await response.json()).toMatchObject({ error: { code: expect.any(String) } })
    expect(model.calls).toHaveLength(0)
  })

  test('without credits is 402, and with a failing provider 503, both as JSON', async () => {
    const before = await balance()
    await server.app.db.transaction((tx) => setBalance(tx, server.tenant, { balance: 0 }))
    expect((await stream(email)).response.status).toBe(402)
    await server.app.db.transaction((tx) => setBalance(tx, server.tenant, { balance: before }))
    model.usual = { status: 400 }
    const refused = await open(email)
    expect(refused.status).toBe(503)
    expect(await refused.json()).toMatchObject({ error: { code: 'SERVICE_UNAVAILABLE' } })
    expect(await balance()).toBe(before)
    expect(await reserved()).toBe(0)
  })

  test.each(['silent', 'after_some'] as const)(
    "a client that disconnects (model %s) ends the provider's call and pays nothing",
    async (stall) => {
      model.usual = { stall, text: good.slice(0, 40) }
      const before = await balance()
      const client = openToLeave(email)
      await until(() => model.calls.length === 1)
      if (stall === 'after_some') await client.first
      client.leave()
      await until(() => model.calls[0]?.abandoned === true)
      await until(async () => (await reserved()) === 0)
      expect(await balance()).toBe(before)
      expect(model.calls).toHaveLength(1)
    },
  )

  test('is charged once per Idempotency-Key, and replayed as its result', async () => {
    const headers = { 'idempotency-key': 'stream-1' }
    const before = await balance()
    const first = await stream(email, { headers })
    const again = await stream(email, { headers })
    expect(again.response.headers.get('idempotent-replayed')).toBe('true')
    expect(again.response.headers.get('content-type')).toContain('text/event-stream')
    expect(again.events).toEqual([first.events.at(-1)])
    const plain = await server.call('POST', '/v2/ai/generate-email', { key: server.keys.live, body: email, headers })
    expect(plain.status).toBe(201)
    expect(plain.body).toEqual(first.events.at(-1)?.data)
    expect(await balance()).toBe(before - 1)
    expect(model.calls).toHaveLength(1)
  })

  test('a client of the JSON response that disconnects also ends the call and pays nothing', async () => {
    model.usual = { stall: 'silent', text: good.slice(0, 40) }
    const before = await balance()
    const client = openToLeave(email, { headers: { accept: 'application/json' } })
    await until(() => model.calls.length === 1)
    client.leave()
    await until(() => model.calls[0]?.abandoned === true)
    await until(async () => (await reserved()) === 0)
    expect(await balance()).toBe(before)
    expect(model.calls).toHaveLength(1)
  })

  test("that failed or was left doesn't use up its Idempotency-Key", async () => {
    const headers = { 'idempotency-key': 'stream-2' }
    model.turns = [
      { drop: true, text: good.slice(0, 40) },
      { stall: 'after_some', text: good.slice(0, 40) },
    ]
    expect((await stream(email, { headers })).events.at(-1)?.event).toBe('error')
    let client = openToLeave(email, { headers })
    await until(async () => {
      if ((await client.first) !== 409) return true
      client = openToLeave(email, { headers })
      return false
    })
    expect((await stream(email, { headers })).response.status).toBe(409)
    client.leave()
    await until(async () => (await stream(email, { headers })).events.at(-1)?.event === 'result')
    expect(model.calls).toHaveLength(3)
  })
})
