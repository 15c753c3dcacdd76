import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startSmtpDouble, type SmtpDouble } from '@overture/testing/mail/smtp-double.server.ts'
import { createTestPerson, testPassword, type TestPerson } from '@overture/testing/server/people.ts'
import type { TestServer } from '@overture/testing/server.ts'
import { startWholeServer } from '@overture/testing/server/whole-server.ts'
import { claimDueJobs } from '../platform/jobs/claim-jobs.shell.ts'
import { runJob } from '../platform/jobs/run-job.shell.ts'
import { systemMailJobs } from './index.ts'
import { codeAt } from './totp.ts'
import { fromBase32 } from '@overture/testing/server/base32.ts'

let smtp: SmtpDouble
let server: TestServer
beforeAll(async () => {
  smtp = await startSmtpDouble({ users: { 'robot@example.com': 'a secret of mail' } })
  const url = `smtp://robot%40example.com:a%20secret%20of%20mail@127.0.0.1:${smtp.port}`
  server = await startWholeServer({ environment: { OVERTURE_SYSTEM_MAIL_URL: url } })
})
afterAll(async () => {
  await server.stop()
  await smtp.stop()
})
beforeEach(async () => {
  smtp.accepted.length = 0
  await server.app.db.execute('delete from sign_in_attempts')
  await server.app.db.execute('delete from jobs')
})

async function runNotices(): Promise<void> {
  const handlers = new Map(systemMailJobs().map((handler) => [handler.kind, handler]))
  const { app } = server
  const leased = { leaseMs: 60_000, leaseToken: randomUUID(), limit: 10, perAccountMax: 10, underWay: new Map() }
  for await (const job of claimDueJobs(app.db, { kinds: [...handlers.keys()], now: app.clock.now(), ...leased })) {
    const { signal } = new AbortController()
    await runJob({ app, job, handler: handlers.get(job.kind)!, now: app.clock.now(), signal })
  }
}

async function ageSessions(userId: string): Promise<void> {
  const statement = `update sessions set created_at = created_at - interval '11 minutes' where user_id = $1`
  await server.app.db.execute(statement, [userId])
}

async function withTotp(person: TestPerson): Promise<string[]> {
  const begun = await person.call('POST', '/v2/me/totp', { body: { confirm: { password: testPassword } } })
  const code = codeAt(fromBase32(begun.body.secret), server.app.clock.now().getTime())
  const { body } = await person.call('POST', '/v2/me/totp/confirm', { body: { code } })
  return body.recoveryCodes
}

const live = { 'x-overture-environment': 'live' }

/** The operations that need a proof. Each one prepares its data and returns the request without its proof. */
const deeds: Record<string, (person: TestPerson) => Promise<(proof?: object) => ReturnType<TestPerson['call']>>> = {
  'making an owner': async ({ call }) => {
    const other = await createTestPerson(server, { role: 'admin' })
    return (confirm) => call('PUT', `/v2/users/${other.id}`, { body: { role: 'owner', confirm } })
  },
  'demoting an owner': async ({ call }) => {
    const other = await createTestPerson(server, { role: 'owner' })
    return (confirm) => call('PUT', `/v2/users/${other.id}`, { body: { role: 'viewer', confirm } })
  },
  'turning an owner off': async ({ call }) => {
    const other = await createTestPerson(server, { role: 'owner' })
    return (confirm) => call('PUT', `/v2/users/${other.id}`, { body: { status: 'disabled', confirm } })
  },
  'deleting an owner': async ({ call }) => {
    const other = await createTestPerson(server, { role: 'owner' })
    return (confirm) => call('DELETE', `/v2/users/${other.id}`, { body: { confirm } })
  },
  'inviting an owner': async ({ call }) => {
    const email = `${randomUUID()}@example.com`
    return (confirm) => call('POST', '/v2/invitations', { body: { email, role: 'owner', confirm } })
  },
  'a live key that administers': async ({ call }) => {
    const body = { scopes: ['read', 'admin'] }
    return (confirm) => call('POST', '/v2/account/api-keys', { body: { ...body, confirm }, headers: live })
  },
  'a live key that writes': async ({ id, call }) => {
    await ageSessions(id)
    const body = { scopes: ['read', 'write'] }
    return (confirm) => call('POST', '/v2/account/api-keys', { body: { ...body, confirm }, headers: live })
  },
  'another password of a mailbox': async ({ call }) => {
    const mail = { host: 'mail.example.com', port: 587, security: 'starttls', username: 'ada', password: 'first' }
    const made = await call('POST', '/v2/sending-accounts', {
      body: { email: `${randomUUID()}@example.com`, fromName: 'Ada', provider: 'smtp', smtp: mail, imap: mail },
      headers: live,
    })
    expect(made.status, made.text).toBe(201)
    const path = `/v2/sending-accounts/${made.body.id}`
    return (confirm) => call('PUT', path, { body: { smtp: { password: 'second' }, confirm }, headers: live })
  },
  'adding mailboxes of an organization': async ({ call }) => {
    const id = `tnc_${randomUUID()}`
    await server.app.db.execute(
      `insert into tenant_connections (account_id, environment, id, provider, access, organization, client_id, created_at, updated_at)
       values ($1, 'live', $2, 'microsoft', 'application', $2, 'client', now(), now())`,
      [server.tenant.accountId, id],
    )
    const mailboxes = [{ email: `${randomUUID()}@contoso.test` }]
    return (confirm) =>
      call('POST', `/v2/tenant-connections/${id}/mailboxes`, { body: { mailboxes, confirm }, headers: live })
  },
}

describe.each(Object.keys(deeds))('%s', (deed) => {
  test('is refused without a proof or with a wrong one, and works with the password', async () => {
    const run = await deeds[deed]!(await createTestPerson(server))
    for (const [proof, path] of [
      [undefined, 'confirm'],
      [{}, 'confirm'],
      [{ password: 'another phrase of words' }, 'confirm.password'],
      [{ code: '000000' }, 'confirm.code'],
    ] as const) {
      const refused = await run(proof)
      expect([refused.status, refused.body.error.details.issues[0].path]).toEqual([400, path])
    }
    const done = await run({ password: testPassword })
    expect([200, 201], done.text).toContain(done.status)
  })

  test('works with a recovery code, once', async () => {
    const person = await createTestPerson(server)
    const [code] = await withTotp(person)
    const run = await deeds[deed]!(person)
    expect([200, 201]).toContain((await run({ code })).status)
    const again = await deeds[deed]!(person)
    expect((await again({ code })).status).toBe(400)
  })
})

describe('a mailbox that fails', () => {
  const accountOf = async ({ call }: TestPerson, status: string): Promise<string> => {
    const mail = { host: 'mail.example.com', port: 587, security: 'starttls', username: 'ada', password: 'first' }
    const email = `${randomUUID()}@example.com`
    const body = { email, fromName: 'Ada', provider: 'smtp', smtp: mail, imap: mail }
    const made = await call('POST', '/v2/sending-accounts', { body, headers: live })
    const { id } = made.body
    await server.app.db.execute('update sending_accounts set status = $2 where id = $1', [id, status])
    return id
  }
  const move = (host: string) => ({
    smtp: { host, password: 'second' },
    imap: { host, password: 'second' },
  })

  test('and never worked can be moved to another server without a proof', async () => {
    const person = await createTestPerson(server)
    for (const status of ['auth_required', 'connection_error']) {
      const path = `/v2/sending-accounts/${await accountOf(person, status)}`
      const moved = await person.call('PUT', path, { body: move('other.example.com'), headers: live })
      expect([moved.status, moved.body.smtp?.host]).toEqual([200, 'other.example.com'])
    }
  })

  test('but worked before needs a proof to be moved', async () => {
    const person = await createTestPerson(server)
    const signs = [
      `update sending_accounts set connected_at = now() where id = $1`,
      `update mailboxes set read_at = now() where sending_account_id = $1`,
      `insert into sender_days (account_id, environment, sending_account_id, day, claimed)
       select account_id, environment, id, current_date, 1 from sending_accounts where id = $1`,
    ]
    for (const statement of signs) {
      const id = await accountOf(person, 'auth_required')
      expect(await server.app.db.execute(statement, [id])).toBe(1)
      const path = `/v2/sending-accounts/${id}`
      const refused = await person.call('PUT', path, { body: move('other.example.com'), headers: live })
      expect([refused.status, refused.body.error?.details.issues[0].path]).toEqual([400, 'confirm'])
    }
  })

  test.each(['active', 'paused', 'blocked'])('needs a proof while its status is %s', async (status) => {
    const person = await createTestPerson(server)
    const path = `/v2/sending-accounts/${await accountOf(person, status)}`
    expect((await person.call('PUT', path, { body: move('other.example.com'), headers: live })).status).toBe(400)
  })
})

test("a stolen session can't remove the second factor", async () => {
  const person = await createTestPerson(server)
  const codes = await withTotp(person)
  const remove = (body?: object) => person.call('DELETE', '/v2/me/totp', { ...(body !== undefined && { body }) })
  for (const body of [undefined, {}, { confirm: { code: '000000' } }, { confirm: { password: 'guess of words' } }])
    expect((await remove(body)).status).toBe(400)
  expect((await person.call('GET', '/v2/me')).body.totp).toBe(true)
  expect((await remove({ confirm: { code: codes[0] } })).body).toEqual({ totp: false })
})

test("a stolen session can't set up an authenticator", async () => {
  const person = await createTestPerson(server)
  await ageSessions(person.id)
  const begin = (confirm?: object) => person.call('POST', '/v2/me/totp', { body: { confirm } })
  for (const confirm of [undefined, {}, { password: 'guess of words' }, { code: '000000' }]) {
    const refused = await begin(confirm)
    expect([refused.status, refused.body.secret]).toEqual([400, undefined])
  }
  expect((await begin({ password: testPassword })).status).toBe(201)
})

test('a user who has just signed in can set up an authenticator and create a live write key', async () => {
  const { call } = await createTestPerson(server)
  expect((await call('POST', '/v2/me/totp', { body: {} })).status).toBe(201)
  const body = { scopes: ['read', 'write'] }
  expect((await call('POST', '/v2/account/api-keys', { body, headers: live })).status).toBe(201)
})

describe('an authenticator that a session set up without a proof', () => {
  const begun = async (person: TestPerson) => fromBase32((await person.call('POST', '/v2/me/totp')).body.secret)
  const codeOf = (secret: Buffer, steps = 0) => codeAt(secret, server.app.clock.now().getTime() + steps * 30_000)

  test('proves nothing before it is confirmed', async () => {
    const person = await createTestPerson(server)
    const secret = await begun(person)
    const run = await deeds['inviting an owner']!(person)
    expect((await run({ code: codeOf(secret) })).status).toBe(400)
  })

  test('proves nothing in this session, and works after the next sign-in', async () => {
    const person = await createTestPerson(server)
    const secret = await begun(person)
    const confirmed = await person.call('POST', '/v2/me/totp/confirm', { body: { code: codeOf(secret) } })
    const [recoveryCode, another] = confirmed.body.recoveryCodes
    const run = await deeds['inviting an owner']!(person)
    for (const code of [codeOf(secret, 1), recoveryCode]) expect((await run({ code })).status).toBe(400)
    const remove = await person.call('DELETE', '/v2/me/totp', { body: { confirm: { code: recoveryCode } } })
    expect(remove.status).toBe(400)
    await server.app.db.execute(`update sessions set id = id || '2' where user_id = $1`, [person.id])
    expect((await run({ code: another })).status).toBe(201)
  })

  test('leaves the password as a proof', async () => {
    const person = await createTestPerson(server)
    const secret = await begun(person)
    await person.call('POST', '/v2/me/totp/confirm', { body: { code: codeOf(secret) } })
    const run = await deeds['inviting an owner']!(person)
    expect((await run({ password: testPassword })).status).toBe(201)
  })
})

test('a live read key and a test write key need no proof', async () => {
  const { call } = await createTestPerson(server)
  const create = (scopes: string[], headers = {}) => call('POST', '/v2/account/api-keys', { body: { scopes }, headers })
  expect([(await create(['read'], live)).status, (await create(['read', 'write'])).status]).toEqual([201, 201])
})

test('wrong proofs are limited like failed sign-ins', async () => {
  const person = await createTestPerson(server)
  const run = await deeds['inviting an owner']!(person)
  for (let n = 0; n < 5; n++) expect((await run({ password: `guess number ${n}` })).status).toBe(400)
  expect((await run({ password: testPassword })).status).toBe(429)
})

test('a request with a key needs no proof', async () => {
  const call: TestPerson['call'] = (method, path, options) =>
    server.call(method, path, { ...options, key: server.keys.live })
  for (const deed of ['inviting an owner', 'a live key that administers', 'a live key that writes']) {
    const run = await deeds[deed]!({ ...(await createTestPerson(server)), call })
    expect((await run()).status).toBe(201)
  }
})

test('a user who signs in with an issuer only needs a recent session', async () => {
  const person = await createTestPerson(server)
  await server.app.db.execute('update users set password_hash = null where id = $1', [person.id])
  const run = await deeds['inviting an owner']!(person)
  await ageSessions(person.id)
  const refused = await run({ password: testPassword })
  expect([refused.status, refused.body.error.details.issues[0].rule]).toEqual([400, 'sign_in_again'])
  await server.app.db.execute(`update sessions set created_at = created_at + interval '9 minutes' where user_id = $1`, [
    person.id,
  ])
  expect((await run()).status).toBe(201)
})

test('a refused mailbox accepts a new password without a proof if its servers stay the same', async () => {
  const person = await createTestPerson(server)
  const mail = { host: 'mail.example.com', port: 587, security: 'starttls', username: 'ada', password: 'first' }
  const made = await person.call('POST', '/v2/sending-accounts', {
    body: { email: `${randomUUID()}@example.com`, fromName: 'Ada', provider: 'smtp', smtp: mail, imap: mail },
    headers: live,
  })
  const { id } = made.body
  await server.app.db.execute(
    `update sending_accounts set status = 'auth_required', connected_at = now() where id = $1`,
    [id],
  )
  const change = (smtp: object) =>
    person.call('PUT', `/v2/sending-accounts/${id}`, { body: { smtp: { ...mail, ...smtp } }, headers: live })
  const moved = await change({ host: 'other.example.com' })
  expect([moved.status, moved.body.error.details.issues[0].path]).toEqual([400, 'confirm'])
  expect((await change({ password: 'second' })).status).toBe(200)
})

test('a repeated request with its idempotency key is replayed, although its code is used', async () => {
  const person = await createTestPerson(server)
  const [code] = await withTotp(person)
  const body = { scopes: ['admin'], confirm: { code } }
  const send = () =>
    person.call('POST', '/v2/account/api-keys', { body, headers: { ...live, 'idempotency-key': 'one-key' } })
  const [first, second] = [await send(), await send()]
  expect([first.status, second.status, second.headers.get('idempotent-replayed')]).toEqual([201, 201, 'true'])
})

describe('the user is informed by email', () => {
  const textOf = (raw: Buffer) => raw.toString().replaceAll('=\r\n', '')
  const expectNotice = async (words: string, to: string) => {
    await runNotices()
    const letters = smtp.accepted.map((letter) => [letter.to[0], textOf(letter.raw).includes(words)])
    expect(letters).toContainEqual([to, true])
  }

  test('when an authenticator is set up or removed', async () => {
    const person = await createTestPerson(server)
    const codes = await withTotp(person)
    await expectNotice('An authenticator was set up', person.email)
    await person.call('DELETE', '/v2/me/totp', { body: { confirm: { code: codes[0] } } })
    await expectNotice('The authenticator was removed', person.email)
  })

  test('when the password is changed', async () => {
    const person = await createTestPerson(server)
    const body = { currentPassword: testPassword, newPassword: 'nine quiet lanterns drift' }
    expect((await person.call('POST', '/v2/auth/password', { body })).status).toBe(200)
    await expectNotice('Your password was changed', person.email)
  })

  test('when another user changes the role', async () => {
    const [owner, other] = [await createTestPerson(server), await createTestPerson(server, { role: 'member' })]
    await owner.call('PUT', `/v2/users/${other.id}`, { body: { role: 'admin' } })
    await expectNotice('Your role was changed', other.email)
    expect(smtp.accepted.map(({ to }) => to[0])).not.toContain(owner.email)
  })

  test.each([
    ['a live key that administers', 'A live API key with the scope admin'],
    ['a live key that writes', 'A live API key with the scope write'],
    ['another password of a mailbox', 'The password of a mailbox was changed'],
    ['adding mailboxes of an organization', 'Mailboxes of an organization were connected'],
  ])('about %s in their name', async (deed, words) => {
    const person = await createTestPerson(server)
    const run = await deeds[deed]!(person)
    await run({ password: testPassword })
    await expectNotice(words, person.email)
  })
})
