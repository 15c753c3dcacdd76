import { randomInt } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { allEndpoints } from '@overture/contract/all-endpoints.ts'
import type { Endpoint } from '@overture/contract/endpoint.ts'
import { errorsByStatus } from '@overture/contract/document/openapi.ts'
import { toSchema } from '@overture/contract/document/schemas.ts'
import type { TestAnswer, TestServer } from '@overture/testing/server.ts'
import { makeWorld, type World } from '@overture/testing/server/fuzz-world.ts'
import { schemaValues } from '@overture/testing/server/json-schema-values.ts'
import { fillPath, makeResources, validBody, type Resources } from '@overture/testing/server/resources.ts'
import { startWholeServer } from '@overture/testing/server/whole-server.ts'

// Each test plays days of whole campaigns.
vi.setConfig({ testTimeout: 300_000 })

/** Default: 10 cases in `npm test`, 500 in `npm run fuzz`. */
const casesPerOperation = Number(process.env['FUZZ_CASES'] ?? 10)
/** FUZZ_SEED repeats a run; each failure reports its seed. */
const seed = Number(process.env['FUZZ_SEED'] ?? randomInt(2 ** 31))
/** Shorter runs print no figures. */
const reportedCases = 500
const report: string[] = []
const failures: string[] = []

let server: TestServer
let resources: Resources = new Map()
let world: World

beforeAll(async () => {
  // The cause of a 500 is only in the log.
  server = await startWholeServer({ environment: { LOG_LEVEL: 'error' }, limits: { maxApiKeys: 1_000_000 } })
  world = await makeWorld(server, server.keys.test)
  await renewResources()
})
afterAll(async () => {
  await server.stop()
  if (casesPerOperation >= reportedCases) process.stdout.write(figures())
})

function figures(): string {
  return [
    `${report.length} operations, ${casesPerOperation} requests each; repeat with FUZZ_SEED=${seed} npm run fuzz`,
    `failures: ${failures.length === 0 ? 'none' : failures.join(', ')}`,
    ...report,
    '',
  ].join('\n')
}

interface Attempt {
  /** Null to use the ids of existing resources. */
  id: string | null
  query: Record<string, unknown>
  body: unknown
}

test.each(allEndpoints.map((endpoint) => [endpoint.operationId, endpoint] as const))(
  '%s returns only documented responses for any request',
  async (_id, endpoint) => {
    if (createsLimited.has(endpoint.operationId)) await freeLimited()
    const statuses = new Map<number, number>()
    const property = fc.asyncProperty(attempts(endpoint), async (generated) => {
      const attempt = withRealIds(generated)
      const answer = await send(endpoint, attempt)
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
      check(endpoint, attempt, answer)
      if (deletes(endpoint) && answer.status === 200) await renewResources()
      if (createsLimited.has(endpoint.operationId) && answer.status === 201) await freeLimited()
    })
    failures.push(endpoint.operationId)
    await fc.assert(property, { seed, numRuns: casesPerOperation, endOnFailure: casesPerOperation <= 20 })
    failures.pop()
    const counts = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`)
    report.push(`${endpoint.operationId}: ${counts.join(', ')}`)
  },
  20_000 + casesPerOperation * 2_000,
)

function deletes(endpoint: Endpoint): boolean {
  return endpoint.method === 'DELETE' || endpoint.path.endsWith('/bulk-delete')
}

async function renewResources(): Promise<void> {
  resources = await makeResources(server, { key: server.keys.test, mounted: allEndpoints, before: resources })
  await freeLimited()
}

const createsLimited: ReadonlySet<string> = new Set(['createWebhook', 'createReport'])

/** Deletes other webhooks and reports, since their number is limited and each round of new resources creates one. */
async function freeLimited(): Promise<void> {
  const { test: key } = server.keys
  for (const path of ['/v2/webhooks', '/v2/reports']) {
    const { body } = await server.call('GET', `${path}?limit=100`, { key })
    const others = (body.results as { id: string }[]).filter(({ id }) => id !== resources.get(`${path}/:id`))
    for (const { id } of others) await server.call('DELETE', `${path}/${id}`, { key })
  }
}

function check(endpoint: Endpoint, attempt: Attempt, answer: TestAnswer): void {
  const documented = [...endpoint.success, ...errorsByStatus(endpoint).keys()].filter((status) => status !== 500)
  const details = `${JSON.stringify(attempt)} → ${answer.status} ${answer.text.slice(0, 500)}`
  expect(documented, details).toContain(answer.status)
  if (!accepted(endpoint, attempt)) expect(answer.status, details).toBe(400)
  else if (attempt.id !== null && endpoint.body === undefined) expect(answer.status, details).toBe(404)
  if (answer.status >= 400) {
    const codes = errorsByStatus(endpoint).get(answer.status)
    expect(codes, details).toContain(answer.body.error.code)
    if (answer.status === 409) {
      expect(answer.body.error.details, details).toMatchObject({
        currentStatus: expect.any(String),
        allowedActions: expect.any(Array),
      })
    }
    if (answer.status === 400) expect(answer.body.error.details.issues.length, details).toBeGreaterThan(0)
  }
}

/** Whether the schemas accept an attempt. The server may still refuse it for a reason that a schema can't express. */
function accepted(endpoint: Endpoint, attempt: Attempt): boolean {
  const body = JSON.parse(JSON.stringify({ body: attempt.body })) as { body?: unknown }
  if (endpoint.body !== undefined && !endpoint.body.safeParse(body.body).success) return false
  if (endpoint.query === undefined) return Object.keys(attempt.query).length === 0
  const query = Object.fromEntries(new URLSearchParams(queryString(attempt.query)))
  // A cursor is valid only for the list that issued it, and generated cursors were never issued.
  return !('cursor' in query) && endpoint.query.safeParse(query).success
}

function attempts(endpoint: Endpoint): fc.Arbitrary<Attempt> {
  return fc.record({ id: ids(endpoint), query: queries(endpoint), body: bodies(endpoint) })
}

/**
 * Ids are opaque: an unknown id of any form gets a 404. Ids of dots only are excluded, since they would be parsed as part of the
 * path.
 */
function ids(endpoint: Endpoint): fc.Arbitrary<string | null> {
  if (!endpoint.path.includes(':')) return fc.constant(null)
  const odd = fc.string({ minLength: 1, maxLength: 300, unit: 'grapheme' }).filter((text) => !/^\.+$/.test(text))
  return fc.oneof(
    { weight: 6, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.constant('nothing') },
    { weight: 1, arbitrary: odd },
    { weight: 1, arbitrary: fc.constantFrom('\0', '%', '/', '..%2f', ' ', 'x'.repeat(2_000)) },
  )
}

function queries(endpoint: Endpoint): fc.Arbitrary<Record<string, unknown>> {
  const surprise = fc.constant<Record<string, unknown>>({ surprise: 'x' })
  const none = fc.constant<Record<string, unknown>>({})
  if (endpoint.query === undefined) return fc.oneof({ weight: 9, arbitrary: none }, { weight: 1, arbitrary: surprise })
  const described = schemaValues(toSchema(endpoint.query, 'input')) as fc.Arbitrary<Record<string, unknown>>
  const single = described.chain((query) => someOf(query, 1))
  return fc.oneof(
    { weight: 3, arbitrary: none },
    { weight: 4, arbitrary: single },
    { weight: 3, arbitrary: described },
    { weight: 1, arbitrary: surprise },
  )
}

function bodies(endpoint: Endpoint): fc.Arbitrary<unknown> {
  if (endpoint.body === undefined) return fc.constant(undefined)
  const described = schemaValues(toSchema(endpoint.body, 'input'))
  const example = (world.bodies[endpoint.operationId] ?? validBody(endpoint) ?? {}) as Record<string, unknown>
  const nearExample = described.chain((value) =>
    someOf(value as object, 2).map((fields) => ({ ...example, ...fields })),
  )
  const broken = fc
    .tuple(
      fc.oneof(described, fc.constant(example)),
      fc.string({ minLength: 1, maxLength: 8 }),
      fc.jsonValue({ maxDepth: 2 }),
    )
    .map(([value, name, junk]) => {
      const names = Object.keys(value as object)
      return { ...(value as object), [names[name.length % (names.length + 1)] ?? name]: junk }
    })
  return fc.oneof(
    { weight: 4, arbitrary: described },
    { weight: 4, arbitrary: nearExample },
    { weight: 3, arbitrary: broken },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  )
}

function send(endpoint: Endpoint, attempt: Attempt): Promise<TestAnswer> {
  const { id } = attempt
  const path =
    id === null
      ? fillPath(endpoint.path, placesOf(endpoint))
      : endpoint.path.replaceAll(/:\w+/g, () => encodeURIComponent(id))
  const search = queryString(attempt.query)
  const url = search === '' ? path : `${path}?${search}`
  const { body } = attempt
  const key = endpoint.environment === 'live' ? server.keys.live : server.keys.test
  if (endpoint.bodyType !== undefined) {
    return server.call(endpoint.method, url, {
      key,
      body: `email\n${JSON.stringify(attempt.query)}\n`,
      headers: { 'content-type': endpoint.bodyType },
    })
  }
  return server.call(endpoint.method, url, { key, ...(body !== undefined && { body: JSON.stringify(body) }) })
}

function placesOf(endpoint: Endpoint): Resources {
  return new Map([...world.resources, ...resources, ...(world.places[endpoint.operationId] ?? [])])
}

/** Replaces generated ids in the body by ids of existing resources, and judges the result by the schema. */
function withRealIds(attempt: Attempt): Attempt {
  const { id, body } = attempt
  if (id !== null || typeof body !== 'object' || body === null || Array.isArray(body)) return attempt
  const real = Object.entries(body).map(([name, value]: [string, unknown]) => {
    const known = Object.hasOwn(world.fields, name) ? world.fields[name] : undefined
    const isLike = Array.isArray(known) ? Array.isArray(value) && value.length > 0 : typeof value === 'string'
    return [name, known !== undefined && isLike ? known : value]
  })
  return { ...attempt, body: Object.fromEntries(real) }
}

function queryString(query: Record<string, unknown>): string {
  const fields = Object.entries(query).map(([name, value]): [string, string] => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ])
  return new URLSearchParams(fields).toString()
}

function someOf(value: object, most: number): fc.Arbitrary<Record<string, unknown>> {
  const fields = Object.entries(value) as [string, unknown][]
  return fc
    .subarray(fields, { maxLength: Math.min(most, fields.length) })
    .map((some) => Object.fromEntries(some) as Record<string, unknown>)
}
