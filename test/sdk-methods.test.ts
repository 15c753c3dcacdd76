import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allEndpoints } from '@overture/contract/all-endpoints.ts'
import type { Endpoint } from '@overture/contract/endpoint.ts'
import { ApiError, Overture } from '@overture/sdk'
import type { TestServer } from '@overture/testing/server.ts'
import { fillPath, makeResources, validBody, type Resources } from '@overture/testing/server/resources.ts'
import { startWholeServer } from '@overture/testing/server/whole-server.ts'

interface Recorded {
  method: string
  url: string
  body: string | null
  answer: { status: number; headers: Headers; text: string }
}

let server: TestServer
let resources: Resources
let client: Overture
let recorded: Recorded[]

beforeAll(async () => {
  server = await startWholeServer({ environment: { OVERTURE_ALLOW_PRIVATE_TARGETS: '1' } })
  resources = await makeResources(server, { key: server.keys.test, mounted: allEndpoints })
  client = new Overture({
    apiKey: server.keys.test,
    baseUrl: server.url,
    retries: 0,
    async fetch(url, init) {
      const response = await fetch(url, init)
      const text = await response.clone().text()
      const { status, headers } = response
      recorded.push({
        method: init.method ?? 'GET',
        url,
        body: typeof init.body === 'string' ? init.body : null,
        answer: { status, headers, text },
      })
      return response
    },
  })
})
afterAll(() => server.stop())

const methods = allEndpoints.filter((endpoint) => endpoint.outputType !== 'text/event-stream')
// What takes away comes last, or there would be nothing left to call the others with.
const inOrder = methods.toSorted((a, b) => Number(isEnd(a)) - Number(isEnd(b)))

function isEnd({ method, call }: Endpoint): boolean {
  return method === 'DELETE' || call.endsWith('bulkDelete')
}

/** The method that the call names, ready to be called. */
function methodOf(call: string): (...given: unknown[]) => Promise<unknown> {
  const parts = call.split('.')
  const name = parts.pop() ?? ''
  let resource = client as unknown as Record<string, unknown>
  for (const part of parts) resource = resource[part] as Record<string, unknown>
  return (resource[name] as (...given: unknown[]) => Promise<unknown>).bind(resource)
}

const succeeded: string[] = []
/** Whose query has no default. */
const needsMore = ['leadFinder.suggest']
const csv = 'email,first name\nada@prospects.test,Ada\n'

describe('each operation has a method that asks what plain fetch would ask, and gives what it would be given', () => {
  test.each(inOrder.map((endpoint) => [endpoint.call, endpoint] as const))('%s', async (call, endpoint) => {
    recorded = []
    const path = fillPath(endpoint.path, resources)
    const parts = path.split('/')
    const ids = endpoint.path.split('/').flatMap((part, index) => (part.startsWith(':') ? [parts[index]!] : []))
    const body = endpoint.bodyType === undefined ? validBody(endpoint) : csv
    const query =
      endpoint.query !== undefined && 'limit' in (endpoint.query as never)['shape'] ? { limit: 5 } : undefined
    const given = [...ids, ...(body === undefined ? [] : [body]), ...(query === undefined ? [] : [query])]
    const outcome = await Promise.resolve(methodOf(call)(...given)).then(
      (data) => ({ data }),
      (error: unknown) => ({ error }),
    )

    expect(recorded).toHaveLength(1)
    const [{ method, url, body: sent, answer }] = recorded as [Recorded]
    expect([method, url]).toEqual([endpoint.method, `${server.url}${path}${query === undefined ? '' : '?limit=5'}`])
    if (endpoint.bodyType === undefined) expect(sent === null ? undefined : JSON.parse(sent)).toEqual(body)
    if ('error' in outcome) {
      const { error } = JSON.parse(answer.text)
      expect(ApiError.is(outcome.error)).toBe(true)
      expect(outcome.error).toMatchObject({
        status: answer.status,
        code: error.code,
        requestId: answer.headers.get('x-request-id'),
        message: expect.stringContaining(error.message),
      })
      // A made up id is missing, a state may not fit; a request that is no good would be the client's fault.
      expect([404, 409, 503, 400, ...(endpoint.open ? [401] : [])]).toContain(answer.status)
      if (answer.status === 400) expect(needsMore).toContain(call)
    } else {
      succeeded.push(call)
      expect(outcome.data).toEqual(endpoint.outputType === undefined ? JSON.parse(answer.text) : answer.text)
      expect(endpoint.success).toContain(answer.status)
    }
  })
})

test('most of those that a key of nobody can ask for succeeded', () => {
  const possible = inOrder.filter(({ open, path }) => open !== true && !path.startsWith('/v2/me'))
  const done = possible.filter(({ call }) => succeeded.includes(call))
  expect(done.length).toBeGreaterThan(possible.length * 0.7)
})
