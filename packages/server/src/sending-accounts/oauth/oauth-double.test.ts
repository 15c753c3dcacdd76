import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startOAuthDouble, type OAuthDouble } from '@overture/testing/mail/oauth-double.server.ts'

/** Checks that the double refuses what the real token endpoints refuse. All tests with the double depend on this. */
const doubles = {} as Record<'google' | 'microsoft', OAuthDouble>
const clients = { client: 'client secret', other: 'other secret' }
beforeAll(async () => {
  for (const provider of ['google', 'microsoft'] as const)
    doubles[provider] = await startOAuthDouble({ provider, clients })
})
afterAll(() => Promise.all(Object.values(doubles).map((double) => double.stop())))

const scopes = {
  google: 'openid email https://mail.google.com/',
  microsoft:
    'openid email offline_access https://outlook.office.com/SMTP.Send https://outlook.office.com/IMAP.AccessAsUser.All',
}
type Provider = keyof typeof scopes

function authorizeUrl(provider: Provider, changes: Record<string, string> = {}): string {
  const fields = {
    client_id: 'client',
    redirect_uri: `https://overture.example/hooks/oauth/${provider}`,
    response_type: 'code',
    scope: scopes[provider],
    state: 'state',
    code_challenge: createHash('sha256').update('verifier').digest('base64url'),
    code_challenge_method: 'S256',
    access_type: 'offline',
    ...changes,
  }
  return `https://provider.example/authorize?${new URLSearchParams(fields).toString()}`
}

async function post(provider: Provider, fields: Record<string, string>) {
  const answer = await fetch(`${doubles[provider].url}/token`, { method: 'POST', body: new URLSearchParams(fields) })
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}

function exchangeFields(provider: Provider, code: string): Record<string, string> {
  return {
    grant_type: 'authorization_code',
    client_id: 'client',
    client_secret: 'client secret',
    code,
    redirect_uri: `https://overture.example/hooks/oauth/${provider}`,
    code_verifier: 'verifier',
  }
}

const codeOf = (provider: Provider) =>
  new URL(doubles[provider].agree(authorizeUrl(provider))).searchParams.get('code') ?? ''

test.each([
  ['another redirect URI', { redirect_uri: 'https://overture.example/elsewhere' }, 'redirect_uri_mismatch', 500112],
  ['another verifier', { code_verifier: 'guess' }, 'invalid_grant', 501481],
  ['a wrong secret', { client_secret: 'guess' }, 'invalid_client', 7000215],
  ['an unknown client', { client_id: 'unknown' }, 'invalid_client', 700016],
  ['the code of another client', { client_id: 'other', client_secret: 'other secret' }, 'invalid_grant', 70000],
  ['an unknown code', { code: 'code-none' }, 'invalid_grant', 70000],
  ['another grant', { grant_type: 'password' }, 'unsupported_grant_type', 70003],
])('refuses %s with the error of each provider', async (_name, change, googleError, microsoftCode) => {
  const google = await post('google', { ...exchangeFields('google', codeOf('google')), ...change })
  expect(google.body).toMatchObject({ error: googleError, error_description: expect.any(String) })
  const microsoft = await post('microsoft', { ...exchangeFields('microsoft', codeOf('microsoft')), ...change })
  expect(microsoft.body).toMatchObject({ error_codes: [microsoftCode], correlation_id: expect.any(String) })
  expect(microsoft.body['error_description']).toContain(`AADSTS${microsoftCode}: `)
  expect([google.status, microsoft.status].every((status) => status >= 400)).toBe(true)
})

test.each(['google', 'microsoft'] as const)('%s gives tokens for a code only once', async (provider) => {
  const fields = exchangeFields(provider, codeOf(provider))
  expect((await post(provider, fields)).body).toMatchObject({ refresh_token: doubles[provider].refreshToken })
  expect((await post(provider, fields)).body).toMatchObject({ error: 'invalid_grant' })
})

test.each(['google', 'microsoft'] as const)('%s refreshes only for the client of the token', async (provider) => {
  const { body } = await post(provider, exchangeFields(provider, codeOf(provider)))
  const refresh = { grant_type: 'refresh_token', refresh_token: String(body['refresh_token']) }
  const foreign = await post(provider, { ...refresh, client_id: 'other', client_secret: 'other secret' })
  expect(foreign.body).toMatchObject({ error: 'invalid_grant' })
  const own = await post(provider, { ...refresh, client_id: 'client', client_secret: 'client secret' })
  expect(own).toMatchObject({ status: 200, body: { access_token: doubles[provider].accessToken } })
})

test('gives no code for unknown parameters, and no refresh token without the scope', async () => {
  const { google, microsoft } = doubles
  expect(() => google.agree(authorizeUrl('google', { client_id: 'unknown' }))).toThrow('invalid_client')
  expect(() => google.agree(authorizeUrl('google', { redirect_uri: 'https://evil.example/' }))).toThrow('mismatch')
  expect(() => google.agree(authorizeUrl('google', { scope: 'https://mail.google.com' }))).toThrow('invalid_scope')
  const url = microsoft.agree(authorizeUrl('microsoft', { scope: 'openid email' }))
  const code = new URL(url).searchParams.get('code') ?? ''
  const { body } = await post('microsoft', exchangeFields('microsoft', code))
  expect(body).not.toHaveProperty('refresh_token')
})

test('refuses an expired secret like Microsoft', async () => {
  doubles.microsoft.secretsExpired = true
  const { body } = await post('microsoft', exchangeFields('microsoft', codeOf('microsoft')))
  doubles.microsoft.secretsExpired = false
  expect(body).toMatchObject({ error: 'invalid_client', error_codes: [7000222] })
})
