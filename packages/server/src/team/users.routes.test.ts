import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { userLeft } from '../composition/user-left.commands.ts'
import type { App } from '../platform/app.ts'
import type { Database } from '../platform/db/database.ts'
import type { Admission } from '../platform/http/admission.ts'
import { createAdmission } from '../api-keys/index.ts'
import { createHttpServer } from '../platform/http/server.shell.ts'
import { createCall, startTestServer, type TestServer } from '@overture/testing/server.ts'
import {
  readCookie,
  createBrowserCall,
  createTestPerson,
  testPassword,
  type TestPerson,
} from '@overture/testing/server/people.ts'
import { createPasswordLink, createSessionAdmission, findUserAcrossAccounts, teamRoutes } from './index.ts'

const confirm = { password: testPassword }
let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ routes: ({ app, admission }) => teamRoutes(app, { admission, userLeft: userLeft }) })
})
afterAll(() => server.stop())
beforeEach(() => server.app.db.execute('delete from users'))

const password = 'nine quiet lanterns drift'
const accept = (url: string, body: object = {}) =>
  server.call('POST', '/v2/auth/accept', { body: { token: url.split('#')[1], name: 'Grace', password, ...body } })
const put = (by: TestPerson, of: TestPerson, body: object) => by.call('PUT', `/v2/users/${of.id}`, { body })
const liveEvents = async (type: string) => {
  const rows = await server.app.db.query<{ data: object }>(
    `select data from events where account_id = '${server.tenant.accountId}' and type = '${type}' order by position`,
  )
  return rows.map(({ data }) => data)
}

test('an invitation creates a user with its role, once, for its address; a new one replaces it', async () => {
  const admin = await createTestPerson(server, { role: 'admin' })
  const invite = (body: object) => admin.call('POST', '/v2/invitations', { body })
  const first = await invite({ email: 'Grace@Example.com', role: 'member' })
  expect(first.body).toMatchObject({ email: 'grace@example.com', role: 'member', invitedBy: admin.id })
  const second = await invite({ email: 'grace@example.com', role: 'viewer' })
  expect((await accept(first.body.url)).status).toBe(401)
  const listed = (await admin.call('GET', '/v2/invitations')).body.results
  expect(listed).toEqual([{ ...second.body, url: undefined, mailed: undefined }])
  expect((await accept(second.body.url, { email: 'eve@example.com' })).body.error.details.issues[0].path).toBe('email')
  const made = await accept(second.body.url)
  expect(made.body).toMatchObject({ email: 'grace@example.com', role: 'viewer', name: 'Grace' })
  expect((await accept(second.body.url)).status).toBe(401)
  expect((await invite({ email: 'grace@example.com', role: 'viewer' })).status).toBe(409)
  expect(await liveEvents('user.joined')).toContainEqual({ userId: made.body.id, role: 'viewer' })
  const third = await invite({ email: 'ida@example.com', role: 'viewer' })
  expect((await admin.call('DELETE', `/v2/invitations/${third.body.id}`)).status).toBe(200)
  expect((await admin.call('DELETE', `/v2/invitations/${third.body.id}`)).status).toBe(404)
  expect((await accept(third.body.url)).status).toBe(401)
})

test('no user can create, change or remove a user of a higher role', async () => {
  const [owner, admin] = [await createTestPerson(server), await createTestPerson(server, { role: 'admin' })]
  const member = await createTestPerson(server, { role: 'member' })
  const refused = [
    await admin.call('POST', '/v2/invitations', { body: { email: 'x@example.com', role: 'owner' } }),
    await put(admin, owner, { role: 'viewer' }),
    await put(admin, member, { role: 'owner' }),
    await put(admin, admin, { role: 'owner' }),
    await admin.call('DELETE', `/v2/users/${owner.id}`),
  ]
  for (const { status, body } of refused)
    expect([status, body.error.code, body.error.details.requiredRole]).toEqual([403, 'INSUFFICIENT_ROLE', 'owner'])
  expect((await put(admin, member, { role: 'admin' })).body.role).toBe('admin')
})

test('the last active owner stays, even if two owners remove each other', async () => {
  const [first, second] = [await createTestPerson(server), await createTestPerson(server)]
  const both = await Promise.all([
    put(first, second, { role: 'admin', confirm }),
    put(second, first, { status: 'disabled', confirm }),
  ])
  const roles = (await server.call('GET', '/v2/users', { key: server.keys.live })).body.results
  expect(both.filter(({ status }) => status === 200)).toHaveLength(1)
  const left = roles.filter(
    (user: { role: string; status: string }) => user.role === 'owner' && user.status === 'active',
  )
  expect(left).toHaveLength(1)
  const last = left[0].id === first.id ? first : second
  for (const body of [
    { role: 'member', confirm },
    { status: 'disabled', confirm },
  ]) {
    const answer = await put(last, last, body)
    expect([answer.status, answer.body.error.details.currentStatus]).toEqual([409, 'last_owner'])
  }
  expect((await last.call('DELETE', `/v2/users/${last.id}`, { body: { confirm } })).status).toBe(409)
})

test('a user can be read, edited and put back; other changes are refused by name', async () => {
  const [owner, member] = [await createTestPerson(server), await createTestPerson(server, { role: 'member' })]
  const shown = (await owner.call('GET', `/v2/users/${member.id}`)).body
  expect((await put(owner, member, { ...shown, role: 'viewer' })).body).toEqual({
    ...shown,
    role: 'viewer',
    keptWebhooks: [],
  })
  const refused = await put(owner, member, { ...shown, email: 'x@example.com', name: 'X' })
  expect(refused.body.error.details.issues.map((issue: { path: string }) => issue.path)).toEqual(['email', 'name'])
  expect(await liveEvents('user.role_changed')).toContainEqual({
    userId: member.id,
    role: 'viewer',
    previousRole: 'member',
  })
})

test("users of other accounts can't be seen or changed", async () => {
  const theirs = await createTestPerson(server, { accountId: server.other.tenant.accountId })
  const mine = await createTestPerson(server)
  for (const [method, body] of [['GET'], ['PUT', { role: 'viewer' }], ['DELETE']] as const)
    expect((await mine.call(method, `/v2/users/${theirs.id}`, { body })).status).toBe(404)
  expect((await mine.call('GET', '/v2/users')).body.results).toHaveLength(1)
})

test('a key belongs to its creator, like keys created by it; members revoke only their own', async () => {
  const [admin, member] = [
    await createTestPerson(server, { role: 'admin' }),
    await createTestPerson(server, { role: 'member' }),
  ]
  const make = (person: TestPerson) =>
    person.call('POST', '/v2/account/api-keys', {
      body: { scopes: ['read', 'write', 'admin'], confirm },
      headers: { 'x-overture-environment': 'live' },
    })
  const [theirs, own] = [(await make(admin)).body, (await make(member)).body]
  expect([theirs.userId, own.userId]).toEqual([admin.id, member.id])
  const child = await server.call('POST', '/v2/account/api-keys', { key: own.key, body: { scopes: ['read'] } })
  expect(child.body.userId).toBe(member.id)
  expect((await server.call('GET', '/v2/me', { key: child.body.key })).body).toMatchObject({
    id: member.id,
    sessionId: null,
  })
  const refused = await member.call('DELETE', `/v2/account/api-keys/${theirs.id}`)
  expect([refused.status, refused.body.error.code]).toEqual([403, 'INSUFFICIENT_ROLE'])
  expect((await member.call('DELETE', `/v2/account/api-keys/${own.id}`)).status).toBe(200)
  expect(await liveEvents('api_key.created')).toContainEqual({ apiKeyId: theirs.id, userId: admin.id })
  const ended = (await liveEvents('api_key.revoked')).map((data) => (data as { apiKeyId: string }).apiKeyId)
  expect(ended).toEqual(expect.arrayContaining([own.id, child.body.id]))
})

test('a new key has the admin scope only on request, and only from a key that has it', async () => {
  const make = (key: string, body: object) => server.call('POST', '/v2/account/api-keys', { key, body })
  expect((await make(server.keys.test, {})).body.scopes).toEqual(['read'])
  const writer = await server.newKey({ environment: 'test', scopes: ['read', 'write'] })
  expect((await make(writer.key, { scopes: ['read'] })).body.error.code).toBe('INSUFFICIENT_SCOPE')
})

/** Another node, which gets no notifications of changes. */
async function startNode(app: App, admission: Admission) {
  const node = await createHttpServer({
    app,
    routes: teamRoutes(app, { admission, userLeft: userLeft }),
    limiter: admission,
    sessions: createSessionAdmission(app),
  })
  const url = await node.listen({ host: '127.0.0.1', port: 0 })
  const call = createCall(url)
  return {
    askAs: (person: TestPerson, key: string) => {
      const cookie = person.cookie.replace(/^overture_\d+/, `overture_${new URL(url).port}`)
      const browser = createBrowserCall(url, { cookie, environment: 'test' })
      return async () => [(await browser('GET', '/v2/me')).status, (await call('GET', '/v2/me', { key })).status].join()
    },
    async stop() {
      await node.close()
      await admission.stop()
    },
  }
}

async function createMember() {
  const member = await createTestPerson(server, { role: 'member' })
  const headers = { 'x-overture-environment': 'live' }
  const { body } = await member.call('POST', '/v2/account/api-keys', { body: { scopes: ['read'] }, headers })
  return { member, key: body.key as string }
}

test.each(['disabled', 'deleted'] as const)(
  'sessions and keys of a %s user end on other nodes with the commit',
  async (reason) => {
    const owner = await createTestPerson(server)
    const { member, key } = await createMember()
    const node = await startNode(server.app, createAdmission(server.app, 'api'))
    const both = node.askAs(member, key)
    expect(await both()).toBe('200,200')
    const gone =
      reason === 'disabled'
        ? await put(owner, member, { status: 'disabled' })
        : await owner.call('DELETE', `/v2/users/${member.id}`)
    expect([gone.status, await both()]).toEqual([200, '401,401'])
    expect(await liveEvents('user.removed')).toContainEqual({ userId: member.id, reason })
    if (reason === 'disabled') await put(owner, member, { status: 'active' })
    expect(await both()).toBe('401,401')
    await node.stop()
  },
)

test('a node with keys in memory is notified by the database, independent of its clock', async () => {
  const owner = await createTestPerson(server)
  const { member, key } = await createMember()
  const now = server.app.clock.now()
  const app = { ...server.app, clock: { now: () => now } }
  const node = await startNode(app, createAdmission(app, 'all'))
  const both = node.askAs(member, key)
  expect(await both()).toBe('200,200')
  await put(owner, member, { status: 'disabled' })
  await expect.poll(both, { timeout: 60_000 }).toBe('401,401')
  await node.stop()
})

test('without notifications a node reads keys again within a second', async () => {
  const owner = await createTestPerson(server)
  const { member, key } = await createMember()
  let now = server.app.clock.now()
  const clock = { now: () => now }
  const withoutNotices = { ...sameDatabase(), listen: () => () => undefined }
  const silent = { ...server.app, clock, db: withoutNotices }
  const node = await startNode(silent, createAdmission(silent, 'all'))
  const both = node.askAs(member, key)
  expect(await both()).toBe('200,200')
  await put(owner, member, { status: 'disabled' })
  now = new Date(now.getTime() + 999)
  expect(await both()).toBe('401,401')
  await node.stop()
})

test('a key read while its user is being disabled is not cached', async () => {
  const owner = await createTestPerson(server)
  const { member, key } = await createMember()
  const now = server.app.clock.now()
  let during = async () => {}
  const slow = {
    ...sameDatabase(),
    async query<Row>(...statement: Parameters<Database['query']>) {
      const rows = await server.app.db.query<Row>(...statement)
      if (statement[2] === 'find_key_by_digest') await during()
      return rows
    },
  }
  const reading = { ...server.app, clock: { now: () => now }, db: slow }
  const admission = createAdmission(reading, 'all')
  during = async () => {
    during = async () => {}
    await put(owner, member, { status: 'disabled' })
    admission.forget(server.tenant.accountId)
  }
  const verdict = async () => (await admission.admit(`Bearer ${key}`)).outcome
  expect(await verdict()).toBe('admitted')
  expect(await verdict()).toBe('unknown_key')
  await admission.stop()
})

/** The server's database, with parts that a test can replace. */
function sameDatabase(): Database {
  const { db } = server.app
  return {
    query: (...statement) => db.query(...statement),
    execute: (...statement) => db.execute(...statement),
    transaction: (run) => db.transaction(run),
    listen: (channel, callback) => db.listen(channel, callback),
    within: (accountId) => db.within(accountId),
    beyondWall: () => db.beyondWall(),
    relaxed: () => db.relaxed(),
  }
}

test("an operator's link sets a password once and ends all sessions", async () => {
  const member = await createTestPerson(server, { role: 'member' })
  const { app } = server
  const user = (await findUserAcrossAccounts(app.db, member.id))!
  const url = await app.db.transaction((tx) => createPasswordLink(tx, user, { publicUrl: '', now: app.clock.now() }))
  const reset = (newPassword: string) =>
    server.call('POST', '/v2/auth/password', { body: { token: url.split('#')[1], newPassword } })
  expect((await reset('aaaaaaaaaaaa')).body.error.details.issues[0].path).toBe('newPassword')
  const done = await reset(password)
  expect([done.status, done.body.id]).toEqual([200, member.id])
  expect((await member.call('GET', '/v2/me')).status).toBe(401)
  const fresh = createBrowserCall(server.url, { cookie: readCookie(done.headers), environment: 'test' })
  expect((await fresh('GET', '/v2/me')).status).toBe(200)
  expect((await reset('another phrase of words')).status).toBe(401)
})

test("a changed role ends the user's sessions", async () => {
  const [owner, member] = [await createTestPerson(server), await createTestPerson(server, { role: 'member' })]
  expect((await put(owner, member, { role: 'member' })).status).toBe(200)
  expect((await member.call('GET', '/v2/me')).status).toBe(200)
  await put(owner, member, { role: 'admin' })
  expect((await member.call('GET', '/v2/me')).status).toBe(401)
})

test('an invitation ends with the API key that made it', async () => {
  const admin = { key: server.keys.live, body: { name: 'Inviter', scopes: ['read', 'write', 'admin'] } }
  const made = await server.call('POST', '/v2/account/api-keys', admin)
  expect(made.status, made.text).toBe(201)
  const invite = (email: string) =>
    server.call('POST', '/v2/invitations', { key: made.body.key, body: { email, role: 'viewer' } })
  const accept = ({ body }: Awaited<ReturnType<typeof invite>>) =>
    server.call('POST', '/v2/auth/accept', {
      body: { token: body.url.split('#')[1], name: 'Ida', password: 'a long and quiet river' },
    })
  const [before, after] = [await invite('ida@example.com'), await invite('ivo@example.com')]
  expect((await accept(before)).status).toBe(201)
  expect((await server.call('DELETE', `/v2/account/api-keys/${made.body.id}`, { key: server.keys.live })).status).toBe(
    200,
  )
  expect((await accept(after)).status).toBe(401)
})
