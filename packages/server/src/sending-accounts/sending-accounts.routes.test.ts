import { afterAll, beforeAll, expect, test } from 'vitest'
import { dovecotAvailable, startDovecot } from '@overture/testing/mail/dovecot.server.ts'
import { startDnsDouble, type DnsDouble } from '@overture/testing/mail/dns-double.server.ts'
import { startImapDouble, type ImapDouble } from '@overture/testing/mail/imap-double.server.ts'
import { startSmtpDouble, type SmtpDouble } from '@overture/testing/mail/smtp-double.server.ts'
import { startTestServer, type TestServer } from '@overture/testing/server.ts'
import { sendingAccountsRoutes } from './index.ts'
import { lacks } from '@overture/testing/tools.ts'

const user = 'ada@example.com'
const path = '/v2/sending-accounts'
let server: TestServer
let smtp: SmtpDouble
let imap: ImapDouble
let dns: DnsDouble
let changes = 0

beforeAll(async () => {
  smtp = await startSmtpDouble({ users: { [user]: 'secret' } })
  imap = await startImapDouble({ users: { [user]: 'secret' } })
  dns = await startDnsDouble({
    TXT: { 'example.com': ['v=spf1 mx ~all'], '_dmarc.example.com': ['v=DMARC1; p=none'] },
    MX: { 'example.com': ['10 mx.example.com'] },
  })
  server = await startTestServer({
    routes: () => sendingAccountsRoutes({ changed: () => Promise.resolve(void changes++) }),
    environment: { OVERTURE_ALLOW_PRIVATE_TARGETS: '1', OVERTURE_DNS_SERVERS: dns.server },
  })
})

afterAll(async () => {
  await Promise.all([server?.stop(), smtp?.stop(), imap?.stop(), dns?.stop()])
})

let made = 0
function account(fields: Record<string, unknown> = {}) {
  return {
    email: `sender${++made}@example.com`,
    fromName: 'Ada',
    provider: 'smtp',
    smtp: { host: '127.0.0.1', port: smtp.port, security: 'none', username: user, password: 'secret' },
    imap: { host: '127.0.0.1', port: imap.port, security: 'none', username: user, password: 'secret' },
    ...fields,
  }
}

async function create(fields: Record<string, unknown> = {}, key = server.keys.live) {
  const answer = await server.call('POST', path, { key, body: account(fields) })
  expect(answer.status, answer.text).toBe(201)
  return answer.body
}

async function get(id: string) {
  return (await server.call('GET', `${path}/${id}`, { key: server.keys.live })).body
}

async function paths(body: unknown, key = server.keys.live): Promise<string[]> {
  const answer = await server.call('POST', path, { key, body })
  expect(answer.status, answer.text).toBe(400)
  return answer.body.error.details.issues.map((issue: { path: string }) => issue.path)
}

test("a new account's response has every field and no secret", async () => {
  const body = await create({
    signature: 'Ada',
    dailyLimit: 40,
    rampUp: { enabled: true, startPerDay: 5, incrementPerDay: 2 },
  })
  expect(body).toEqual({
    id: expect.stringMatching(/^snd_/),
    email: expect.any(String),
    fromName: 'Ada',
    provider: 'smtp',
    smtp: { host: '127.0.0.1', port: smtp.port, security: 'none', username: user },
    imap: { host: '127.0.0.1', port: imap.port, security: 'none', username: user, sentFolder: null },
    status: 'active',
    statusReason: null,
    statusAdvice: null,
    tenantConnectionId: null,
    tagIds: [],
    lastError: null,
    dailyLimit: 40,
    reservedPerDay: 0,
    ignoreMail: [],
    sentToday: 0,
    minGapSeconds: 60,
    maxGapSeconds: 180,
    timezone: 'UTC',
    signature: 'Ada',
    replyTo: null,
    trackingDomain: null,
    rampUp: { enabled: true, startPerDay: 5, incrementPerDay: 2 },
    health: null,
    requireAuthentication: false,
    deliverability: {
      state: 'healthy',
      since: body.createdAt,
      score: 100,
      allowanceToday: 5,
      reasons: [],
      reviewAt: null,
    },
    createdAt: expect.any(String),
    updatedAt: expect.any(String),
  })
  expect(JSON.stringify(body)).not.toContain('secret')
})

test("a signature that can't be rendered is refused on create and update", async () => {
  const { id } = await create({ signature: `${'<div>'.repeat(50)}Ada` })
  for (const tag of ['<div>', '<b>', '<ul><li>', '<table><tr><td>']) {
    const signature = `${tag.repeat(201)}Ada`
    expect(await paths(account({ signature }))).toEqual(['signature'])
    const changed = await server.call('PUT', `${path}/${id}`, { key: server.keys.live, body: { signature } })
    expect(changed.body.error.details.issues).toMatchObject([{ path: 'signature', rule: 'nesting' }])
  }
})

test('passwords are encrypted at rest', async () => {
  const { id } = await create()
  const rows = await server.app.db.query<{ secrets: Buffer; row: string }>(
    'select secrets, s::text as row from sending_accounts s where id = $1',
    [id],
  )
  expect(rows[0]?.secrets.length).toBeGreaterThan(30)
  expect(rows[0]?.row).not.toContain(Buffer.from('secret').toString('hex'))
})

test('a refused create names every wrong field and stores nothing', async () => {
  const before = (await server.call('GET', path, { key: server.keys.live })).body.pagination.totalCount
  expect(
    (
      await paths(
        account({
          email: 'no',
          dailyLimit: 0,
          minGapSeconds: -1,
          timezone: 'Mars/Base',
          replyTo: 'x',
          trackingDomain: 'http://x',
          fromName: 'a\r\nBcc: b',
          unknown: 1,
        }),
      )
    ).sort(),
  ).toEqual(['dailyLimit', 'email', 'fromName', 'minGapSeconds', 'replyTo', 'timezone', 'trackingDomain', 'unknown'])
  expect(await paths(account({ minGapSeconds: 100, maxGapSeconds: 50 }))).toEqual(['maxGapSeconds'])
  expect(await paths({ email: 'a@example.com', provider: 'smtp' })).toEqual(['smtp'])
  expect(await paths(account({ smtp: { host: 'bad host', port: 0, password: '' } }))).toEqual(
    expect.arrayContaining(['smtp.host', 'smtp.port', 'smtp.password']),
  )
  expect(await paths(account({ smtp: { host: 'x.test', port: 25, username: 'me' }, imap: null }))).toEqual([
    'smtp.password',
  ])
  expect(await paths({ email: 'a@example.com', provider: 'sandbox' })).toEqual(['provider'])
  expect(await paths(account({ provider: 'google' }))).toEqual(['smtp', 'imap'])
  expect((await server.call('GET', path, { key: server.keys.live })).body.pagination.totalCount).toBe(before)
})

test('gaps may be 0, and a single gap sets the other one too', async () => {
  expect(await create({ minGapSeconds: 0, maxGapSeconds: 0 })).toMatchObject({ minGapSeconds: 0, maxGapSeconds: 0 })
  expect(await create({ minGapSeconds: 600 })).toMatchObject({ minGapSeconds: 600, maxGapSeconds: 600 })
  expect(await create({ maxGapSeconds: 10 })).toMatchObject({ minGapSeconds: 10, maxGapSeconds: 10 })
})

test('an address can be used once per environment, in any case', async () => {
  const first = await create()
  const again = await server.call('POST', path, {
    key: server.keys.live,
    body: account({ email: first.email.toUpperCase() }),
  })
  expect(again.status).toBe(409)
  expect(again.body.error.details).toMatchObject({
    currentStatus: 'active',
    allowedActions: ['verify', 'pause', 'delete'],
  })
  await create({ email: first.email, provider: 'sandbox', smtp: undefined, imap: undefined }, server.keys.test)
  const second = await create()
  expect(
    (await server.call('PUT', `${path}/${second.id}`, { key: server.keys.live, body: { email: first.email } })).status,
  ).toBe(409)
})

test('an account of another tenant returns 404', async () => {
  const { id } = await create()
  for (const [method, suffix] of [
    ['GET', ''],
    ['PUT', ''],
    ['DELETE', ''],
    ['GET', '/health'],
    ['POST', '/verify'],
    ['POST', '/pause'],
    ['POST', '/resume'],
  ] as const) {
    for (const key of [server.other.keys.live, server.keys.test]) {
      const answer = await server.call(method, `${path}/${id}${suffix}`, {
        key,
        body: method === 'PUT' ? {} : undefined,
      })
      expect([method, suffix, answer.status]).toEqual([method, suffix, 404])
    }
  }
  expect((await get(id)).status).toBe('active')
})

test('an account can be read, edited and put back; a changed read-only field is refused', async () => {
  const current = await create({ rampUp: { enabled: true, startPerDay: 5, incrementPerDay: 2 } })
  const put = (body: unknown) => server.call('PUT', `${path}/${current.id}`, { key: server.keys.live, body })
  const edited = await put({ ...current, fromName: 'Grace' })
  expect(edited.status, edited.text).toBe(200)
  expect(edited.body).toMatchObject({
    fromName: 'Grace',
    smtp: current.smtp,
    imap: current.imap,
    rampUp: current.rampUp,
  })
  for (const change of [
    { id: 'snd_x' },
    { status: 'paused' },
    { sentToday: 7 },
    { provider: 'google' },
    { createdAt: '2020-01-01T00:00:00.000Z' },
  ]) {
    const answer = await put(change)
    expect(answer.status).toBe(400)
    expect(answer.body.error.details.issues[0]).toMatchObject({ path: Object.keys(change)[0], rule: 'read_only' })
  }
  expect((await put({ rampUp: { incrementPerDay: 3 } })).body.rampUp).toEqual({
    enabled: true,
    startPerDay: 5,
    incrementPerDay: 3,
  })
  expect((await put({ smtp: { security: 'starttls' } })).body.smtp).toEqual({ ...current.smtp, security: 'starttls' })
  expect((await put({ imap: null, rampUp: null })).body).toMatchObject({ imap: null, rampUp: null })
  expect((await put({ minGapSeconds: 500 })).status).toBe(400)
  expect((await put({ smtp: null })).status).toBe(400)
})

test('verify logs in to the servers and reports which part failed', async () => {
  const { id } = await create()
  const verify = () => server.call('POST', `${path}/${id}/verify`, { key: server.keys.live })
  const good = await verify()
  expect(good.body).toMatchObject({ ok: true })
  expect(good.body.checks.map((check: { name: string }) => check.name)).toEqual([
    'smtp_connect',
    'smtp_auth',
    'imap_connect',
    'imap_auth',
    'imap_sent_folder',
  ])
  expect(imap.commands.some((command) => command === 'AUTHENTICATE')).toBe(true)
  await server.call('PUT', `${path}/${id}`, { key: server.keys.live, body: { smtp: { password: 'wrong' } } })
  const bad = await verify()
  expect(bad.body.ok).toBe(false)
  expect(bad.body.checks).toContainEqual(
    expect.objectContaining({ name: 'smtp_auth', ok: false, message: expect.stringContaining('535') }),
  )
  expect(await get(id)).toMatchObject({
    status: 'auth_required',
    statusReason: 'login_refused',
    lastError: expect.stringContaining('SMTP'),
  })
  await server.call('PUT', `${path}/${id}`, {
    key: server.keys.live,
    body: { smtp: { password: 'secret', port: imap.port } },
  })
  expect((await verify()).body.ok).toBe(false)
  await server.call('PUT', `${path}/${id}`, {
    key: server.keys.live,
    body: { smtp: { port: smtp.port, password: 'secret' } },
  })
  expect((await verify()).body.ok).toBe(true)
  expect(await get(id)).toMatchObject({ status: 'active', statusReason: null, lastError: null })
  const events = await server.app.db.query<{ type: string }>(
    'select type from events where sending_account_id = $1 order by position',
    [id],
  )
  expect(events.map((event) => event.type)).toEqual([
    'sending_account.error',
    'sending_account.error',
    'sending_account.recovered',
  ])
})

test('without IMAP only SMTP is verified, and a missing Sent folder is created', async () => {
  const plain = await create({ imap: null })
  const answer = await server.call('POST', `${path}/${plain.id}/verify`, { key: server.keys.live })
  expect(answer.body.checks.map((check: { name: string }) => check.name)).toEqual(['smtp_connect', 'smtp_auth'])
  const bare = await startImapDouble({ users: { [user]: 'secret' }, folders: [] })
  const { id } = await create({
    imap: { host: '127.0.0.1', port: bare.port, security: 'none', username: user, password: 'secret' },
  })
  expect((await server.call('POST', `${path}/${id}/verify`, { key: server.keys.live })).body.ok).toBe(true)
  expect(bare.messages(user, 'Sent')).toEqual([])
  await bare.stop()
})

test.skipIf(lacks('Dovecot', dovecotAvailable()))('verify logs in to a real Dovecot', async () => {
  const dovecot = await startDovecot()
  const box = (password: string) => ({
    host: '127.0.0.1',
    port: dovecot.port,
    security: 'none',
    username: user,
    password,
  })
  const { id } = await create({ imap: box(dovecot.password) })
  const verify = async () => (await server.call('POST', `${path}/${id}/verify`, { key: server.keys.live })).body
  expect(await verify()).toMatchObject({ ok: true })
  await server.call('PUT', `${path}/${id}`, { key: server.keys.live, body: { imap: { password: 'wrong' } } })
  expect((await verify()).checks).toContainEqual(
    expect.objectContaining({ name: 'imap_auth', ok: false, message: expect.any(String) }),
  )
  expect(await get(id)).toMatchObject({ status: 'auth_required' })
  await dovecot.stop()
})

test('the test environment simulates and connects to no mail server', async () => {
  const before = [smtp.connectionCount, imap.commands.length]
  const { id } = await create({}, server.keys.test)
  const answer = await server.call('POST', `${path}/${id}/verify`, { key: server.keys.test })
  expect(answer.body.ok).toBe(true)
  expect(answer.body.checks).toHaveLength(5)
  expect(answer.body.checks[0].message).toContain('Simulated')
  expect([smtp.connectionCount, imap.commands.length]).toEqual(before)
  const sandbox = await server.call('POST', path, {
    key: server.keys.test,
    body: { email: 'play@sender.test', provider: 'sandbox' },
  })
  expect(sandbox.body).toMatchObject({
    provider: 'sandbox',
    smtp: null,
    imap: null,
    status: 'active',
    fromName: 'play',
  })
})

test('pause and resume follow the status table and notify the planner', async () => {
  const { id } = await create()
  const act = (action: string) => server.call('POST', `${path}/${id}/${action}`, { key: server.keys.live })
  const before = changes
  expect((await act('pause')).body).toMatchObject({ status: 'paused', statusReason: 'user' })
  expect(changes).toBe(before + 1)
  const again = await act('pause')
  expect(again.status).toBe(409)
  expect(again.body.error.details).toMatchObject({
    currentStatus: 'paused',
    allowedActions: ['verify', 'resume', 'delete'],
  })
  expect((await act('verify')).body.ok).toBe(true)
  expect((await get(id)).status).toBe('paused')
  expect((await act('resume')).body).toMatchObject({ status: 'active', statusReason: null })
  expect((await act('resume')).status).toBe(409)
})

test('an account in use is deleted only with a replacement', async () => {
  const used = await create()
  const replacement = await create()
  const { accountId } = server.tenant
  await server.app.db.execute(
    `insert into campaigns (account_id, environment, id, name, status, schedule, settings, sending_account_ids, created_at, updated_at)
     values ($1, 'live', 'cmp_used', 'Spring', 'active', '{}', '{}', array[$2], now(), now()),
       ($1, 'live', 'cmp_done', 'Done', 'completed', '{}', '{}', array[$2], now(), now())`,
    [accountId, used.id],
  )
  // A message that a person asked to send now, while the sender can't send.
  await server.app.db.execute(
    `insert into message_heads (account_id, environment, id, campaign_id, lead_id, step_id, sending_account_id, direction, kind, status,
       attempt_at, queued_at)
     values ($1, 'live', 'msg_asked', 'cmp_used', 'led_1', 'stp_1', $2, 'outbound', 'campaign', 'queued', now(), now())`,
    [accountId, used.id],
  )
  const remove = (query = '') => server.call('DELETE', `${path}/${used.id}${query}`, { key: server.keys.live })
  const refused = await remove()
  expect(refused.status).toBe(409)
  expect(refused.body.error.details.users).toEqual([{ kind: 'campaign', id: 'cmp_used', name: 'Spring' }])
  expect((await remove(`?replaceWith=${used.id}`)).status).toBe(400)
  expect((await remove('?replaceWith=snd_none')).status).toBe(404)
  expect((await remove(`?replaceWith=${replacement.id}`)).body).toEqual({ id: used.id, deleted: true })
  const rows = await server.app.db.query<{ sendingAccountIds: string[] }>(
    "select sending_account_ids from campaigns where id = 'cmp_used'",
  )
  expect(rows[0]?.sendingAccountIds).toEqual([replacement.id])
  const [queued] = await server.app.db.query<{ sendingAccountId: string }>(
    "select sending_account_id from messages where id = 'msg_asked'",
  )
  expect(queued?.sendingAccountId).toBe(replacement.id)
  expect((await remove()).status).toBe(404)
  await server.app.db.execute("delete from campaigns where id in ('cmp_used', 'cmp_done')")
})

test("sentToday counts the day of the account's time zone", async () => {
  const { id } = await create({ timezone: 'Pacific/Kiritimati' })
  const day = new Intl.DateTimeFormat('en-CA', { timeZone: 'Pacific/Kiritimati' }).format(server.app.clock.now())
  await server.app.db.execute(
    `insert into sender_days (account_id, environment, sending_account_id, day, claimed) 
     values ($1, 'live', $2, $3, 7), ($1, 'live', $2, $3::date - 1, 9)`,
    [server.tenant.accountId, id, day],
  )
  expect((await get(id)).sentToday).toBe(7)
})

test('the list is newest first, by page and by cursor, with filters', async () => {
  const { id } = await create({ fromName: 'Findable 100%' })
  const list = async (query: string) => (await server.call('GET', `${path}?${query}`, { key: server.keys.live })).body
  expect((await list('limit=1')).results[0].id).toBe(id)
  expect((await list('q=able%20100%25')).results).toHaveLength(1)
  expect((await list('q=able%251')).results).toHaveLength(0)
  expect((await list('provider=google')).results).toHaveLength(0)
  const seen: string[] = []
  let cursor = ''
  do {
    const pageBody = await list(`limit=3${cursor === '' ? '' : `&cursor=${cursor}`}`)
    seen.push(...pageBody.results.map((entry: { id: string }) => entry.id))
    cursor = pageBody.nextCursor ?? ''
  } while (cursor !== '')
  expect(new Set(seen).size).toBe((await list('')).pagination.totalCount)
  expect(seen).toHaveLength(new Set(seen).size)
})

test('health queries the configured name server and suggests DNS records', async () => {
  const { id } = await create({ trackingDomain: 'go.example.com' })
  const health = (await server.call('GET', `${path}/${id}/health`, { key: server.keys.liveRead })).body
  expect(health).toMatchObject({
    domain: 'example.com',
    spf: { status: 'pass' },
    dmarc: { status: 'pass' },
    mx: { status: 'pass', records: ['mx.example.com'] },
    dkim: { status: 'missing' },
    tracking: { status: 'missing', put: { type: 'CNAME', name: 'go.example.com' } },
  })
  dns.failing = true
  expect((await server.call('GET', `${path}/${id}/health`, { key: server.keys.live })).body.spf.status).toBe('unknown')
  dns.failing = false
})

test('health follows the includes of the SPF record and names a loop', async () => {
  const { id } = await create({ email: 'me@loop.test' })
  dns.records.TXT = {
    ...dns.records.TXT,
    'loop.test': ['v=spf1 include:a.loop.test ~all'],
    'a.loop.test': ['v=spf1 include:b.loop.test -all'],
    'b.loop.test': ['v=spf1 include:a.loop.test -all'],
    '_dmarc.loop.test': ['v=DMARC1; p=reject; pct=20'],
  }
  const health = (await server.call('GET', `${path}/${id}/health`, { key: server.keys.live })).body
  expect(health.spf).toMatchObject({
    status: 'invalid',
    message: 'The include of a.loop.test leads back to itself. Remove it.',
    put: null,
  })
  expect(health.dmarc).toMatchObject({
    status: 'warning',
    put: { type: 'TXT', name: '_dmarc.loop.test', value: 'v=DMARC1; p=reject; t=y' },
  })
})
