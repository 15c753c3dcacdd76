import { constants, generateKeyPairSync, sign } from 'node:crypto'
import { expect, test } from 'vitest'
import { applicationCertificate, applicationKey } from '@overture/testing/mail/application-keys.ts'
import { decideApplication } from '@overture/testing/mail/oauth-applications.ts'
import { readConnection, type ConnectionLogin } from './connection-login.ts'
import { tokenRequest } from './token-requests.ts'

/**
 * Requests are verified with the checks that the providers document. Each check refuses a request with one difference.
 */
const tenantId = '11111111-aaaa-4bbb-8ccc-0123456789ab'
const clientId = '33333333-aaaa-4bbb-8ccc-0123456789ab'
const robot = 'robot@project.iam.gserviceaccount.com'
const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
})
const now = new Date('2026-11-26T09:00:00.000Z')
const url = 'https://provider.test'
const mailboxes = ['ada@contoso.test', 'bo@contoso.test']
const known = {
  applications: { [clientId]: { tenantId, clientSecret: 'right', certificate: applicationCertificate, mailboxes } },
  serviceAccounts: { [robot]: { keyId: 'key1', publicKey, scopes: ['https://mail.google.com/'], mailboxes } },
}
const secret: ConnectionLogin = {
  provider: 'microsoft',
  tenantId,
  clientId,
  credential: { kind: 'secret', clientSecret: 'right' },
}
const google: ConnectionLogin = { provider: 'google', clientEmail: robot, privateKeyId: 'key1', privateKey }

function certificateLogin(): ConnectionLogin {
  const certificate = { privateKey: applicationKey, certificate: applicationCertificate }
  const read = readConnection({ provider: 'microsoft', tenantId, clientId, certificate }, now)
  if (read.kind === 'invalid') throw new Error(read.issue.message)
  return read.connection.login
}

const requestOf = (login: ConnectionLogin, mailbox = 'ada@contoso.test') =>
  tokenRequest(login, {
    urls: { microsoft: url, google: `${url}/token` },
    mailbox,
    nowMs: now.getTime(),
    assertionId: 'assertion1',
  })

function decide(request: { url: string; fields: Record<string, string> }, at = now) {
  const facts = { path: new URL(request.url).pathname, form: request.fields, url, nowSeconds: at.getTime() / 1000 }
  const decision = decideApplication(known, facts)
  if (decision.kind === 'granted') return decision.mailboxes
  const [, body] = decision.answer as [number, { error_description: string }]
  return body.error_description
}

const later = (seconds: number) => new Date(now.getTime() + seconds * 1000)
const decoded = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>

/** Signs an assertion again after a change. */
function changed(assertion: string, change: { header?: object; claims?: object; key?: string }): string {
  const [header = '', claims = ''] = assertion.split('.')
  const parts = [
    { ...decoded(header), ...change.header },
    { ...decoded(claims), ...change.claims },
  ].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
  const padding = decoded(header)['alg'] === 'PS256' ? { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 } : {}
  const key = change.key ?? (decoded(header)['alg'] === 'PS256' ? applicationKey : privateKey)
  return `${parts.join('.')}.${sign('sha256', Buffer.from(parts.join('.')), { key, ...padding }).toString('base64url')}`
}

test('a client secret gives access to every mailbox of the application', () => {
  const request = requestOf(secret)
  expect(request).toEqual({
    url: `${url}/${tenantId}/oauth2/v2.0/token`,
    fields: {
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: 'right',
      scope: 'https://outlook.office365.com/.default',
    },
  })
  expect(decide(request)).toEqual(mailboxes)
  const withFields = (fields: Record<string, string>) =>
    decide({ ...request, fields: { ...request.fields, ...fields } })
  expect(withFields({ client_secret: 'guess' })).toContain('AADSTS7000215')
  expect(withFields({ client_id: tenantId })).toContain('AADSTS700016')
  expect(withFields({ scope: 'https://graph.microsoft.com/.default' })).toContain('AADSTS1002012')
  expect(decide({ ...request, url: `${url}/${clientId}/oauth2/v2.0/token` })).toContain('AADSTS90002')
})

test('the assertion contains the certificate, the endpoint and the application', () => {
  const request = requestOf(certificateLogin())
  const [header = '', claims = ''] = (request.fields['client_assertion'] ?? '').split('.')
  expect(decoded(header)).toEqual({ alg: 'PS256', typ: 'JWT', 'x5t#S256': expect.stringMatching(/^[\w-]{43}$/) })
  expect(decoded(claims)).toEqual({
    aud: request.url,
    iss: clientId,
    sub: clientId,
    jti: 'assertion1',
    nbf: now.getTime() / 1000,
    iat: now.getTime() / 1000,
    exp: later(300).getTime() / 1000,
  })
  expect(request.fields['client_secret']).toBeUndefined()
  expect(decide(request)).toEqual(mailboxes)
})

test.each([
  [
    'of another key',
    { key: privateKey },
    'AADSTS700027: Client assertion contains an invalid signature. [Reason - The provided',
  ],
  ['of an unknown certificate', { header: { 'x5t#S256': 'other' } }, 'The key was not found.'],
  ['for another endpoint', { claims: { aud: 'https://elsewhere.test/token' } }, 'AADSTS700023'],
  ['by another issuer', { claims: { iss: tenantId } }, 'AADSTS700021'],
  ['about another subject', { claims: { sub: 'ada@contoso.test' } }, 'AADSTS700021'],
  ['that has expired', { claims: { exp: 1 } }, 'AADSTS700024'],
  ['that is not valid yet', { claims: { nbf: 4_000_000_000 } }, 'AADSTS700024'],
])("a certificate's assertion %s is refused", (_name, change, refusal) => {
  const request = requestOf(certificateLogin())
  const assertion = changed(request.fields['client_assertion'] ?? '', change)
  expect(decide({ ...request, fields: { ...request.fields, client_assertion: assertion } })).toContain(refusal)
})

test("Google's assertion is for one mailbox and at most one hour", () => {
  const request = requestOf(google, 'bo@contoso.test')
  expect(request.fields['grant_type']).toBe('urn:ietf:params:oauth:grant-type:jwt-bearer')
  const [header = '', claims = ''] = (request.fields['assertion'] ?? '').split('.')
  expect(decoded(header)).toEqual({ alg: 'RS256', typ: 'JWT', kid: 'key1' })
  expect(decoded(claims)).toMatchObject({
    iss: robot,
    sub: 'bo@contoso.test',
    scope: 'https://mail.google.com/',
    aud: `${url}/token`,
  })
  expect(decide(request)).toEqual(['bo@contoso.test'])
  expect(decide(request, later(3_601))).toContain('short-lived token')
})

test.each([
  ['of another key', { key: applicationKey }, 'Invalid JWT Signature.'],
  ['of a deleted key', { header: { kid: 'key0' } }, 'Invalid JWT Signature.'],
  ['for another endpoint', { claims: { aud: 'https://elsewhere.test/token' } }, 'Failed audience check'],
  ['by an unknown service account', { claims: { iss: 'other@project.test' } }, 'account not found'],
  ['about an unknown mailbox', { claims: { sub: 'cy@contoso.test' } }, 'Invalid email or User ID'],
  ['without a subject', { claims: { sub: undefined } }, 'Invalid email or User ID'],
  [
    'with another scope',
    { claims: { scope: 'https://www.googleapis.com/auth/drive' } },
    'not authorized for any of the scopes',
  ],
  ['that is valid for longer than an hour', { claims: { exp: later(3_700).getTime() / 1000 } }, 'short-lived token'],
  [
    'from the future',
    { claims: { iat: later(600).getTime() / 1000, exp: later(900).getTime() / 1000 } },
    'short-lived token',
  ],
])("Google's assertion %s is refused", (_name, change, refusal) => {
  const request = requestOf(google)
  const assertion = changed(request.fields['assertion'] ?? '', change)
  expect(decide({ ...request, fields: { ...request.fields, assertion } })).toContain(refusal)
})

test('an expired certificate is refused before it is used', () => {
  const certificate = { privateKey: applicationKey, certificate: applicationCertificate }
  const read = readConnection({ provider: 'microsoft', tenantId, clientId, certificate }, new Date('2226-01-01'))
  expect(read).toMatchObject({ kind: 'invalid', issue: { path: 'certificate.certificate' } })
})
