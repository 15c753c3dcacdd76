import { expect, test } from 'vitest'
import { allEndpoints } from '../all-endpoints.ts'
import { missingRole, operationsOfRole, type RestrictedOperation } from './operation-roles.ts'
import { requiredRole } from './roles.ts'

test('the lists for the console are those of the endpoints', () => {
  for (const role of ['member', 'admin', 'owner'] as const) {
    const needed = allEndpoints.filter((endpoint) => requiredRole(endpoint) === role)
    expect(operationsOfRole[role]).toEqual(needed.map(({ operationId }) => operationId).toSorted())
  }
})

test('a user lacks a role only for operations above their own', () => {
  const invite: RestrictedOperation = 'createInvitation'
  expect([missingRole('viewer', invite), missingRole('member', invite)]).toEqual(['admin', 'admin'])
  expect([missingRole('admin', invite), missingRole('owner', invite)]).toEqual([null, null])
})
