import { z } from 'zod'
import { deleted, environment, listOf, namedObject, pageQuery, timestamp } from '../common.ts'
import { endpoint } from '../endpoint.ts'

/** The rights that a person can give to an assistant. `send` and `live` have a meaning only at `/mcp`. */
export const grantScopes = ['read', 'write', 'send', 'live'] as const
export const grantScope = z.enum(grantScopes).meta({ id: 'GrantScope' })
export type GrantScope = z.infer<typeof grantScope>

export const grant = namedObject('Grant', {
  id: z.string(),
  /** The name that the assistant gives itself. Only `clientHost` is checked. */
  clientName: z.string(),
  /** The host of the document that describes the assistant, or of the address to which its answers are sent. */
  clientHost: z.string(),
  environment,
  scopes: z.array(grantScope),
  /** The user who allowed it. It can do what the user may do, and ends with the user. */
  userId: z.string().nullable(),
  createdAt: timestamp,
  lastUsedAt: timestamp.nullable(),
})
export type Grant = z.infer<typeof grant>

const example: Grant = {
  id: 'grt_1m3q8z0c0n7t5w2k9x',
  clientName: 'Assistant',
  clientHost: 'assistant.example.com',
  environment: 'test',
  scopes: ['read', 'write'],
  userId: 'usr_1m3q8z0c0n7t5w2k9x',
  createdAt: '2026-11-02T09:30:00.000Z',
  lastUsedAt: null,
}

export const grantEndpoints = {
  listGrants: endpoint({
    operationId: 'listGrants',
    call: 'account.grants.list',
    method: 'GET',
    path: '/v2/account/grants',
    environment: 'both',
    scope: 'read',
    summary: 'List assistants with access',
    description:
      'Lists the assistants that users connected to `/mcp` without a key, newest first. A test key lists only grants ' +
      'of the test environment.',
    tag: 'Account',
    query: z.strictObject(pageQuery),
    success: [200],
    output: listOf(grant),
    examples: {
      output: {
        results: [example],
        pagination: { currentPage: 1, totalPages: 1, totalCount: 1 },
        nextCursor: null,
      },
    },
  }),
  revokeGrant: endpoint({
    operationId: 'revokeGrant',
    call: 'account.grants.revoke',
    method: 'DELETE',
    path: '/v2/account/grants/:id',
    environment: 'both',
    scope: 'admin',
    role: 'viewer',
    summary: "Revoke an assistant's access",
    description:
      'The assistant is refused at its next request, and its tokens end. Users can revoke their own grants, admins all ' +
      'grants.',
    tag: 'Account',
    success: [200],
    output: deleted,
    errors: ['NOT_FOUND'],
    examples: { output: { id: example.id, deleted: true } },
  }),
}
