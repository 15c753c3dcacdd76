import { Writable } from 'node:stream'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { pino } from 'pino'
import { type RunningProduct, startRunningServer } from '@overture/testing/server/running-server.ts'
import { traceFacts } from '@overture/server/platform/traces/traces.shell.ts'

// Each test runs a whole server.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 240_000 })

/** A word in every value that the client sends: no log line may contain it. */
const canary = 'canary7q'
const address = `${canary}@example.com`
/** The fields that a log line may have. */
const allowed = [
  'level',
  'time',
  'event',
  'method',
  'route',
  'operation',
  'status',
  'ms',
  'requestId',
  'accountId',
  'environment',
  'keyId',
  'userId',
  'traceId',
  'cut',
]

type Line = Record<string, unknown> & { event: string; requestId?: string }

let products: Record<'all' | 'failed' | 'off', RunningProduct>
const lines: Record<string, Line[]> = { all: [], failed: [], off: [] }

beforeAll(async () => {
  const start = async (requestLog: string) => {
    const keep = new Writable({
      write(chunk: Buffer, _encoding, done) {
        for (const line of String(chunk).trim().split('\n')) lines[requestLog]!.push(JSON.parse(line) as Line)
        done()
      },
    })
    const environment = { OVERTURE_REQUEST_LOG: requestLog, OVERTURE_ALLOW_PRIVATE_TARGETS: '1' }
    return startRunningServer(environment, pino({ level: 'debug', base: undefined, mixin: traceFacts }, keep))
  }
  products = { all: await start('all'), failed: await start('failed'), off: await start('off') }
})
afterAll(async () => {
  // The other servers are stopped by the test that counts their lines.
  await products.all.stop()
})

interface Asked {
  status: number
  requestId: string
}

async function ask(product: RunningProduct, path: string, init: RequestInit = {}): Promise<Asked> {
  const answer = await fetch(product.url + path, { redirect: 'manual', ...init })
  await answer.arrayBuffer()
  return { status: answer.status, requestId: answer.headers.get('x-request-id') ?? '' }
}

const json = { 'content-type': 'application/json' }

/** Requests of all kinds with the canary in every place that a client controls. */
function requestsOf({ keys }: RunningProduct): [string, RequestInit][] {
  const authorization = `Bearer ${keys.test}`
  const headers = {
    authorization,
    'user-agent': canary,
    referer: `https://${canary}.test/`,
    cookie: `s=${canary}`,
    'x-forwarded-for': '192.0.2.77',
  }
  return [
    [`/v2/leads?q=${canary}`, { headers: headers }],
    [`/v2/campaigns/cmp_${canary}`, { headers: headers }],
    [`/v2/${canary}`, { headers: headers }],
    [
      '/v2/suppressions',
      { method: 'POST', headers: { ...headers, ...json }, body: JSON.stringify({ emails: [address] }) },
    ],
    [
      '/v2/campaigns',
      { method: 'POST', headers: { ...headers, ...json, 'idempotency-key': canary }, body: `{"name": "${canary}"` },
    ],
    [
      '/v2/campaigns',
      { method: 'POST', headers: { ...headers, ...json }, body: JSON.stringify({ name: canary, [canary]: 1 }) },
    ],
    ['/v2/me', { headers: { authorization: `Bearer ovt_test_${canary}` } }],
    [`/u/${canary}`, {}],
    [
      `/u/${canary}`,
      { method: 'POST', body: `email=${address}`, headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    ],
    [`/o/${canary}`, {}],
    [`/c/${canary}?to=${canary}`, {}],
    [`/book/${canary}`, {}],
    [`/${canary}/${address}`, {}],
    ['/v2/sign-in', { method: 'POST', headers: json, body: JSON.stringify({ email: address, password: canary }) }],
  ]
}

test('each request has one line with route, status, time and caller, and no client input', async () => {
  const { all } = products
  const requests = requestsOf(all)
  const responses: Asked[] = []
  for (const [path, init] of requests) responses.push(await ask(all, path, init))
  expect(new Set(responses.map(({ status }) => status)).size).toBeGreaterThan(3)
  const linesOf = (id: string) =>
    lines['all']!.filter(({ event, requestId }) => event === 'http.request' && requestId === id)
  await vi.waitFor(() => expect(responses.every(({ requestId }) => linesOf(requestId).length > 0)).toBe(true), {
    timeout: 30_000,
  })
  for (const { requestId, status } of responses) {
    const [line, ...more] = linesOf(requestId)
    expect(more).toEqual([])
    expect(line).toMatchObject({
      level: 30,
      status,
      method: expect.stringMatching(/^(?:GET|POST)$/),
      ms: expect.any(Number),
    })
    expect(Object.keys(line!).filter((fact) => !allowed.includes(fact))).toEqual([])
  }
  const [leads] = linesOf(responses[0]!.requestId)
  expect(leads).toMatchObject({
    route: '/v2/leads',
    operation: 'listPeople',
    environment: 'test',
    accountId: expect.stringMatching(/^acc_/),
    keyId: expect.stringMatching(/^key_/),
  })
  expect(linesOf(responses[1]!.requestId)[0]).toMatchObject({ route: '/v2/campaigns/:id', status: 404 })
  // A request to an unknown route logs nothing of its path.
  expect(linesOf(responses[2]!.requestId)[0]).not.toHaveProperty('route')
  expect(linesOf(responses[6]!.requestId)[0]).not.toHaveProperty('keyId')
})

test("no log line contains client input, a client's address or a key", () => {
  const written = lines['all']!.map((line) => JSON.stringify(line)).join('\n')
  expect(written.length).toBeGreaterThan(2_000)
  const { test: testKey, live } = products.all.keys
  for (const word of [canary, '@example.com', '192.0.2.77', '127.0.0.1', testKey, live, 'Bearer'])
    expect([word, written.split('\n').filter((line) => line.includes(word) && line.includes('http.request'))]).toEqual([
      word,
      [],
    ])
  for (const word of [canary, testKey, live]) expect([word, written.includes(word)]).toEqual([word, false])
})

test("a refused request's line names its caller, and probes are logged at debug level", async () => {
  const { all } = products
  const made = await all.test('POST', '/v2/account/api-keys', { name: 'Reader', scopes: ['read'] })
  expect(made.status).toBe(201)
  const refused = await ask(all, '/v2/campaigns', {
    method: 'POST',
    headers: { ...json, authorization: `Bearer ${made.body.key}` },
    body: '{}',
  })
  expect(refused.status).toBe(403)
  const probe = await ask(all, '/readyz')
  await vi.waitFor(() => {
    const of = (id: string) => lines['all']!.find(({ requestId }) => requestId === id)
    expect(of(refused.requestId)).toMatchObject({ status: 403, keyId: made.body.id })
    expect(of(probe.requestId)).toMatchObject({ level: 20, route: '/readyz', status: 200 })
  })
})

test('the setting limits lines to failed requests, or turns them off', async () => {
  for (const name of ['failed', 'off'] as const) {
    const fine = await products[name].test('GET', '/v2/campaigns')
    const bad = await ask(products[name], '/v2/campaigns')
    expect([fine.status, bad.status]).toEqual([200, 401])
    // Stopping the server flushes the log, so all lines have arrived.
    await products[name].stop()
    const statuses = lines[name]!.filter(({ event }) => event === 'http.request').map(({ status }) => status)
    expect([name, statuses]).toEqual([name, name === 'failed' ? [401] : []])
  }
})
