import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createPasswordLink, findUserAcrossAccounts } from '@overture/server/team/index.ts'
import { arrive } from '@overture/server/team/single-sign-on/arrival.shell.ts'
import { madeBy, type TakenRight } from '@overture/server/team/user.ts'
import { createTestPerson, testPassword, type TestPerson } from '@overture/testing/server/people.ts'
import type { TestServer } from '@overture/testing/server.ts'
import { startWholeServer } from '@overture/testing/server/whole-server.ts'
import { until } from '@overture/testing/server/until.ts'

let server: TestServer
let owner: TestPerson
beforeAll(async () => {
  server = await startWholeServer()
  owner = await createTestPerson(server)
})
afterAll(() => server.stop())

type Thing = keyof typeof madeBy
/** Checks whether the resource still works after its owner lost the right. */
type Works = () => Promise<boolean>

const password = 'nine quiet lanterns drift'
const inLive = { 'x-overture-environment': 'live' }
let made = 0

async function makeKey(person: TestPerson, headers: Record<string, string> = inLive): Promise<string> {
  const body = { scopes: ['read', 'write', 'admin'], confirm: { password: testPassword } }
  return (await person.call('POST', '/v2/account/api-keys', { body, headers })).body.key
}

/** The key of a demoted admin can still read, but can't administer anything. */
const keyWorks = (key: string) => async () => (await server.call('GET', '/v2/me', { key })).status === 200

async function openStream(headers: Record<string, string>): Promise<Works> {
  const leaving = new AbortController()
  const response = await fetch(`${server.url}/v2/events/stream`, { headers, signal: leaving.signal })
  let hasEnded = false
  const read = async () => {
    for await (const _ of response.body ?? []);
  }
  void read()
    .catch(() => undefined)
    .finally(() => (hasEnded = true))
  const mark = server.app.clock.now().getTime()
  return async () => {
    // A stream checks twice a second whether its caller still has access.
    await until(
      async () => hasEnded || server.app.clock.now().getTime() > mark + 4000,
      (isOver) => isOver,
    )
    leaving.abort()
    return !hasEnded
  }
}

async function beginOAuth(call: TestPerson['call'], cookie: string): Promise<Works> {
  const body = { provider: 'google', email: `mailbox-${++made}@example.com` }
  const begun = await call('POST', '/v2/sending-accounts/oauth/authorize', { body })
  const { pathname, search } = new URL(begun.body.authorizeUrl)
  return async () => (await fetch(`${server.url}${pathname}${search}`, { headers: { cookie } })).status === 200
}

/** Creates one resource of each kind as this user. */
const fill: Record<Thing, (person: TestPerson) => Promise<Works>> = {
  sessions:
    async ({ call }) =>
    async () =>
      (await call('GET', '/v2/me')).status === 200,
  apiKeys: async (person) => keyWorks(await makeKey(person)),
  childKeys: async (person) => {
    const body = { scopes: ['read', 'write'] }
    return keyWorks((await server.call('POST', '/v2/account/api-keys', { key: await makeKey(person), body })).body.key)
  },
  sessionStreams: ({ cookie }) => openStream({ cookie, 'sec-fetch-site': 'same-origin', ...inLive }),
  keyStreams: async (person) => openStream({ authorization: `Bearer ${await makeKey(person)}` }),
  invitations: async ({ call }) => {
    const body = { email: `invited-${++made}@example.com`, role: 'admin' }
    const token = (await call('POST', '/v2/invitations', { body })).body.url.split('#')[1]
    const accepted = { token, name: 'Eve', password }
    return async () => (await server.call('POST', '/v2/auth/accept', { body: accepted })).status === 201
  },
  sessionOAuthLinks: (person) => beginOAuth(person.call, person.cookie),
  keyOAuthLinks: async (person) => {
    const key = await makeKey(person, {})
    return beginOAuth((method, path, options) => server.call(method, path, { ...options, key }), '')
  },
  passwordLinks: async ({ id }) => {
    const { app } = server
    const user = (await findUserAcrossAccounts(app.db, id))!
    const url = await app.db.transaction((tx) => createPasswordLink(tx, user, { publicUrl: '', now: app.clock.now() }))
    return async () => {
      const back = await owner.call('PUT', `/v2/users/${id}`, { body: { status: 'active' } })
      expect([200, 404]).toContain(back.status)
      const body = { token: url.split('#')[1], newPassword: password }
      return (await server.call('POST', '/v2/auth/password', { body })).status === 200
    }
  },
  webhooks: async ({ call }) => {
    const body = { url: 'https://hooks.example.com/in', enabled: true }
    const { id } = (await call('POST', '/v2/webhooks', { body })).body
    return async () => (await owner.call('GET', `/v2/webhooks/${id}`)).body.status === 'active'
  },
}

async function takeRight(person: TestPerson, right: TakenRight) {
  const path = `/v2/users/${person.id}`
  if (right === 'removed') return owner.call('DELETE', path)
  return owner.call('PUT', path, { body: right === 'disabled' ? { status: 'disabled' } : { role: 'member' } })
}

/** The user signs in at an issuer that names none of their groups. */
async function arriveWithoutRole(person: TestPerson) {
  const { app, tenant } = server
  const verifiedEmail = person.email
  const identity = {
    issuer: 'https://issuer.test',
    subject: person.id,
    verifiedEmail,
    name: null,
    claims: { groups: [] },
  }
  const config = {
    issuer: identity.issuer,
    clientId: 'overture',
    clientSecret: '',
    accountId: null,
    defaultRole: null,
    roleClaim: 'groups',
    roleMap: new Map([['ops', 'admin' as const]]),
  }
  const client = { ip: '127.0.0.1', userAgent: null, secure: false, sessionToken: null, cookieName: 'overture' }
  const request = { action: 'oidcLogin' as const, client, requestId: null, now: app.clock.now() }
  return app.db.transaction((tx) => arrive(tx, { accountId: tenant.accountId, identity, config, request }))
}

describe('a user without a role at the issuer', () => {
  test.each(Object.keys(fill) as Thing[])('its %s ends or stays as the table says', async (thing) => {
    const person = await createTestPerson(server, { role: 'admin' })
    const works = await fill[thing](person)
    expect(await arriveWithoutRole(person)).toEqual({ kind: 'refused', reason: 'no_role' })
    const fate: string = madeBy[thing].no_role
    expect([thing, await works()]).toEqual([thing, fate !== 'ends'])
  })
})

describe.each(['removed', 'disabled', 'demoted'] as const)('a user who is %s', (right) => {
  test.each(Object.keys(fill) as Thing[])('its %s ends or stays as the table says', async (thing) => {
    const person = await createTestPerson(server, { role: 'admin' })
    const works = await fill[thing](person)
    const answer = await takeRight(person, right)
    expect(answer.status, answer.text).toBe(200)
    const fate: string = madeBy[thing][right]
    expect([thing, right, await works()]).toEqual([thing, right, fate !== 'ends'])
    const kept = answer.body.keptWebhooks.map(({ url }: { url: string }) => url)
    expect(kept).toEqual(fate === 'listed' ? ['https://hooks.example.com/in'] : [])
  })
})

test('each resource works while its creator keeps the right', async () => {
  for (const thing of Object.keys(fill) as Thing[]) {
    const works = await fill[thing](await createTestPerson(server, { role: 'admin' }))
    expect([thing, await works()]).toEqual([thing, true])
  }
})

test('a promoted or renamed user keeps invitations', async () => {
  const person = await createTestPerson(server, { role: 'admin' })
  const works = await fill.invitations(person)
  await person.call('PUT', '/v2/me', { body: { name: 'Ada' } })
  const confirm = { password: testPassword }
  expect((await owner.call('PUT', `/v2/users/${person.id}`, { body: { role: 'owner', confirm } })).status).toBe(200)
  expect(await works()).toBe(true)
})

test('invitations of other users, of keys without a user and of the operator stay', async () => {
  const [leaving, staying] = [
    await createTestPerson(server, { role: 'admin' }),
    await createTestPerson(server, { role: 'admin' }),
  ]
  const call: TestPerson['call'] = (method, path, options) =>
    server.call(method, path, { ...options, key: server.keys.live })
  const others = [await fill.invitations(staying), await fill.invitations({ ...staying, call })]
  expect((await takeRight(leaving, 'removed')).status).toBe(200)
  for (const works of others) expect(await works()).toBe(true)
})
