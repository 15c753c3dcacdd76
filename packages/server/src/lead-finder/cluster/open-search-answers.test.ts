import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '@overture/testing/database.ts'
import { OpenSearchDescription } from '@overture/testing/lead-finder/open-search-description.ts'
import { OpenSearchStub } from '@overture/testing/lead-finder/open-search-stub.server.ts'
import { storedWorld, storePeople } from '@overture/testing/lead-finder/stored-people.ts'
import { startTestServer, type TestServer } from '@overture/testing/server.ts'
import { systemClock } from '../../platform/clock.ts'
import { createLogger } from '../../platform/log.shell.ts'
import { createLeadFinder, leadFinderRoutes, type LeadFinder } from '../index.ts'
import { findDataset } from '../store/finder-store.sql.ts'
import { ClusterIndex } from './cluster-index.shell.ts'

const request = { kind: 'people', filters: {}, page: 1 } as const
const unavailable = { code: 'SERVICE_UNAVAILABLE' }
let database: TestDatabase
let description: OpenSearchDescription
let stub: OpenSearchStub
let url: string
let people: number

beforeAll(async () => {
  database = await createTestDatabase()
  description = new OpenSearchDescription()
  stub = new OpenSearchStub(description)
  url = await stub.start()
  await storePeople(database, { seed: 3, from: 0, to: 60 })
  people = (await storedWorld(database.url)).people.length
}, 120_000)

afterAll(async () => {
  await stub.stop()
  expect(stub.problems).toEqual([])
  await database.drop()
})

function cluster(change: Partial<ConstructorParameters<typeof ClusterIndex>[0]> = {}): ClusterIndex {
  const options = { url, username: 'admin', password: 'secret', prefix: 'test', shards: 1, timeoutMs: 60_000 }
  const tools = { databaseUrl: database.url, log: createLogger('silent'), clock: systemClock }
  return new ClusterIndex({ ...options, ...tools, busyWaitMs: 10, ...change })
}

async function state() {
  return (await findDataset(database.db, 'live'))!
}

/** Changes a response in every possible way: each value is removed or replaced by one of another type. */
function distortions(answer: Record<string, unknown>, keys: readonly string[]): [string, unknown][] {
  return keys.flatMap((key) =>
    [undefined, null, -1, 1.5, '7', {}, 'x', true].map((value): [string, unknown] => {
      const copy = structuredClone(answer)
      const path = key.split('.')
      const last = path.pop()!
      const holder = path.reduce((at, name) => at[name] as Record<string, unknown>, copy)
      holder[last] = value
      return [`${key} ${JSON.stringify(value)}`, copy]
    }),
  )
}

const page = {
  timed_out: false,
  _shards: { failed: 0 },
  hits: { total: { value: 1, relation: 'eq' }, hits: [{ _id: '1' }] },
}
const wrongPages: [string, unknown][] = [
  ...distortions(page, [
    'hits.hits',
    'hits.total',
    'hits.total.value',
    'hits.total.relation',
    '_shards',
    '_shards.failed',
  ]),
  ...['', 'p1', '-1', '1e3', '9'.repeat(30), null, 7].map((id): [string, unknown] => [
    `_id ${id}`,
    { ...page, hits: { ...page.hits, hits: [{ _id: id }] } },
  ]),
  ['timed out', { ...page, timed_out: true }],
  ['more hits than a page', { ...page, hits: { ...page.hits, hits: Array(26).fill({ _id: '1' }) } }],
  ['some shards', { ...page, _shards: { failed: 1 } }],
  ['a list', []],
  ['no JSON', '<html>'],
  ['nothing', ''],
]

describe('a search cluster with', () => {
  test.each([
    ['an error', { status: 500, body: {} }],
    ['a refusal of the login', { status: 401, body: {} }],
    ['too much to do', { status: 429, body: {} }],
    ['a redirection', { status: 302, body: {} }],
    ['more than is ever read', { status: 200, body: { padding: 'x'.repeat(5_000_000) } }],
    ['nothing in time', 'hang' as const],
  ])('%s: 503, and later searches work', async (_, answer) => {
    const index = cluster()
    await index.search('live', await state(), request)
    stub.fail = ({ path }) => (path.endsWith('/_search') ? answer : undefined)
    const asked = answer === 'hang' ? cluster({ timeoutMs: 500 }) : index
    await expect(asked.search('live', await state(), request)).rejects.toMatchObject(unavailable)
    const question = { field: 'jobTitle', query: '', limit: 20 } as const
    await expect(asked.suggest('live', await state(), question)).rejects.toMatchObject(unavailable)
    stub.fail = () => undefined
    expect((await index.search('live', await state(), request)).totalCount).toBe(people)
  })

  test('a malformed page: 503, never an incomplete page', async () => {
    const index = cluster()
    for (const [name, body] of wrongPages) {
      stub.fail = ({ path }) => (path.endsWith('/_search') ? { status: 200, body } : undefined)
      // Some of the distorted values are valid; a total that is a text never is.
      await expect(index.search('live', await state(), request), name).rejects.toMatchObject(unavailable)
    }
    stub.fail = () => undefined
    expect((await index.search('live', await state(), request)).totalCount).toBe(people)
  })

  test('malformed suggestions and counts: 503', async () => {
    const index = cluster()
    const answer = { ...page, aggregations: { values: { buckets: [{ key: 'a\u0001a', doc_count: 1 }] } } }
    const wrong = [
      ...distortions(answer, ['aggregations', 'aggregations.values', 'aggregations.values.buckets', '_shards.failed']),
      ...distortions(answer, ['aggregations.values.buckets.0.doc_count']),
      ['no key', { ...answer, aggregations: { values: { buckets: [{ doc_count: 1 }] } } }],
      [
        'more than asked for',
        { ...answer, aggregations: { values: { buckets: Array(21).fill({ key: 'a', doc_count: 1 }) } } },
      ],
    ] as [string, unknown][]
    const question = { field: 'jobTitle', query: '', limit: 20 } as const
    for (const [name, body] of wrong) {
      stub.fail = ({ path }) => (path.endsWith('/_search') ? { status: 200, body } : undefined)
      await expect(index.suggest('live', await state(), question), name).rejects.toMatchObject(unavailable)
    }
    for (const [name, body] of distortions({ count: 3, _shards: { failed: 0 } }, ['count', '_shards.failed'])) {
      stub.fail = ({ path }) => (path.endsWith('/_count') ? { status: 200, body } : undefined)
      await expect(index.status('live', await state()), name).rejects.toMatchObject(unavailable)
    }
    stub.fail = () => undefined
  })

  test.each([
    ['red', 503],
    ['', 503],
    ['yellow', 200],
    ['green', 200],
  ])('the worse index "%s": status %i', async (colour, status) => {
    const index = cluster()
    const both = '/_cluster/health/test-live-people-f3,test-live-companies-f3'
    stub.fail = ({ path }) => (path === both ? { status: 200, body: { status: colour } } : undefined)
    const checking = index.status('live', await state())
    if (status === 503) await expect(checking).rejects.toMatchObject(unavailable)
    else expect((await checking).people).toBe(people)
    expect(stub.calls.splice(0).map(({ path }) => path)).toContain(both)
    stub.fail = () => undefined
  })

  test('credentials gets them, and serves up to page 1000', async () => {
    expect((await cluster().search('live', await state(), { ...request, page: 1000 })).numbers).toEqual([])
    expect(stub.calls.at(-1)!.authorization).toBe(`Basic ${Buffer.from('admin:secret').toString('base64')}`)
  })
})

describe('loading a search cluster', () => {
  test('is repeated if it was too busy, for whole calls and single lines', async () => {
    const index = cluster({ prefix: 'busy' })
    let calls = 0
    stub.fail = ({ path }) => (path === '/_bulk' && calls++ < 3 ? { status: 429, body: {} } : undefined)
    expect((await index.search('live', await state(), request)).totalCount).toBe(people)
    expect(calls).toBeGreaterThan(3)
    stub.fail = () => undefined
  })

  test('fails with 503 if the cluster stays busy, and works later', async () => {
    const index = cluster({ prefix: 'fresh', busyWaitMs: 1 })
    const items = Array.from({ length: people + 25 }, () => ({ index: { status: 429 } }))
    stub.fail = ({ path }) => (path === '/_bulk' ? { status: 200, body: { errors: true, items } } : undefined)
    await expect(index.search('live', await state(), request)).rejects.toMatchObject(unavailable)
    stub.fail = () => undefined
    expect((await index.search('live', await state(), request)).totalCount).toBe(people)
  })

  test("continues in the background if a search can't wait for it", async () => {
    const index = cluster({ prefix: 'slow', followWaitMs: 50 })
    let release: () => void = () => undefined
    const held = new Promise<void>((resolve) => (release = resolve))
    stub.fail = ({ path }) => (path === '/_bulk' ? held.then(() => undefined) : undefined)
    await expect(index.search('live', await state(), request)).rejects.toMatchObject(unavailable)
    release()
    stub.fail = () => undefined
    const answer = async () => (await index.search('live', await state(), request)).totalCount
    await expect.poll(() => answer().catch(() => null), { timeout: 30_000 }).toBe(people)
    expect(stub.calls.filter(({ method, path }) => method === 'PUT' && path.startsWith('/slow-'))).toHaveLength(2)
  })

  test('is repeated if the index has fewer documents than were written', async () => {
    const index = cluster({ prefix: 'loses' })
    const count = { count: people - 1, _shards: { total: 1, successful: 1, failed: 0 } }
    stub.fail = ({ path }) => (/people.*_count$/.test(path) ? { status: 200, body: count } : undefined)
    await expect(index.search('live', await state(), request)).rejects.toMatchObject(unavailable)
    expect(stub.behind('loses-live-people-f3')).toBeUndefined()
    stub.fail = () => undefined
    expect((await index.search('live', await state(), request)).totalCount).toBe(people)
  })
})

test('a search uses the cluster, names its dataset version, and charges nothing while it is down', async () => {
  let finder: LeadFinder | undefined
  const server: TestServer = await startTestServer({
    database,
    environment: { OVERTURE_FINDER_OPENSEARCH_URL: `${url}/`, OVERTURE_FINDER_OPENSEARCH_PREFIX: 'product' },
    routes: ({ app }) =>
      leadFinderRoutes((finder = createLeadFinder({ app, databaseUrl: database.url, dataFolder: '/nowhere' }))),
  })
  const ask = (body: object) => server.call('POST', '/v2/campaigns/lead-finder/search', { key: server.keys.live, body })
  const found = await ask({ page: 1 })
  expect(found.body.pagination.totalCount).toBe(people)
  expect(found.body.results).toHaveLength(25)
  const { generation, version } = await state()
  expect(found.headers.get('x-search-state')).toBe(`${generation.slice(0, 8)}-${version}`)
  expect((await ask({ page: 2 })).headers.get('x-search-state')).toBe(found.headers.get('x-search-state'))
  await storePeople(database, { seed: 3, from: 60, to: 61 })
  people++
  const later = await ask({ page: 3 })
  expect(later.headers.get('x-search-state')).not.toBe(found.headers.get('x-search-state'))
  const balance = later.headers.get('x-credits-remaining')
  for (const [, body] of wrongPages.slice(0, 8)) {
    stub.fail = ({ path }) => (path.endsWith('/_search') ? { status: 200, body } : undefined)
    const refused = await ask({ seniority: ['director'] })
    expect([refused.status, refused.body.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE'])
  }
  stub.fail = () => ({ status: 429, body: {} })
  expect((await ask({ seniority: ['director'] })).status).toBe(503)
  stub.fail = () => undefined
  expect((await ask({ page: 1 })).headers.get('x-credits-remaining')).toBe(balance)
  await finder!.stop()
})

describe("the description of OpenSearch's API", () => {
  const sent = (method: string, target: string, body: unknown) => ({
    method,
    target,
    contentType: 'application/json',
    body: JSON.stringify(body),
  })

  test.each([
    ['a parameter of the body', sent('POST', '/a/_search', { query: { match_all: {} }, sise: 3 })],
    ['a query', sent('POST', '/a/_search', { query: { terms_of: { a: ['b'] } } })],
    ['a detail of a query', sent('POST', '/a/_search', { query: { fuzzy: { a: { value: 'b', fuzzines: 1 } } } })],
    ['a query without its path', sent('POST', '/a/_search', { query: { nested: { query: { match_all: {} } } } })],
    ['a parameter of the URL', sent('POST', '/a/_search?request_cash=true', { query: { match_all: {} } })],
    ['a kind of field', sent('PUT', '/a', { mappings: { properties: { a: { type: 'keywords' } } } })],
    ['a move of an alias', sent('POST', '/_aliases', { actions: [{ add: { index: 'a', allias: 'b' } }] })],
    ['a path', sent('POST', '/a/_searching', {})],
    ['a method', sent('PATCH', '/a/_mapping', {})],
    [
      'an action of a bulk write',
      {
        ...sent('POST', '/_bulk', { index: { _idd: '1' } }),
        contentType: 'application/x-ndjson',
        body: '{"index":{"_idd":"1"}}\n{}\n',
      },
    ],
    [
      'a kind of version',
      {
        ...sent('POST', '/_bulk', {}),
        contentType: 'application/x-ndjson',
        body: '{"index":{"_id":"1","version_type":"newest"}}\n{}\n',
      },
    ],
  ])('finds a misspelled %s', async (_, request) => {
    expect(await description.problemsOfRequest(request)).not.toEqual([])
  })
})
