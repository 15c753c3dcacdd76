import { generateKeyPairSync } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { applicationCertificate, applicationKey } from '@overture/testing/mail/application-keys.ts'
import { startImapDouble, type ImapDouble } from '@overture/testing/mail/imap-double.server.ts'
import { changeableWords, smtpRefusals } from '@overture/testing/mail/login-words.ts'
import type { DoubleApplication } from '@overture/testing/mail/oauth-applications.ts'
import { startOAuthDouble, type OAuthDouble } from '@overture/testing/mail/oauth-double.server.ts'
import { startProviderSmtp, type ProviderSmtp } from '@overture/testing/mail/provider-smtp.server.ts'
import { gmail, microsoft } from '@overture/testing/mail/provider-words.ts'
import { startTestServer, type TestServer } from '@overture/testing/server.ts'
import { until } from '@overture/testing/server/until.ts'
import { newId } from '../platform/ids.ts'
import { openSecrets, retrySenders, sendingAccountsRoutes } from './index.ts'

const contoso = '11111111-aaaa-4bbb-8ccc-0123456789ab'
const clients = {
  secret: '33333333-aaaa-4bbb-8ccc-0123456789ab',
  certificate: '44444444-aaaa-4bbb-8ccc-0123456789ab',
  unread: '55555555-aaaa-4bbb-8ccc-0123456789ab',
}
const robot = 'robot@project.iam.gserviceaccount.com'
const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
})
const mailboxes = ['ada@contoso.test', 'bo@contoso.test', 'cy@contoso.test']
const application: DoubleApplication = { tenantId: contoso, clientSecret: 'right secret', mailboxes: [...mailboxes] }
const delegated = {
  keyId: 'key1',
  publicKey,
  scopes: ['https://mail.google.com/'],
  mailboxes: ['ada@workspace.test', 'bo@workspace.test'],
}
const serviceAccountKey = {
  type: 'service_account',
  client_email: robot,
  client_id: '104357',
  private_key_id: 'key1',
  private_key: privateKey,
  token_uri: 'http://169.254.169.254/token',
}

const tokens = { microsoft: {} as Record<string, string[]>, google: {} as Record<string, string[]> }
const words = { microsoft: changeableWords(microsoft), google: changeableWords(gmail) }
const doubles = {} as Record<'microsoft' | 'google', { oauth: OAuthDouble; smtp: ProviderSmtp; imap: ImapDouble }>
let server: TestServer
let nowMs = Date.UTC(2026, 10, 26, 9)

beforeAll(async () => {
  for (const provider of ['microsoft', 'google'] as const) {
    const issued = tokens[provider]
    for (const mailbox of [...mailboxes, ...delegated.mailboxes]) issued[mailbox] = []
    const oauth = await startOAuthDouble({
      provider,
      applications: {
        [clients.secret]: application,
        [clients.certificate]: { tenantId: contoso, certificate: applicationCertificate, mailboxes },
        [clients.unread]: { tenantId: contoso, clientSecret: 'right secret', mailboxes: [] },
      },
      serviceAccounts: { [robot]: delegated },
      now: () => nowMs,
    })
    oauth.onToken = (token, mailbox) => void issued[mailbox]?.push(token)
    const smtp = await startProviderSmtp({ words: words[provider], tokens: issued })
    const imap = await startImapDouble({ users: {}, tokens: issued, words: words[provider].imap })
    doubles[provider] = { oauth, smtp, imap }
  }
  const { microsoft: ours, google: theirs } = doubles
  server = await startTestServer({
    routes: () => sendingAccountsRoutes(),
    clock: { now: () => new Date(nowMs) },
    environment: {
      OVERTURE_ALLOW_PRIVATE_TARGETS: '1',
      MICROSOFT_OAUTH_AUTHORITY_URL: ours.oauth.url,
      MICROSOFT_SMTP_URL: `smtp://127.0.0.1:${ours.smtp.port}?starttls`,
      MICROSOFT_IMAP_URL: `imap://127.0.0.1:${ours.imap.port}`,
      GOOGLE_OAUTH_TOKEN_URL: `${theirs.oauth.url}/token`,
      GOOGLE_SMTP_URL: `smtp://127.0.0.1:${theirs.smtp.port}?starttls`,
      GOOGLE_IMAP_URL: `imap://127.0.0.1:${theirs.imap.port}`,
    },
  })
})
afterAll(async () => {
  await server.stop()
  for (const { oauth, smtp, imap } of Object.values(doubles))
    await Promise.all([oauth.stop(), smtp.stop(), imap.stop()])
})
beforeEach(async () => {
  nowMs += 3_600_000
  await server.app.db.execute('delete from sending_accounts')
  await server.app.db.execute('delete from tenant_connections')
  application.clientSecret = 'right secret'
  application.mailboxes = mailboxes
  delegated.scopes = ['https://mail.google.com/']
})

const path = '/v2/tenant-connections'
const microsoftBody = {
  provider: 'microsoft',
  tenantId: contoso,
  clientId: clients.secret,
  clientSecret: 'right secret',
}
const googleBody = { provider: 'google', serviceAccountKey, adminEmail: 'ada@workspace.test' }
const post = (to: string, body: unknown, key = server.keys.live) => server.call('POST', `${path}${to}`, { key, body })
const requests = (provider: 'microsoft' | 'google') => doubles[provider].oauth.requests.length

async function connect(body: object = microsoftBody, key = server.keys.live): Promise<string> {
  const answer = await post('', body, key)
  expect([answer.status, answer.text]).toEqual([201, expect.stringContaining('tnc_')])
  return answer.body.id
}

async function addMailbox(id: string, email: string): Promise<string> {
  const { body } = await post(`/${id}/mailboxes`, { mailboxes: [{ email }] })
  expect(body).toMatchObject({ connected: 1, results: [{ email, outcome: 'connected' }] })
  return body.results[0].sendingAccountId
}

const senderOf = async (id: string, key = server.keys.live) =>
  (await server.call('GET', `/v2/sending-accounts/${id}`, { key })).body
const verifySender = async (id: string) =>
  (await server.call('POST', `/v2/sending-accounts/${id}/verify`, { key: server.keys.live })).body
const issueOf = ({ status, body }: { status: number; body: { error?: { details?: { issues?: object[] } } } }) => [
  status,
  body.error?.details?.issues?.[0],
]

test('connects an organization at Microsoft by secret and never shows the secret', async () => {
  const answer = await post('', microsoftBody)
  expect(answer.status).toBe(201)
  expect(answer.body).toMatchObject({
    provider: 'microsoft',
    access: 'application',
    tenantId: contoso,
    clientId: clients.secret,
    adminEmail: null,
    sendingAccounts: 0,
  })
  const list = await server.call('GET', path, { key: server.keys.live })
  const audit = await server.app.db.query('select * from audit_entries')
  const stored = await server.app.db.query<{ secrets: Buffer }>('select secrets from tenant_connections')
  for (const text of [answer.text, list.text, JSON.stringify(audit), stored[0]!.secrets.toString('latin1')])
    expect(text).not.toContain('right secret')
  expect(JSON.stringify(audit)).toContain('connectTenant')
})

test('connects an organization at Microsoft by certificate', async () => {
  const certificate = { privateKey: applicationKey, certificate: applicationCertificate }
  const body = { provider: 'microsoft', tenantId: contoso, clientId: clients.certificate.toUpperCase(), certificate }
  const id = await connect(body)
  const request = doubles.microsoft.oauth.requests.at(-1)!
  expect(Object.keys(request).toSorted()).toEqual([
    'client_assertion',
    'client_assertion_type',
    'client_id',
    'grant_type',
    'scope',
  ])
  const { body: verified } = await post(`/${id}/verify`, { email: 'ada@contoso.test' })
  expect(verified).toMatchObject({ ok: true })
})

test('connects an organization at Google with the key as an object or as the text of its file', async () => {
  const id = await connect(googleBody)
  const again = await post('', { ...googleBody, serviceAccountKey: JSON.stringify(serviceAccountKey) })
  expect([again.status, again.body]).toEqual([
    200,
    expect.objectContaining({ id, clientId: '104357', adminEmail: 'ada@workspace.test', domain: 'workspace.test' }),
  ])
  expect(await verify(id, 'ada@workspace.test')).toMatchObject({ ok: true })
})

const verify = async (id: string, email: string) => (await post(`/${id}/verify`, { email })).body

test.each([
  [
    'a wrong secret',
    { clientSecret: 'wrong' },
    'clientSecret',
    'AADSTS7000215',
    'Enter the value of the client secret',
  ],
  ['an unknown tenant', { tenantId: clients.secret }, 'tenantId', 'AADSTS90002', 'Check the directory (tenant) id'],
  ['an unknown application', { clientId: contoso }, 'clientId', 'AADSTS700016', 'Check the application (client) id'],
])("%s is refused with Microsoft's text and advice", async (_name, change, field, code, advice) => {
  const answer = await post('', { ...microsoftBody, ...change })
  expect(issueOf(answer)).toEqual([
    400,
    {
      path: field,
      rule: 'refused',
      message: expect.stringMatching(new RegExp(`${code}: .*${advice.replaceAll(/[()]/g, '\\$&')}`)),
    },
  ])
  expect((await server.call('GET', path, { key: server.keys.live })).body.results).toEqual([])
})

test('a missing Google scope and an unknown administrator are refused with advice', async () => {
  const stranger = await post('', { ...googleBody, adminEmail: 'unknown@workspace.test' })
  expect(issueOf(stranger)).toMatchObject([400, { path: 'adminEmail', message: expect.stringContaining('no mailbox') }])
  delegated.scopes = ['https://www.googleapis.com/auth/gmail.send']
  expect(issueOf(await post('', googleBody))).toMatchObject([
    400,
    { path: 'serviceAccountKey', message: expect.stringContaining('Manage Domain Wide Delegation') },
  ])
})

test('invalid keys and certificates are refused before any request', async () => {
  const before = requests('microsoft') + requests('google')
  const { privateKey: ec } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  })
  const certificate = (change: object) => ({
    ...microsoftBody,
    clientSecret: undefined,
    certificate: { privateKey: applicationKey, certificate: applicationCertificate, ...change },
  })
  const bodies: [object, string][] = [
    [certificate({ privateKey: 'no key' }), 'certificate.privateKey'],
    [certificate({ privateKey: ec }), 'certificate.privateKey'],
    [certificate({ privateKey }), 'certificate.privateKey'],
    [certificate({ certificate: 'no certificate' }), 'certificate.certificate'],
    [{ ...microsoftBody, clientSecret: undefined }, 'clientSecret'],
    [{ ...certificate({}), clientSecret: 'both' }, 'clientSecret'],
    [{ ...microsoftBody, tenantId: 'contoso.test' }, 'tenantId'],
    [{ ...googleBody, serviceAccountKey: '{' }, 'serviceAccountKey'],
    [{ ...googleBody, serviceAccountKey: { ...serviceAccountKey, type: 'authorized_user' } }, 'serviceAccountKey'],
    [{ ...googleBody, serviceAccountKey: { ...serviceAccountKey, private_key: ec } }, 'serviceAccountKey'],
    [{ ...googleBody, serviceAccountKey: { ...serviceAccountKey, client_id: 5 } }, 'serviceAccountKey'],
  ]
  for (const [body, field] of bodies) expect(issueOf(await post('', body))).toMatchObject([400, { path: field }])
  expect(requests('microsoft') + requests('google')).toBe(before)
})

test('an unavailable provider stores nothing', async () => {
  doubles.microsoft.oauth.down = true
  const answer = await post('', microsoftBody)
  doubles.microsoft.oauth.down = false
  expect(answer.status).toBe(503)
  expect((await server.call('GET', path, { key: server.keys.live })).body.results).toEqual([])
})

test('verify logs in to a mailbox and names the closed gate', async () => {
  const id = await connect()
  expect(await verify(id, 'bo@contoso.test')).toMatchObject({ ok: true })
  const unread = await connect({ ...microsoftBody, clientId: clients.unread })
  const { ok, checks } = await verify(unread, 'bo@contoso.test')
  const closed = checks.filter((check: { ok: boolean }) => !check.ok)
  expect([ok, closed]).toEqual([
    false,
    [
      expect.objectContaining({
        name: 'smtp_auth',
        gate: 'consent',
        advice: expect.stringContaining('SMTP.SendAsApp'),
      }),
      expect.objectContaining({
        name: 'imap_auth',
        gate: 'consent',
        advice: expect.stringContaining('Add-MailboxPermission'),
      }),
    ],
  ])
  words.microsoft.smtp.refused = smtpRefusals.tenant
  const tenantGate = (await verify(unread, 'bo@contoso.test')).checks
  words.microsoft.smtp.refused = microsoft.smtp.refused
  expect(tenantGate).toContainEqual(expect.objectContaining({ name: 'smtp_auth', gate: 'tenant_smtp_auth' }))
})

test('each Google mailbox gets its own token', async () => {
  const id = await connect(googleBody)
  const [ada, bo] = [await addMailbox(id, 'ada@workspace.test'), await addMailbox(id, 'bo@workspace.test')]
  const before = requests('google')
  for (const sender of [ada, bo, ada, bo]) expect(await verifySender(sender)).toMatchObject({ ok: true })
  expect(requests('google')).toBe(before + 2)
  tokens.google['bo@workspace.test'] = []
  expect([(await verifySender(ada)).ok, (await verifySender(bo)).ok]).toEqual([true, false])
  const { checks } = await verify(id, 'cy@workspace.test')
  expect(checks).toMatchObject([{ ok: false, advice: expect.stringContaining('no mailbox with this address') }])
})

test('adds mailboxes by JSON with a result per item', async () => {
  const id = await connect()
  const first = await addMailbox(id, 'ada@contoso.test')
  const { body } = await post(`/${id}/mailboxes`, {
    mailboxes: [
      { email: 'bo@contoso.test', fromName: 'Bo', dailyLimit: 40, signature: '<p>Bo</p>' },
      { email: 'ADA@contoso.test' },
      { email: 'no address' },
      { email: 'cy@contoso.test', dailyLimit: -1 },
      { email: 'cy@contoso.test', owner: 'x' },
      'cy@contoso.test',
      { email: 'cy@contoso.test' },
      { email: 'bo@contoso.test' },
    ],
  })
  expect(body).toMatchObject({ connected: 2, duplicates: 2, invalid: 4 })
  expect(body.results.map((one: { outcome: string; field: string | null }) => [one.outcome, one.field])).toEqual([
    ['connected', null],
    ['duplicate', null],
    ['invalid', 'email'],
    ['invalid', 'dailyLimit'],
    ['invalid', null],
    ['invalid', null],
    ['connected', null],
    ['duplicate', null],
  ])
  expect(body.results[1].sendingAccountId).toBe(first)
  expect(await senderOf(body.results[0].sendingAccountId)).toMatchObject({
    fromName: 'Bo',
    dailyLimit: 40,
    signature: '<p>Bo</p>',
    provider: 'microsoft',
    status: 'active',
    tenantConnectionId: id,
  })
  expect((await server.call('GET', `${path}/${id}`, { key: server.keys.live })).body.sendingAccounts).toBe(3)
  const audited = await server.app.db.query<{ id: string }>(
    `select target_id as id from audit_entries where action = 'createSendingAccount' and actor_type = 'key'`,
  )
  const made = body.results.filter((one: { outcome: string }) => one.outcome === 'connected')
  expect(audited.map((entry) => entry.id)).toEqual(
    expect.arrayContaining(made.map((one: { sendingAccountId: string }) => one.sendingAccountId)),
  )
})

test('adds mailboxes by CSV, with the same results as by JSON', async () => {
  const id = await connect()
  const send = (body: string, headers = { 'content-type': 'text/csv' }) =>
    server.call('POST', `${path}/${id}/mailboxes`, { key: server.keys.live, body, headers })
  const { status, body } = await send(
    'E-mail;From name;daily_limit\r\nada@contoso.test;"Lovelace; Ada";40\r\nno address;;\r\nbo@contoso.test;;many\r\ncy@contoso.test\r\n',
  )
  expect([status, body]).toMatchObject([200, { connected: 2, duplicates: 0, invalid: 2 }])
  expect(body.results[2]).toMatchObject({ index: 2, outcome: 'invalid', field: 'dailyLimit' })
  expect(await senderOf(body.results[0].sendingAccountId)).toMatchObject({ fromName: 'Lovelace; Ada', dailyLimit: 40 })
  const messageOf = async (csv: string) => issueOf(await send(csv))
  expect(await messageOf('email,color\na@contoso.test,red\n')).toMatchObject([
    400,
    { message: expect.stringContaining('color') },
  ])
  expect(await messageOf('email,"e-mail"\na@contoso.test,b\n')).toMatchObject([
    400,
    { message: 'The column email appears twice.' },
  ])
  expect(await messageOf('email\n"open@contoso.test\n')).toMatchObject([
    400,
    { message: expect.stringContaining('Line 2') },
  ])
  expect(await messageOf('email\na@contoso.test,b\n')).toMatchObject([
    400,
    { message: expect.stringContaining('more cells') },
  ])
  expect((await messageOf('email\n'))[0]).toBe(400)
  expect(await messageOf(`email\n${'a@b.test\n'.repeat(10_001)}`)).toMatchObject([
    400,
    { message: expect.stringContaining('10000 rows') },
  ])
  expect((await send(`email\n${`"${'a'.repeat(100_000)}"\n`.repeat(80)}`)).status).toBe(413)
  expect((await send('email\n', { 'content-type': 'text/plain' })).status).toBe(415)
})

test('one token is used for every Microsoft mailbox until it expires', async () => {
  const id = await connect()
  const senders = []
  for (const email of mailboxes) senders.push(await addMailbox(id, email))
  const before = requests('microsoft')
  const results = await Promise.all([...senders, ...senders].map((sender) => verifySender(sender)))
  expect(results.map((one) => one.ok)).toEqual(Array(6).fill(true))
  expect(requests('microsoft')).toBe(before + 1)
  nowMs += 3_600_000
  await verifySender(senders[0]!)
  expect(requests('microsoft')).toBe(before + 2)
})

test('a refused connection is logged once and shown by its accounts until it has a new secret', async () => {
  const id = await connect()
  const [ada, bo] = [await addMailbox(id, 'ada@contoso.test'), await addMailbox(id, 'bo@contoso.test')]
  const log = vi.spyOn(server.app.log, 'warn')
  application.clientSecret = 'new secret'
  const before = requests('microsoft')
  for (const sender of [ada, bo, ada, bo]) {
    const { ok, checks } = await verifySender(sender)
    expect([ok, checks]).toMatchObject([
      false,
      [{ name: 'smtp_auth', advice: expect.stringContaining('new client secret') }],
    ])
    expect(await senderOf(sender)).toMatchObject({
      status: 'auth_required',
      statusReason: 'login_refused',
      lastError: expect.stringContaining('AADSTS7000215'),
    })
  }
  expect(requests('microsoft')).toBe(before + 1)
  const lines = log.mock.calls.map(([line]) => line as { event?: string })
  log.mockRestore()
  expect(lines.filter(({ event }) => event === 'tenant_connection.refused')).toEqual([
    {
      event: 'tenant_connection.refused',
      accountId: server.tenant.accountId,
      environment: 'live',
      tenantConnectionId: id,
      provider: 'microsoft',
      code: 'AADSTS7000215',
    },
  ])
  expect((await post('', { ...microsoftBody, clientSecret: 'new secret' })).body.id).toBe(id)
  expect(await retrySenders(server.app, new Date(nowMs))).toBe(2)
  for (const sender of [ada, bo]) expect(await senderOf(sender)).toMatchObject({ status: 'active', lastError: null })
})

test('a later permission is used by the next check, and then by all accounts', async () => {
  const granted: string[] = []
  application.mailboxes = granted
  const id = await connect()
  const [ada, bo] = [await addMailbox(id, 'ada@contoso.test'), await addMailbox(id, 'bo@contoso.test')]
  expect([await verifySender(ada), await verifySender(bo)]).toMatchObject([{ ok: false }, { ok: false }])
  granted.push(...mailboxes)
  const before = requests('microsoft')
  expect(await verifySender(ada)).toMatchObject({ ok: false })
  expect(requests('microsoft')).toBe(before)
  expect(await verify(id, 'bo@contoso.test')).toMatchObject({ ok: true })
  expect(await retrySenders(server.app, new Date(nowMs))).toBe(2)
  for (const sender of [ada, bo]) expect(await senderOf(sender)).toMatchObject({ status: 'active' })
  granted.length = 0
  nowMs += 60_000
  expect(await verifySender(bo)).toMatchObject({ ok: true })
  tokens.microsoft['bo@contoso.test'] = []
  granted.push(...mailboxes)
  expect(await verifySender(bo)).toMatchObject({ ok: true })
})

test('a connection in use is deleted only with a replacement in the same organization', async () => {
  const [id, other] = [await connect(), await connect({ ...microsoftBody, clientId: clients.unread })]
  const elsewhere = await connect(googleBody)
  const sender = await addMailbox(id, 'ada@contoso.test')
  const remove = (query = '') => server.call('DELETE', `${path}/${id}${query}`, { key: server.keys.live })
  const refused = await remove()
  expect([refused.status, refused.body.error]).toMatchObject([
    409,
    { message: expect.stringContaining('1 sending account logs in'), details: { currentStatus: 'in_use' } },
  ])
  expect((await remove(`?replaceWith=${elsewhere}`)).status).toBe(400)
  expect((await remove(`?replaceWith=${id}`)).status).toBe(400)
  expect((await remove('?replaceWith=tnc_none')).status).toBe(404)
  expect((await remove(`?replaceWith=${other}`)).status).toBe(200)
  expect(await senderOf(sender)).toMatchObject({ tenantConnectionId: other })
  // The reader with the old login loses the mailbox (changed-login.test.ts shows that it then closes).
  const [mailbox] = await server.app.db.query(
    'select retry_at > now() as waits from mailboxes where sending_account_id = $1',
    [sender],
  )
  expect(mailbox).toEqual({ waits: true })
  expect((await remove()).status).toBe(404)
  await server.call('DELETE', `/v2/sending-accounts/${sender}`, { key: server.keys.live })
  expect((await server.call('DELETE', `${path}/${other}`, { key: server.keys.live })).status).toBe(200)
})

test('an address that another request takes meanwhile is a duplicate, and the rest of the list is connected', async () => {
  const id = await connect()
  const { tenant, app } = server
  const list = ['ada@contoso.test', 'bo@contoso.test']
  let adding: ReturnType<typeof post> | undefined
  const taken = newId('snd')
  await app.db.transaction(async (tx) => {
    await tx.execute(
      `insert into sending_accounts (account_id, environment, id, email, from_name, provider, status, daily_limit,
         min_gap_seconds, max_gap_seconds, timezone, created_at, updated_at)
       values ($1, $2, $3, $4, '', 'microsoft', 'paused', 50, 60, 120, 'UTC', now(), now())`,
      [tenant.accountId, tenant.environment, taken, list[0]],
    )
    adding = post(`/${id}/mailboxes`, { mailboxes: list.map((email) => ({ email })) })
    await until(
      () =>
        app.db.query(
          `select from pg_stat_activity where wait_event_type = 'Lock' and query like '%insert into sending_accounts%'`,
        ),
      (waiting) => waiting.length > 0,
    )
  })
  const { body } = await adding!
  expect(body).toMatchObject({
    connected: 1,
    duplicates: 1,
    results: [
      { outcome: 'duplicate', sendingAccountId: taken },
      { outcome: 'connected', email: list[1] },
    ],
  })
  for (const { sendingAccountId } of body.results)
    await server.call('DELETE', `/v2/sending-accounts/${sendingAccountId}`, { key: server.keys.live })
})

test('an account whose connection was deleted needs a new one', async () => {
  const id = await connect()
  const sender = await addMailbox(id, 'ada@contoso.test')
  await server.app.db.execute('delete from tenant_connections where id = $1', [id])
  expect(await openSecrets(server.app, server.tenant, sender)).toEqual({
    kind: 'auth_required',
    message: 'The tenant connection of this account was deleted.',
  })
})

test('other accounts, other environments and keys without admin scope have no access', async () => {
  const id = await connect()
  const { keys, other } = server
  const calls: [string, string, unknown][] = [
    ['POST', `/${id}/verify`, { email: 'ada@contoso.test' }],
    ['POST', `/${id}/mailboxes`, { mailboxes: [{ email: 'ada@contoso.test' }] }],
    ['DELETE', `/${id}`, undefined],
  ]
  const before = requests('microsoft')
  for (const [method, to, body] of calls) {
    for (const key of [other.keys.live, keys.test])
      expect((await server.call(method, `${path}${to}`, { key, body })).status).toBe(404)
    for (const key of [keys.liveRead, keys.liveWrite])
      expect((await server.call(method, `${path}${to}`, { key, body })).status).toBe(403)
  }
  expect((await post('', microsoftBody, keys.liveWrite)).status).toBe(403)
  const theirs = await connect(microsoftBody, other.keys.live)
  const remove = `${path}/${id}?replaceWith=${theirs}`
  expect((await server.call('DELETE', remove, { key: keys.live })).status).toBe(404)
  expect(requests('microsoft')).toBe(before + 1)
})

test('all connections of an organization have its recipients per day, and those of others have not', async () => {
  const { keys, other } = server
  const id = await connect()
  const certificate = { privateKey: applicationKey, certificate: applicationCertificate }
  const { clientSecret: _secret, ...application } = microsoftBody
  const second = await connect({ ...application, clientId: clients.certificate, certificate })
  const google = await connect(googleBody)
  const theirs = await connect(microsoftBody, other.keys.live)
  await addMailbox(id, 'ada@contoso.test')
  const put = (of: string, body: unknown, key = keys.live) => server.call('PUT', `${path}/${of}`, { key, body })
  const getLimit = async (of: string, key = keys.live) =>
    (await server.call('GET', `${path}/${of}`, { key })).body.dailyExternalRecipients

  const answer = await put(id, { dailyExternalRecipients: 8_000 })
  expect([answer.status, answer.body]).toMatchObject([
    200,
    { id, dailyExternalRecipients: 8_000, suggestedDailyExternalRecipients: 10_000, sendingAccounts: 1 },
  ])
  expect([await getLimit(second), await getLimit(google)]).toEqual([8_000, null])
  expect(await getLimit(theirs, other.keys.live)).toBeNull()
  const { results } = (await server.call('GET', path, { key: keys.live })).body
  expect(
    new Map(
      results.map((one: { id: string; dailyExternalRecipients: number }) => [one.id, one.dailyExternalRecipients]),
    ),
  ).toEqual(
    new Map([
      [id, 8_000],
      [second, 8_000],
      [google, null],
    ]),
  )

  for (const [body, field] of [
    [{ dailyExternalRecipients: 0 }, 'dailyExternalRecipients'],
    [{ dailyExternalRecipients: 1.5 }, 'dailyExternalRecipients'],
    [{ dailyExternalRecipients: '8000' }, 'dailyExternalRecipients'],
    [{}, 'dailyExternalRecipients'],
    [{ dailyExternalRecipients: 1, tenantId: contoso }, 'tenantId'],
  ] as const)
    expect(issueOf(await put(id, body))).toMatchObject([400, { path: field }])
  expect((await put('tnc_unknown', { dailyExternalRecipients: 1 })).status).toBe(404)
  expect((await put(theirs, { dailyExternalRecipients: 1 })).status).toBe(404)
  expect((await put(id, { dailyExternalRecipients: 1 }, keys.test)).status).toBe(404)
  expect((await put(id, { dailyExternalRecipients: 1 }, keys.liveWrite)).status).toBe(403)
  expect(await getLimit(id)).toBe(8_000)
  expect((await put(second, { dailyExternalRecipients: null })).body.dailyExternalRecipients).toBeNull()
  expect(await getLimit(id)).toBeNull()
})

test('the test environment simulates connections', async () => {
  const key = server.keys.test
  const before = requests('microsoft')
  const id = await connect({ ...microsoftBody, clientSecret: 'simulated' }, key)
  const added = await post(`/${id}/mailboxes`, { mailboxes: [{ email: 'ada@contoso.test' }] }, key)
  expect(added.body).toMatchObject({ connected: 1 })
  expect((await post(`/${id}/verify`, { email: 'ada@contoso.test' }, key)).body).toMatchObject({ ok: true })
  const made = added.body.results[0].sendingAccountId
  expect(await senderOf(made, key)).toMatchObject({ status: 'active', tenantConnectionId: id })
  expect((await senderOf(made)).error.code).toBe('NOT_FOUND')
  expect(requests('microsoft')).toBe(before)
})

test("an account of a connection can't have its own login", async () => {
  const sender = await addMailbox(await connect(), 'ada@contoso.test')
  const key = server.keys.live
  const update = { key, body: { oauth: { refreshToken: 'stolen' } } }
  expect(issueOf(await server.call('PUT', `/v2/sending-accounts/${sender}`, update))).toMatchObject([
    400,
    { path: 'oauth' },
  ])
  const authorize = { key, body: { provider: 'microsoft', sendingAccountId: sender } }
  expect((await server.call('POST', '/v2/sending-accounts/oauth/authorize', authorize)).status).toBe(409)
  const convert = { key, body: { provider: 'microsoft' } }
  expect((await server.call('POST', `/v2/sending-accounts/${sender}/oauth/authorize`, convert)).status).toBe(409)
  const named = { key, body: { tenantConnectionId: 'tnc_other' } }
  expect(issueOf(await server.call('PUT', `/v2/sending-accounts/${sender}`, named))).toMatchObject([
    400,
    { path: 'tenantConnectionId' },
  ])
})

test('a consent has no login that can be verified', async () => {
  await server.app.db.execute(
    `insert into tenant_connections (account_id, environment, id, provider, access, organization, created_at, updated_at)
     values ($1, 'live', 'tnc_consent', 'microsoft', 'consent', $2, now(), now())`,
    [server.tenant.accountId, contoso],
  )
  for (const [to, body] of [
    ['/tnc_consent/verify', { email: 'ada@contoso.test' }],
    ['/tnc_consent/mailboxes', { mailboxes: [{ email: 'ada@contoso.test' }] }],
  ] as const)
    expect((await post(to, body)).status).toBe(409)
})
