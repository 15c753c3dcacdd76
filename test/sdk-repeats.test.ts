import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { allEndpoints } from '@overture/contract/all-endpoints.ts'
import type { Endpoint } from '@overture/contract/endpoint.ts'
import { ApiError, ConnectionError, Overture, type ApiPromise } from '@overture/sdk'
import { startAnswerProxy, type AnswerProxy } from '@overture/testing/server/answer-proxy.server.ts'
import { makeResources, type Resources } from '@overture/testing/server/resources.ts'
import { callable, buildCall, findMethod } from '@overture/testing/server/sdk-calls.ts'
import type { TestServer } from '@overture/testing/server.ts'
import { startWholeServer } from '@overture/testing/server/whole-server.ts'

let server: TestServer
let proxy: AnswerProxy
let client: Overture
let resources: Resources

beforeAll(async () => {
  server = await startWholeServer({ environment: { OVERTURE_ALLOW_PRIVATE_TARGETS: '1' } })
  proxy = await startAnswerProxy(server.url)
  client = new Overture({ apiKey: server.keys.test, baseUrl: proxy.url, retries: 1 })
  resources = await makeResources(server, { key: server.keys.test, mounted: allEndpoints })
})
beforeEach(() => {
  proxy.fates.length = 0
  proxy.seen.length = 0
})
afterAll(async () => {
  await proxy.stop()
  await server.stop()
})

interface Told {
  status: number
  replayed?: boolean
  afterLostTry?: boolean
}

async function told(endpoint: Endpoint): Promise<Told> {
  const { given } = buildCall(endpoint, resources)
  try {
    const { status, replayed } = await (findMethod(client, endpoint.call)(...given) as ApiPromise<unknown>).withMeta()
    return { status, replayed }
  } catch (error) {
    if (ApiError.is(error)) return error
    throw error
  }
}

const changing = callable.filter(({ method }) => method !== 'GET')
const once = changing.filter(({ method, open }) => open === true && method === 'POST')
const named = (endpoints: readonly Endpoint[]) => endpoints.map((endpoint) => [endpoint.call, endpoint] as const)

describe('an operation whose response was lost is done once, and its result is returned', () => {
  test.each(named(changing.filter((endpoint) => !once.includes(endpoint))))('%s', async (_call, endpoint) => {
    proxy.fates.push('cut')
    const outcome = await told(endpoint)
    const [first, second] = proxy.seen as [AnswerProxy['seen'][number], AnswerProxy['seen'][number]]
    expect(proxy.seen).toHaveLength(2)
    expect(second.key).toBe(first.key)
    if (first.status! >= 300) return expect(outcome.status).toBe(first.status)
    // The repeated deletion finds nothing: the error says that the earlier attempt may have deleted it.
    if (endpoint.method === 'DELETE' && outcome.status !== 200)
      return expect(outcome).toMatchObject({ code: 'NOT_FOUND', afterLostTry: true })
    expect(outcome.status).toBe(first.status)
    if (endpoint.method !== 'POST') return expect(first.key).toBeUndefined()
    expect(first.key).toMatch(/^ovt-/)
    // The repeated request is not executed again: the first response is returned again.
    expect(outcome.replayed).toBe(true)
  })
})

describe("an operation without a caller, whose response isn't stored, is sent only once", () => {
  test.each(named(once))('%s', async (_call, endpoint) => {
    proxy.fates.push('cut')
    const error = await told(endpoint).catch((one: unknown) => one)
    expect(ConnectionError.is(error)).toBe(true)
    expect(proxy.seen).toHaveLength(1)
  })
})

test('a 404 without a lost response is a plain NOT_FOUND', async () => {
  const error = await client.templates.delete('tpl_unknown').catch((one: unknown) => one)
  expect(error).toMatchObject({ code: 'NOT_FOUND', afterLostTry: false })
})
