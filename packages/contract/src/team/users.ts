import { z } from 'zod'
import { deleted, email, environment, listOf, namedObject, pageQuery, timestamp } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { confirmation, confirmText } from './confirmation.ts'
import { roles } from './roles.ts'

export const role = z.enum(roles).meta({ id: 'Role' })
export const userStatus = z.enum(['active', 'disabled'])
export type UserStatus = z.infer<typeof userStatus>
export const signInMethod = z.enum(['password', 'oidc']).meta({ id: 'SignInMethod' })
export type SignInMethod = z.infer<typeof signInMethod>

export const personName = z.string().trim().min(1).max(100)

export const user = namedObject('User', {
  id: z.string(),
  email: z.string(),
  name: z.string(),
  role,
  status: userStatus,
  /** The methods with which the user can sign in. */
  methods: z.array(signInMethod),
  /** Whether an authenticator code is required in addition to the password. */
  totp: z.boolean(),
  lastSeenAt: timestamp.nullable(),
  createdAt: timestamp,
})
export type User = z.infer<typeof user>

/** A webhook that a user created, and that keeps posting after the user has lost rights. */
const keptWebhook = namedObject('KeptWebhook', { id: z.string(), environment, url: z.string() })
export type KeptWebhook = z.infer<typeof keptWebhook>
const keptWebhooks = z.array(keptWebhook)

export const changedUser = namedObject('ChangedUser', { ...user.shape, keptWebhooks })
export const deletedUser = namedObject('DeletedUser', { id: z.string(), deleted: z.literal(true), keptWebhooks })

export const userExample: User = {
  id: 'usr_1m3q8z0c0n7t5w2k9x',
  email: 'ada@example.com',
  name: 'Ada Lovelace',
  role: 'owner',
  status: 'active',
  methods: ['password'],
  totp: false,
  lastSeenAt: '2026-11-02T09:30:00.000Z',
  createdAt: '2026-11-02T09:30:00.000Z',
}

export const invitation = namedObject('Invitation', {
  id: z.string(),
  email: z.string(),
  role,
  /** The user who sent the invitation; null if it was the operator. */
  invitedBy: z.string().nullable(),
  createdAt: timestamp,
  expiresAt: timestamp,
})
export type Invitation = z.infer<typeof invitation>

/** `url` is shown once: only in the answer that created it, and not when that answer is replayed. */
export const createdInvitation = namedObject('CreatedInvitation', {
  ...invitation.shape,
  url: z.string().optional(),
  /** Whether the server also mails the link to the invited person. */
  mailed: z.boolean(),
})

export const updateUserInput = namedObject('UpdateUserInput', {
  role: role.optional(),
  status: userStatus.optional(),
  // Read-only fields may be sent back unchanged, so that GET, edit, PUT works.
  id: z.string().optional(),
  email: z.string().optional(),
  name: z.string().optional(),
  methods: z.array(signInMethod).optional(),
  totp: z.boolean().optional(),
  lastSeenAt: timestamp.nullable().optional(),
  createdAt: timestamp.optional(),
  keptWebhooks: keptWebhooks.optional(),
  confirm: confirmation.optional(),
})

const tag = 'Team'
const pageOfOne = { pagination: { currentPage: 1, totalPages: 1, totalCount: 1 }, nextCursor: null }
const invitationExample: Invitation = {
  id: 'inv_1m3q8z0c0n7t5w2k9x',
  email: 'grace@example.com',
  role: 'member',
  invitedBy: 'usr_1m3q8z0c0n7t5w2k9x',
  createdAt: '2026-11-02T09:30:00.000Z',
  expiresAt: '2026-11-09T09:30:00.000Z',
}

export const userEndpoints = {
  listUsers: endpoint({
    operationId: 'listUsers',
    call: 'users.list',
    method: 'GET',
    path: '/v2/users',
    environment: 'live',
    scope: 'read',
    summary: 'List users',
    description: 'Newest first, with disabled users.',
    tag,
    query: z.strictObject(pageQuery),
    success: [200],
    output: listOf(user),
    examples: { output: { results: [userExample], ...pageOfOne } },
  }),
  getUser: endpoint({
    operationId: 'getUser',
    call: 'users.get',
    method: 'GET',
    path: '/v2/users/:id',
    environment: 'live',
    scope: 'read',
    summary: 'Get a user',
    description: 'Returns one user of the account.',
    tag,
    success: [200],
    output: user,
    errors: ['NOT_FOUND'],
    examples: { output: userExample },
  }),
  updateUser: endpoint({
    operationId: 'updateUser',
    call: 'users.update',
    method: 'PUT',
    path: '/v2/users/:id',
    environment: 'live',
    scope: 'admin',
    summary: "Change a user's role or status",
    description:
      "Users can't change or promote a user above their own role (403). The last active owner must stay owner (409). " +
      'Another role signs the user out. Disabling ends sessions and revokes keys everywhere within a second. ' +
      'Invitations of the user end, also with a lower role. `keptWebhooks` lists webhooks that the user created and ' +
      `that keep sending. To make a user owner or to change an owner, ${confirmText}`,
    tag,
    body: updateUserInput,
    success: [200],
    output: changedUser,
    errors: ['NOT_FOUND', 'CONFLICT'],
    examples: { body: { role: 'admin' }, output: { ...userExample, role: 'admin', keptWebhooks: [] } },
  }),
  deleteUser: endpoint({
    operationId: 'deleteUser',
    call: 'users.delete',
    method: 'DELETE',
    path: '/v2/users/:id',
    environment: 'live',
    scope: 'admin',
    summary: 'Delete a user',
    description:
      "Has the same effects as disabling, permanently. The history of the user's actions is kept. The last active " +
      `owner can't be deleted (409). To delete an owner, ${confirmText}`,
    tag,
    body: namedObject('DeleteUserInput', { confirm: confirmation.optional() }),
    success: [200],
    output: deletedUser,
    errors: ['NOT_FOUND', 'CONFLICT'],
    examples: { body: {}, output: { id: 'usr_1m3q8z0c0n7t5w2k9x', deleted: true, keptWebhooks: [] } },
  }),
  listInvitations: endpoint({
    operationId: 'listInvitations',
    call: 'invitations.list',
    method: 'GET',
    path: '/v2/invitations',
    environment: 'live',
    scope: 'read',
    role: 'admin',
    summary: 'List invitations',
    description: 'Invitations that can still be accepted, newest first.',
    tag,
    query: z.strictObject(pageQuery),
    success: [200],
    output: listOf(invitation),
    examples: { output: { results: [invitationExample], ...pageOfOne } },
  }),
  createInvitation: endpoint({
    operationId: 'createInvitation',
    call: 'invitations.create',
    method: 'POST',
    path: '/v2/invitations',
    environment: 'live',
    scope: 'admin',
    summary: 'Invite a user',
    description:
      'Returns an invitation link, shown only once and valid for 7 days. An earlier link for the same address ends. ' +
      "Users can't invite someone above their own role (403). The address of an existing user is 409. To invite an " +
      `owner, ${confirmText}`,
    tag,
    body: namedObject('CreateInvitationInput', { email, role, confirm: confirmation.optional() }),
    success: [201],
    output: createdInvitation,
    errors: ['CONFLICT'],
    examples: {
      body: { email: 'grace@example.com', role: 'member' },
      output: { ...invitationExample, url: 'https://outreach.example.com/app/accept#Zk3vQ0n1', mailed: false },
    },
    secretFields: ['url'],
  }),
  deleteInvitation: endpoint({
    operationId: 'deleteInvitation',
    call: 'invitations.delete',
    method: 'DELETE',
    path: '/v2/invitations/:id',
    environment: 'live',
    scope: 'admin',
    summary: 'Revoke an invitation',
    description: 'The link of the invitation stops working.',
    tag,
    success: [200],
    output: deleted,
    errors: ['NOT_FOUND'],
    examples: { output: { id: 'inv_1m3q8z0c0n7t5w2k9x', deleted: true } },
  }),
}
