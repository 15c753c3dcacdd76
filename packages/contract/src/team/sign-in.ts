import { z } from 'zod'
import { email, namedObject, timestamp } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { me, meExample } from './me.ts'
import { personName, role, signInMethod } from './users.ts'

const tag = 'Sign-in'

/** Longer passwords are no stronger, and cost the server more to check. */
export const passwordLengthMin = 12
export const passwordLengthMax = 256

const newPassword = z.string().min(passwordLengthMin).max(passwordLengthMax)
// The password as it was typed. A text that can't be a password is refused like any wrong password.
const typedPassword = z.string().min(1).max(1000)
const linkToken = z.string().min(1).max(200)

export const signInState = namedObject('SignInState', {
  signedIn: z.boolean(),
  /** Whether there is no user yet. The server printed a link with which the first owner is created. */
  setupRequired: z.boolean(),
  methods: z.array(signInMethod),
  /** Whether the server can mail a link that sets a new password. */
  passwordReset: z.boolean(),
  version: z.string(),
})
export type SignInState = z.infer<typeof signInState>

export const linkDescription = namedObject('LinkDescription', {
  kind: z.enum(['setup', 'invitation', 'password']),
  /** The address that the link is for; null for the link that creates the first owner. */
  email: z.string().nullable(),
  /** The role that an invitation gives; null for a link that sets a password. */
  role: role.nullable(),
  accountName: z.string(),
  /** The name of the inviting user; null if it was the operator or a key, or if that user was removed. */
  invitedBy: z.string().nullable(),
  expiresAt: timestamp,
})
export type LinkDescription = z.infer<typeof linkDescription>

const open = { open: true, tag, role: 'viewer' } as const

export const signInEndpoints = {
  getSignInState: endpoint({
    ...open,
    operationId: 'getSignInState',
    call: 'auth.state',
    method: 'GET',
    path: '/v2/auth/state',
    environment: 'live',
    scope: 'read',
    summary: 'Get the ways to sign in',
    description: 'Returns whether the cookie is a valid session, and the possible ways to sign in.',
    success: [200],
    output: signInState,
    examples: {
      output: { signedIn: false, setupRequired: false, methods: ['password'], passwordReset: false, version: '0.1.0' },
    },
  }),
  login: endpoint({
    ...open,
    operationId: 'login',
    call: 'auth.login',
    method: 'POST',
    path: '/v2/auth/login',
    environment: 'live',
    scope: 'write',
    summary: 'Sign in with a password',
    description:
      'Sets a session cookie. An unknown address and a wrong password give the same response in the same time. With ' +
      '`totp`, `code` is a code from the authenticator or a recovery code. Without it the response is 401 with ' +
      '`details.reason: code_required`. Five failures per address in 15 minutes, or twenty per IP address, are 429. ' +
      '`accountId` chooses the account if the address is in several. Without it the server uses an account whose ' +
      'password matches, and prefers the one used last.',
    body: namedObject('LoginInput', {
      email: z.string().trim().min(1).max(254),
      password: typedPassword,
      code: z.string().trim().max(40).optional(),
      accountId: z.string().optional(),
    }),
    success: [200],
    output: me,
    examples: { body: { email: 'ada@example.com', password: 'a long phrase of words' }, output: meExample },
  }),
  logout: endpoint({
    ...open,
    operationId: 'logout',
    call: 'auth.logout',
    method: 'POST',
    path: '/v2/auth/logout',
    environment: 'live',
    scope: 'write',
    summary: 'Sign out',
    description: 'Ends the session of the cookie and clears the cookie. Without a cookie nothing changes.',
    success: [200],
    output: namedObject('SignedOut', { signedIn: z.literal(false) }),
    examples: { output: { signedIn: false } },
  }),
  describeLink: endpoint({
    ...open,
    operationId: 'describeLink',
    call: 'auth.describeLink',
    method: 'POST',
    path: '/v2/auth/link',
    environment: 'live',
    scope: 'write',
    summary: 'Describe a link',
    description:
      'Returns what the token of a link is for, so that a person can check it before accepting. The link stays unused. ' +
      'A used or expired link is 401.',
    body: namedObject('DescribeLinkInput', { token: linkToken }),
    success: [200],
    output: linkDescription,
    examples: {
      body: { token: 'Zk3vQ0n1' },
      output: {
        kind: 'invitation',
        email: 'bob@example.com',
        role: 'member',
        accountName: 'Example Ltd',
        invitedBy: 'Ada Lovelace',
        expiresAt: '2026-03-09T10:00:00.000Z',
      },
    },
  }),
  acceptLink: endpoint({
    ...open,
    operationId: 'acceptLink',
    call: 'auth.accept',
    method: 'POST',
    path: '/v2/auth/accept',
    environment: 'live',
    scope: 'write',
    summary: 'Accept a link',
    description:
      'Accepts the token of an invitation, or of the link that the server prints while no user exists who can sign in. ' +
      'That link creates the first owner and needs `email`. A link works once. A used or expired link is 401.',
    body: namedObject('AcceptLinkInput', {
      token: linkToken,
      name: personName,
      password: newPassword,
      email: email.optional(),
    }),
    success: [201],
    output: me,
    examples: {
      body: { token: 'Zk3vQ0n1', name: 'Ada Lovelace', password: 'a long phrase of words', email: 'ada@example.com' },
      output: meExample,
    },
  }),
  requestPasswordReset: endpoint({
    ...open,
    operationId: 'requestPasswordReset',
    call: 'auth.requestPasswordReset',
    method: 'POST',
    path: '/v2/auth/password/reset',
    environment: 'live',
    scope: 'write',
    summary: 'Request a password reset',
    description:
      'Emails a reset link to a user who has a password. The response and its duration are the same for an unknown ' +
      'address. Three requests per address in 15 minutes, more are 429. The response is 503 if the server has no ' +
      'system mail (`passwordReset` of `/v2/auth/state`).',
    body: namedObject('RequestPasswordResetInput', { email: z.string().trim().min(1).max(254) }),
    success: [202],
    output: namedObject('PasswordResetRequested', { accepted: z.literal(true) }),
    errors: ['SERVICE_UNAVAILABLE'],
    examples: { body: { email: 'ada@example.com' }, output: { accepted: true } },
  }),
  changePassword: endpoint({
    ...open,
    operationId: 'changePassword',
    call: 'auth.changePassword',
    method: 'POST',
    path: '/v2/auth/password',
    environment: 'live',
    scope: 'write',
    summary: 'Change a password',
    description:
      'Needs the token of a reset link, or `currentPassword` of the signed-in user. Every other session of the user ' +
      'ends, and the response sets the cookie of a new session. A user with `totp` also sends `code` with a link, as ' +
      'at sign-in.',
    body: namedObject('ChangePasswordInput', {
      token: linkToken.optional(),
      currentPassword: typedPassword.optional(),
      newPassword,
      code: z.string().trim().max(40).optional(),
    }),
    success: [200],
    output: me,
    examples: {
      body: { currentPassword: 'a long phrase of words', newPassword: 'another phrase of words' },
      output: meExample,
    },
  }),
}
