import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startSmtpDouble, type SmtpDouble, type SmtpFault } from '@overture/testing/mail/smtp-double.server.ts'
import { createTestPerson, testPassword } from '@overture/testing/server/people.ts'
import { startTestServer, type TestServer } from '@overture/testing/server.ts'
import { userLeft } from '../../composition/user-left.commands.ts'
import { systemClock } from '../../platform/clock.ts'
import { claimDueJobs } from '../../platform/jobs/claim-jobs.shell.ts'
import { runJob } from '../../platform/jobs/run-job.shell.ts'
import { systemMailJobs, teamRoutes } from '../index.ts'

let smtp: SmtpDouble
let server: TestServer
let aheadMs = 0
const clock = { ...systemClock, now: () => new Date(systemClock.now().getTime() + aheadMs) }
const password = 'nine quiet lanterns drift'

beforeAll(async () => {
  smtp = await startSmtpDouble({ users: { 'robot@example.com': 'a secret of mail' } })
  server = await startTestServer({
    clock,
    environment: {
      OVERTURE_SYSTEM_MAIL_URL: `smtp://robot%40example.com:a%20secret%20of%20mail@127.0.0.1:${smtp.port}`,
    },
    routes: ({ app, admission }) => teamRoutes(app, { admission, userLeft: userLeft }),
  })
  server.app.config.publicUrl = server.url
})
afterAll(async () => {
  await server.stop()
  await smtp.stop()
})
beforeEach(async () => {
  aheadMs = 0
  smtp.faults = []
  smtp.accepted.length = 0
  await server.app.db.execute('delete from sign_in_attempts')
  await server.app.db.execute('delete from jobs')
})

/** Runs all due jobs and those that they enqueue. Retries become due by the clock. */
async function runJobs(): Promise<number> {
  const handlers = new Map(systemMailJobs().map((handler) => [handler.kind, handler]))
  let count = 0
  for (;;) {
    const now = clock.now()
    const leased = { leaseMs: 60_000, leaseToken: randomUUID(), limit: 10, perAccountMax: 10, underWay: new Map() }
    const before = count
    for await (const job of claimDueJobs(server.app.db, { kinds: [...handlers.keys()], now, ...leased })) {
      count++
      const { signal } = new AbortController()
      await runJob({ app: server.app, job, handler: handlers.get(job.kind)!, now: clock.now(), signal })
    }
    if (count === before) return count
  }
}

const textOf = (raw: Buffer) => raw.toString().replaceAll('=\r\n', '').replaceAll('=3D', '=')
const linkIn = (raw: Buffer) => /https?:\/\/\S+#([\w-]{43})/.exec(textOf(raw))!
const invite = (email: string) =>
  server.call('POST', '/v2/invitations', { key: server.keys.live, body: { email, role: 'member' } })
const forgot = (email: string) => server.call('POST', '/v2/auth/password/reset', { body: { email } })

describe('an invitation', () => {
  test('is emailed once after the commit, to its recipient, and works', async () => {
    const { body } = await invite('grace@example.com')
    expect([body.mailed, smtp.accepted.length]).toEqual([true, 0])
    await runJobs()
    expect(await runJobs()).toBe(0)
    expect(smtp.accepted.map(({ from, to, user }) => [from, to, user])).toEqual([
      ['robot@example.com', ['grace@example.com'], 'robot@example.com'],
    ])
    const [url, token] = linkIn(smtp.accepted[0]!.raw)
    expect(url).toBe(body.url)
    expect(smtp.accepted[0]!.raw.toString()).toMatch(/^Auto-Submitted: auto-generated\r$/m)
    const made = await server.call('POST', '/v2/auth/accept', { body: { token, name: 'Grace', password } })
    expect(made.body).toMatchObject({ email: 'grace@example.com', role: 'member' })
  })

  test('that was replaced, revoked or used is not emailed', async () => {
    await invite('ida@example.com')
    const second = await invite('ida@example.com')
    const back = await invite('joan@example.com')
    await server.call('DELETE', `/v2/invitations/${back.body.id}`, { key: server.keys.live })
    await runJobs()
    expect(smtp.accepted.map(({ raw }) => linkIn(raw)[0])).toEqual([second.body.url])
  })

  test('waits in the database without its link', async () => {
    const { body } = await invite('kay@example.com')
    const token = body.url.split('#')[1]
    const [row] = await server.app.db.query<{ text: string }>(`select string_agg(j::text, ' ') as text from jobs j`)
    expect(row!.text).toContain(body.id)
    expect(row!.text).not.toContain(token)
    expect(row!.text).not.toContain(Buffer.from(body.url).toString('base64').slice(0, 20))
  })
})

const definite: SmtpFault[] = [
  { stage: 'connect', action: 'drop', times: 1 },
  { stage: 'auth', action: { code: 454, text: '4.7.0 Later' }, times: 1 },
  { stage: 'rcpt', action: { code: 451, text: '4.7.1 Later' }, times: 1 },
  { stage: 'data', action: 'drop', times: 1 },
  { stage: 'end', action: { code: 451, text: '4.3.0 Later' }, times: 1 },
]

describe('a link email', () => {
  test.each(definite)('that was certainly not sent ($stage) is sent later, once', async (fault) => {
    smtp.faults = [fault]
    await invite(`late-${fault.stage}@example.com`)
    await runJobs()
    expect(smtp.accepted).toHaveLength(0)
    aheadMs = 60_000
    await runJobs()
    expect(smtp.accepted).toHaveLength(1)
    aheadMs = 3_600_000
    expect(await runJobs()).toBe(0)
  })

  test('that may have been sent is never sent again', async () => {
    smtp.faults = [{ stage: 'answer', action: 'drop', times: 1 }]
    await invite('maybe@example.com')
    await runJobs()
    aheadMs = 24 * 3_600_000
    await runJobs()
    expect(smtp.accepted).toHaveLength(1)
  })

  test('whose process died before sending is never sent again', async () => {
    const { body } = await invite('died@example.com')
    await server.app.db.execute('update user_links set mailed_at = now() where id = $1', [body.id])
    await runJobs()
    expect(smtp.accepted).toHaveLength(0)
  })
})

describe('a forgotten password', () => {
  test('is replaced by an emailed link, and other links and sessions end', async () => {
    const { email, call } = await createTestPerson(server)
    expect((await forgot(` ${email.toUpperCase()}`)).status).toBe(202)
    expect((await forgot(email)).status).toBe(202)
    await runJobs()
    expect(smtp.accepted.map(({ to }) => to)).toEqual([[email], [email]])
    const [token, other] = smtp.accepted.map(({ raw }) => linkIn(raw)[1])
    expect(linkIn(smtp.accepted[0]!.raw)[0]).toContain(`${server.url}/app/password#`)
    const use = (link: string | undefined) =>
      server.call('POST', '/v2/auth/password', { body: { token: link, newPassword: password } })
    expect((await use(token)).body.email).toBe(email)
    expect([(await use(token)).status, (await use(other)).status]).toEqual([401, 401])
    expect((await call('GET', '/v2/me')).status).toBe(401)
    expect((await server.call('POST', '/v2/auth/login', { body: { email, password } })).status).toBe(200)
  })

  test('of a user without one, disabled or unknown gets the same response and no email', async () => {
    const { email } = await createTestPerson(server)
    const off = await createTestPerson(server, { role: 'member' })
    const guest = await createTestPerson(server, { role: 'member' })
    await server.app.db.execute(`update users set status = 'disabled' where id = $1`, [off.id])
    await server.app.db.execute(`update users set password_hash = null where id = $1`, [guest.id])
    const answers = [await forgot(email)]
    for (const address of ['unknown@example.com', off.email, guest.email, 'no address'])
      answers.push(await forgot(address))
    for (const { status, text } of answers) expect([status, text]).toEqual([202, answers[0]!.text])
    await runJobs()
    expect(smtp.accepted.map(({ to }) => to)).toEqual([[email]])
  })

  test('makes the same rows for any address: no user is read during the request', async () => {
    const { email } = await createTestPerson(server)
    const { db } = server.app
    const countsAfter = async (address: string) => {
      await forgot(address)
      const [counts] = await db.query<{ jobs: number; links: number }>(
        `select (select count(*)::int from jobs) as jobs, (select count(*)::int from user_links where kind = 'password') as links`,
      )
      await db.execute('delete from jobs')
      return counts
    }
    await db.execute('delete from user_links')
    expect(await countsAfter(email)).toEqual({ jobs: 1, links: 0 })
    expect(await countsAfter('nobody@example.com')).toEqual({ jobs: 1, links: 0 })
  })

  test('can be requested three times per quarter of an hour, without affecting sign-in', async () => {
    const { email } = await createTestPerson(server)
    for (const address of [email, 'stranger@example.com']) {
      for (let n = 0; n < 3; n++) expect((await forgot(address)).status).toBe(202)
      const refused = await forgot(address)
      expect([refused.status, refused.body.error.code]).toEqual([429, 'RATE_LIMIT_EXCEEDED'])
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(14 * 60)
    }
    expect((await server.call('POST', '/v2/auth/login', { body: { email, password: testPassword } })).status).toBe(200)
    aheadMs = 16 * 60_000
    expect((await forgot(email)).status).toBe(202)
  })

  test('for an address in two accounts has a link for each', async () => {
    const { email } = await createTestPerson(server, { email: 'two@example.com' })
    await createTestPerson(server, { email, accountId: server.other.tenant.accountId })
    await forgot(email)
    await runJobs()
    const accounts = []
    for (const { raw } of smtp.accepted) {
      const token = linkIn(raw)[1]
      const used = await server.call('POST', '/v2/auth/password', { body: { token, newPassword: password } })
      accounts.push(used.body.account.id)
    }
    expect(new Set(accounts)).toEqual(new Set([server.tenant.accountId, server.other.tenant.accountId]))
  })

  test("is recorded in the account's audit log, and a repeated job makes one link", async () => {
    const { email, id } = await createTestPerson(server)
    await forgot(email)
    await server.app.db.execute(
      `insert into jobs (account_id, environment, kind, payload, run_at, clock)
       select account_id, environment, kind, payload, run_at, clock from jobs`,
    )
    await runJobs()
    expect(smtp.accepted).toHaveLength(1)
    const entries = await server.app.db.query(
      `select actor_type, outcome from audit_entries where action = 'requestPasswordReset' and target_id = $1`,
      [id],
    )
    expect(entries).toEqual([{ actorType: 'system', outcome: 'success' }])
  })
})

test('without its own mail the server shows links, and says so', async () => {
  const plain = await startTestServer({
    routes: ({ app, admission }) => teamRoutes(app, { admission, userLeft: userLeft }),
  })
  const state = await plain.call('GET', '/v2/auth/state')
  const body = { email: 'lin@example.com', role: 'member' }
  const invited = await plain.call('POST', '/v2/invitations', { key: plain.keys.live, body })
  const refused = await plain.call('POST', '/v2/auth/password/reset', { body: { email: 'lin@example.com' } })
  const jobs = await plain.app.db.query('select 1 from jobs')
  await plain.stop()
  expect([state.body.passwordReset, invited.body.mailed, refused.status, jobs]).toEqual([false, false, 503, []])
  expect((await server.call('GET', '/v2/auth/state')).body.passwordReset).toBe(true)
})
