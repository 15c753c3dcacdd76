import { fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { builtProgram } from '@overture/testing/programs/program.ts'
import { z } from 'zod'
import { namedObject } from '@overture/contract/common.ts'
import { endpoint } from '@overture/contract/endpoint.ts'
import { AppError, invalid } from '@overture/contract/errors.ts'
import { createAdmission } from '../../api-keys/index.ts'
import { createCall, startTestServer, type TestServer } from '@overture/testing/server.ts'
import { command, phased, query } from './route.ts'
import { version } from '../version.ts'
import { createHttpServer } from './server.shell.ts'

const output = namedObject('Thing', { ok: z.boolean(), seen: z.unknown().optional(), secret: z.string().optional() })
const base = { tag: 'Things', summary: 'Thing', scope: 'write', success: [200, 202], output } as const
const item = z.strictObject({ email: z.string().max(20), tags: z.array(z.string()).optional() })
const getThing = endpoint({
  ...base,
  operationId: 'getThing',
  call: 'things.getThing',
  method: 'GET',
  path: '/v2/things/:id',
  environment: 'both',
  scope: 'read',
})
const listThings = endpoint({
  ...base,
  operationId: 'listThings',
  call: 'things.listThings',
  method: 'GET',
  path: '/v2/things',
  environment: 'both',
  scope: 'read',
  query: z.strictObject({ limit: z.coerce.number().int().max(100).optional() }),
})
const addThings = endpoint({
  ...base,
  operationId: 'addThings',
  call: 'things.addThings',
  method: 'POST',
  path: '/v2/things',
  environment: 'both',
  body: namedObject('AddThingsInput', {
    name: z.string(),
    items: z.array(item).optional(),
    custom: z.record(z.string(), z.string()).optional(),
    fail: z.string().optional(),
  }),
  secretFields: ['secret'],
})
const slowThing = endpoint({
  ...base,
  operationId: 'slowThing',
  call: 'things.slowThing',
  deprecated: { since: '2027-01-31', sunset: '2028-01-31', use: 'things.addThings' },
  method: 'POST',
  path: '/v2/things/:id/slow',
  environment: 'both',
})
const refuseThings = endpoint({
  ...base,
  operationId: 'refuseThings',
  call: 'things.refuseThings',
  method: 'POST',
  path: '/v2/things/refuse',
  environment: 'both',
  bodyType: 'text/csv',
})
const importThings = endpoint({
  ...base,
  operationId: 'importThings',
  call: 'things.importThings',
  method: 'POST',
  path: '/v2/things/import',
  environment: 'both',
  bodyType: 'text/csv',
})

/** A table without accounts that requests may write. */
const insertEffect = `insert into finder_scroll_tokens (provider, digest, page, token, created_at) values ($1, '', 1, '', now())`

let server: TestServer
let effects = 0
let slowEffects = 0
let imported = 0
let release: (() => void) | null = null

beforeAll(async () => {
  server = await startTestServer({
    routes: () => [
      query(getThing, async (_context, { params }) => {
        if (params.id === 'boom') throw new Error('secret@example.com')
        if (params.id === 'full') throw Object.assign(new Error('sorry, too many clients already'), { code: '53300' })
        if (params.id === 'drift') return { ok: 'no' as never }
        if (params.id !== 'one') throw new AppError('NOT_FOUND', 'Not found.')
        return { ok: true }
      }),
      query(listThings, async (_context, input) => ({ ok: true, seen: input.query })),
      command(addThings, async (context, { body }, tx) => {
        await tx.execute(insertEffect, [`thing ${randomUUID()}`])
        effects++
        if (body.fail !== undefined) {
          throw new AppError(body.fail as 'CONFLICT', 'Refused.', { currentStatus: 'x', allowedActions: [] })
        }
        context.setHeader('X-Credits-Charged', '7')
        return { ok: true, seen: effects, secret: 'once' }
      }),
      phased(slowThing, async (_context, { params }, answer) => {
        if (params.id === 'wait') await new Promise<void>((resolve) => (release = resolve))
        if (params.id === 'down') throw new AppError('SERVICE_UNAVAILABLE', 'Down.')
        return answer(async () => ({ ok: true, seen: ++slowEffects }))
      }),
      phased(refuseThings, async (_context, { upload }) => {
        for await (const _first of upload) break
        throw invalid({ path: '', rule: 'csv', message: 'Not this one.' })
      }),
      phased(importThings, async (_context, { upload }, answer) => {
        let bytes = 0
        for await (const chunk of upload) bytes += chunk.length
        return answer(async () => {
          imported++
          return { ok: true, seen: bytes }
        })
      }),
    ],
    publicRoutes: () => [
      {
        method: 'POST',
        path: '/u/:token',
        handler: async (request) => ({ token: request.params['token'], body: request.body }),
      },
    ],
  })
})
afterAll(() => server.stop())

const key = () => server.keys.live

test("every API response has the version header, and other pages don't", async () => {
  const { call } = server
  for (const answer of [await call('GET', '/v2/nothing'), await call('GET', '/v2/things/one', { key: key() })])
    expect(answer.headers.get('x-overture-version')).toBe(version)
  for (const answer of [await call('GET', '/nothing'), await call('GET', '/healthz'), await call('POST', '/u/abc')])
    expect(answer.headers.get('x-overture-version')).toBeNull()
})

test('a deprecated operation has the Deprecation and Sunset headers', async () => {
  const going = await server.call('POST', '/v2/things/one/slow', { key: key() })
  expect(going.headers.get('deprecation')).toBe('@1801353600')
  expect(going.headers.get('sunset')).toBe('Mon, 31 Jan 2028 00:00:00 GMT')
  const { deprecated, description } = (await server.call('GET', '/openapi.json')).body.paths['/v2/things/{id}/slow']
    .post
  expect([deprecated, description]).toEqual([true, expect.stringContaining('use `things.addThings`')])
  const staying = await server.call('GET', '/v2/things/one', { key: key() })
  expect([staying.headers.get('deprecation'), staying.headers.get('sunset')]).toEqual([null, null])
  const counted = (await server.call('GET', '/metrics')).text.match(/^overture_deprecated_requests_total\{.*$/gm)
  expect(counted).toEqual([expect.stringMatching(/^overture_deprecated_requests_total\{operation="\w+"\} 1$/)])
})

test('unknown routes, wrong methods and unknown resources are the same 404, before the key check', async () => {
  const { call } = server
  const bodies = [
    await call('GET', '/v2/nothing'),
    await call('POST', '/v2/nothing', { body: '<x>', headers: { 'content-type': 'text/xml' } }),
    await call('PATCH', '/v2/things/one', { key: key() }),
    await call('GET', '/v2/things/%zz', { key: key() }),
    await call('GET', '/v2/things/missing', { key: key() }),
    await call('GET', `/v2/things/${'x'.repeat(3000)}`, { key: key() }),
    await call('GET', '/v2/things/a%00b', { key: key() }),
    await call('OPTIONS', '/v2/things'),
  ]
  for (const answer of bodies) {
    expect(answer.status).toBe(404)
    expect(answer.headers.get('x-request-id')).toMatch(/^req_/)
    expect(answer.body.error.request_id).toBe(answer.headers.get('x-request-id'))
    expect(answer.text.replace(/req_\w+/, '')).toBe(bodies[0]!.text.replace(/req_\w+/, ''))
  }
})

test('paths work with and without a trailing slash, and HEAD works like GET', async () => {
  expect((await server.call('GET', '/v2/things/one/', { key: key() })).status).toBe(200)
  expect((await server.call('GET', '/v2/things/', { key: key() })).status).toBe(200)
  expect((await server.call('HEAD', '/v2/things/one', { key: key() })).status).toBe(200)
})

test('the key is checked first, then the scope, then the body', async () => {
  const { call, keys } = server
  const bad = { body: '{', headers: { 'content-type': 'text/plain' } }
  expect((await call('POST', '/v2/things', bad)).status).toBe(401)
  expect((await call('POST', '/v2/things', { ...bad, key: 'ovt_live_nonsense' })).body.error.code).toBe('UNAUTHORIZED')
  const scope = await call('POST', '/v2/things', { ...bad, key: keys.liveRead })
  expect(scope.body.error.code).toBe('INSUFFICIENT_SCOPE')
  expect(Number(scope.headers.get('x-ratelimit-remaining'))).toBeGreaterThan(0)
  expect((await call('POST', '/v2/things', { ...bad, key: keys.live })).status).toBe(415)
  expect((await call('POST', '/v2/things', { key: keys.live, body: `"${'x'.repeat(10 * 1024 * 1024)}"` })).status).toBe(
    413,
  )
  expect(
    (await call('POST', '/v2/things', { key: keys.liveRead, body: `"${'x'.repeat(10 * 1024 * 1024)}"` })).status,
  ).toBe(403)
})

test.each([
  ['{', [['', 'json']]],
  ['', [['name', 'required']]],
  ['[]', [['', 'type']]],
  [
    { items: [{ email: 1, x: 1 }, { email: 'y'.repeat(21) }], other: 1 },
    [
      ['name', 'required'],
      ['items[0].email', 'type'],
      ['items[0].x', 'unknown_field'],
      ['items[1].email', 'max'],
      ['other', 'unknown_field'],
    ],
  ],
  [{ name: 'a\0b' }, [['name', 'characters']]],
  ['{"name": "\\ud800"}', [['name', 'characters']]],
  [Buffer.from([0x22, 0xff, 0x22]), [['', 'json']]],
  ['{"name": "x", "__proto__": {"a": 1}}', [['__proto__', 'unknown_field']]],
  ['{"name": "x", "custom": {"__proto__": "a"}}', [['custom.__proto__', 'unknown_field']]],
  [`{"name": "x", "custom": ${'['.repeat(40)}${']'.repeat(40)}}`, [['', 'depth']]],
] as [unknown, [string, string][]][])('all issues of %s are reported at once', async (body, issues) => {
  const answer = await server.call('POST', '/v2/things', { key: key(), body })
  expect(answer.status).toBe(400)
  expect(answer.body.error.code).toBe('VALIDATION_ERROR')
  const reported = answer.body.error.details.issues.map((issue: { path: string; rule: string }) => [
    issue.path,
    issue.rule,
  ])
  expect(reported).toHaveLength(issues.length)
  expect(reported).toEqual(expect.arrayContaining(issues))
})

test('a body with half a million items is refused by size, without parsing', async () => {
  const body = `{"name": "x", "items": [${'1,'.repeat(490_000)}1]}`
  const answer = await server.call('POST', '/v2/things', { key: key(), body })
  expect(answer.body.error.details.issues).toEqual([
    { path: 'items', rule: 'max', message: 'Contains more than 10000 items.' },
  ])
})

test('query and idempotency key are checked with the body; a body without use is refused', async () => {
  const answer = await server.call('GET', '/v2/things?limit=x&nope=1', { key: key() })
  expect(answer.body.error.details.issues.map((issue: { path: string }) => issue.path)).toEqual(['limit', 'nope'])
  const both = await server.call('POST', '/v2/things', { key: key(), body: {}, headers: { 'idempotency-key': 'a b' } })
  expect(both.body.error.details.issues.map((issue: { path: string }) => issue.path)).toEqual([
    'name',
    'Idempotency-Key',
  ])
  expect((await server.call('POST', '/v2/things/x/slow', { key: key(), body: { a: 1 } })).status).toBe(400)
  expect((await server.call('POST', '/v2/things/x/slow', { key: key(), body: {} })).status).toBe(200)
  expect((await server.call('POST', '/v2/things/x/slow', { key: key() })).status).toBe(200)
})

test('a body of a GET is refused too', async () => {
  const port = Number(new URL(server.url).port)
  const get = async (path: string, type: string, body: string) => {
    const text = await wire(
      port,
      `GET ${path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\nauthorization: Bearer ${key()}\r\n` +
        `content-type: ${type}\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    )
    return [Number(text.slice(9, 12)), /"path":"(\w*)"/.exec(text)?.[1]]
  }
  expect(await get('/v2/things', 'application/json', '{"limit":5}')).toEqual([400, 'limit'])
  expect(await get('/v2/things', 'text/plain', 'x')).toEqual([415, undefined])
  for (const body of ['{}', '']) expect((await get('/v2/things', 'application/json', body))[0]).toBe(200)
})

test.each([
  ['what is not HTTP', 'GARBAGE\r\n\r\n'],
  ['headers without end', `GET / HTTP/1.1\r\nhost: localhost\r\nx-long: ${'x'.repeat(20_000)}\r\n\r\n`],
  ['an invalid length', 'POST /v2/things HTTP/1.1\r\nhost: localhost\r\ncontent-length: -1\r\n\r\n'],
])('%s gets the usual error response', async (_name, sent) => {
  const [head = '', body = ''] = (await wire(Number(new URL(server.url).port), sent)).split('\r\n\r\n')
  expect(head).toMatch(/^HTTP\/1.1 400 /)
  const { error } = JSON.parse(body) as { error: { code: string; request_id: string } }
  expect(error.code).toBe('VALIDATION_ERROR')
  expect(head).toContain(`x-request-id: ${error.request_id}`)
})

/** Sends these bytes and returns everything that the server sends until it closes the connection. */
function wire(port: number, sent: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let read = ''
    connect(port, '127.0.0.1')
      .setEncoding('latin1')
      .on('data', (text: string) => (read += text))
      .once('close', () => resolve(read))
      .once('error', reject)
      .write(sent)
  })
}

test('a bug or an invalid response is 500 without details', async () => {
  for (const id of ['boom', 'drift']) {
    const answer = await server.call('GET', `/v2/things/${id}`, { key: key() })
    expect(answer.status).toBe(500)
    expect(answer.body.error.code).toBe('INTERNAL_ERROR')
    expect(answer.text).not.toContain('secret@')
  }
})

test('a database without a free connection is 503 with Retry-After', async () => {
  const answer = await server.call('GET', '/v2/things/full', { key: key() })
  expect([answer.status, answer.headers.get('retry-after'), answer.body.error.code]).toEqual([
    503,
    '5',
    'SERVICE_UNAVAILABLE',
  ])
})

test('twenty parallel calls with one idempotency key have one effect, and later calls get its response', async () => {
  const before = effects
  const send = () =>
    server.call('POST', '/v2/things', {
      key: key(),
      body: { name: 'a', custom: { x: '1' } },
      headers: { 'idempotency-key': 'k1' },
    })
  const answers = await Promise.all(Array.from({ length: 20 }, send))
  expect(effects).toBe(before + 1)
  expect(answers.every((answer) => answer.status === 200 || answer.body.error.code === 'CONFLICT')).toBe(true)
  const replay = await server.call('POST', '/v2/things/', {
    key: key(),
    body: '{ "custom": {"x": "1"}, "name": "a" }',
    headers: { 'idempotency-key': 'k1' },
  })
  expect(replay.status).toBe(200)
  expect(replay.headers.get('idempotent-replayed')).toBe('true')
  expect(replay.headers.get('x-credits-charged')).toBe('7')
  expect(replay.body).toEqual({ ok: true, seen: before + 1 })
  const other = await server.call('POST', '/v2/things', {
    key: key(),
    body: { name: 'b' },
    headers: { 'idempotency-key': 'k1' },
  })
  expect([other.status, other.body.error.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED'])
  const elsewhere = await server.call('POST', '/v2/things', {
    key: server.keys.test,
    body: { name: 'b' },
    headers: { 'idempotency-key': 'k1' },
  })
  expect([elsewhere.status, elsewhere.headers.get('idempotent-replayed')]).toEqual([200, null])
})

test('stored responses are encrypted', async () => {
  const { app, tenant, call } = server
  const send = (name: string) =>
    call('POST', '/v2/things', { key: key(), body: { name: 'kept' }, headers: { 'idempotency-key': name } })
  const first = await send('sealed')
  const [row] = await app.db.query<{ text: string; sealed: Buffer }>(
    `select idempotency_keys::text as text, sealed_body as sealed from idempotency_keys
     where account_id = $1 and key = 'sealed'`,
    [tenant.accountId],
  )
  expect(row?.text).not.toContain('seen')
  expect(row?.sealed.includes('seen')).toBe(false)
  const { secret: _secret, ...kept } = first.body
  expect((await send('sealed')).body).toEqual(kept)
  await app.db.execute(`update idempotency_keys set key = 'moved' where key = 'sealed'`)
  expect((await send('moved')).status).toBe(500)
})

test('404 and 409 are stored for the key, without effects; 400, 402 and 503 are not', async () => {
  const send = (name: string, fail: string) =>
    server.call('POST', '/v2/things', { key: key(), body: { name: 'a', fail }, headers: { 'idempotency-key': name } })
  const rows = async () =>
    (await server.app.db.query(`select 1 from finder_scroll_tokens where provider like 'thing %'`)).length
  const before = await rows()
  for (const [code, kept] of [
    ['CONFLICT', true],
    ['NOT_FOUND', true],
    ['INSUFFICIENT_CREDITS', false],
    ['SERVICE_UNAVAILABLE', false],
    ['VALIDATION_ERROR', false],
  ] as const) {
    const first = await send(`f-${code}`, code)
    const second = await send(`f-${code}`, code)
    expect(second.status).toBe(first.status)
    expect(second.headers.get('idempotent-replayed')).toBe(kept ? 'true' : null)
    expect(second.body.error.request_id).toBe(second.headers.get('x-request-id'))
  }
  expect(await rows()).toBe(before)
})

test('a phased command runs once per key, and a failed one frees the key', async () => {
  const send = (id: string, name: string) =>
    server.call('POST', `/v2/things/${id}/slow`, { key: key(), headers: { 'idempotency-key': name } })
  const running = send('wait', 'p1')
  await expect.poll(() => release).not.toBeNull()
  const second = await send('wait', 'p1')
  expect([second.status, second.body.error.code]).toEqual([409, 'CONFLICT'])
  expect(second.headers.get('retry-after')).toBe('1')
  release!()
  const first = await running
  const replay = await send('wait', 'p1')
  expect(replay.body).toEqual(first.body)
  expect(replay.headers.get('idempotent-replayed')).toBe('true')
  expect((await send('down', 'p2')).status).toBe(503)
  expect((await send('down', 'p2')).headers.get('idempotent-replayed')).toBeNull()
})

test('a command of a killed process frees its key after a time', async () => {
  const { app, tenant, call } = server
  const insert = (until: string) =>
    app.db.execute(
      `insert into idempotency_keys (account_id, environment, route, key, body_digest, locked_until, expires_at)
       values ($1, 'live', 'POST /v2/things/x/slow', 'dead', '\\x00', now() + $2::interval, now() + interval '1 day')
       on conflict (account_id, environment, route, key) do update set locked_until = excluded.locked_until`,
      [tenant.accountId, until],
    )
  const send = () => call('POST', '/v2/things/x/slow', { key: key(), headers: { 'idempotency-key': 'dead' } })
  await insert('-1 second')
  expect((await send()).status).toBe(200)
  expect((await send()).headers.get('idempotent-replayed')).toBe('true')
})

test('after a kill between effect and response a retry gets the response without a second effect', async () => {
  const file = await builtProgram(new URL('../../../../testing/src/killed-server.ts', import.meta.url))
  const child = fork(file, [server.database.url], { execArgv: [] })
  const url = await new Promise<string>((resolve) => child.once('message', (message) => resolve(message as string)))
  const ended = new Promise((resolve) => child.once('exit', (_code, signal) => resolve(signal)))
  const options = { key: key(), body: { name: 'killed' }, headers: { 'idempotency-key': 'killed' } }
  await expect(createCall(url)('POST', '/v2/things', options)).rejects.toThrow()
  expect(await ended).toBe('SIGKILL')
  const retry = await server.call('POST', '/v2/things', options)
  expect([retry.status, retry.headers.get('idempotent-replayed'), retry.body]).toEqual([
    200,
    'true',
    { ok: true, seen: 'killed' },
  ])
  expect(await server.app.db.query(`select 1 from finder_scroll_tokens where provider = 'killed effect'`)).toHaveLength(
    1,
  )
})

test('without the database requests are 500, and /readyz fails', async () => {
  const broken = { ...server.app.db, query: () => Promise.reject(new Error('unreachable')) }
  const app = { ...server.app, db: broken }
  const limiter = createAdmission(app, 'api')
  const dark = await createHttpServer({ app, routes: [query(getThing, async () => ({ ok: true }))], limiter })
  const call = createCall(await dark.listen({ host: '127.0.0.1', port: 0 }))
  const answer = await call('GET', '/v2/things/one', { key: key() })
  expect([answer.status, answer.body.error.code]).toEqual([500, 'INTERNAL_ERROR'])
  expect((await call('GET', '/readyz')).status).toBe(503)
  expect((await call('GET', '/healthz')).status).toBe(200)
  await dark.close()
  await limiter.stop()
})

test('/readyz names a worker that fails in each round, and /healthz stays ok', async () => {
  const { call, app } = server
  const readiness = async () => {
    const { status, body } = await call('GET', '/readyz')
    return { status, body }
  }
  for (const expected of [undefined, undefined, ['planted']]) {
    app.heartbeats.note('planted', false)
    expect(await readiness()).toEqual(
      expected === undefined
        ? { status: 200, body: { status: 'ok' } }
        : { status: 503, body: { status: 'unavailable', failing: expected } },
    )
  }
  expect((await call('GET', '/healthz')).status).toBe(200)
  app.heartbeats.note('planted', true)
  expect((await readiness()).status).toBe(200)
})

test("a streamed body is part of the key's digest", async () => {
  const send = (body: string, headers = {}) =>
    server.call('POST', '/v2/things/import', {
      key: key(),
      body,
      headers: { 'content-type': 'text/csv', 'idempotency-key': 'csv', ...headers },
    })
  const first = await send('a,b\n1,2\n')
  expect(first.body.seen).toBe(8)
  expect((await send('a,b\n1,2\n')).headers.get('idempotent-replayed')).toBe('true')
  expect((await send('a,b\n1,3\n')).status).toBe(422)
  expect((await send('{}', { 'content-type': 'application/json', 'idempotency-key': 'x' })).status).toBe(415)
  expect((await send('x'.repeat(11 * 1024 * 1024), { 'idempotency-key': 'big' })).body.seen).toBe(11 * 1024 * 1024)
})

test('of uploads with one key only one has an effect, and a refused upload frees the key', async () => {
  const upload = (path: string, body: string) =>
    server.call('POST', path, { key: key(), body, headers: { 'content-type': 'text/csv', 'idempotency-key': 'once' } })
  const before = imported
  const answers = await Promise.all(Array.from({ length: 6 }, () => upload('/v2/things/import', 'a,b\n')))
  for (const { status } of answers) expect([200, 409]).toContain(status)
  expect((await upload('/v2/things/import', 'a,b\n')).headers.get('idempotent-replayed')).toBe('true')
  expect(imported).toBe(before + 1)
  for (let go = 0; go < 2; go++) {
    const refused = await upload('/v2/things/refuse', 'a,b\n')
    expect([refused.status, refused.headers.get('idempotent-replayed')]).toEqual([400, null])
  }
})

test("an operation with a streamed body can't be a command", async () => {
  const routes = [command(importThings, async () => ({ ok: true }))]
  await expect(createHttpServer({ app: server.app, routes, limiter: server.admission })).rejects.toThrow('phased')
})

test('health, metrics, the document, the reference and public routes need no key', async () => {
  const { call } = server
  expect((await call('GET', '/healthz')).body).toEqual({ status: 'ok' })
  expect((await call('GET', '/readyz/')).status).toBe(200)
  expect((await call('GET', '/metrics')).text).toContain('overture_http_requests_total')
  expect((await call('GET', '/openapi.json')).body.paths['/v2/things/{id}'].get.operationId).toBe('getThing')
  const docs = await call('GET', '/docs/api')
  expect(docs.headers.get('content-security-policy')).toContain("script-src 'self'")
  for (const [, file] of docs.text.matchAll(/(?:src|href)="([^"]+)"/g))
    expect((await call('GET', file!)).status).toBe(200)
  const form = await call('POST', '/u/abc', {
    body: 'List-Unsubscribe=One-Click',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  expect(form.body).toEqual({ token: 'abc', body: { 'List-Unsubscribe': 'One-Click' } })
})

test('a client that is still writing gets the 413', async () => {
  const body = `"${'x'.repeat(30 * 1024 * 1024)}"`
  const answer = await server.call('POST', '/v2/things', { key: server.keys.live, body })
  expect(answer.status).toBe(413)
  expect(answer.body.error).toMatchObject({ code: 'PAYLOAD_TOO_LARGE', message: 'The body is larger than 1 MiB.' })
})

test.each([
  [404, '/v2/nothing', 'application/json'],
  [415, '/v2/things', 'text/plain'],
  [413, '/v2/things', 'application/json'],
  [400, '/v2/things/refuse', 'text/csv'],
])('a client that closes after writing everything gets the %i', async (...of) => {
  const [status, path, type] = of
  const body = Buffer.alloc(48 * 1024 * 1024, 'x')
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  const ended = new Promise<string>((resolve, reject) => {
    socket.once('error', reject)
    socket.write(
      `POST ${path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\nauthorization: Bearer ${key()}\r\n` +
        `content-type: ${type}\r\ncontent-length: ${body.length}\r\n\r\n`,
    )
    socket.write(body, (error) => {
      if (error) reject(error)
      else socket.setEncoding('latin1').once('data', resolve)
    })
  })
  expect(await ended).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  socket.destroy()
})

test.each([
  ['refused after its first bytes', '/v2/things/refuse', 'text/csv', 400],
  ['refused before any was read', '/v2/things/refuse', 'image/png', 415],
])('an upload %s is read completely, so that its connection can be reused or closed', async (...of) => {
  const [, path, type, status] = of
  // More than the socket buffers of both sides can hold, so it only arrives if the server reads it.
  const body = Buffer.alloc(48 * 1024 * 1024, 'x')
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  let read = ''
  socket.setEncoding('latin1').on('data', (text: string) => (read += text))
  const head = (line: string, more: string) =>
    `${line} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${key()}\r\n${more}\r\n`
  try {
    socket.write(head(`POST ${path}`, `content-type: ${type}\r\ncontent-length: ${body.length}\r\n`))
    const written = new Promise<void>((resolve, reject) =>
      socket.write(body, (error) => (error ? reject(error) : resolve())),
    )
    await expect.poll(() => read, { timeout: 30_000 }).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    await written
    socket.write(head('GET /v2/things/one', ''))
    await expect.poll(() => read, { timeout: 30_000 }).toContain('HTTP/1.1 200 ')
  } finally {
    socket.destroy()
  }
})

test('stop closes connections without a request, and those whose refused upload continues', async () => {
  const limiter = createAdmission(server.app, 'all')
  const stopping = await createHttpServer({ app: server.app, routes: [], limiter })
  const url = new URL(await stopping.listen({ host: '127.0.0.1', port: 0 }))
  const [unused, writing] = [0, 1].map(() => connect(Number(url.port), '127.0.0.1')) as [Socket, Socket]
  const closed = [unused, writing].map(
    (socket) =>
      new Promise<void>((resolve) =>
        socket
          .on('error', () => undefined)
          .once('close', () => resolve())
          .resume(),
      ),
  )
  const answered = new Promise<string>((resolve) => writing.setEncoding('latin1').once('data', resolve))
  writing.write('POST /v2/nothing HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1000000\r\n\r\nthe first bytes')
  expect(await answered).toMatch(/^HTTP\/1.1 404 /)
  await stopping.close()
  await Promise.all(closed)
  await limiter.stop()
})

test('stop waits for running requests, but not for idle connections', async () => {
  const limiter = createAdmission(server.app, 'all')
  let finish: (() => void) | null = null
  const slow = query(getThing, async () => {
    await new Promise<void>((resolve) => (finish = resolve))
    return { ok: true }
  })
  const stopping = await createHttpServer({ app: server.app, routes: [slow], limiter })
  const url = new URL(await stopping.listen({ host: '127.0.0.1', port: 0 }))
  const socket = connect(Number(url.port), '127.0.0.1')
  let read = ''
  socket.setEncoding('latin1').on('data', (text: string) => (read += text))
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  socket.write(`GET /v2/things/one HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${key()}\r\n\r\n`)
  await expect.poll(() => finish).not.toBeNull()
  const stopped = stopping.close()
  // The server no longer listens: idle connections are closed by now, and this one is not idle.
  const isOpen = () =>
    fetch(url)
      .then(() => true)
      .catch(() => false)
  await expect.poll(isOpen).toBe(false)
  finish!()
  await stopped
  await closed
  expect(read).toMatch(/^HTTP\/1.1 200 /)
  await limiter.stop()
})
