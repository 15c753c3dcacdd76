import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startImapDouble, type ImapDouble } from '@overture/testing/mail/imap-double.server.ts'
import { startOAuthDouble, type OAuthDouble } from '@overture/testing/mail/oauth-double.server.ts'
import { withTrace } from '@overture/testing/mail/oauth-words.ts'
import { startProviderSmtp, type ProviderSmtp } from '@overture/testing/mail/provider-smtp.server.ts'
import { changeableWords, smtpRefusals } from '@overture/testing/mail/login-words.ts'
import { microsoft } from '@overture/testing/mail/provider-words.ts'
import { startTestServer, type TestServer } from '@overture/testing/server.ts'
import { createLinkBrowser, linkIn, unescaped } from '@overture/testing/server/link-browser.ts'
import { keyMayAdminister } from '../api-keys/index.ts'
import { sendingAccountsPublicRoutes, sendingAccountsRoutes } from './index.ts'

const tokens: Record<string, string> = {}
const passwords: Record<string, string> = {}
const users: Record<string, string> = {
  'convert@example.com': 'a password',
  'refused@example.com': 'a password',
}
const words = changeableWords(microsoft)
let server: TestServer
let oauth: OAuthDouble
let smtp: ProviderSmtp
let imap: ImapDouble

beforeAll(async () => {
  oauth = await startOAuthDouble({ provider: 'microsoft' })
  oauth.onToken = (accessToken, email) => void (tokens[email] = accessToken)
  smtp = await startProviderSmtp({ words, tokens, passwords })
  imap = await startImapDouble({ users, tokens, words: words.imap })
  server = await startTestServer({
    routes: () => sendingAccountsRoutes(),
    publicRoutes: ({ app }) => sendingAccountsPublicRoutes(app, { keyMayConnect: keyMayAdminister }),
    environment: {
      OVERTURE_ALLOW_PRIVATE_TARGETS: '1',
      MICROSOFT_OAUTH_CLIENT_ID: 'client',
      MICROSOFT_OAUTH_CLIENT_SECRET: 'client secret',
      MICROSOFT_OAUTH_AUTHORIZATION_URL: `${oauth.url}/authorize`,
      MICROSOFT_OAUTH_TOKEN_URL: `${oauth.url}/token`,
      MICROSOFT_SMTP_URL: `smtp://127.0.0.1:${smtp.port}?starttls`,
      MICROSOFT_IMAP_URL: `imap://127.0.0.1:${imap.port}`,
    },
  })
})
afterAll(() => Promise.all([server.stop(), oauth.stop(), smtp.stop(), imap.stop()]))

const live = () => server.keys.live

/** Starts a connection in the owner's browser. Returns the browser and the URL of Microsoft's page. */
async function toMicrosoft(email: string) {
  oauth.email = email
  const body = { provider: 'microsoft', email }
  const answer = await server.call('POST', '/v2/sending-accounts/oauth/authorize', { key: live(), body })
  const browser = createLinkBrowser(server.url)
  const page = await browser.open(answer.body.authorizeUrl)
  return { browser, url: (await browser.open(linkIn(page.text))).location }
}

async function connected(email: string): Promise<string> {
  const { browser, url } = await toMicrosoft(email)
  const page = await browser.open(oauth.agree(url), 'elsewhere')
  expect([page.status, page.text]).toEqual([200, expect.stringContaining(`${email} is connected`)])
  const path = `/v2/sending-accounts?q=${encodeURIComponent(email)}`
  return (await server.call('GET', path, { key: live() })).body.results[0].id
}

const senderOf = async (id: string) => (await server.call('GET', `/v2/sending-accounts/${id}`, { key: live() })).body
const verify = async (id: string) =>
  (await server.call('POST', `/v2/sending-accounts/${id}/verify`, { key: live() })).body

test.each([
  ['access_denied', 'AADSTS65004: User declined to consent to access the app.', 'choose Accept'],
  ['access_denied', 'AADSTS90094: The grant requires admin permission.', 'Ask your Microsoft 365 administrator'],
  ['server_error', 'AADSTS90033: A transient error has occurred. Please try again.', 'Start again.'],
])('shows why Microsoft sent the owner back with %s: %s', async (error, description, advice) => {
  const { browser, url } = await toMicrosoft('declined@example.com')
  const page = await browser.open(oauth.decline(url, error, withTrace(description)), 'elsewhere')
  expect(page.status).toBe(400)
  expect(unescaped(page.text)).toContain(`Microsoft did not agree to the connection. ${error}: ${description}`)
  expect(unescaped(page.text)).toContain(advice)
})

test('shows markup of a refusal as text', async () => {
  const { browser, url } = await toMicrosoft('markup@example.com')
  const page = await browser.open(oauth.decline(url, 'access_denied', '<img src=x onerror=alert(1)>'), 'elsewhere')
  expect(page.text).not.toContain('<img')
  expect(unescaped(page.text)).toContain('<img')
})

test('an expired client secret is shown, logged once and marked as the problem of the operator', async () => {
  oauth.expiresInSeconds = 60
  const [first, second] = [await connected('secret1@example.com'), await connected('secret2@example.com')]
  const log = vi.spyOn(server.app.log, 'error')
  oauth.secretsExpired = true
  const refused = await verify(first)
  expect(refused.checks).toMatchObject([
    { name: 'smtp_auth', ok: false, message: expect.stringContaining('AADSTS7000222') },
  ])
  await verify(second)
  const { browser, url } = await toMicrosoft('secret3@example.com')
  const page = await browser.open(oauth.agree(url), 'elsewhere')
  expect(unescaped(page.text)).toContain('Microsoft granted no access. invalid_client: AADSTS7000222')
  const lines = log.mock.calls.filter(([line]) => (line as { event?: string }).event === 'oauth.client_refused')
  expect(lines).toEqual([[{ event: 'oauth.client_refused', provider: 'microsoft', code: 'AADSTS7000222' }]])
  for (const id of [first, second]) {
    expect(await senderOf(id)).toMatchObject({
      status: 'connection_error',
      statusReason: 'ask_operator',
      lastError: expect.stringContaining('Ask your operator: the client secret of this installation has expired'),
    })
  }
  oauth.secretsExpired = false
  log.mockRestore()
  oauth.refreshToken = null
  oauth.expiresInSeconds = 3600
})

test('verify names the closed gate of a Microsoft mailbox with OAuth', async () => {
  const id = await connected('gates@example.com')
  const good = await verify(id)
  expect(good).toMatchObject({ ok: true })
  const right = tokens['gates@example.com'] ?? ''
  tokens['gates@example.com'] = 'another token'
  const gateOf = async (refused: string) => {
    words.smtp.refused = refused
    const { checks } = await verify(id)
    return (checks as { ok: boolean; name: string; gate: string | null }[])
      .filter(({ ok }) => !ok)
      .map(({ name, gate }) => [name, gate])
  }
  const imapGate = ['imap_auth', 'consent']
  expect(await gateOf(smtpRefusals.microsoft)).toEqual([['smtp_auth', 'consent'], imapGate])
  expect(await gateOf(smtpRefusals.securityDefaults)).toEqual([['smtp_auth', 'security_defaults'], imapGate])
  expect(await gateOf(smtpRefusals.tenant)).toEqual([['smtp_auth', 'tenant_smtp_auth'], imapGate])
  expect(await gateOf(smtpRefusals.mailbox)).toEqual([['smtp_auth', 'mailbox_smtp_auth'], imapGate])
  tokens['gates@example.com'] = right
})

async function passwordAccount(email: string): Promise<string> {
  passwords[email] = 'a password'
  const at = { host: '127.0.0.1', username: email, password: 'a password' }
  const body = {
    email,
    fromName: 'Ada',
    dailyLimit: 33,
    rampUp: { enabled: true, startPerDay: 5, incrementPerDay: 2 },
    smtp: { ...at, port: smtp.port, security: 'starttls' },
    imap: { ...at, port: imap.port, security: 'none', sentFolder: 'Sent' },
  }
  const made = await server.call('POST', '/v2/sending-accounts', { key: live(), body })
  expect(made.status, made.text).toBe(201)
  return made.body.id
}

async function convert(id: string, email: string) {
  const path = `/v2/sending-accounts/${id}/oauth/authorize`
  const answer = await server.call('POST', path, { key: live(), body: { provider: 'microsoft' } })
  expect(answer.status, answer.text).toBe(200)
  oauth.email = email
  const browser = createLinkBrowser(server.url)
  const page = await browser.open(answer.body.authorizeUrl)
  const { location } = await browser.open(linkIn(page.text))
  return browser.open(oauth.agree(location), 'elsewhere')
}

test('a converted account logs in by OAuth and keeps its data', async () => {
  const email = 'convert@example.com'
  const id = await passwordAccount(email)
  const before = await senderOf(id)
  expect(await verify(id)).toMatchObject({ ok: true })
  expect((await convert(id, email)).text).toContain(`${email} is connected`)
  const after = await senderOf(id)
  const { provider, smtp: outgoing, imap: incoming, updatedAt: _at, ...kept } = after
  expect(before).toMatchObject(kept)
  expect([provider, outgoing.username, incoming.sentFolder]).toEqual(['microsoft', email, 'Sent'])
  delete passwords[email]
  expect(await verify(id)).toMatchObject({ ok: true })
  const rows = await server.app.db.query<{ secrets: Buffer }>('select secrets from sending_accounts where id = $1', [
    id,
  ])
  const sealed = rows[0]?.secrets ?? Buffer.alloc(0)
  const context = `sending_accounts/${server.tenant.accountId}/live/${id}`
  expect(Object.keys(JSON.parse(server.app.secrets.decrypt(sealed, context)) as object).toSorted()).toEqual([
    'accessToken',
    'accessTokenExpiresAt',
    'refreshToken',
  ])
})

test('the password is used until both servers accept the new login', async () => {
  const email = 'refused@example.com'
  const id = await passwordAccount(email)
  words.smtp.refused = smtpRefusals.mailbox
  oauth.onToken = null
  const page = await convert(id, email)
  oauth.onToken = (accessToken, address) => void (tokens[address] = accessToken)
  expect(page.status).toBe(400)
  expect(unescaped(page.text)).toContain(`Microsoft did not accept the new login, so ${email} keeps its password.`)
  expect(unescaped(page.text)).toContain('Set-CASMailbox -Identity <address> -SmtpClientAuthenticationDisabled $false')
  expect(await senderOf(id)).toMatchObject({ provider: 'smtp', status: 'active' })
  expect(await verify(id)).toMatchObject({ ok: true })
})

test('the mailbox of another person converts nothing', async () => {
  const id = await passwordAccount('mine@example.com')
  const page = await convert(id, 'theirs@example.com')
  expect([page.status, page.text]).toEqual([400, expect.stringContaining('You signed in as theirs@example.com')])
  expect(await senderOf(id)).toMatchObject({ provider: 'smtp' })
})

test('a conversion needs an account that can be converted, and a provider', async () => {
  const id = await passwordAccount('which@example.com')
  const start = (path: string, body: object, key = live()) =>
    server.call('POST', `/v2/sending-accounts/${path}/oauth/authorize`, { key, body })
  expect((await start(id, {})).body.error.details.issues).toMatchObject([{ path: 'provider', rule: 'required' }])
  expect((await start('snd_none', { provider: 'microsoft' })).status).toBe(404)
  expect((await start(id, { provider: 'microsoft' }, server.other.keys.live)).status).toBe(404)
  expect((await start(id, { provider: 'google' })).status).toBe(503)
  const body = { email: 'play@example.com', provider: 'sandbox' }
  const simulated = await server.call('POST', '/v2/sending-accounts', { key: server.keys.test, body })
  expect((await start(simulated.body.id, { provider: 'google' }, server.keys.test)).status).toBe(409)
})

test('health warns about the account itself, separately from its domain', async () => {
  const key = server.keys.test
  const body = { email: 'ada@contoso.onmicrosoft.com', provider: 'microsoft', oauth: { refreshToken: 'simulated' } }
  const made = await server.call('POST', '/v2/sending-accounts', { key, body })
  const health = await server.call('GET', `/v2/sending-accounts/${made.body.id}/health`, { key })
  expect(health.body.warnings).toEqual([
    { code: 'onmicrosoft_domain', message: expect.stringContaining('100 external recipients a day') },
  ])
})
