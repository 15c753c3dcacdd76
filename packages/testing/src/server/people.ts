import type { Environment } from '@overture/contract/endpoint.ts'
import type { Role } from '@overture/contract/team/roles.ts'
import { newUser } from '@overture/server/team/links.shell.ts'
import { createPasswords, derivePasswordSalt } from '@overture/server/team/passwords.shell.ts'
import { beginSession } from '@overture/server/team/session.commands.ts'
import { insertUser } from '@overture/server/team/users.sql.ts'
import { createCall, type Call, type TestServer } from '../server.ts'

/** The password of every user that a test creates without one. */
export const testPassword = 'seven stale violins hum'

export interface TestPerson {
  id: string
  email: string
  sessionId: string
  cookie: string
  /** Sends requests like the user's browser, to the test environment unless a header names another. */
  call: Call
}

export interface NewTestPerson {
  role?: Role
  email?: string
  accountId?: string
  environment?: Environment
}

let count = 0

/** Creates a user of the first account and signs them in. */
export async function createTestPerson(server: TestServer, input: NewTestPerson = {}): Promise<TestPerson> {
  const { app, url } = server
  const { role = 'owner', accountId = server.tenant.accountId, environment = 'test' } = input
  const email = input.email ?? `person-${++count}@example.com`
  const passwordHash = await createPasswords(app.config.signIn).hash(
    testPassword,
    derivePasswordSalt(app.secrets, email),
  )
  const now = app.clock.now()
  const user = newUser({ accountId, email, name: `A ${role}`, role, passwordHash, now })
  const cookieName = `overture_${new URL(url).port}`
  const client = { ip: '127.0.0.1', userAgent: null, secure: false, sessionToken: null, cookieName }
  const { me, token } = await app.db.transaction(async (tx) => {
    await insertUser(tx, user)
    return beginSession(tx, { user, method: 'password', request: { action: 'login', client, requestId: null, now } })
  })
  const cookie = `${cookieName}=${token}`
  return { id: user.id, email, sessionId: me.sessionId!, cookie, call: createBrowserCall(url, { cookie, environment }) }
}

/** Sends requests with the headers that a browser sends from a page of the server. */
export function createBrowserCall(
  url: string,
  { cookie, environment }: { cookie: string; environment: Environment },
): Call {
  const call = createCall(url)
  const own = { cookie, 'sec-fetch-site': 'same-origin', 'x-overture-environment': environment }
  return (method, path, options = {}) => call(method, path, { ...options, headers: { ...own, ...options.headers } })
}

/** The cookie that a response set, in the form in which a browser sends it back. */
export function readCookie(headers: Headers): string {
  return headers.get('set-cookie')?.split(';')[0] ?? ''
}
