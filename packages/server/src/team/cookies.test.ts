import { afterAll, beforeAll, expect, test } from 'vitest'
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

const overTls = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'outreach.example.com' }

test("https cookies are bound to the host, http cookies to the port, and they don't mix", async () => {
  const { email } = await createTestPerson(server)
  const login = async (headers: Record<string, string>) => {
    const body = { email, password: testPassword }
    return (await server.call('POST', '/v2/auth/login', { body, headers })).headers.getSetCookie()[0]!
  }
  const [safe, plain] = [await login(overTls), await login({})]
  expect(safe).toMatch(/^__Host-overture=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax; Secure$/)
  expect(plain).toMatch(
    new RegExp(`^overture_${new URL(server.url).port}=[\\w-]{43}; Max-Age=2592000; Path=/; HttpOnly; SameSite=Lax$`),
  )
  const me = async (cookie: string, headers: Record<string, string>) => {
    const sent = { cookie, 'x-overture-environment': 'test', 'sec-fetch-site': 'same-origin', ...headers }
    return (await server.call('GET', '/v2/me', { headers: sent })).status
  }
  const cookies = [safe, plain].map((one) => one.split(';')[0]!) as [string, string]
  expect([await me(cookies[0], overTls), await me(cookies[1], {})]).toEqual([200, 200])
  expect([await me(cookies[0], {}), await me(cookies[1], overTls)]).toEqual([401, 401])
  // Two servers on one machine have separate cookies: each ignores the other's cookie.
  expect(await me(`overture_1=${'A'.repeat(43)}; ${cookies[1]}`, {})).toBe(200)
})

test('an https public URL makes the cookie secure, even behind an unknown TLS proxy', async () => {
  const behindStranger = await startTestServer({
    environment: { OVERTURE_PUBLIC_URL: 'https://outreach.example.com', OVERTURE_TRUSTED_PROXIES: '192.0.2.7' },
    routes: ({ app, admission }) => teamRoutes(app, { admission, userLeft: userLeft }),
  })
  try {
    const { email } = await createTestPerson(behindStranger)
    const body = { email, password: testPassword }
    const answer = await behindStranger.call('POST', '/v2/auth/login', { body })
    const cookie = answer.headers.getSetCookie()[0]!
    expect(cookie).toMatch(/^__Host-overture=[\w-]{43}; .*; Secure$/)
    const headers = { cookie: cookie.split(';')[0]!, 'x-overture-environment': 'test', 'sec-fetch-site': 'same-origin' }
    expect((await behindStranger.call('GET', '/v2/me', { headers })).status).toBe(200)
  } finally {
    await behindStranger.stop()
  }
})

test('only a digest of the session token is stored', async () => {
  const { cookie, sessionId } = await createTestPerson(server)
  const [row] = await server.app.db.query<{ text: string; bytes: number }>(
    `select s::text as text, length(s.digest) as bytes from sessions s where id = $1`,
    [sessionId],
  )
  const token = cookie.split('=')[1]!
  expect(Buffer.from(token, 'base64url')).toHaveLength(32)
  expect(row!.bytes).toBe(32)
  for (const form of [token, Buffer.from(token, 'base64url').toString('hex')]) expect(row!.text).not.toContain(form)
})
