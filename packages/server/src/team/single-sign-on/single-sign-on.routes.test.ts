import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { userLeft } from '../../composition/user-left.commands.ts'
import { createBrowser, type Browser } from '@overture/testing/server/browser.ts'
import { startOidcIssuer, type OidcIssuer } from '@overture/testing/server/oidc-issuer.server.ts'
import { createBrowserCall, createTestPerson, type NewTestPerson } from '@overture/testing/server/people.ts'
import { startTestServer, type TestServer } from '@overture/testing/server.ts'
import { systemClock } from '../../platform/clock.ts'
import { singleSignOnRoutes, teamRoutes } from '../index.ts'

let issuer: OidcIssuer
let aheadMs = 0
const clock = { ...systemClock, now: () => new Date(systemClock.now().getTime() + aheadMs) }
const servers: TestServer[] = []

async function startServer(environment: Readonly<Record<string, string>> = {}): Promise<TestServer> {
  const server = await startTestServer({
    clock,
    environment: {
      OVERTURE_OIDC_ISSUER: issuer.url,
      OVERTURE_OIDC_CLIENT_ID: issuer.clientId,
      OVERTURE_OIDC_CLIENT_SECRET: issuer.clientSecret,
      ...environment,
    },
    routes: ({ app, admission }) => teamRoutes(app, { admission, userLeft: userLeft }),
    publicRoutes: ({ app, admission }) => singleSignOnRoutes(app, { admission }),
  })
  server.app.config.publicUrl = server.url
  servers.push(server)
  return server
}

let server: TestServer
beforeAll(async () => {
  issuer = await startOidcIssuer()
  server = await startServer()
})
beforeEach(() => {
  Object.assign(issuer, { down: false, declines: false })
  aheadMs = 0
  issuer.trust(callbackOf(server))
})
afterAll(async () => {
  for (const one of servers) await one.stop()
  await issuer.stop()
})

const callbackOf = ({ url }: TestServer) => `${url}/v2/auth/oidc/callback`
const startOf = ({ url }: TestServer, to = '') => `${url}/v2/auth/oidc/start${to}`
const isConsole = (url: URL) => url.pathname.startsWith('/app/')
const isCallback = (url: URL) => url.pathname === '/v2/auth/oidc/callback'

let people = 0
/** A person that the issuer knows, with a verified address. */
function newPerson(more: Partial<OidcIssuer['person']> = {}): { email: string; sub: string } {
  const sub = `sub-${++people}`
  const email = `sso-${people}@example.com`
  issuer.person = { sub, email, email_verified: true, name: `Person ${people}`, ...more }
  return { email, sub }
}

/** Signs in completely. Returns the page of the console at the end. */
async function signIn(at: TestServer = server, browser: Browser = createBrowser()): Promise<string> {
  const hops = await browser.follow(startOf(at), isConsole)
  const end = new URL(hops.at(-1)!.location!)
  return end.pathname + end.search
}

/** Follows redirects up to the callback page and returns its URL without requesting it. */
async function untilCallback(browser: Browser, begin = startOf(server)): Promise<string> {
  return (await browser.follow(begin, isCallback)).at(-1)!.location!
}

function findSession(browser: Browser, at: TestServer = server) {
  const { host, port } = new URL(at.url)
  const cookie = `overture_${port}=${browser.cookies.get(`${host} overture_${port}`)}`
  return createBrowserCall(at.url, { cookie, environment: 'test' })
}

async function invite(email: string, role: string, at: TestServer = server): Promise<void> {
  const answer = await at.call('POST', '/v2/invitations', { key: at.keys.live, body: { email, role } })
  expect(answer.status).toBe(201)
}

const entries = (at: TestServer = server) =>
  at.app.db.query<{ accountId: string; actorId: string | null; outcome: string; changes: unknown }>(
    `select account_id, actor_id, outcome, changes from audit_entries where action = 'oidcLogin' order by position desc`,
  )
const usersOf = (email: string, at: TestServer = server) =>
  at.app.db.query<{ role: string }>('select role from users where email = $1', [email])

describe('a user of the issuer', () => {
  test('signs in by invitation with its role, and afterwards by subject only', async () => {
    const { email, sub } = newPerson()
    await invite(email, 'member')
    const browser = createBrowser()
    expect(await signIn(server, browser)).toBe('/app/')
    const me = (await findSession(browser)('GET', '/v2/me')).body
    expect(me).toMatchObject({ email, role: 'member', methods: ['oidc'], name: issuer.person.name })
    // The browser is known, so wrong passwords from other places don't lock the person out.
    expect([...browser.cookies.keys()].filter((name) => name.endsWith('_device'))).toHaveLength(1)
    const [session] = (await findSession(browser)('GET', '/v2/me/sessions')).body.results
    expect(session).toMatchObject({ method: 'oidc', current: true })
    expect((await entries())[0]).toMatchObject({
      actorId: me.id,
      outcome: 'success',
      changes: [{ path: 'role', before: null, after: 'member' }],
    })
    const invitations = await server.call('GET', '/v2/invitations', { key: server.keys.live })
    expect(invitations.body.results).toEqual([])
    issuer.person = { sub, email: 'another@example.com', email_verified: false }
    const again = createBrowser()
    expect(await signIn(server, again)).toBe('/app/')
    expect((await findSession(again)('GET', '/v2/me')).body.id).toBe(me.id)
  })

  test('becomes the existing user with the verified address, who had a password', async () => {
    const { email } = newPerson()
    const known = await createTestPerson(server, { email, role: 'admin' })
    const browser = createBrowser()
    expect(await signIn(server, browser)).toBe('/app/')
    expect((await findSession(browser)('GET', '/v2/me')).body).toMatchObject({
      id: known.id,
      role: 'admin',
      methods: ['password', 'oidc'],
    })
    newPerson({ email })
    expect(await signIn()).toBe('/app/sign-in?refused=other_identity')
  })

  test('is redirected to the requested page, but never outside of the console', async () => {
    const { email } = newPerson()
    await createTestPerson(server, { email })
    const to = async (target: string) => {
      const hops = await createBrowser().follow(startOf(server, `?to=${encodeURIComponent(target)}`), isConsole)
      return new URL(hops.at(-1)!.location!).href
    }
    expect(await to('/app/test/inbox?view=unread')).toBe(`${server.url}/app/test/inbox?view=unread`)
    for (const evil of [
      'https://evil.example.com/app/',
      '//evil.example.com',
      '/app//evil.example.com',
      '/app/\\evil',
      '/v2',
    ])
      expect([evil, await to(evil)]).toEqual([evil, `${server.url}/app/`])
  })

  test('single sign-on is listed as a sign-in method', async () => {
    expect((await server.call('GET', '/v2/auth/state')).body.methods).toEqual(['password', 'oidc'])
  })
})

describe('is refused', () => {
  const standing: readonly [string, string, Partial<OidcIssuer['person']>, NewTestPerson | 'invited' | null][] = [
    ['with an address that the issuer has not checked', 'email_unverified', { email_verified: false }, 'invited'],
    ['with an address of which it says nothing', 'email_unverified', { email_verified: undefined }, {}],
    ['without an invitation', 'not_invited', {}, null],
    ['with a full-width spelling of an address', 'email_unverified', { email: '\uff53so-wide@example.com' }, {}],
  ]
  test.each(standing)('%s', async (_what, reason, claims, known) => {
    const { email } = newPerson(claims)
    if (known === 'invited') await invite(email, 'owner')
    else if (known !== null) await createTestPerson(server, { ...known, email })
    const browser = createBrowser()
    expect(await signIn(server, browser)).toBe(`/app/sign-in?refused=${reason}`)
    expect((await findSession(browser)('GET', '/v2/me')).status).toBe(401)
    expect((await entries())[0]).toMatchObject({ accountId: server.tenant.accountId, outcome: 'denied' })
    expect(await usersOf(email)).toHaveLength(known === null || known === 'invited' ? 0 : 1)
  })

  test('if the user is disabled', async () => {
    const { email } = newPerson()
    const { id } = await createTestPerson(server, { email, role: 'member' })
    await server.call('PUT', `/v2/users/${id}`, { key: server.keys.live, body: { status: 'disabled' } })
    expect(await signIn()).toBe('/app/sign-in?refused=disabled')
  })

  test('with a nonce from elsewhere', async () => {
    const { email } = newPerson()
    await createTestPerson(server, { email })
    const browser = createBrowser()
    const begun = new URL((await browser.get(startOf(server))).location!)
    begun.searchParams.set('nonce', 'another')
    const back = await browser.get(await untilCallback(browser, begun.href))
    expect(back.location).toBe(`${server.url}/app/sign-in?refused=invalid`)
    expect((await entries())[0]).toMatchObject({ outcome: 'denied', actorId: null })
  })

  test('with a used code, even with the right cookie', async () => {
    const { email } = newPerson()
    await createTestPerson(server, { email })
    const browser = createBrowser()
    const callback = await untilCallback(browser)
    const kept = new Map(browser.cookies)
    expect((await browser.get(callback)).location).toBe(`${server.url}/app/`)
    expect((await browser.get(callback)).location).toBe(`${server.url}/app/sign-in?refused=expired`)
    const thief = createBrowser(kept)
    expect((await thief.get(callback)).location).toBe(`${server.url}/app/sign-in?refused=invalid`)
  })

  test('with a state that is forged, missing, from another sign-in or too old', async () => {
    const { email } = newPerson()
    await createTestPerson(server, { email })
    const browser = createBrowser()
    const other = new URL(await untilCallback(createBrowser())).searchParams.get('state')!
    const callback = await untilCallback(browser)
    const expired = `${server.url}/app/sign-in?refused=expired`
    for (const state of ['x', '', other]) {
      const forged = new URL(callback)
      forged.searchParams.set('state', state)
      expect((await browser.get(forged.href)).location).toBe(expired)
    }
    aheadMs = 11 * 60_000
    expect((await browser.get(callback)).location).toBe(expired)
    aheadMs = 0
    expect((await browser.get(callback)).location).toBe(`${server.url}/app/`)
  })

  test('in another browser than the one that started', async () => {
    const { email } = newPerson()
    await createTestPerson(server, { email })
    const callback = await untilCallback(createBrowser())
    const victim = createBrowser()
    expect((await victim.get(callback)).location).toBe(`${server.url}/app/sign-in?refused=expired`)
    await untilCallback(victim)
    expect((await victim.get(callback)).location).toBe(`${server.url}/app/sign-in?refused=expired`)
  })

  test('with a forged cookie', async () => {
    const { host, port } = new URL(server.url)
    for (const forged of ['x', Buffer.alloc(200, 7).toString('base64url'), 'A'.repeat(5_000)]) {
      const browser = createBrowser(new Map([[`${host} overture_${port}_flow`, forged]]))
      const back = await browser.get(`${callbackOf(server)}?code=x&state=x`)
      expect(back.location).toBe(`${server.url}/app/sign-in?refused=expired`)
    }
  })

  test("if the issuer declines or doesn't respond", async () => {
    newPerson()
    issuer.declines = true
    expect(await signIn()).toBe('/app/sign-in?refused=denied')
    issuer.declines = false
    const browser = createBrowser()
    const callback = await untilCallback(browser)
    issuer.down = true
    expect((await browser.get(callback)).location).toBe(`${server.url}/app/sign-in?refused=unreachable`)
    const cold = await startServer()
    expect(await signIn(cold)).toBe('/app/sign-in?refused=unreachable')
    issuer.down = false
    issuer.trust(callbackOf(cold))
    expect(await signIn(cold)).toBe('/app/sign-in?refused=not_invited')
  })
})

describe('the role of a user', () => {
  const ruled = (environment: Readonly<Record<string, string>>) =>
    startServer({
      OVERTURE_OIDC_ROLE_CLAIM: 'groups',
      OVERTURE_OIDC_ROLE_MAP: 'ops=admin,sales=member,board=owner',
      ...environment,
    })

  test('follows the groups at every sign-in; without a group sessions end and sign-in is refused', async () => {
    const at = await ruled({})
    issuer.trust(callbackOf(at))
    const { email, sub } = newPerson({ groups: ['ops', 'sales'] })
    await invite(email, 'viewer', at)
    const [first, second] = [createBrowser(), createBrowser()]
    expect(await signIn(at, first)).toBe('/app/')
    expect((await findSession(first, at)('GET', '/v2/me')).body.role).toBe('admin')
    issuer.person = { sub, groups: ['sales', 'unheard of'] }
    expect(await signIn(at, second)).toBe('/app/')
    expect((await findSession(second, at)('GET', '/v2/me')).body.role).toBe('member')
    expect((await findSession(first, at)('GET', '/v2/me')).status).toBe(401)
    expect((await entries(at))[0]).toMatchObject({ changes: [{ path: 'role', before: 'admin', after: 'member' }] })
    issuer.person = { sub, groups: [] }
    expect(await signIn(at)).toBe('/app/sign-in?refused=no_role')
    expect((await findSession(second, at)('GET', '/v2/me')).status).toBe(401)
  })

  test('falls back to the role of *, if there is one', async () => {
    const at = await ruled({ OVERTURE_OIDC_ROLE_MAP: 'ops=admin,*=viewer', OVERTURE_OIDC_DEFAULT_ROLE: 'member' })
    issuer.trust(callbackOf(at))
    const { sub, email } = newPerson({ groups: ['ops'] })
    expect(await signIn(at)).toBe('/app/')
    expect(await usersOf(email, at)).toEqual([{ role: 'admin' }])
    issuer.person = { sub }
    expect(await signIn(at)).toBe('/app/')
    expect(await usersOf(email, at)).toEqual([{ role: 'viewer' }])
  })

  test('of the last owner is kept', async () => {
    const at = await ruled({})
    issuer.trust(callbackOf(at))
    const { email } = newPerson({ groups: ['sales'] })
    await createTestPerson(at, { email, role: 'owner' })
    expect(await signIn(at)).toBe('/app/')
    expect(await usersOf(email, at)).toEqual([{ role: 'owner' }])
    await createTestPerson(at, { role: 'owner' })
    expect(await signIn(at)).toBe('/app/')
    expect(await usersOf(email, at)).toEqual([{ role: 'member' }])
  })

  test('by default is given without an invitation, to verified addresses only', async () => {
    const at = await startServer({ OVERTURE_OIDC_DEFAULT_ROLE: 'viewer', OVERTURE_PASSWORD_LOGIN: 'off' })
    issuer.trust(callbackOf(at))
    const { email } = newPerson()
    expect(await signIn(at)).toBe('/app/')
    expect(await usersOf(email, at)).toEqual([{ role: 'viewer' }])
    newPerson({ email_verified: false })
    expect(await signIn(at)).toBe('/app/sign-in?refused=email_unverified')
    expect((await at.call('GET', '/v2/auth/state')).body.methods).toEqual(['oidc'])
    const login = await at.call('POST', '/v2/auth/login', { body: { email, password: 'seven stale violins hum' } })
    expect(login.status).toBe(401)
  })
})

test('users join the account that the operator configured', async () => {
  const at = await startServer({ OVERTURE_OIDC_DEFAULT_ROLE: 'viewer' })
  issuer.trust(callbackOf(at))
  Object.assign(at.app.config.signIn.oidc!, { accountId: at.other.tenant.accountId })
  newPerson()
  const browser = createBrowser()
  expect(await signIn(at, browser)).toBe('/app/')
  expect((await findSession(browser, at)('GET', '/v2/me')).body.account.id).toBe(at.other.tenant.accountId)
  Object.assign(at.app.config.signIn.oidc!, { accountId: 'acc_unknown' })
  expect(await signIn(at)).toBe('/app/sign-in?refused=no_account')
})

test("a sign-in under another host name is redirected to the issuer's known one", async () => {
  const hop = await createBrowser().get(startOf(server, '?to=/app/test/inbox').replace('127.0.0.1', 'localhost'))
  expect(hop.location).toBe(`${server.url}/v2/auth/oidc/start?to=%2Fapp%2Ftest%2Finbox&moved=1`)
})

test("without an issuer the pages don't exist", async () => {
  const plain = await startTestServer({
    publicRoutes: ({ app, admission }) => singleSignOnRoutes(app, { admission }),
  })
  servers.push(plain)
  for (const path of ['start', 'callback']) expect((await plain.call('GET', `/v2/auth/oidc/${path}`)).status).toBe(404)
})
