import { z } from 'zod'
import { deleted, environment, listOf, namedObject, pageQuery, timestamp, timestampInput } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { confirmation, confirmText, oldSessionText } from '../team/confirmation.ts'

export const scope = z.enum(['read', 'write', 'admin']).meta({ id: 'Scope' })

export const apiKey = namedObject('ApiKey', {
  id: z.string(),
  name: z.string(),
  /** The first 14 characters of the key. */
  prefix: z.string(),
  scopes: z.array(scope),
  environment,
  /**
   * The user of the key. The key can do what the user may do, and ends with the user. Null means that the key has no user and acts as
   * owner.
   */
  userId: z.string().nullable(),
  status: z.enum(['active', 'revoked', 'expired']),
  createdAt: timestamp,
  lastUsedAt: timestamp.nullable(),
  expiresAt: timestamp.nullable(),
  revokedAt: timestamp.nullable(),
})
export type ApiKey = z.infer<typeof apiKey>

/** `key` is shown once: only in the answer that created it, and not when that answer is replayed. */
export const createdApiKey = namedObject('CreatedApiKey', { ...apiKey.shape, key: z.string().optional() })

export const createApiKeyInput = namedObject('CreateApiKeyInput', {
  name: z.string().trim().min(1).max(100).default('API key'),
  scopes: z.array(scope).min(1).max(3).default(['read']),
  /** Must be the environment of the key or session that makes the request. */
  environment: environment.optional(),
  expiresAt: timestampInput.nullable().optional(),
  /** Required from a person for a live key with the scope `admin`, and in an older session for one with `write`. */
  confirm: confirmation.optional(),
})

const example: ApiKey = {
  id: 'key_1m3q8z0c0n7t5w2k9x',
  name: 'Reporting',
  prefix: 'ovt_test_4Fq9x',
  scopes: ['read'],
  environment: 'test',
  userId: null,
  status: 'active',
  createdAt: '2026-11-02T09:30:00.000Z',
  lastUsedAt: null,
  expiresAt: null,
  revokedAt: null,
}

export const apiKeysEndpoints = {
  listApiKeys: endpoint({
    operationId: 'listApiKeys',
    call: 'account.apiKeys.list',
    method: 'GET',
    path: '/v2/account/api-keys',
    environment: 'both',
    scope: 'read',
    summary: 'List API keys',
    description:
      'Lists the keys of both environments, newest first, with revoked and expired ones. A test key lists only test ' +
      'keys.',
    tag: 'Account',
    query: z.strictObject(pageQuery),
    success: [200],
    output: listOf(apiKey),
    examples: {
      output: {
        results: [example],
        pagination: { currentPage: 1, totalPages: 1, totalCount: 1 },
        nextCursor: null,
      },
    },
  }),
  createApiKey: endpoint({
    operationId: 'createApiKey',
    call: 'account.apiKeys.create',
    method: 'POST',
    path: '/v2/account/api-keys',
    environment: 'both',
    scope: 'admin',
    role: 'member',
    summary: 'Create an API key',
    description:
      'Creates a key in the environment of the calling key or session, with scopes that the caller has. Anything else ' +
      'is 403. The key belongs to the calling user. It can do what its scopes and the present role of the user allow, ' +
      'and it ends with the user. It also expires and is revoked with the key that created it. The key itself is shown ' +
      `once. For a live key with the scope \`admin\`, ${confirmText} With \`write\`, ${oldSessionText} The response is 409 ` +
      'if the account already has `limits.maxApiKeys` active keys. Revoke one first.',
    tag: 'Account',
    body: createApiKeyInput,
    success: [201],
    output: createdApiKey,
    errors: ['CONFLICT'],
    examples: {
      body: { name: 'Reporting', scopes: ['read'] },
      output: { ...example, key: 'ovt_test_4Fq9xT7bK2mW8sZ1vR6cJ3nP2hD9aL' },
    },
    secretFields: ['key'],
  }),
  revokeApiKey: endpoint({
    operationId: 'revokeApiKey',
    call: 'account.apiKeys.revoke',
    method: 'DELETE',
    path: '/v2/account/api-keys/:id',
    environment: 'both',
    scope: 'admin',
    role: 'member',
    summary: 'Revoke an API key',
    description:
      'The key and every key that was created with it stop working everywhere within a second. They stay in the list ' +
      'as `revoked`. Members can revoke their own keys, admins all keys.',
    tag: 'Account',
    success: [200],
    output: deleted,
    errors: ['NOT_FOUND'],
    examples: { output: { id: 'key_1m3q8z0c0n7t5w2k9x', deleted: true } },
  }),
}
