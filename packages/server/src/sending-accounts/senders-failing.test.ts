import { keyMayAdminister } from '../api-keys/index.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { App } from '../platform/app.ts'
import { startImapDouble, type ImapDouble } from '@overture/testing/mail/imap-double.server.ts'
import { startOAuthDouble, type OAuthDouble } from '@overture/testing/mail/oauth-double.server.ts'
import { startSmtpDouble, type SmtpDouble } from '@overture/testing/mail/smtp-double.server.ts'
import { startTestServer, type TestServer } from '@overture/testing/server.ts'
import { createLinkBrowser, linkIn } from '@overture/testing/server/link-browser.ts'
import type { Tenant } from '../platform/tenant.ts'
import {
  findSender,
  holdSender,
  openSecrets,
  recordMailboxFailure,
  recordMailboxRecovered,
  recordSenderFailure,
  recordSenderSent,
  retrySenders,
  sendingAccountsPublicRoutes,
  sendingAccountsRoutes,
  smtpOptions,
} from './index.ts'
import { recordSenderRecovered } from './sender-states.commands.ts'
import { findSenderWorked } from './sender-users.sql.ts'
import { holdWaitMs, retryWaitMs } from './sending-account.ts'

const users: Record<string, string> = {}
const tokens: Record<string, string> = {}
let server: TestServer
let smtp: SmtpDouble
let imap: ImapDouble
let oauth: OAuthDouble
let app: App
let tenant: Tenant

beforeAll(async () => {
  smtp = await startSmtpDouble({ users, tokens })
  imap = await startImapDouble({ users, tokens })
  oauth = await startOAuthDouble()
  server = await startTestServer({
    routes: () => sendingAccountsRoutes(),
    publicRoutes: ({ app: own }) => sendingAccountsPublicRoutes(own, { keyMayConnect: keyMayAdminister }),
    environment: {
      OVERTURE_ALLOW_PRIVATE_TARGETS: '1',
      GOOGLE_OAUTH_CLIENT_ID: 'client',
      GOOGLE_OAUTH_CLIENT_SECRET: 'client secret',
      GOOGLE_OAUTH_AUTHORIZATION_URL: `${oauth.url}/authorize`,
      GOOGLE_OAUTH_TOKEN_URL: `${oauth.url}/token`,
      GOOGLE_SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
      GOOGLE_IMAP_URL: `imap://127.0.0.1:${imap.port}`,
    },
  })
  app = server.app
  tenant = server.tenant
})

afterAll(async () => {
  await Promise.all([server?.stop(), smtp?.stop(), imap?.stop(), oauth?.stop()])
})

async function create(email: string): Promise<string> {
  const body = {
    email,
    smtp: { host: '127.0.0.1', port: smtp.port, security: 'none', username: email, password: 'secret' },
  }
  return (await server.call('POST', '/v2/sending-accounts', { key: server.keys.live, body })).body.id
}

const at = (seconds: number): Date => new Date(Date.UTC(2026, 0, 5, 9) + seconds * 1000)

test('retry waits grow from 10 s to 15 min, provider holds from an hour to a day', () => {
  expect([0, 1, 2, 6, 7, 50].map(retryWaitMs)).toEqual([10_000, 20_000, 40_000, 640_000, 900_000, 900_000])
  expect([0, 1, 4, 5, 50].map((count) => holdWaitMs(count) / 3_600_000)).toEqual([1, 2, 16, 24, 24])
})

test('a failed connection is retried until it works, with one event per change', async () => {
  const id = await create('retry@example.com')
  const fail = () =>
    app.db.transaction((tx) =>
      recordSenderFailure(tx, tenant, id, { status: 'connection_error', error: 'no route', now: at(0) }),
    )
  await Promise.all([fail(), fail(), fail()])
  expect(await findSender(app.db, tenant, id)).toMatchObject({
    status: 'connection_error',
    statusReason: 'connection_failed',
    retryAt: at(10),
    retryCount: 1,
  })
  users['retry@example.com'] = 'secret'
  smtp.faults = [{ stage: 'connect', action: 'drop', times: 1 }]
  expect(await retrySenders(app, at(9))).toBe(0)
  expect(await retrySenders(app, at(10))).toBe(1)
  expect(await findSender(app.db, tenant, id)).toMatchObject({
    status: 'connection_error',
    retryAt: at(30),
    retryCount: 2,
  })
  expect(await retrySenders(app, at(29))).toBe(0)
  const both = await Promise.all([retrySenders(app, at(30)), retrySenders(app, at(30))])
  expect(both[0] + both[1]).toBe(1)
  expect(await findSender(app.db, tenant, id)).toMatchObject({ status: 'active', lastError: null, retryAt: null })
  const events = await app.db.query<{ type: string }>(
    'select type from events where sending_account_id = $1 order by position',
    [id],
  )
  expect(events.map((event) => event.type)).toEqual(['sending_account.error', 'sending_account.recovered'])
})

test('a paused sender stays paused, whatever is recorded about it', async () => {
  const id = await create('paused@example.com')
  await server.call('POST', `/v2/sending-accounts/${id}/pause`, { key: server.keys.live })
  await app.db.transaction((tx) =>
    recordSenderFailure(tx, tenant, id, { status: 'auth_required', error: 'refused', now: at(0) }),
  )
  expect(await app.db.transaction((tx) => recordSenderRecovered(tx, tenant, id, at(1)))).toBe(false)
  expect(await findSenderWorked(app.db, tenant, id)).toBe(true)
  expect(await findSender(app.db, tenant, id)).toMatchObject({ status: 'paused', lastError: 'refused' })
})

test("a readable mailbox doesn't clear a refused SMTP login", async () => {
  const id = await create('apart@example.com')
  const status = async () => (await findSender(app.db, tenant, id))?.status
  const recovered = () => app.db.transaction((tx) => recordMailboxRecovered(tx, tenant, id, at(1)))
  await app.db.transaction((tx) =>
    recordSenderFailure(tx, tenant, id, { status: 'auth_required', error: 'SMTP: 535', now: at(0) }),
  )
  expect([await recovered(), await status()]).toEqual([false, 'auth_required'])
  await app.db.transaction((tx) => recordSenderRecovered(tx, tenant, id, at(1)))
  await app.db.transaction((tx) =>
    recordMailboxFailure(tx, tenant, id, { status: 'connection_error', error: 'closed', now: at(2) }),
  )
  expect([await status(), await recovered(), await status()]).toEqual(['connection_error', true, 'active'])
})

test("a provider's limit holds the mailbox, doubles each time, and ends after a success", async () => {
  const id = await create('held@example.com')
  const hold = (seconds: number) =>
    app.db.transaction((tx) => holdSender(tx, tenant, id, { now: at(seconds), reason: '4.5.3 too many' }))
  expect(await hold(0)).toEqual(at(3600))
  expect(await hold(60)).toEqual(at(3600))
  expect(await hold(3600)).toEqual(at(3600 + 7200))
  await app.db.transaction((tx) => recordSenderSent(tx, tenant, id, at(5000)))
  expect(await findSender(app.db, tenant, id)).toMatchObject({ holdCount: 2, statusReason: 'provider_limit' })
  await app.db.transaction((tx) => recordSenderSent(tx, tenant, id, at(3600 + 7200)))
  expect(await findSender(app.db, tenant, id)).toMatchObject({
    status: 'active',
    holdCount: 0,
    heldUntil: null,
    statusReason: null,
  })
})

async function authorize(body: unknown, key = server.keys.live) {
  return server.call('POST', '/v2/sending-accounts/oauth/authorize', { key, body })
}

/** Follows the owner's browser from the link to the last page. */
async function connect(authorizeUrl: string) {
  const browser = createLinkBrowser(server.url)
  const page = await browser.open(authorizeUrl)
  const toProvider = await browser.open(linkIn(page.text))
  const back = oauth.agree(toProvider.location)
  return { page, providerUrl: toProvider.location, back, landed: await browser.open(back), browser }
}

test("an owner's consent connects a mailbox that logs in with a token", async () => {
  oauth.email = 'grace@example.com'
  const started = await authorize({ provider: 'google', fromName: 'Grace' })
  expect(started.status, started.text).toBe(200)
  const { page, providerUrl, back, landed, browser } = await connect(started.body.authorizeUrl)
  expect(page.text).toContain('your Google mailbox to the account “Example Ltd”')
  expect(Object.fromEntries(new URL(providerUrl).searchParams)).toMatchObject({
    client_id: 'client',
    access_type: 'offline',
    prompt: 'consent',
    code_challenge_method: 'S256',
  })
  expect([landed.status, landed.text]).toEqual([
    200,
    expect.stringContaining('grace@example.com is connected to the account “Example Ltd”'),
  ])
  const [sender] = (await server.call('GET', '/v2/sending-accounts?provider=google', { key: server.keys.live })).body
    .results
  expect(sender).toMatchObject({
    email: 'grace@example.com',
    fromName: 'Grace',
    status: 'active',
    smtp: { username: 'grace@example.com' },
  })
  expect(JSON.stringify(sender)).not.toContain('refresh')
  tokens['grace@example.com'] = oauth.accessToken
  const verified = await server.call('POST', `/v2/sending-accounts/${sender.id}/verify`, { key: server.keys.live })
  expect(verified.body).toMatchObject({ ok: true })
  // A code is valid once.
  expect((await browser.open(back)).status).toBe(400)
})

test('an access token is reused until near its end, refreshed once for all, and may rotate', async () => {
  oauth.email = 'rotate@example.com'
  oauth.expiresInSeconds = 60
  oauth.rotates = true
  await connect((await authorize({ provider: 'google' })).body.authorizeUrl)
  const [sender] = (await server.call('GET', '/v2/sending-accounts?q=rotate', { key: server.keys.live })).body.results
  const before = oauth.requests.length
  oauth.expiresInSeconds = 3600
  const opened = await Promise.all([1, 2, 3].map(() => openSecrets(app, tenant, sender.id)))
  expect(oauth.requests.length).toBe(before + 1)
  for (const credentials of opened) {
    if (credentials.kind !== 'ready') throw new Error(credentials.kind)
    expect(smtpOptions(app, credentials)).toMatchObject({
      auth: { kind: 'xoauth2', username: 'rotate@example.com', accessToken: oauth.accessToken },
    })
  }
  await openSecrets(app, tenant, sender.id)
  expect(oauth.requests.length).toBe(before + 1)
})

test('a revoked refresh token needs the owner; an unavailable provider is retried', async () => {
  oauth.email = 'dead@example.com'
  oauth.expiresInSeconds = 60
  await connect((await authorize({ provider: 'google' })).body.authorizeUrl)
  const [sender] = (await server.call('GET', '/v2/sending-accounts?q=dead', { key: server.keys.live })).body.results
  const verify = () => server.call('POST', `/v2/sending-accounts/${sender.id}/verify`, { key: server.keys.live })
  oauth.down = true
  expect((await verify()).body.ok).toBe(false)
  expect(await findSender(app.db, tenant, sender.id)).toMatchObject({ status: 'connection_error' })
  oauth.down = false
  oauth.refreshToken = null
  expect((await verify()).body).toMatchObject({
    ok: false,
    checks: [{ name: 'smtp_auth', ok: false, message: expect.stringContaining('invalid_grant') }],
  })
  expect(await findSender(app.db, tenant, sender.id)).toMatchObject({ status: 'auth_required' })
  await connect((await authorize({ provider: 'google', sendingAccountId: sender.id })).body.authorizeUrl)
  expect(await findSender(app.db, tenant, sender.id)).toMatchObject({ status: 'active' })
})

test('a forged, foreign or denied redirect connects nothing', async () => {
  const started = await authorize({ provider: 'google', email: 'new@example.com' })
  const state = new URL(started.body.authorizeUrl).searchParams.get('state') ?? ''
  const browser = createLinkBrowser(server.url)
  await browser.open(linkIn((await browser.open(started.body.authorizeUrl)).text))
  const back = async (provider: string, fields: Record<string, string>) =>
    (await browser.open(`${server.url}/hooks/oauth/${provider}?${new URLSearchParams(fields).toString()}`)).status
  expect(await back('google', { code: 'x', state: `${state.slice(0, -2)}xx` })).toBe(400)
  expect(await back('microsoft', { code: 'x', state })).toBe(400)
  expect(await back('google', { error: 'access_denied', state })).toBe(400)
  expect(await back('google', { code: 'never given', state })).toBe(400)
  expect((await authorize({ provider: 'google', sendingAccountId: 'snd_none' })).status).toBe(404)
  expect((await authorize({ provider: 'microsoft' })).status).toBe(503)
  expect((await server.call('GET', '/v2/sending-accounts?q=new@', { key: server.keys.live })).body.results).toEqual([])
})

test('the test environment connects a mailbox without any request', async () => {
  const before = oauth.requests.length
  const started = await authorize({ provider: 'microsoft', email: 'play@example.com' }, server.keys.test)
  expect((await createLinkBrowser(server.url).open(started.body.authorizeUrl)).status).toBe(200)
  const { results } = (await server.call('GET', '/v2/sending-accounts', { key: server.keys.test })).body
  expect(results).toMatchObject([{ email: 'play@example.com', provider: 'microsoft', status: 'active' }])
  expect(oauth.requests.length).toBe(before)
})
