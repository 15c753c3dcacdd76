import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { userLeft } from '../composition/user-left.commands.ts'
import { startTestServer, type TestServer } from '@overture/testing/server.ts'
import { createTestPerson, testPassword } from '@overture/testing/server/people.ts'
import { createPasswordLink, findUserAcrossAccounts, teamRoutes } from './index.ts'
import { codeAt, recoveryDigest, stepOfCode, toBase32 } from './totp.ts'

const rfcSecret = Buffer.from('12345678901234567890')

test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('the code at %i s matches RFC 6238', (seconds, code) => {
  expect(codeAt(rfcSecret, seconds * 1000)).toBe(code)
})

test('a code is valid for its time step and the adjacent ones, and only once', () => {
  const nowMs = 1_234_567_890_000
  const step = Math.floor(nowMs / 30_000)
  const check = (atMs: number, lastStep: number | null = null) =>
    stepOfCode(rfcSecret, codeAt(rfcSecret, atMs), { nowMs, lastStep })
  expect([check(nowMs), check(nowMs - 30_000), check(nowMs + 30_000)]).toEqual([step, step - 1, step + 1])
  expect([check(nowMs - 60_000), check(nowMs + 60_000), check(nowMs, step), check(nowMs - 30_000, step)]).toEqual([
    null,
    null,
    null,
    null,
  ])
  for (const code of ['', '12345', '1234567', 'abcdef', '００５９２４'])
    expect(stepOfCode(rfcSecret, code, { nowMs, lastStep: null })).toBeNull()
})

test('secrets are encoded by RFC 4648, and recovery codes are accepted in any spelling', () => {
  expect(toBase32(Buffer.from('foobar'))).toBe('MZXW6YTBOI')
  expect(recoveryDigest('ABCD efgh-ijkm NPQR')).toEqual(recoveryDigest('abcd-efgh-ijkm-npqr'))
})

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ routes: ({ app, admission }) => teamRoutes(app, { admission, userLeft: userLeft }) })
})
afterAll(() => server.stop())
beforeEach(() => server.app.db.execute('delete from sign_in_attempts'))

const fromBase32 = (text: string) => {
  const bits = Array.from(text, (one) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(one).toString(2).padStart(5, '0'),
  ).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

async function personWithTotp() {
  const person = await createTestPerson(server, { role: 'viewer' })
  const begun = await person.call('POST', '/v2/me/totp', { body: { confirm: { password: testPassword } } })
  const secret = fromBase32(begun.body.secret)
  const nowMs = server.app.clock.now().getTime()
  const confirmed = await person.call('POST', '/v2/me/totp/confirm', { body: { code: codeAt(secret, nowMs - 30_000) } })
  const login = (code?: string) =>
    server.call('POST', '/v2/auth/login', { body: { email: person.email, password: testPassword, code } })
  return { person, begun, confirmed, secret, login, codes: confirmed.body.recoveryCodes as string[] }
}

test('with an authenticator the password needs a code, and each code works once', async () => {
  const { person, begun, secret, login, codes } = await personWithTotp()
  expect(begun.body.url).toBe(
    `otpauth://totp/Overture:${encodeURIComponent(person.email)}?secret=${begun.body.secret}&issuer=Overture`,
  )
  expect(new Set(codes).size).toBe(10)
  const without = await login()
  expect([without.status, without.body.error.details.reason]).toEqual([401, 'code_required'])
  expect((await login('000000')).body.error.details.reason).toBe('code_wrong')
  const code = codeAt(secret, server.app.clock.now().getTime() + 30_000)
  const both = await Promise.all([login(code), login(code)])
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401])
  expect((await login(codes[3]!.toUpperCase())).status).toBe(200)
  expect((await login(codes[3])).status).toBe(401)
  expect((await person.call('GET', '/v2/me')).body.totp).toBe(true)
  expect((await person.call('POST', '/v2/me/totp')).status).toBe(409)
  const confirm = { code: codes[7] }
  expect((await person.call('DELETE', '/v2/me/totp', { body: { confirm } })).body).toEqual({ totp: false })
  expect((await login()).status).toBe(200)
})

test('each sign-in with the right password is recorded, also without a code', async () => {
  const { person, login, codes } = await personWithTotp()
  const answers = [await login(), await login('000000'), await login(codes[0])]
  const entries = []
  for (const { headers } of answers)
    entries.push(
      await server.app.db.query<{ outcome: string; actorId: string }>(
        `select outcome, actor_id from audit_entries where action = 'login' and request_id = $1`,
        [headers.get('x-request-id')],
      ),
    )
  const of = (outcome: string) => [{ outcome, actorId: person.id }]
  expect(entries).toEqual([of('denied'), of('denied'), of('success')])
})

test("a password link needs a code too, and a wrong code doesn't use up the link", async () => {
  const { person, codes } = await personWithTotp()
  const { app } = server
  const user = (await findUserAcrossAccounts(app.db, person.id))!
  const url = await app.db.transaction((tx) => createPasswordLink(tx, user, { publicUrl: '', now: app.clock.now() }))
  const reset = (code?: string) => {
    const body = { token: url.split('#')[1], newPassword: 'nine quiet lanterns drift', code }
    return server.call('POST', '/v2/auth/password', { body })
  }
  const without = await reset()
  expect([without.status, without.body.error.details.reason]).toEqual([401, 'code_required'])
  expect((await reset('000000')).body.error.details.reason).toBe('code_wrong')
  expect((await person.call('GET', '/v2/me')).status).toBe(200)
  expect((await reset(codes[0])).body.id).toBe(person.id)
  expect((await person.call('GET', '/v2/me')).status).toBe(401)
  expect((await reset(codes[1])).status).toBe(401)
})

test('wrong codes with a link are limited', async () => {
  const { person, codes } = await personWithTotp()
  const { app } = server
  const user = (await findUserAcrossAccounts(app.db, person.id))!
  const url = await app.db.transaction((tx) => createPasswordLink(tx, user, { publicUrl: '', now: app.clock.now() }))
  const reset = (code: string) => {
    const body = { token: url.split('#')[1], newPassword: 'nine quiet lanterns drift', code }
    return server.call('POST', '/v2/auth/password', { body })
  }
  for (let n = 0; n < 5; n++) expect((await reset('000000')).status).toBe(401)
  expect((await reset(codes[0]!)).status).toBe(429)
})

test('wrong codes count like wrong passwords', async () => {
  const { login, codes } = await personWithTotp()
  for (let n = 0; n < 5; n++) expect((await login('000000')).status).toBe(401)
  expect((await login(codes[0])).status).toBe(429)
})

test("an authenticator is active after its first code, and a key can't change it", async () => {
  const person = await createTestPerson(server)
  await person.call('POST', '/v2/me/totp', { body: { confirm: { password: testPassword } } })
  const wrong = await person.call('POST', '/v2/me/totp/confirm', { body: { code: '000000' } })
  expect([wrong.status, wrong.body.error.details.issues[0].path]).toEqual([400, 'code'])
  expect((await person.call('GET', '/v2/me')).body.totp).toBe(false)
  const { key } = (
    await person.call('POST', '/v2/account/api-keys', {
      body: { scopes: ['read', 'write'], confirm: { password: testPassword } },
      headers: { 'x-overture-environment': 'live' },
    })
  ).body
  for (const [method, path] of [
    ['POST', '/v2/me/totp'],
    ['DELETE', '/v2/me/totp'],
  ] as const)
    expect((await server.call(method, path, { key })).status).toBe(403)
  expect((await server.call('POST', '/v2/me/totp', { key: server.keys.live })).status).toBe(404)
})

test('the secret is encrypted, and recovery codes are stored as digests', async () => {
  const { secret, codes, person } = await personWithTotp()
  const [row] = await server.app.db.query<{ text: string }>(`select u::text as text from users u where id = $1`, [
    person.id,
  ])
  expect(row!.text).not.toContain(secret.toString('hex'))
  for (const code of codes) expect(row!.text).not.toContain(Buffer.from(code).toString('hex'))
})
