import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { userLeft } from '../composition/user-left.commands.ts'
import { startTestServer, type TestServer } from '@overture/testing/server.ts'
import { createTestPerson, testPassword } from '@overture/testing/server/people.ts'
import { teamRoutes } from './index.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({
    environment: { OVERTURE_TRUSTED_PROXIES: '127.0.0.1' },
    routes: ({ app, admission }) => teamRoutes(app, { admission, userLeft: userLeft }),
  })
})
afterAll(() => server.stop())
beforeEach(() => server.app.db.execute('delete from sign_in_attempts'))

const wrong = 'not this one at all'

function login(from: string, body: { email: string; password: string }, cookie?: string) {
  const headers = { 'x-forwarded-for': from, ...(cookie !== undefined && { cookie }) }
  return server.call('POST', '/v2/auth/login', { body, headers })
}

async function statuses(tries: number, from: (n: number) => string, email: (n: number) => string): Promise<number[]> {
  const found = []
  for (let n = 0; n < tries; n++) found.push((await login(from(n), { email: email(n), password: wrong })).status)
  return found
}

/** The cookie that a browser keeps after a sign-in. */
async function deviceOf(email: string, from: string): Promise<string> {
  const { headers } = await login(from, { email, password: testPassword })
  const cookie = headers.getSetCookie().find((one) => /_device=/.test(one))!
  expect(cookie).toMatch(/; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Lax$/)
  return cookie.split(';')[0]!
}

describe('failed sign-ins', () => {
  test("from another network don't lock out the user", async () => {
    const { email } = await createTestPerson(server)
    expect(
      (
        await statuses(
          6,
          () => '198.51.100.9',
          () => email,
        )
      ).at(-1),
    ).toBe(429)
    expect((await login('203.0.113.7', { email, password: testPassword })).status).toBe(200)
    // The stranger's failures still count in the stranger's network.
    expect((await login('198.51.100.9', { email, password: testPassword })).status).toBe(429)
  })

  test.each([
    ['addresses of one /64', (n: number) => `2001:db8:7:1::${(n + 1).toString(16)}`],
    ['spellings of one IPv4 address', (n: number) => (n % 2 === 0 ? '198.51.100.8' : '::ffff:198.51.100.8')],
    ['hosts in the upper half of a /64', (n: number) => `2001:db8:7:2:${(n + 1).toString(16)}::1`],
  ])('are counted together for %s', async (_what, from) => {
    const { email } = await createTestPerson(server)
    expect(await statuses(6, from, () => email)).toEqual([401, 401, 401, 401, 401, 429])
    const many = await statuses(30, from, (n) => `nobody-${n}@example.com`)
    expect(many.slice(-15)).toEqual(Array.from({ length: 15 }, () => 429))
  })

  test('from many networks lock an address for unknown networks', async () => {
    const { email } = await createTestPerson(server)
    const found = await statuses(
      40,
      (n) => `198.51.${n}.1`,
      () => email,
    )
    expect(found.slice(0, 30)).toEqual(Array.from({ length: 30 }, () => 401))
    expect(found.slice(30)).toEqual(Array.from({ length: 10 }, () => 429))
  })

  test('of others never lock out a browser that signed in before', async () => {
    const { email } = await createTestPerson(server)
    const device = await deviceOf(email, '192.0.2.4')
    await statuses(
      40,
      (n) => `198.51.${n}.1`,
      () => email,
    )
    await statuses(
      25,
      () => '192.0.2.4',
      (n) => `nobody-${n}@example.com`,
    )
    expect((await login('192.0.2.4', { email, password: testPassword })).status).toBe(429)
    expect((await login('192.0.2.4', { email, password: testPassword }, device)).status).toBe(200)
  })

  test('also count for a known browser, which is trusted for its own address only', async () => {
    const [one, other] = [await createTestPerson(server), await createTestPerson(server)]
    const device = await deviceOf(one.email, '192.0.2.5')
    const found = []
    for (let n = 0; n < 6; n++)
      found.push((await login(`198.51.${n}.2`, { email: one.email, password: wrong }, device)).status)
    expect(found).toEqual([401, 401, 401, 401, 401, 429])
    await statuses(
      40,
      (n) => `198.51.${n}.1`,
      () => other.email,
    )
    expect((await login('192.0.2.5', { email: other.email, password: testPassword }, device)).status).toBe(429)
    const forged = `${device.slice(0, -4)}AAAA`
    expect((await login('198.51.0.1', { email: other.email, password: testPassword }, forged)).status).toBe(429)
  })
})

describe('an idempotency key', () => {
  test('of one user is never replayed to another', async () => {
    const [one, other] = [await createTestPerson(server), await createTestPerson(server)]
    const begin = ({ call }: typeof one) =>
      call('POST', '/v2/me/totp', {
        body: { confirm: { password: testPassword } },
        headers: { 'idempotency-key': 'the-same' },
      })
    const [first, again, others] = [await begin(one), await begin(one), await begin(other)]
    expect([first, again, others].map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([
      null,
      'true',
      null,
    ])
    expect(others.body.secret ?? others.body.url).not.toBe(first.body.secret ?? first.body.url)
  })
})

describe('refusals for missing rights', () => {
  test('add one audit entry per minute for a user and action, with a count', async () => {
    const { call, id } = await createTestPerson(server, { role: 'viewer' })
    const invite = { email: 'a@example.com', role: 'member' }
    for (let n = 0; n < 30; n++) expect((await call('POST', '/v2/invitations', { body: invite })).status).toBe(403)
    expect((await call('GET', '/v2/users')).status).toBeLessThan(500)
    const entries = await server.app.db.query<{ action: string }>(
      `select action from audit_entries where actor_id = $1 and outcome = 'denied' and action = 'createInvitation'`,
      [id],
    )
    expect(entries).toHaveLength(1)
  })
})
