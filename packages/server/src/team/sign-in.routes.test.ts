import { hourMs } from '@overture/ground/time/spans.ts'
import * as argon2 from '@node-rs/argon2'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { userLeft } from '../composition/user-left.commands.ts'
import { startTestServer, type TestServer, type TestTools } from '@overture/testing/server.ts'
import { readCookie, createBrowserCall, createTestPerson, testPassword } from '@overture/testing/server/people.ts'
import { createSetupLink, sessionRates, teamRoutes } from './index.ts'
import { createPasswords, derivePasswordSalt } from './passwords.shell.ts'
import { login as signIn } from './sign-in.shell.ts'

let server: TestServer
beforeAll(async () => {
  const routes = ({ app, admission }: TestTools) => teamRoutes(app, { admission, userLeft: userLeft })
  server = await startTestServer({ routes, sessionRates })
})
afterAll(() => server.stop())
beforeEach(() => server.app.db.execute('delete from sign_in_attempts'))

const password = 'nine quiet lanterns drift'
const login = (body: object, headers: Record<string, string> = {}) =>
  server.call('POST', '/v2/auth/login', { body, headers })
const state = (headers: Record<string, string> = {}) => server.call('GET', '/v2/auth/state', { headers })

test('the first owner is created with a link that works once, and only without any user', async () => {
  expect((await state()).body).toMatchObject({ signedIn: false, setupRequired: true, methods: ['password'] })
  const make = () =>
    server.app.db.transaction((tx) => createSetupLink(tx, server.tenant.accountId, server.app.clock.now()))
  const [token, other] = [await make(), await make()]
  const accept = (body: object) => server.call('POST', '/v2/auth/accept', { body })
  const ada = { name: 'Ada', password, email: 'Ada@Example.com ' }
  expect((await accept({ ...ada, email: undefined, token })).body.error.details.issues[0].path).toBe('email')
  const common = await accept({ ...ada, token, password: 'password1234' })
  expect(common.body.error.details.issues).toMatchObject([{ path: 'password', rule: 'common' }])
  const both = await Promise.all([
    accept({ ...ada, token }),
    accept({ ...ada, email: 'eve@example.com', token: other }),
  ])
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 401])
  const made = both.find(({ status }) => status === 201)!
  expect(made.body).toMatchObject({ role: 'owner', status: 'active', methods: ['password'], totp: false })
  expect(made.headers.getSetCookie()[0]).toMatch(
    /^overture_\d+=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/,
  )
  expect((await state({ cookie: readCookie(made.headers) })).body).toMatchObject({
    signedIn: true,
    setupRequired: false,
  })
  for (const used of [token, other, 'x', 'A'.repeat(43)])
    expect([(await accept({ ...ada, token: used })).status]).toEqual([401])
  expect(await make()).toBeNull()
})

test('a session can use the API instead of a key, in the named environment', async () => {
  const person = await createTestPerson(server)
  const me = await person.call('GET', '/v2/me')
  expect(me.body).toMatchObject({ id: person.id, sessionId: person.sessionId, account: { name: 'Example Ltd' } })
  expect([me.headers.get('x-ratelimit-limit'), me.headers.get('x-ratelimit-remaining')]).toEqual(['900', '899'])
  for (const environment of ['live', 'test']) {
    const account = await person.call('GET', '/v2/account', { headers: { 'x-overture-environment': environment } })
    expect(account.body.environment).toBe(environment)
  }
})

test('a key is used instead of the cookie, even if the key is invalid', async () => {
  const { call } = await createTestPerson(server)
  expect((await call('GET', '/v2/me', { key: server.keys.live })).status).toBe(404)
  expect((await call('GET', '/v2/me', { key: 'nonsense' })).status).toBe(401)
})

test("disabled API access and a used quota don't lock out users", async () => {
  const { call } = await createTestPerson(server)
  await server.setLimits({ apiAccessEnabled: false, monthlyRequests: 0 })
  expect((await call('GET', '/v2/account')).status).toBe(200)
  await server.setLimits({ apiAccessEnabled: true, monthlyRequests: 1_000_000 })
})

const foreign: Record<string, string>[] = [
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
  { 'sec-fetch-site': 'none' },
  { origin: 'https://evil.example.com' },
  { origin: 'null' },
]

test("a foreign page can't change anything, or read without the header", async () => {
  const { cookie } = await createTestPerson(server)
  const environment = { 'x-overture-environment': 'test' }
  const put = (headers: Record<string, string>) =>
    server.call('PUT', '/v2/me', { body: { name: 'Mallory' }, headers: { cookie, ...headers } })
  for (const headers of foreign)
    expect([headers, (await put({ ...environment, ...headers })).status]).toEqual([headers, 403])
  expect((await put(environment)).status).toBe(403)
  expect((await put({ 'sec-fetch-site': 'same-origin' })).status).toBe(400)
  expect((await put({ ...environment, origin: server.url })).status).toBe(200)
  const get = (headers: Record<string, string>) => server.call('GET', '/v2/me', { headers: { cookie, ...headers } })
  const missing = await get({})
  expect([missing.status, missing.body.error.details.issues[0].path]).toEqual([400, 'X-Overture-Environment'])
  expect((await get(environment)).status).toBe(200)
  expect((await get({ ...environment, 'sec-fetch-site': 'cross-site' })).status).toBe(403)
})

test.each(foreign)("a foreign page can't sign in or out: %o", async (headers) => {
  const { email, cookie } = await createTestPerson(server)
  expect((await login({ email, password: testPassword }, headers)).status).toBe(403)
  expect((await server.call('POST', '/v2/auth/logout', { headers: { cookie, ...headers } })).status).toBe(403)
  expect((await state({ cookie })).body.signedIn).toBe(true)
})

test('forged and ended cookies have the same response', async () => {
  const { call, cookie } = await createTestPerson(server)
  const [name = ''] = cookie.split('=')
  await call('POST', '/v2/auth/logout')
  const answers = [cookie, `${name}=${'A'.repeat(43)}`, `${name}=x`, `other=1; ${name}=${'B'.repeat(43)}`].map((sent) =>
    call('GET', '/v2/me', { headers: { cookie: sent } }),
  )
  for (const answer of await Promise.all(answers)) {
    expect([answer.status, answer.body.error.message]).toEqual([401, 'The session is unknown or has ended.'])
  }
})

test('an unknown address and a wrong password look the same; the sixth attempt must wait', async () => {
  const { email } = await createTestPerson(server)
  const wrong = await login({ email, password: 'not this one at all' })
  const unknown = await login({ email: 'nobody@example.com', password: 'not this one at all' })
  expect([wrong.status, unknown.status]).toEqual([401, 401])
  expect(wrong.body.error.message).toBe(unknown.body.error.message)
  const tries = await Promise.all(Array.from({ length: 8 }, () => login({ email, password: 'not this one at all' })))
  expect(tries.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([401, 401, 401, 401, 429, 429, 429, 429])
  const sixth = await login({ email, password: testPassword })
  expect(sixth.status).toBe(429)
  expect(Number(sixth.headers.get('retry-after'))).toBeGreaterThan(14 * 60)
  expect((await login({ email: 'someone-else@example.com', password: 'x' })).status).toBe(401)
  await server.app.db.execute('delete from sign_in_attempts')
  expect((await login({ email, password: testPassword })).status).toBe(200)
})

test('twenty failures from one IP lock it for all addresses; a successful sign-in resets an address', async () => {
  const { email } = await createTestPerson(server)
  await server.app.db.execute('delete from sign_in_attempts')
  for (let n = 0; n < 20; n++)
    expect((await login({ email: `nobody-${n}@example.com`, password: 'x' })).status).toBe(401)
  expect((await login({ email, password: testPassword })).status).toBe(429)
  await server.app.db.execute('delete from sign_in_attempts')
  for (let round = 0; round < 2; round++) {
    for (let n = 0; n < 4; n++) expect((await login({ email, password: 'x' })).status).toBe(401)
    expect((await login({ email: ` ${email.toUpperCase()}`, password: testPassword })).status).toBe(200)
  }
})

describe('an address with several accounts', () => {
  const email = 'both@example.com'
  const inOther = 'four wet pianos argue'
  beforeAll(async () => {
    await createTestPerson(server, { email })
    const { tenant } = server.other
    const theirs = await createTestPerson(server, { email, accountId: tenant.accountId })
    const hash = await createPasswords(server.app.config.signIn).hash(
      inOther,
      derivePasswordSalt(server.app.secrets, email),
    )
    // Another person's account in which the address was seen last, with another password.
    await server.app.db.execute('update users set password_hash = $2, last_seen_at = now() where id = $1', [
      theirs.id,
      hash,
    ])
  })
  const accountOf = async (body: object) => (await login({ email, ...body })).body.account?.id

  test('signs in to the account whose password matches or that is named', async () => {
    const [own, other] = [server.tenant.accountId, server.other.tenant.accountId]
    expect(await accountOf({ password: testPassword })).toBe(own)
    expect(await accountOf({ password: inOther })).toBe(other)
    expect(await accountOf({ password: testPassword, accountId: own })).toBe(own)
    expect(await accountOf({ password: testPassword, accountId: other })).toBe(undefined)
    expect(await accountOf({ password: testPassword, accountId: 'acc_unknown' })).toBe(undefined)
  })

  test('a failure is recorded in each account, and takes as long as for any other address', async () => {
    const { app } = server
    const single = await createTestPerson(server)
    let checks = 0
    const counting = createPasswords(app.config.signIn, {
      hash: (given, options) => (checks++, argon2.hash(given, options)),
      verify: (hash, given) => (checks++, argon2.verify(hash, given)),
    })
    const client = { ip: '192.0.2.9', userAgent: null, secure: false, sessionToken: null, cookieName: 'x' }
    const fail = async (who: string, accountId?: string) => {
      checks = 0
      const request = { action: 'login', client, requestId: `req_${who}`, now: app.clock.now() } as const
      const tried = signIn(app, counting, { email: who, password: 'x', code: undefined, accountId, request })
      await expect(tried).rejects.toThrow('The email address or the password is wrong.')
      return checks
    }
    const own = server.tenant.accountId
    const counts = [
      await fail('nobody@example.com'),
      await fail(single.email),
      await fail(email),
      await fail(email, own),
      await fail(single.email, 'acc_unknown'),
    ]
    expect(counts).toEqual([1, 1, 1, 1, 1])
    const entries = await app.db.query<{ accountId: string }>(
      `select account_id from audit_entries where request_id = $1 and outcome = 'denied' order by position limit 2`,
      [`req_${email}`],
    )
    expect(new Set(entries.map(({ accountId }) => accountId))).toEqual(new Set([own, server.other.tenant.accountId]))
  })
})

test('failed sign-ins with unknown addresses are three audit entries per minute and network', async () => {
  const at = new Date('2026-03-02T09:00:00.000Z').getTime()
  const passwords = createPasswords(server.app.config.signIn)
  const ip = '203.0.113.77'
  const fail = async (seconds: number) => {
    const client = { ip, userAgent: null, secure: false, sessionToken: null, cookieName: 'x' }
    const request = { action: 'login', client, requestId: null, now: new Date(at + seconds * 1000) } as const
    const input = {
      email: `stranger${seconds}@example.com`,
      password: 'x',
      code: undefined,
      accountId: undefined,
      request,
    }
    await expect(signIn(server.app, passwords, input)).rejects.toThrow('The email address or the password is wrong.')
  }
  for (const seconds of [0, 1, 2, 3, 59, 130]) await fail(seconds)
  const entries = await server.app.db.query<{ changes: unknown }>(
    `select changes from audit_entries where ip = $1 and outcome = 'denied' order by position limit 10`,
    [ip],
  )
  expect(entries.map(({ changes }) => changes)).toEqual([
    [],
    ...[1, 2, 5].map((after) => [{ path: 'refusedBefore', before: null, after }]),
  ])
})

test('signing in starts a new session, and a new password ends all others', async () => {
  const { email, call, sessionId } = await createTestPerson(server)
  const again = await login({ email, password: testPassword })
  const second = createBrowserCall(server.url, { cookie: readCookie(again.headers), environment: 'test' })
  const sessions = (await call('GET', '/v2/me/sessions')).body.results
  expect(sessions.map((one: { id: string; current: boolean }) => [one.id, one.current])).toEqual([
    [again.body.sessionId, false],
    [sessionId, true],
  ])
  const wrong = await second('POST', '/v2/auth/password', { body: { currentPassword: 'x', newPassword: password } })
  expect(wrong.status).toBe(401)
  const changed = await second('POST', '/v2/auth/password', {
    body: { currentPassword: testPassword, newPassword: password },
  })
  expect(changed.status).toBe(200)
  expect([(await call('GET', '/v2/me')).status, (await second('GET', '/v2/me')).status]).toEqual([401, 401])
  const third = createBrowserCall(server.url, { cookie: readCookie(changed.headers), environment: 'test' })
  expect((await third('GET', '/v2/me/sessions')).body.pagination.totalCount).toBe(1)
  expect((await login({ email, password: testPassword })).status).toBe(401)
  expect((await login({ email, password })).status).toBe(200)
})

test('a user ends single sessions, and never those of others', async () => {
  const { call, sessionId, email } = await createTestPerson(server)
  const other = await createTestPerson(server)
  expect((await other.call('DELETE', `/v2/me/sessions/${sessionId}`)).status).toBe(404)
  const second = (await login({ email, password: testPassword })).body.sessionId
  expect((await call('DELETE', `/v2/me/sessions/${second}`)).body).toEqual({ id: second, deleted: true })
  expect((await call('DELETE', '/v2/me/sessions/current')).body).toEqual({ id: sessionId, deleted: true })
  expect((await call('GET', '/v2/me')).status).toBe(401)
})

test('a session ends after twelve hours without use, and after thirty days', async () => {
  for (const [column, hours] of [
    ['last_seen_at', 12],
    ['expires_at', 30 * 24],
  ] as const) {
    const { call, cookie, sessionId } = await createTestPerson(server)
    // The earlier time is a parameter, because Citus adds no interval to a column.
    const [row] = await server.app.db.query<{ at: Date }>(`select ${column} as at from sessions where id = $1`, [
      sessionId,
    ])
    const earlier = new Date(row!.at.getTime() - hours * hourMs)
    await server.app.db.execute(`update sessions set ${column} = $2 where id = $1`, [sessionId, earlier])
    expect((await call('GET', '/v2/me')).status).toBe(401)
    expect((await state({ cookie })).body.signedIn).toBe(false)
  }
})

test('sessions have their own rate limit: thirty per second, each counted', async () => {
  const { call } = await createTestPerson(server)
  const answers = await Promise.all(Array.from({ length: 60 }, () => call('GET', '/v2/me')))
  const refused = answers.filter(({ status }) => status === 429)
  expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(30)
  for (const { headers } of refused) expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
})

test('users change their own name and preferences; other values are refused or unchanged', async () => {
  const { call } = await createTestPerson(server)
  const shown = (await call('GET', '/v2/me')).body
  expect(shown.preferences).toEqual({ theme: 'system', density: 'comfortable', singleKeys: true, locale: null })
  await call('PUT', '/v2/me', { body: { preferences: { theme: 'dark', locale: 'de-AT' } } })
  const put = await call('PUT', '/v2/me', { body: { ...shown, name: 'Grace', preferences: { singleKeys: false } } })
  expect(put.body).toMatchObject({
    name: 'Grace',
    preferences: { theme: 'dark', density: 'comfortable', singleKeys: false, locale: 'de-AT' },
  })
  const refused = await call('PUT', '/v2/me', { body: { role: 'viewer', email: 'x@example.com', totp: true } })
  expect(refused.body.error.details.issues.map((issue: { path: string }) => issue.path)).toEqual([
    'email',
    'role',
    'totp',
  ])
})

const salt = new Uint8Array(16).fill(1)

test('passwords are hashed with Argon2id and 64 MiB, unless configured otherwise', async () => {
  const hash = await createPasswords({ passwordMebibytes: 64 }).hash(password, salt)
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=65536,t=2,p=1\$/)
})

test('one computation compares a password with all hashes of the same salt', async () => {
  let made = 0
  const passwords = createPasswords(
    { passwordMebibytes: 1 },
    {
      hash: (given, options) => (made++, argon2.hash(given, options)),
      verify: (hash, given) => (made++, argon2.verify(hash, given)),
    },
  )
  const hashes = await Promise.all(['a', 'b', 'c'].map((one) => passwords.hash(one, salt)))
  const place = async (given: string, stored: readonly (string | null)[]) => {
    made = 0
    return [await passwords.placeOfRight(stored, given, salt), made]
  }
  expect(await place('b', [null, ...hashes])).toEqual([2, 1])
  expect(await place('d', hashes)).toEqual([null, 1])
  expect(await place('d', [])).toEqual([null, 1])
  // One hash from before addresses had salts, and one with other parameters.
  const other = await passwords.hash('e', new Uint8Array(16).fill(2))
  const larger = await createPasswords({ passwordMebibytes: 2 }).hash('f', salt)
  expect(await place('e', [...hashes, larger, other])).toEqual([4, 3])
  expect(await place('f', [...hashes, larger, other])).toEqual([3, 2])
})

test('an unknown address takes the same time as a known one: one hash', async () => {
  const passwords = createPasswords({ passwordMebibytes: 1 })
  const hash = await passwords.hash(password, salt)
  expect([await passwords.isRight(hash, password), await passwords.isRight(hash, 'other')]).toEqual([true, false])
  expect([await passwords.isRight(null, password), await passwords.isRight(null, 'no user has this password')]).toEqual(
    [false, false],
  )
})
