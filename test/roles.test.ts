import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { allEndpoints } from '@overture/contract/all-endpoints.ts'
import type { Endpoint } from '@overture/contract/endpoint.ts'
import { roles, type Role } from '@overture/contract/team/roles.ts'
import { createKey } from '@overture/server/api-keys/index.ts'
import { createTestPerson } from '@overture/testing/server/people.ts'
import type { Call, TestServer } from '@overture/testing/server.ts'
import { startWholeServer } from '@overture/testing/server/whole-server.ts'

// Each test calls every operation.
vi.setConfig({ testTimeout: 300_000 })

/** Operations only for admins and owners. Viewers may call every other read, members every other operation. */
const adminsAlone = [
  'authorizeSendingAccount',
  'connectTenant',
  'connectTenantMailboxes',
  'convertSendingAccount',
  'createCheckout',
  'createExport',
  'deleteExport',
  'downloadExportFile',
  'getExport',
  'listExports',
  'createInvitation',
  'createSeedMailbox',
  'createSendingAccount',
  'createWebhook',
  'deleteInvitation',
  'deleteSeedMailbox',
  'deleteSendingAccount',
  'deleteSuppression',
  'deleteTenantConnection',
  'deleteUser',
  'deleteWebhook',
  'discoverSendingAccount',
  'erasePerson',
  'exportAuditLog',
  'exportPerson',
  'getContactPolicy',
  'listAuditLog',
  'previewContactPolicy',
  'updateContactPolicy',
  'listInvitations',
  'pauseSendingAccount',
  'redeliverWebhook',
  'resumeSendingAccount',
  'rotateWebhookSecret',
  'testWebhook',
  'updateAccount',
  'updateDeliverabilityDomain',
  'updateSeedMailbox',
  'updateSendingAccount',
  'updateTenantConnection',
  'updateUser',
  'updateWebhook',
  'verifySeedMailbox',
  'verifySendingAccount',
  'verifyTenantConnection',
]
/** Operations on the user's own account. */
const everybodysOwn = ['beginTotp', 'confirmTotp', 'endMySession', 'endTotp', 'revokeGrant', 'updateMe']
/** Operations that need the `admin` scope of a key. */
const administering = [
  'authorizeSendingAccount',
  'connectTenant',
  'connectTenantMailboxes',
  'convertSendingAccount',
  'createApiKey',
  'createInvitation',
  'createSendingAccount',
  'createWebhook',
  'deleteInvitation',
  'deleteSendingAccount',
  'deleteTenantConnection',
  'deleteUser',
  'deleteWebhook',
  'erasePerson',
  'exportAuditLog',
  'exportPerson',
  'listAuditLog',
  'redeliverWebhook',
  'revokeApiKey',
  'revokeGrant',
  'rotateWebhookSecret',
  'testWebhook',
  'updateSendingAccount',
  'updateUser',
  'updateWebhook',
  'verifyTenantConnection',
  'updateTenantConnection',
]
/** Below the number of requests that a session may send per second. */
const requestsPerSession = 25

const closed = allEndpoints.filter(({ open }) => open === undefined)
let server: TestServer
beforeAll(async () => {
  server = await startWholeServer()
})
afterAll(() => server.stop())

/** The environment of a key that may call the operation. */
function keyFor({ environment }: Endpoint): 'live' | 'test' {
  return environment === 'live' ? 'live' : 'test'
}

function neededRole({ operationId, method }: Endpoint): Role {
  if (adminsAlone.includes(operationId)) return 'admin'
  if (everybodysOwn.includes(operationId)) return 'viewer'
  return method === 'GET' ? 'viewer' : 'member'
}

/** Sends a body that every operation rejects, so that a request that passes the role check changes nothing. */
async function ask(
  call: Call,
  endpoint: Endpoint,
): Promise<{ status: number; code: string | undefined; needed: unknown }> {
  const path = endpoint.path.replaceAll(/:\w+/g, 'nothing')
  const answer = await call(endpoint.method, path, endpoint.method === 'GET' ? {} : { body: '{' })
  return {
    status: answer.status,
    code: answer.body?.error?.code,
    needed: answer.body?.error?.details?.requiredRole,
  }
}

function expectRight(endpoint: Endpoint, role: Role, answer: Awaited<ReturnType<typeof ask>>): void {
  const needed = neededRole(endpoint)
  const { operationId } = endpoint
  if (roles.indexOf(role) < roles.indexOf(needed)) {
    expect({ operationId, ...answer }).toEqual({ operationId, status: 403, code: 'INSUFFICIENT_ROLE', needed })
  } else {
    expect([operationId, answer.status]).not.toEqual([operationId, 403])
    expect([operationId, answer.status]).not.toEqual([operationId, 401])
  }
}

test('the tables contain only existing operations', () => {
  const known = allEndpoints.map(({ operationId }) => operationId)
  expect([...adminsAlone, ...everybodysOwn, ...administering].filter((name) => !known.includes(name))).toEqual([])
})

test.each(roles)('a session of a %s can do what its role allows, and nothing else', async (role) => {
  for (let from = 0; from < closed.length; from += requestsPerSession) {
    const { call } = await createTestPerson(server, { role })
    for (const endpoint of closed.slice(from, from + requestsPerSession))
      expectRight(endpoint, role, await ask(call, endpoint))
  }
})

test.each(roles)('a key of a %s with every scope can do what the role allows, and nothing else', async (role) => {
  const person = await createTestPerson(server, { role })
  const callOf = async (environment: 'live' | 'test'): Promise<Call> => {
    const scopes = ['read', 'write', 'admin'] as const
    const input = { accountId: server.tenant.accountId, environment, scopes, userId: person.id }
    const { key } = await server.app.db.transaction((tx) => createKey(tx, { ...input, now: server.app.clock.now() }))
    return (method, path, options) => server.call(method, path, { ...options, key })
  }
  const calls = { live: await callOf('live'), test: await callOf('test') }
  for (const endpoint of closed) expectRight(endpoint, role, await ask(calls[keyFor(endpoint)], endpoint))
})

describe('a key without a user is limited only by its scopes', () => {
  test.each([['read'], ['write'], ['admin']] as const)("%s doesn't include any other scope", async (scope) => {
    const keys = {
      live: (await server.newKey({ environment: 'live', scopes: [scope] })).key,
      test: (await server.newKey({ environment: 'test', scopes: [scope] })).key,
    }
    for (const endpoint of closed) {
      const call: Call = (method, path, options) =>
        server.call(method, path, { ...options, key: keys[keyFor(endpoint)] })
      const { operationId, method } = endpoint
      const needed = administering.includes(operationId) ? 'admin' : endpoint.scope
      if (needed !== 'admin') expect([operationId, needed]).toEqual([operationId, method === 'GET' ? 'read' : 'write'])
      const { status, code } = await ask(call, endpoint)
      if (needed === scope) expect([operationId, status]).not.toEqual([operationId, 403])
      else expect([operationId, status, code]).toEqual([operationId, 403, 'INSUFFICIENT_SCOPE'])
    }
  })
})
