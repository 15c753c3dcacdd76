import fc from 'fast-check'
import { expect, test } from 'vitest'
import { withTrace } from '@overture/testing/mail/oauth-words.ts'
import { readTokenAnswer } from '../oauth/oauth.ts'
import { isForOperator, findProviderRefusal, joinWords } from './provider-refusals.ts'

/** These texts are from Microsoft's reference of error codes and from pages that quote them. */
test.each([
  [
    'invalid_grant',
    "AADSTS65001: The user or administrator has not consented to use the application with ID '1' named 'Overture'. Send an " +
      'interactive authorization request for this user and resource.',
    'administrator',
    'consent for the whole organization',
  ],
  ['access_denied', 'AADSTS90094: The grant requires admin permission.', 'administrator', 'may not do it'],
  ['access_denied', 'AADSTS65004: User declined to consent to access the app.', 'owner', 'choose Accept'],
  [
    'invalid_grant',
    "AADSTS50105: Your administrator has configured the application Overture ('1') to block users unless they are specifically " +
      "granted ('assigned') access to the application.",
    'administrator',
    'assign this user',
  ],
  [
    'invalid_client',
    "AADSTS7000222: The provided client secret keys for app '1' are expired.",
    'operator',
    'Ask your operator: the client secret of this installation has expired',
  ],
  ['invalid_client', 'AADSTS7000215: Invalid client secret provided.', 'operator', 'does not know the client secret'],
  ['invalid_grant', 'AADSTS700082: The refresh token has expired due to inactivity.', 'owner', '90 days'],
  ['invalid_grant', 'AADSTS9999999: A code of next year.', 'owner', 'connect the mailbox again'],
] as const)('%s from Microsoft: %s', (error, description, solver, advice) => {
  const refusal = findProviderRefusal('microsoft', { error, description: withTrace(description) })
  expect(refusal).toMatchObject({ code: /AADSTS\d+/.exec(description)?.[0], solver })
  expect(refusal?.message).toContain(advice)
  expect(refusal?.message).not.toContain('Trace ID')
  expect(isForOperator(`IMAP: ${refusal?.message}`)).toBe(solver === 'operator')
})

test.each([
  ['access_denied', null, 'owner', 'allow access'],
  ['admin_policy_enforced', null, 'administrator', 'Google Workspace administrator'],
  ['invalid_grant', 'Token has been expired or revoked.', 'owner', 'connect the mailbox again'],
  ['invalid_grant', 'Bad Request', 'owner', 'connect the mailbox again'],
  ['invalid_client', 'The provided client secret is invalid.', 'operator', 'Google refuses the client secret'],
] as const)('%s from Google (%s)', (error, description, solver, advice) => {
  const refusal = findProviderRefusal('google', { error, description })
  expect(refusal).toMatchObject({ code: error, solver, message: expect.stringContaining(advice) })
})

test('an unknown response counts as an unavailable provider and keeps its text', () => {
  expect(findProviderRefusal('google', { error: 'temporarily_unavailable', description: null })).toBeNull()
  expect(readTokenAnswer('google', 503, {})).toEqual({ kind: 'unavailable', message: 'status 503.' })
})

test("a provider's text becomes one line of limited length", () => {
  const words = fc.string({ unit: 'binary', maxLength: 5_000 })
  fc.assert(
    fc.property(fc.constantFrom('access_denied', 'invalid_client', 'x'), words, (error, description) => {
      const message = findProviderRefusal('microsoft', { error, description })?.message ?? joinWords(error, description)
      expect(message.length).toBeLessThanOrEqual(480)
      expect(message).not.toMatch(/[\n\t]/)
      expect(message.isWellFormed()).toBe(true)
    }),
  )
})
