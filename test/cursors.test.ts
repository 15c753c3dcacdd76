import { afterAll, beforeAll, expect, test } from 'vitest'
import { allEndpoints } from '@overture/contract/all-endpoints.ts'
import type { TestServer } from '@overture/testing/server.ts'
import { fillPath, makeResources, type Resources } from '@overture/testing/server/resources.ts'
import { startWholeServer } from '@overture/testing/server/whole-server.ts'

let server: TestServer
let resources: Resources

beforeAll(async () => {
  server = await startWholeServer()
  const { test: key } = server.keys
  resources = await makeResources(server, { key, mounted: allEndpoints })
  for (const name of ['One', 'Two', 'Three']) {
    for (const path of ['/v2/campaigns', '/v2/templates']) await server.call('POST', path, { key, body: { name } })
    await server.call('POST', '/v2/campaigns', { key: server.keys.live, body: { name } })
  }
})
afterAll(() => server.stop())

const get = (path: string, key = server.keys.test) => server.call('GET', path, { key })
const cursorOf = async (path: string) => (await get(path)).body.nextCursor as string
const lists = allEndpoints.filter(({ method, output }) => method === 'GET' && 'nextCursor' in shapeOf(output))

function shapeOf(schema: unknown): object {
  return (schema as { shape?: object }).shape ?? {}
}

test('every list refuses the cursor of another list', async () => {
  const foreign = await cursorOf('/v2/campaigns?limit=1&q=o')
  expect(foreign).toEqual(expect.any(String))
  expect(lists.length).toBeGreaterThan(15)
  for (const { path, environment } of lists) {
    const key = environment === 'live' ? server.keys.live : server.keys.test
    const answer = await get(`${fillPath(path, resources)}?limit=1&cursor=${foreign}`, key)
    expect([answer.status, answer.body.error?.code], path).toEqual([400, 'VALIDATION_ERROR'])
    expect(answer.body.error.details.issues, path).toMatchObject([{ path: 'cursor', rule: 'cursor' }])
  }
})

test.each([
  ['/v2/campaigns?limit=1', ['/v2/campaigns?limit=1&status=draft', '/v2/campaigns?q=o', '/v2/templates?limit=1']],
  ['/v2/campaigns?status=draft&limit=1', ['/v2/campaigns?limit=1', '/v2/campaigns?status=paused']],
  [
    '/v2/events?limit=1',
    ['/v2/events?order=desc', '/v2/events?type=campaign.created', '/v2/campaigns/activity?limit=1'],
  ],
  ['/v2/campaigns/activity?limit=1&type=campaign.created', ['/v2/campaigns/activity', '/v2/events?limit=1']],
] as const)('a cursor of %s is valid for that list only', async (path, others) => {
  const cursor = await cursorOf(path)
  const same = await get(`${path.replace('limit=1', 'limit=2')}&cursor=${cursor}`)
  expect([same.status, same.body.pagination?.currentPage], same.text).toEqual([200, 2])
  for (const other of others) {
    const answer = await get(`${other}${other.includes('?') ? '&' : '?'}cursor=${cursor}`)
    expect([answer.status, answer.body.error?.details.issues[0].path], other).toEqual([400, 'cursor'])
  }
  expect((await get(`${path}&cursor=${cursor}`, server.keys.live)).status).toBe(400)
  expect((await get(`${path}&cursor=${cursor}`, server.other.keys.test)).status).toBe(400)
})

test('a cursor accepts explicit default parameters, and `after` is ignored', async () => {
  const first = await get('/v2/events?limit=1')
  const rest = await get(
    `/v2/events?order=asc&after=${first.body.results[0].id}&limit=5&cursor=${first.body.nextCursor}`,
  )
  expect(rest.status, rest.text).toBe(200)
  expect(rest.body.results).toEqual((await get(`/v2/events?limit=5&cursor=${first.body.nextCursor}`)).body.results)
})

test('an invalid cursor is reported with other errors, before the path is checked', async () => {
  const answer = await get('/v2/campaigns/cmp_nothing/leads?limit=0&cursor=x&status=odd')
  expect(answer.body.error.details.issues.map((issue: { path: string }) => issue.path)).toEqual(['limit', 'status'])
  expect((await get('/v2/campaigns/cmp_nothing/leads?cursor=x')).status).toBe(400)
  expect((await get('/v2/campaigns/cmp_nothing/leads?page=1&cursor=x')).body.error.details.issues).toMatchObject([
    { path: 'cursor', rule: 'exclusive' },
  ])
})

test.each(['', '0x10', '1e1', '%205', '+5', '1.0', '1.5', 'true', '１', '0', '101'])(
  'limit=%s is refused with its path',
  async (limit) => {
    const answer = await get(`/v2/campaigns?limit=${limit}`)
    expect([answer.status, answer.body.error?.details.issues[0].path]).toEqual([400, 'limit'])
  },
)
