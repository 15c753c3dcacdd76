import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allEndpoints } from '@overture/contract/all-endpoints.ts'
import type { Endpoint } from '@overture/contract/endpoint.ts'
import { createTestPerson, type TestPerson } from '@overture/testing/server/people.ts'
import type { TestAnswer, TestServer } from '@overture/testing/server.ts'
import { startWholeServer } from '@overture/testing/server/whole-server.ts'

let server: TestServer
let person: TestPerson
beforeAll(async () => {
  server = await startWholeServer()
  person = await createTestPerson(server)
})
afterAll(() => server.stop())

const closed = allEndpoints.filter(({ open }) => open === undefined)
const writing = closed.filter(({ method }) => method !== 'GET')
/** Below the number of requests that a session may send per second. */
const requestsPerSession = 25

const own = { 'sec-fetch-site': 'same-origin', 'x-overture-environment': 'test' }
function ask({ method, path }: Endpoint, headers: Record<string, string>, body?: string): Promise<TestAnswer> {
  return server.call(method, path.replaceAll(/:\w+/g, 'nothing'), { headers, ...(body !== undefined && { body }) })
}

/** The response to each operation as `operation status word`, so that a difference names the operation. */
async function each(
  endpoints: readonly Endpoint[],
  headers: Record<string, string>,
  word: (answer: TestAnswer) => unknown,
): Promise<string[]> {
  const lines: string[] = []
  for (const endpoint of endpoints) {
    const answer = await ask(endpoint, headers)
    lines.push(`${endpoint.operationId} ${answer.status} ${String(word(answer))}`)
  }
  return lines
}

const all = (endpoints: readonly Endpoint[], told: string) =>
  endpoints.map(({ operationId }) => `${operationId} ${told}`)
const issueOf = ({ body }: TestAnswer) => body?.error?.details?.issues?.[0]?.path
const wordsOf = ({ body }: TestAnswer) => body?.error?.message

describe('every operation with a session', () => {
  test.each([[undefined], ['staging'], ['LIVE'], ['']])('is refused with X-Overture-Environment %o', async (value) => {
    const headers = { cookie: person.cookie, 'sec-fetch-site': 'same-origin' }
    const sent = value === undefined ? headers : { ...headers, 'x-overture-environment': value }
    expect(await each(closed, sent, issueOf)).toEqual(all(closed, '400 X-Overture-Environment'))
  })

  test('treats a forged cookie like an ended session', async () => {
    const [name] = person.cookie.split('=')
    const ended = await createTestPerson(server)
    await ended.call('DELETE', '/v2/me/sessions/current')
    const forged = [`${name}=${randomBytes(32).toString('base64url')}`, `${name}=x`, ended.cookie]
    for (const cookie of forged)
      expect(await each(closed, { ...own, cookie }, wordsOf)).toEqual(
        all(closed, '401 The session is unknown or has ended.'),
      )
  })

  test.each([
    [{}],
    [{ origin: 'https://evil.example.com' }],
    [{ origin: 'null' }],
    [{ 'sec-fetch-site': 'cross-site' }],
    [{ 'sec-fetch-site': 'same-site' }],
    [{ 'sec-fetch-site': 'none' }],
  ])('refuses writes from a page with %o', async (said) => {
    const headers = { cookie: person.cookie, 'x-overture-environment': 'test', ...said } as Record<string, string>
    const responses = await each(writing, headers, ({ body }) => body?.error?.code)
    expect(responses).toEqual(all(writing, '403 INSUFFICIENT_SCOPE'))
  })

  test.each(['application/x-www-form-urlencoded', 'multipart/form-data; boundary=b', 'text/plain'])(
    'refuses a form (%s) by its type, even if everything else is right',
    async (type) => {
      for (let from = 0; from < writing.length; from += requestsPerSession) {
        const { cookie } = await createTestPerson(server)
        for (const endpoint of writing.slice(from, from + requestsPerSession)) {
          const answer = await ask(endpoint, { ...own, cookie, 'content-type': type }, 'name=Mallory')
          expect([endpoint.operationId, answer.status]).toEqual([endpoint.operationId, 415])
        }
      }
      const open = allEndpoints.filter(({ open: isOpen, method }) => isOpen !== undefined && method === 'POST')
      for (const endpoint of open) {
        const answer = await ask(endpoint, { 'content-type': type }, 'email=a@example.com&password=x')
        expect([endpoint.operationId, answer.status]).toEqual([endpoint.operationId, 415])
      }
      expect(open.length).toBeGreaterThan(3)
    },
  )
})

describe('a download link, which sends no headers', () => {
  const lists = closed.filter(({ operationId }) =>
    ['listCampaigns', 'listSuppressions', 'listUsers'].includes(operationId),
  )
  const link = ({ path }: Endpoint, query: string, said: Record<string, string>) =>
    server.call('GET', `${path}?${query}`, { headers: { cookie: person.cookie, ...said } })

  test('has its environment in the query and works from our own pages and typed addresses', async () => {
    for (const list of lists)
      for (const headers of [{}, { 'sec-fetch-site': 'same-origin' }, { 'sec-fetch-site': 'none' }]) {
        const answer = await link(list, 'format=csv&environment=test', headers as Record<string, string>)
        expect([list.operationId, headers, answer.status]).toEqual([list.operationId, headers, 200])
        expect(answer.headers.get('content-type')).toContain('text/csv')
      }
    expect(lists.length).toBe(3)
  })

  test('is refused from foreign pages, without an environment and for other formats', async () => {
    for (const list of lists) {
      for (const site of ['cross-site', 'same-site'])
        expect((await link(list, 'format=csv&environment=test', { 'sec-fetch-site': site })).status).toBe(403)
      expect((await link(list, 'format=csv', {})).status).toBe(400)
      expect((await link(list, 'environment=test', {})).status).toBe(400)
    }
  })
})
