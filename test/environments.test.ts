import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allEndpoints } from '@overture/contract/all-endpoints.ts'
import { createTestPerson } from '@overture/testing/server/people.ts'
import type { TestServer } from '@overture/testing/server.ts'
import { startWholeServer } from '@overture/testing/server/whole-server.ts'
import { ofBothEnvironments } from './house/environments.ts'

const closed = allEndpoints.filter(({ open }) => open === undefined)
const ofLive = closed.filter(({ environment }) => environment === 'live')
/** Below the number of requests that a session may send per second. */
const requestsPerSession = 25

let server: TestServer
beforeAll(async () => {
  server = await startWholeServer()
})
afterAll(() => server.stop())

const pathOf = ({ path }: { path: string }) => path.replaceAll(/:\w+/g, 'nothing')
/** A body that every operation rejects, so that a request that passes the check changes nothing. */
const harmless = (method: string) => (method === 'GET' ? {} : { body: '{' })

test('each operation of both environments is listed with a reason', () => {
  const listed = Object.values(ofBothEnvironments).flat()
  const declared = allEndpoints
    .filter(({ environment }) => environment === 'both')
    .map(({ operationId }) => operationId)
  expect(listed.toSorted()).toEqual(declared.toSorted())
})

test('users, sign-in, billing and the audit log belong to live', () => {
  const paths = /^\/v2\/(users|invitations|audit-log|auth|me|billing\/checkout)(\/|$)/
  const others = allEndpoints.filter(({ path, environment }) => paths.test(path) && environment !== 'live')
  expect(others.map(({ operationId }) => operationId)).toEqual([])
})

describe('a live operation', () => {
  test('refuses a test key with every scope', async () => {
    for (const { operationId, method, path } of ofLive) {
      const answer = await server.call(method, pathOf({ path }), { key: server.keys.test, ...harmless(method) })
      expect([operationId, answer.status, answer.body.error.code]).toEqual([operationId, 403, 'INSUFFICIENT_SCOPE'])
    }
  })

  test('refuses a test key of an owner', async () => {
    const owner = await createTestPerson(server)
    const made = await owner.call('POST', '/v2/account/api-keys', { body: { scopes: ['read', 'write', 'admin'] } })
    const { key } = made.body
    for (const { operationId, method, path } of ofLive) {
      const answer = await server.call(method, pathOf({ path }), { key, ...harmless(method) })
      expect([operationId, answer.status]).toEqual([operationId, 403])
    }
  })

  test.each(['live', 'test'] as const)(
    "can be used by a person in the console's %s environment",
    async (environment) => {
      for (let from = 0; from < ofLive.length; from += requestsPerSession) {
        const owner = await createTestPerson(server, { environment })
        for (const { operationId, method, path } of ofLive.slice(from, from + requestsPerSession)) {
          const answer = await owner.call(method, pathOf({ path }), harmless(method))
          expect([operationId, answer.status]).not.toEqual([operationId, 403])
        }
      }
    },
  )

  test('can be used with a live key', async () => {
    for (const path of ['/v2/users', '/v2/invitations', '/v2/audit-log'])
      expect([path, (await server.call('GET', path, { key: server.keys.live })).status]).toEqual([path, 200])
  })
})

test("a test key can't make an owner, and can't read or change users", async () => {
  const { call, keys } = server
  const person = await createTestPerson(server, { role: 'owner' })
  const key = keys.test
  const tries = [
    await call('POST', '/v2/invitations', { key, body: { email: 'me@evil.example', role: 'owner' } }),
    await call('PUT', `/v2/users/${person.id}`, { key, body: { role: 'viewer' } }),
    await call('PUT', `/v2/users/${person.id}`, { key, body: { status: 'disabled' } }),
    await call('DELETE', `/v2/users/${person.id}`, { key }),
    await call('GET', `/v2/users/${person.id}`, { key }),
    await call('GET', '/v2/audit-log/export?format=ndjson', { key }),
    await call('POST', '/v2/billing/checkout', { key, body: { pack: 'credits_1000' } }),
  ]
  expect(tries.map(({ status }) => status)).toEqual(tries.map(() => 403))
  expect((await person.call('GET', '/v2/me')).body).toMatchObject({ role: 'owner', status: 'active' })
  expect((await call('GET', '/v2/invitations', { key: keys.live })).body.results).toEqual([])
})

test('a test key lists only test keys', async () => {
  const { call, keys } = server
  const shown = await call('GET', '/v2/account/api-keys?limit=100', { key: keys.test })
  const environments = new Set(shown.body.results.map(({ environment }: { environment: string }) => environment))
  expect([...environments]).toEqual(['test'])
  expect(shown.body.pagination.totalCount).toBe(shown.body.results.length)
  const all = await call('GET', '/v2/account/api-keys?limit=100', { key: keys.live })
  expect(all.body.pagination.totalCount).toBeGreaterThan(shown.body.pagination.totalCount)
})
