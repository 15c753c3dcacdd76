import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { userLeft } from '../composition/user-left.commands.ts'
import { startTestServer, type TestServer } from '@overture/testing/server.ts'
import { createTestPerson } from '@overture/testing/server/people.ts'
import { createInvitation, createPasswordLink, createSetupLink, findUserAcrossAccounts, teamRoutes } from './index.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ routes: ({ app, admission }) => teamRoutes(app, { admission, userLeft: userLeft }) })
})
afterAll(() => server.stop())
beforeEach(async () => {
  await server.app.db.execute('delete from users')
  await server.app.db.execute('delete from sign_in_attempts')
})

const password = 'nine quiet lanterns drift'
const publicUrl = ''
let people = 0

/** Each kind of link, and the operation that uses it. */
const kinds = {
  setup: async () => {
    const { app, tenant } = server
    return (await app.db.transaction((tx) => createSetupLink(tx, tenant.accountId, app.clock.now())))!
  },
  invitation: async () => {
    const { app, tenant } = server
    const invitation = {
      email: `n${++people}@example.com`,
      role: 'member',
      actorRole: 'owner',
      invitedBy: null,
      invitedByKey: null,
    } as const
    const now = app.clock.now()
    const { url } = await app.db.transaction((tx) =>
      createInvitation(tx, { ...invitation, accountId: tenant.accountId, publicUrl, now }),
    )
    return url.split('#')[1]!
  },
  password: async () => {
    const { app } = server
    const user = (await findUserAcrossAccounts(app.db, (await createTestPerson(server)).id))!
    const url = await app.db.transaction((tx) => createPasswordLink(tx, user, { publicUrl, now: app.clock.now() }))
    return url.split('#')[1]!
  },
} as const
type Kind = keyof typeof kinds
const lifeMs: Record<Kind, number> = { setup: 86_400_000, invitation: 7 * 86_400_000, password: 86_400_000 }

function use(kind: Kind, token: string, given = password) {
  if (kind === 'password') return server.call('POST', '/v2/auth/password', { body: { token, newPassword: given } })
  const email = kind === 'setup' ? { email: `first${++people}@example.com` } : {}
  return server.call('POST', '/v2/auth/accept', { body: { token, name: 'Grace', password: given, ...email } })
}
const outcomeOf = async (answer: ReturnType<typeof use>) => {
  const { status, body, headers } = await answer
  return [status, body.error?.message, headers.get('set-cookie')]
}
const useless = [401, 'The link is unknown, already used or expired. Ask for a new one.', null]

describe.each(Object.keys(kinds) as Kind[])('a link of kind %s', (kind) => {
  test('works once; a used one gives the same error as an unknown one', async () => {
    const token = await kinds[kind]()
    const first = await use(kind, token)
    expect([first.status < 300, first.headers.get('set-cookie')]).toEqual([true, expect.stringContaining('HttpOnly')])
    expect(await outcomeOf(use(kind, token))).toEqual(useless)
    expect(await outcomeOf(use(kind, 'A'.repeat(43)))).toEqual(useless)
    expect(await outcomeOf(use(kind, 'no token'))).toEqual(useless)
  })

  test('is described without being used, and no more after its use', async () => {
    const describeIt = (token: string) => server.call('POST', '/v2/auth/link', { body: { token } })
    const token = await kinds[kind]()
    const described = await describeIt(token)
    expect([described.status, described.body.kind, described.body.invitedBy]).toEqual([200, kind, null])
    expect([described.body.email === null, described.body.role === null]).toEqual([
      kind === 'setup',
      kind === 'password',
    ])
    expect((await use(kind, token)).status).toBeLessThan(300)
    for (const useless of [token, 'A'.repeat(43), 'no token']) expect((await describeIt(useless)).status).toBe(401)
  })

  test('works only until it expires', async () => {
    const token = await kinds[kind]()
    const lives = await server.app.db.query<{ ms: number }>(
      `select (extract(epoch from expires_at - created_at) * 1000)::float8 as ms from user_links where kind = $1 and used_at is null`,
      [kind],
    )
    for (const { ms } of lives) expect(Math.round(ms)).toBe(lifeMs[kind])
    await server.app.db.execute(`update user_links set expires_at = created_at where kind = $1`, [kind])
    expect(await outcomeOf(use(kind, token))).toEqual(useless)
  })

  test('works for its own kind only', async () => {
    const token = await kinds[kind]()
    const other = kind === 'password' ? 'invitation' : 'password'
    expect(await outcomeOf(use(other, token))).toEqual(useless)
    expect((await use(kind, token)).status).toBeLessThan(300)
  })

  test.each([
    ['eleven letters long', 'x7!kq0Zp,w9'],
    ['257 letters long', 'nine quiet lanterns drift'.padEnd(257, 'y')],
    ['common', 'qwertyuiop123'],
  ])('refuses a password that is %s, and stays valid', async (_what, given) => {
    const token = await kinds[kind]()
    const refused = await use(kind, token, given)
    expect(refused.status).toBe(400)
    const field = kind === 'password' ? 'newPassword' : 'password'
    expect(refused.body.error.details.issues.map((issue: { path: string }) => issue.path)).toEqual([field])
    expect((await use(kind, token)).status).toBeLessThan(300)
  })
})

test('with passwords turned off no link signs in', async () => {
  const { app } = server
  const tokens = { invitation: await kinds.invitation(), password: await kinds.password() }
  Object.assign(app.config.signIn, { passwords: false })
  try {
    for (const kind of ['invitation', 'password'] as const)
      expect(await outcomeOf(use(kind, tokens[kind]))).toEqual([401, expect.stringContaining('turned off'), null])
    const login = await server.call('POST', '/v2/auth/login', { body: { email: 'a@example.com', password } })
    const reset = await server.call('POST', '/v2/auth/password/reset', { body: { email: 'a@example.com' } })
    expect([login.status, reset.status]).toEqual([401, 401])
  } finally {
    Object.assign(app.config.signIn, { passwords: true })
  }
})
