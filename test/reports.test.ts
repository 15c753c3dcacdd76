import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { readMail, textHeader, textsOfType } from '@overture/mail-reading/mime/mail.ts'
import { createTestPerson } from '@overture/testing/server/people.ts'
import { startSmtpDouble, type SmtpDouble } from '@overture/testing/mail/smtp-double.server.ts'
import type { AnswerBody, TestServer } from '@overture/testing/server.ts'
import { startWholeServer } from '@overture/testing/server/whole-server.ts'
import { systemClock } from '@overture/server/platform/clock.ts'
import { appendEvents } from '@overture/server/platform/events/events.sql.ts'
import { runDueJobs } from '@overture/server/platform/jobs/run-due-jobs.shell.ts'
import { reportJobs } from '@overture/server/reports/index.ts'

// The test clock advances by days.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 300_000 })

/** Source: docs/reports.md. */
let server: TestServer
let smtp: SmtpDouble
/** Live runs at a time that the tests choose. It only goes forward. 1 February 2027 is a Monday. */
let nowMs = Date.parse('2027-02-01T06:00:00.000Z')
const clock = { ...systemClock, now: () => new Date(nowMs) }
const hostile = '<img src=x onerror=alert(1)>\u202e\u0007 "Q&A"'
let campaignId: string

beforeAll(async () => {
  smtp = await startSmtpDouble()
  server = await startWholeServer({
    clock,
    environment: { OVERTURE_SYSTEM_MAIL_URL: `smtp://127.0.0.1:${smtp.port}?from=robot@tenant.test` },
  })
  campaignId = (await ask('POST', '/v2/campaigns', { name: hostile })).id
})
afterAll(async () => {
  await server.stop()
  await smtp.stop()
})
beforeEach(async () => {
  smtp.faults = []
  smtp.accepted.length = 0
  smtp.onStage = null
  // Every test begins with its own reports, on a Monday at 06:00 in UTC.
  await server.app.db.execute('delete from reports')
  await server.app.db.execute('delete from jobs')
  const weekMs = 7 * 86_400_000
  const first = Date.parse('2027-02-01T06:00:00.000Z')
  nowMs = first + Math.ceil((nowMs - first) / weekMs) * weekMs
})

type Environment = 'test' | 'live'
const call = (environment: Environment, method: string, path: string, body?: unknown) =>
  server.call(method, path, { key: server.keys[environment], ...(body !== undefined && { body }) })

async function ask(method: string, path: string, body?: unknown, environment: Environment = 'live') {
  const answer = await call(environment, method, path, body)
  expect([path, answer.status < 300 ? null : answer.text]).toEqual([path, null])
  return answer.body
}

const weekly = { name: 'Numbers', query: { groupBy: 'campaign' }, every: 'week', on: 1, at: '08:00', timezone: 'UTC' }
const create = (input: object = {}, environment: Environment = 'live') =>
  ask('POST', '/v2/reports', { ...weekly, ...input }, environment)
const read = (id: string, environment: Environment = 'live') => ask('GET', `/v2/reports/${id}`, undefined, environment)
const person = (input: Parameters<typeof createTestPerson>[1] = {}) =>
  createTestPerson(server, { role: 'member', ...input })

/** Runs the due jobs of live as one worker does. */
const work = () => runDueJobs(server.app, server.tenant, clock.now(), reportJobs())
const advance = (text: string) => {
  nowMs += Number(/^\d+/.exec(text)![0]) * { m: 60_000, h: 3_600_000, d: 86_400_000 }[text.at(-1) as 'm' | 'h' | 'd']
  return work()
}
const recipients = () => smtp.accepted.flatMap(({ to }) => to).toSorted()

async function sent(count: number, daysAgo: number, of = campaignId): Promise<void> {
  const occurredAt = new Date(nowMs - daysAgo * 86_400_000)
  const event = { type: 'message.sent', occurredAt, campaignId: of, data: { kind: 'campaign', first: true } } as const
  await server.app.db.transaction((tx) =>
    appendEvents(
      tx,
      server.tenant,
      Array.from({ length: count }, () => event),
    ),
  )
}

/** The first mail that the server accepted. */
function firstMail() {
  const read = readMail(smtp.accepted[0]!.raw)
  if (read.outcome !== 'read') throw new Error(read.outcome)
  const { mail } = read
  const [text = '', html = ''] = ['text/plain', 'text/html'].map((type) => textsOfType(mail, type).join(''))
  return { text, html, header: (name: string) => textHeader(mail, name) }
}

describe('the resource', () => {
  test('is created, listed, changed and deleted', async () => {
    const made = await create({ recipients: [(await person()).id] })
    expect(made).toMatchObject({
      id: expect.stringMatching(/^rep_/),
      active: true,
      on: 1,
      nextRunAt: new Date(nowMs + 2 * 3_600_000).toISOString(),
      lastRun: null,
    })
    expect(await read(made.id)).toEqual(made)
    expect((await ask('GET', '/v2/reports')).results).toEqual([made])
    expect(await ask('PUT', `/v2/reports/${made.id}`, made)).toEqual(made)
    const changed = await ask('PUT', `/v2/reports/${made.id}`, { every: 'day', at: '05:30', name: 'Daily' })
    const next = new Date(nowMs + 23.5 * 3_600_000).toISOString()
    expect(changed).toMatchObject({ name: 'Daily', every: 'day', on: null, at: '05:30', nextRunAt: next })
    expect(await ask('DELETE', `/v2/reports/${made.id}`)).toEqual({ id: made.id, deleted: true })
    expect((await call('live', 'GET', `/v2/reports/${made.id}`)).status).toBe(404)
    await advance('7d')
    expect(smtp.accepted).toEqual([])
  })

  test('has defaults, and the list is a CSV file too', async () => {
    const input = { name: 'Daily', query: { groupBy: 'day' }, every: 'day' }
    const made = await ask('POST', '/v2/reports', input)
    expect(made).toMatchObject({ on: null, at: '08:00', timezone: 'UTC', recipients: [], query: { groupBy: 'day' } })
    const { text } = await server.call('GET', '/v2/reports?format=csv', { key: server.keys.live })
    expect(text).toContain(made.id)
  })

  test.each([
    [{ query: { groupBy: 'nothing' } }, 'query.groupBy'],
    [{ query: { groupBy: 'day', colour: 'red' } }, 'query.colour'],
    [{ query: { groupBy: 'day', from: '2027-01-01' } }, 'query.to'],
    [{ query: { groupBy: 'day', from: '2027-01-02', to: '2027-01-01' } }, 'query.to'],
    [{ query: { groupBy: 'day', from: '2026-01-01', to: '2027-01-02' } }, 'query.to'],
    [{ query: { groupBy: 'day', from: '2026-01-01T00:01:00Z', to: '2027-01-01' } }, 'query.from'],
    [{ query: { groupBy: 'day', campaignId: 'cmp_foreign' } }, 'query.campaignId'],
    [{ query: { groupBy: 'day', sendingAccountId: 'snd_foreign' } }, 'query.sendingAccountId'],
    [{ every: 'day', on: 1 }, 'on'],
    [{ every: 'week', on: 8 }, 'on'],
    [{ every: 'month', on: 32 }, 'on'],
    [{ every: 'year' }, 'every'],
    [{ at: '24:00' }, 'at'],
    [{ timezone: 'Mars/Olympus' }, 'timezone'],
    [{ name: 'Two\nlines' }, 'name'],
    [{ recipients: Array.from({ length: 21 }, (_, at) => `usr_${at}`) }, 'recipients'],
    [{ recipients: ['usr_nobody'] }, 'recipients[0]'],
  ])('refuses %j and names %s', async (input, path) => {
    const answer = await call('live', 'POST', '/v2/reports', { ...weekly, ...input })
    expect([answer.status, answer.body.error.details?.issues[0].path]).toEqual([400, path])
  })

  test('refuses users of another account and disabled ones as recipients', async () => {
    const own = await person()
    const foreign = await person({ accountId: server.other.tenant.accountId })
    const disabled = await person()
    await ask('PUT', `/v2/users/${disabled.id}`, { status: 'disabled' })
    for (const { id } of [foreign, disabled]) {
      const answer = await call('live', 'POST', '/v2/reports', { ...weekly, recipients: [own.id, id] })
      expect([answer.status, answer.body.error.details.issues[0].path]).toEqual([400, 'recipients[1]'])
    }
    const made = await create({ recipients: [own.id] })
    const changed = await call('live', 'PUT', `/v2/reports/${made.id}`, { recipients: [foreign.id] })
    expect([changed.status, changed.body.error.details.issues[0].path]).toEqual([400, 'recipients[0]'])
  })

  test('is unknown to other accounts and to the other environment', async () => {
    const { id } = await create()
    for (const key of [server.other.keys.live, server.keys.test])
      for (const [method, path] of [
        ['GET', ''],
        ['PUT', ''],
        ['DELETE', ''],
        ['POST', '/run'],
      ] as const) {
        const body = method === 'PUT' ? { name: 'Mine' } : undefined
        const answer = await server.call(method, `/v2/reports/${id}${path}`, { key, ...(body && { body }) })
        expect([method, answer.status]).toEqual([method, 404])
      }
    expect((await read(id)).name).toBe('Numbers')
  })

  test('is limited to fifty per environment, also for requests at once', async () => {
    for (let at = 0; at < 49; at++) await create()
    const answers = await Promise.all([1, 2, 3].map(() => call('live', 'POST', '/v2/reports', weekly)))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 400, 400])
    await create({}, 'test')
  })

  test('may be read by viewers, and changed and run by members', async () => {
    const { id } = await create({}, 'test')
    for (const [role, status] of [
      ['viewer', 403],
      ['member', 202],
    ] as const) {
      const user = await person({ role })
      expect((await user.call('GET', `/v2/reports/${id}`)).status).toBe(200)
      expect([role, (await user.call('POST', `/v2/reports/${id}/run`)).status]).toEqual([role, status])
    }
  })
})

describe('the mail', () => {
  test('has a table and a chart as text and as HTML, with hostile names escaped', async () => {
    const user = await person()
    const { id } = await create({ name: 'Numbers <b>& more</b>', recipients: [user.id] })
    await sent(3, 1)
    await sent(40, 8)
    await advance('2h')
    expect(recipients()).toEqual([user.email])
    const { text, html, header } = firstMail()
    const days = new Date(nowMs - 7 * 86_400_000).toLocaleDateString('en-GB', { day: 'numeric', month: 'short' })
    expect(header('subject')).toMatch(/^Numbers <b>& more<\/b>: \d+ \w+ \d{4} to \d+ \w+ \d{4}$/)
    expect(header('subject')).toContain(days)
    expect(header('auto-submitted')).toBe('auto-generated')
    const url = `${server.app.config.publicUrl}/app/live/reports/${id}`
    expect(text).toContain(url)
    expect(text).toMatch(/^<img src=x onerror=alert\(1\)> "Q&A" +3 +3 +0 +0\.0 % +0 +0 +0 +0$/m)
    expect(text).toMatch(/^Total +3 +3 /m)
    expect(text).toMatch(/^<img src=x onerror=alert\(1\)> "Q&A" +#{30} 3$/m)
    expect(html).toContain('&lt;img src=x onerror=alert(1)&gt; &quot;Q&amp;A&quot;')
    expect(html).toContain('Numbers &lt;b&gt;&amp; more&lt;/b&gt;')
    expect(html).toContain(`href="${url}"`)
    expect(html.match(/<img|<b>|<script|src=(?!x onerror)|@import|url\(/g)).toBeNull()
    expect(`${text}${html}`).not.toMatch(/[^\P{C}\n]/u)
    expect((await read(id)).lastRun).toMatchObject({ status: 'sent', deliveredTo: [user.id], skipped: [], error: null })
  })

  test('of a tag counts the campaigns with the tag', async () => {
    const user = await person()
    const tag = await ask('POST', '/v2/tags', { name: 'Client' })
    const client = await ask('POST', '/v2/campaigns', { name: 'Of the client' })
    await ask('POST', `/v2/tags/${tag.id}/assign`, { ids: [client.id] })
    await create({ recipients: [user.id], query: { groupBy: 'campaign', tagId: tag.id } })
    await sent(4, 1)
    await sent(2, 1, client.id)
    await advance('2h')
    expect(firstMail().text).toMatch(/^Total +2 +2 /m)
    expect(firstMail().text).toContain('Of the client')
  })

  test('is about the whole days since the report before', async () => {
    const { id } = await create({ recipients: [(await person()).id] })
    await advance('2h')
    const day = (ago: number) => new Date(nowMs - ago * 86_400_000).toISOString().slice(0, 10)
    expect((await read(id)).lastRun).toMatchObject({ from: day(7), to: day(1) })
  })

  test('goes to active users, and the run tells who was skipped', async () => {
    const [active, disabled, gone] = [await person(), await person(), await person()]
    const { id } = await create({ recipients: [active.id, disabled.id, gone.id] })
    await ask('PUT', `/v2/users/${disabled.id}`, { status: 'disabled' })
    await ask('DELETE', `/v2/users/${gone.id}`)
    expect((await read(id)).recipients).toEqual([active.id, disabled.id])
    await advance('2h')
    expect(recipients()).toEqual([active.email])
    const skipped = [{ userId: disabled.id, reason: 'disabled' }]
    expect((await read(id)).lastRun).toMatchObject({ status: 'sent', deliveredTo: [active.id], skipped })
    await ask('DELETE', `/v2/users/${active.id}`)
    expect((await read(id)).lastRun.deliveredTo).toEqual([])
    await advance('7d')
    expect((await read(id)).lastRun).toMatchObject({ status: 'failed', skipped, error: expect.any(String) })
    expect((await ask('PUT', `/v2/reports/${id}`, { recipients: [disabled.id] })).recipients).toEqual([disabled.id])
  })

  test('that was certainly not sent is sent later, and only to those without one', async () => {
    const [first, second] = [await person({ email: 'a@tenant.test' }), await person({ email: 'b@tenant.test' })]
    const { id } = await create({ recipients: [first.id, second.id] })
    smtp.faults = [{ stage: 'rcpt', action: { code: 451, text: '4.7.1 Later' }, times: 1, only: second.email }]
    await advance('2h')
    expect((await read(id)).lastRun).toMatchObject({ status: 'running', deliveredTo: [first.id], skipped: [] })
    await advance('1m')
    expect(recipients()).toEqual([first.email, second.email])
    expect((await read(id)).lastRun).toMatchObject({ status: 'sent', deliveredTo: [first.id, second.id].toSorted() })
  })

  test('that is refused again and again is given up with the reason', async () => {
    const user = await person()
    const { id } = await create({ recipients: [user.id] })
    smtp.faults = [{ stage: 'rcpt', action: { code: 550, text: '5.1.1 Unknown' } }]
    await advance('2h')
    for (let tries = 0; tries < 10; tries++) await advance('2h')
    const skipped = [{ userId: user.id, reason: 'mail_failed' }]
    expect((await read(id)).lastRun).toMatchObject({ status: 'failed', skipped })
    expect((await server.app.db.query('select from jobs where dead_at is not null')).length).toBe(0)
  })

  test('that may have been sent is never sent again', async () => {
    const user = await person()
    const { id } = await create({ recipients: [user.id] })
    smtp.faults = [{ stage: 'answer', action: 'drop', times: 1 }]
    await advance('2h')
    await advance('1d')
    expect(smtp.accepted).toHaveLength(1)
    const skipped = [{ userId: user.id, reason: 'mail_uncertain' }]
    expect((await read(id)).lastRun).toMatchObject({ deliveredTo: [], skipped })
  })

  test('whose process ended between claim and send is never sent again', async () => {
    const [died, next] = [await person(), await person()]
    const { id } = await create({ recipients: [died.id, next.id] })
    await ask('POST', `/v2/reports/${id}/run`)
    await server.app.db.execute(
      `insert into report_deliveries (account_id, environment, run_id, user_id, status)
       select account_id, environment, last_run_id, $1, 'claimed' from reports where id = $2`,
      [died.id, id],
    )
    await work()
    expect(recipients()).toEqual([next.email])
    const skipped = [{ userId: died.id, reason: 'mail_uncertain' }]
    expect((await read(id)).lastRun).toMatchObject({ status: 'sent', deliveredTo: [next.id], skipped })
  })

  test('is not sent for a campaign that was deleted meanwhile', async () => {
    const other = (await ask('POST', '/v2/campaigns', { name: 'Short' })).id
    const query = { groupBy: 'step', campaignId: other }
    const { id } = await create({ query, recipients: [(await person()).id] })
    await ask('DELETE', `/v2/campaigns/${other}`)
    await advance('2h')
    expect(smtp.accepted).toEqual([])
    const { lastRun, nextRunAt } = await read(id)
    expect(lastRun).toMatchObject({ status: 'failed', error: expect.stringContaining('campaign') })
    expect(Date.parse(nextRunAt)).toBeGreaterThan(nowMs)
    await ask('PUT', `/v2/reports/${id}`, { query, name: 'Still the same' })
  })
})

describe('the schedule', () => {
  test('runs once after downtime, for the newest period', async () => {
    const user = await person()
    const { id } = await create({ every: 'day', on: null, recipients: [user.id] })
    await advance('5d')
    expect(smtp.accepted).toHaveLength(1)
    const yesterday = (ago: number) => new Date(nowMs - ago * 86_400_000).toISOString().slice(0, 10)
    // At 06:00 the report of this day is not due, so the newest one is that of the day before.
    expect((await read(id)).lastRun).toMatchObject({ from: yesterday(2), to: yesterday(2) })
    expect((await read(id)).nextRunAt).toBe(new Date(nowMs + 2 * 3_600_000).toISOString())
    await advance('2h')
    expect(smtp.accepted).toHaveLength(2)
  })

  test('of a paused report does not run, and continues with the next due time', async () => {
    const { id } = await create({ active: false, recipients: [(await person()).id] })
    expect((await read(id)).nextRunAt).toBeNull()
    await advance('14d')
    expect(smtp.accepted).toEqual([])
    const resumed = await ask('PUT', `/v2/reports/${id}`, { active: true })
    expect(resumed.nextRunAt).toBe(new Date(nowMs + 2 * 3_600_000).toISOString())
    await ask('PUT', `/v2/reports/${id}`, { active: false })
    await advance('7d')
    expect(smtp.accepted).toEqual([])
  })

  test('does not send the same days again when its time of day changes', async () => {
    const { id } = await create({ every: 'day', on: null, recipients: [(await person()).id] })
    await advance('2h')
    expect(smtp.accepted).toHaveLength(1)
    const changed = await ask('PUT', `/v2/reports/${id}`, { at: '09:00' })
    expect(changed.nextRunAt).toBe(new Date(nowMs + 25 * 3_600_000).toISOString())
    await advance('1h')
    expect(smtp.accepted).toHaveLength(1)
    await advance('1d')
    expect(smtp.accepted).toHaveLength(2)
  })

  test('that moved later does not run at the earlier time', async () => {
    const { id } = await create({ recipients: [(await person()).id] })
    await ask('PUT', `/v2/reports/${id}`, { at: '12:00' })
    await advance('2h')
    expect(smtp.accepted).toEqual([])
    await advance('4h')
    expect(smtp.accepted).toHaveLength(1)
  })

  test('of two workers that claim at once sends one mail', async () => {
    const user = await person()
    await create({ every: 'day', on: null, recipients: [user.id] })
    // A second job for the same report, as a worker with an expired lease has it.
    for (const kind of ['reports.due', 'reports.send']) {
      await server.app.db.execute(
        `insert into jobs (account_id, environment, kind, payload, run_at, clock)
         select account_id, environment, kind, payload, run_at, clock from jobs where kind = $1`,
        [kind],
      )
      if (kind === 'reports.due') {
        nowMs += 2 * 3_600_000
        const [due] = reportJobs()
        await Promise.all([1, 2].map(() => runDueJobs(server.app, server.tenant, clock.now(), [due!])))
      }
    }
    await Promise.all([work(), work()])
    expect(recipients()).toEqual([user.email])
    expect(await server.app.db.query('select from report_runs')).toHaveLength(1)
  })
})

describe('a run by hand', () => {
  test('leaves the schedule as it is, and one runs at a time', async () => {
    const user = await person()
    const made = await create({ active: false, recipients: [user.id] })
    const started = await call('live', 'POST', `/v2/reports/${made.id}/run`)
    expect([started.status, started.body.lastRun.status, started.body.nextRunAt]).toEqual([202, 'running', null])
    const second = await call('live', 'POST', `/v2/reports/${made.id}/run`)
    expect([second.status, second.body.error.details.currentStatus]).toEqual([409, 'running'])
    await work()
    expect((await read(made.id)).lastRun).toMatchObject({ status: 'sent', deliveredTo: [user.id] })
    await ask('POST', `/v2/reports/${made.id}/run`)
    await work()
    expect(smtp.accepted).toHaveLength(2)
  })

  test('whose workers are killed at every try fails with a reason, and the next one may begin', async () => {
    const user = await person()
    const { id } = await create({ active: false, recipients: [user.id] })
    await ask('POST', `/v2/reports/${id}/run`)
    const { db } = server.app
    const [run] = await db.query<{ id: string }>('select last_run_id as id from reports where id = $1', [id])
    // A worker was killed while it mailed.
    await db.execute(
      `insert into report_deliveries (account_id, environment, run_id, user_id, status) values ($1, 'live', $2, $3, 'claimed')`,
      [server.tenant.accountId, run!.id, user.id],
    )
    await db.execute(
      `update jobs set attempts = 8, lease_until = now() - interval '1 ms' where kind = 'reports.send' and dead_at is null`,
    )
    await work()
    expect((await read(id)).lastRun).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('could not be written'),
      skipped: [{ userId: user.id, reason: 'mail_uncertain' }],
    })
    expect(smtp.accepted).toEqual([])
    await ask('POST', `/v2/reports/${id}/run`)
    await work()
    expect((await read(id)).lastRun).toMatchObject({ status: 'sent', deliveredTo: [user.id] })
  })

  test('with an idempotency key happens once', async () => {
    const { id } = await create({ recipients: [(await person()).id] })
    const headers = { 'idempotency-key': 'run-once' }
    for (let tries = 0; tries < 2; tries++) {
      const answer = await server.call('POST', `/v2/reports/${id}/run`, { key: server.keys.live, headers })
      expect(answer.status).toBe(202)
      await work()
    }
    expect(smtp.accepted).toHaveLength(1)
  })

  test('and every change is in the audit log', async () => {
    const { id } = await create()
    await ask('PUT', `/v2/reports/${id}`, { name: 'Renamed' })
    await ask('POST', `/v2/reports/${id}/run`)
    await ask('DELETE', `/v2/reports/${id}`)
    const { results } = await ask('GET', '/v2/audit-log?limit=4')
    expect(results.map(({ action, target }: AnswerBody) => [action, target.id])).toEqual([
      ['deleteReport', id],
      ['runReport', id],
      ['updateReport', id],
      ['createReport', id],
    ])
  })
})

describe('without mail', () => {
  const readyEvents = async (environment: Environment) =>
    (await ask('GET', '/v2/events?type=report.ready&order=desc', undefined, environment)).results

  test('a report in live is an event with a link', async () => {
    const systemMail = server.app.config.systemMail
    server.app.config.systemMail = null
    const user = await person()
    const { id } = await create({ recipients: [user.id] })
    await advance('2h')
    server.app.config.systemMail = systemMail
    expect(smtp.accepted).toEqual([])
    const { lastRun } = await read(id)
    expect(lastRun).toMatchObject({ status: 'announced', deliveredTo: [], skipped: [] })
    const [event] = await readyEvents('live')
    const { from, to } = lastRun
    const url = `${server.app.config.publicUrl}/app/live/reports/${id}`
    expect(event.data).toMatchObject({ reportId: id, from, to, groupBy: 'campaign', recipients: [user.id], url })
  })

  test('a report without recipients is an event', async () => {
    const { id } = await create()
    await advance('2h')
    expect((await read(id)).lastRun.status).toBe('announced')
  })

  test('a report of the test environment runs by the test clock and opens no connection', async () => {
    await ask('POST', '/v2/sandbox/clock', { frozen: true }, 'test')
    const user = await person()
    const { id } = await create({ every: 'day', on: null, recipients: [user.id] }, 'test')
    const before = smtp.connectionCount
    await ask('POST', '/v2/sandbox/clock/advance', { by: '72h' }, 'test')
    expect(smtp.connectionCount).toBe(before)
    const events = await readyEvents('test')
    expect(events.map(({ data }: AnswerBody) => data.reportId)).toEqual([id, id, id])
    const days = new Set(events.map(({ data }: AnswerBody) => data.from))
    expect(days.size).toBe(3)
    expect((await read(id, 'test')).lastRun.status).toBe('announced')
  })
})

test('two dimensions, senders and removed campaigns have names in the mail', async () => {
  const other = (await ask('POST', '/v2/campaigns', { name: 'Removed soon' })).id
  const user = await person()
  await create({ query: { groupBy: 'campaign,weekday', timezone: 'Europe/Berlin' }, recipients: [user.id] })
  const event = {
    type: 'message.sent',
    occurredAt: new Date(nowMs - 86_400_000),
    data: { kind: 'campaign', first: true },
  }
  await server.app.db.transaction((tx) =>
    appendEvents(tx, server.tenant, [
      { ...event, type: 'message.sent', data: { kind: 'campaign', first: true }, campaignId: other },
    ]),
  )
  await ask('DELETE', `/v2/campaigns/${other}`)
  await advance('2h')
  const { text } = firstMail()
  expect(text).toContain('Europe/Berlin, by campaign and weekday')
  expect(text).toMatch(/^Removed soon · Sunday +1 /m)
})
