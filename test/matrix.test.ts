import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allEndpoints } from '@overture/contract/all-endpoints.ts'
import type { Endpoint } from '@overture/contract/endpoint.ts'
import { formatKey } from '../packages/server/src/api-keys/api-key.ts'
import type { TestServer } from '@overture/testing/server.ts'
import { fillPath, makeResources, validBody, type Resources } from '@overture/testing/server/resources.ts'
import { startWholeServer } from '@overture/testing/server/whole-server.ts'

/** The scopes as first published. They don't change. */
const published = `
POST /v2/campaigns/ write
POST /v2/campaigns/launch write
GET /v2/campaigns/ read
GET /v2/campaigns/:id read
PUT /v2/campaigns/:id write
GET /v2/campaigns/:id/stats read
GET /v2/campaigns/:id/analytics read
GET /v2/campaigns/:id/activity read
GET /v2/campaigns/summary read
GET /v2/campaigns/activity read
GET /v2/campaigns/:id/leads read
POST /v2/campaigns/:id/leads write
PUT /v2/campaigns/:id/leads/:leadId write
GET /v2/campaigns/:id/leads/:leadId/thread read
GET /v2/campaigns/:id/leads/:leadId/meeting read
POST /v2/campaigns/:id/leads/:leadId/send-now write
POST /v2/campaigns/:id/leads/:leadId/reply write
GET /v2/campaigns/:id/followup-status read
POST /v2/campaigns/:id/start write
POST /v2/campaigns/:id/pause write
POST /v2/campaigns/:id/resume write
DELETE /v2/campaigns/:id write
POST /v2/campaigns/bulk-delete write
GET /v2/ai/models read
POST /v2/ai/generate-preview write
POST /v2/ai/generate-email write
GET /v2/campaigns/ai-prompts read
POST /v2/campaigns/ai-prompts write
GET /v2/campaigns/ai-prompts/:id read
PUT /v2/campaigns/ai-prompts/:id write
DELETE /v2/campaigns/ai-prompts/:id write
POST /v2/campaigns/ai-prompts/bulk-delete write
POST /v2/campaigns/lead-finder/search write
POST /v2/campaigns/lead-finder/search-company write
`

let server: TestServer
let resources: Resources
let noKeys: { name: string; authorization: string | undefined }[]

beforeAll(async () => {
  server = await startWholeServer()
  resources = await makeResources(server, { key: server.keys.test, mounted: allEndpoints })
  const revoked = await server.newKey()
  await server.call('DELETE', `/v2/account/api-keys/${revoked.id}`, { key: server.keys.live })
  const expired = await server.newKey({ expiresAt: new Date(server.app.clock.now().getTime() + 3_600_000) })
  await server.database.db.execute('update api_keys set expires_at = now() where id = $1', [expired.id])
  noKeys = [
    { name: 'none', authorization: undefined },
    { name: 'unknown', authorization: `Bearer ${formatKey('live', 'Z'.repeat(24))}` },
    { name: 'malformed', authorization: 'Bearer nonsense' },
    { name: 'another scheme', authorization: `Basic ${server.keys.live}` },
    { name: 'revoked', authorization: `Bearer ${revoked.key}` },
    { name: 'expired', authorization: `Bearer ${expired.key}` },
  ]
})
afterAll(() => server.stop())

test('every published path, method and scope is served', () => {
  const served = allEndpoints.map((endpoint) => `${endpoint.method} ${endpoint.path} ${endpoint.scope}`)
  const rows = published
    .trim()
    .split('\n')
    .map((row) => row.replace('/ ', ' '))
  expect(rows).toHaveLength(34)
  expect(rows.filter((row) => !served.includes(row))).toEqual([])
})

test('the served document contains every endpoint of the contract and nothing else', async () => {
  const served = (await server.call('GET', '/openapi.json')).body.paths as Record<string, Record<string, object>>
  const mounted = Object.entries(served).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  const expected = allEndpoints.map((endpoint) => `${endpoint.method} ${endpoint.path.replaceAll(/:(\w+)/g, '{$1}')}`)
  expect(mounted.sort((a, b) => (a < b ? -1 : 1))).toEqual(expected.sort((a, b) => (a < b ? -1 : 1)))
})

/** Operations of the live environment refuse test keys. */
function getKey({ environment }: Endpoint, keys: { test: string; live: string }): string {
  return environment === 'live' ? keys.live : keys.test
}

const closed = allEndpoints.filter(({ open }) => open === undefined)
const cases = closed.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const)

describe.each(cases)('%s', (_name, endpoint) => {
  test('without a valid key it is 401, whatever else is wrong', async () => {
    for (const { name, authorization } of noKeys) {
      const answer = await server.call(endpoint.method, fillPath(endpoint.path, resources), {
        ...(hasBody(endpoint) && { body: '{' }),
        headers: authorization === undefined ? {} : { authorization },
      })
      expect([name, answer.status, answer.body.error.code]).toEqual([name, 401, 'UNAUTHORIZED'])
      expect(answer.headers.get('x-ratelimit-limit')).toBeNull()
      expect(answer.body.error.request_id).toBe(answer.headers.get('x-request-id'))
    }
  })

  test('a key needs the exact scope', async () => {
    const lacking = endpoint.scope === 'read' ? server.keys.testWrite : server.keys.testRead
    const answer = await server.call(endpoint.method, `${fillPath(endpoint.path, resources)}/`, {
      key: lacking,
      ...(hasBody(endpoint) && { body: '{' }),
    })
    expect([answer.status, answer.body.error.code]).toEqual([403, 'INSUFFICIENT_SCOPE'])
    expect(answer.headers.get('x-ratelimit-limit')).not.toBeNull()
  })

  test('unknown fields of query and body are refused by name', async () => {
    const answer = await send(endpoint, getKey(endpoint, server.keys), {
      path: `${fillPath(endpoint.path, resources)}?surprise=1`,
      ...(endpoint.bodyType === undefined && endpoint.method !== 'GET' && { extra: { surpriseField: 1 } }),
    })
    expect(answer.status).toBe(400)
    const paths = answer.body.error.details.issues.map((issue: { path: string }) => issue.path)
    expect(paths).toContain('surprise')
    if (endpoint.bodyType === undefined && endpoint.method !== 'GET') expect(paths).toContain('surpriseField')
  })
})

describe.each(cases.filter(([, endpoint]) => endpoint.path.includes(':')))('%s', (_name, endpoint) => {
  test('a resource of another account or environment returns the same response as a missing one', async () => {
    const mine = fillPath(endpoint.path, resources)
    const missing = await send(endpoint, getKey(endpoint, server.keys), {
      path: endpoint.path.replaceAll(/:\w+/g, 'nothing'),
    })
    expect([missing.status, missing.body?.error.code]).toEqual([404, 'NOT_FOUND'])
    const foreign = await send(endpoint, getKey(endpoint, server.other.keys), { path: mine })
    expect(withoutId(foreign.text)).toBe(withoutId(missing.text))
    const elsewhere = await send(endpoint, server.keys.live, { path: mine })
    // API keys belong to the account: a key of the other environment is found and refused.
    if (endpoint.path.startsWith('/v2/account/api-keys')) expect(elsewhere.body.error.code).toBe('INSUFFICIENT_SCOPE')
    else expect(withoutId(elsewhere.text)).toBe(withoutId(missing.text))
  })
})

test("test endpoints don't exist for a live key", async () => {
  const sandbox = allEndpoints.filter((endpoint) => endpoint.path.startsWith('/v2/sandbox'))
  expect(sandbox.map((endpoint) => endpoint.environment)).toEqual(sandbox.map(() => 'test'))
  for (const endpoint of sandbox) {
    const answer = await server.call(endpoint.method, `${fillPath(endpoint.path, resources)}?surprise=1`, {
      key: server.keys.live,
      ...(hasBody(endpoint) && { body: '{' }),
    })
    expect([endpoint.operationId, answer.status, answer.body.error.code]).toEqual([
      endpoint.operationId,
      404,
      'NOT_FOUND',
    ])
  }
})

test('with API access off every endpoint is 403 API_ACCESS_DISABLED, before the scope check', async () => {
  await server.setLimits({ apiAccessEnabled: false })
  for (const endpoint of closed) {
    const key = endpoint.scope === 'read' ? server.keys.testWrite : server.keys.testRead
    const answer = await server.call(endpoint.method, fillPath(endpoint.path, resources), { key })
    expect([endpoint.operationId, answer.status, answer.body.error.code]).toEqual([
      endpoint.operationId,
      403,
      'API_ACCESS_DISABLED',
    ])
  }
  await server.setLimits({ apiAccessEnabled: true })
})

function hasBody(endpoint: Endpoint): boolean {
  return endpoint.method !== 'GET'
}

/** Sends the endpoint's example, so that the request isn't refused for its body. */
function send(endpoint: Endpoint, key: string, input: { path: string; extra?: object }) {
  if (endpoint.bodyType !== undefined) {
    return server.call(endpoint.method, input.path, {
      key,
      body: 'email\nada@example.com\n',
      headers: { 'content-type': endpoint.bodyType },
    })
  }
  const example = validBody(endpoint)
  const body = endpoint.body === undefined && input.extra === undefined ? undefined : { ...example, ...input.extra }
  return server.call(endpoint.method, input.path, { key, ...(body !== undefined && { body }) })
}

function withoutId(text: string): string {
  return text.replace(/req_\w+/, 'req_')
}
