import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  insertTestCampaign,
  insertTestLeads,
  insertTestSender,
} from '@overture/testing/delivery/delivery-fixtures.sql.ts'
import { dovecotAvailable, startDovecot, type Dovecot } from '@overture/testing/mail/dovecot.server.ts'
import { startDnsDouble, type DnsDouble } from '@overture/testing/mail/dns-double.server.ts'
import { startSmtpDouble, type SmtpDouble } from '@overture/testing/mail/smtp-double.server.ts'
import { testRenderer } from '@overture/testing/renderer.ts'
import type { TestServer } from '@overture/testing/server.ts'
import { startWholeServer } from '@overture/testing/server/whole-server.ts'
import { createReadingThreads, type ReadingThreads } from '@overture/server/inbox/index.ts'
import { placementJobs } from '@overture/server/placement/index.ts'
import { runDueJobs } from '@overture/server/platform/jobs/run-due-jobs.shell.ts'
import { createSmtpTransport, deliverClaimed, noFaults, runPlanning } from '../packages/server/src/delivery/index.ts'
import { createSmtpPool, type SmtpPool } from '../packages/server/src/platform/mail/smtp-pool.client.ts'

const minuteMs = 60_000
let server: TestServer
let smtp: SmtpDouble
let pool: SmtpPool
let reader: ReadingThreads
let dns: DnsDouble
beforeAll(async () => {
  dns = await startDnsDouble({})
  const environment = { OVERTURE_ALLOW_PRIVATE_TARGETS: '1', OVERTURE_DNS_SERVERS: dns.server }
  server = await startWholeServer({ environment })
  smtp = await startSmtpDouble()
  pool = createSmtpPool()
  reader = createReadingThreads({ log: server.app.log, ...server.app.config.inbox })
})
afterAll(async () => {
  await reader.stop()
  await pool.close()
  await smtp.stop()
  await server.stop()
  await dns.stop()
})

type Environment = 'live' | 'test'
const call = (environment: Environment, method: string, path: string, body?: unknown) =>
  server.call(method, path, { key: server.keys[environment], body })

async function ask(environment: Environment, method: string, path: string, body?: unknown) {
  const answer = await call(environment, method, path, body)
  expect([path, answer.status < 300, answer.text.slice(0, 300)]).toEqual([path, true, answer.text.slice(0, 300)])
  return answer.body
}

const later = (laterMs: number) => new Date(server.app.clock.now().getTime() + laterMs)

async function send(laterMs = 0): Promise<void> {
  const { app, tenant } = server
  const transport = createSmtpTransport({ app, pool, faultsArmed: false })
  const tools = { app, renderer: testRenderer, transportFor: () => transport, faults: noFaults, sentFolder: null }
  const now = later(laterMs)
  const { token } = await runPlanning(tools, tenant, now)
  await deliverClaimed(tools, tenant, { now, token })
}

async function look(laterMs: number): Promise<void> {
  const jobs = placementJobs({ renderer: testRenderer, meetingUrl: () => null, reader })
  await runDueJobs(server.app, server.tenant, later(laterMs), jobs)
}

let count = 0
async function campaignOf(limits: { dailyLimit?: number } = {}) {
  const own = `own${++count}@sender.test`
  const { db } = server.app
  const sender = await insertTestSender(db, server.tenant, { port: smtp.port, email: own })
  if (limits.dailyLimit !== undefined)
    await ask('live', 'PUT', `/v2/sending-accounts/${sender}`, { dailyLimit: limits.dailyLimit })
  const campaign = await insertTestCampaign(db, server.tenant, { senderIds: [sender] })
  await insertTestLeads(db, server.tenant, {
    campaignId: campaign.id,
    count: 1,
    dueAt: later(60 * minuteMs),
    prefix: `p${count}x`,
  })
  return { own, sender, body: { sendingAccountIds: [sender], campaignId: campaign.id, stepId: campaign.stepIds[0] } }
}

const resultsOf = async (id: string, environment: Environment = 'live') =>
  (await ask(environment, 'GET', `/v2/placement-tests/${id}/results?limit=100`)).results
const testOf = (id: string, environment: Environment = 'live') => ask(environment, 'GET', `/v2/placement-tests/${id}`)
const bytesTo = (email: string) => smtp.accepted.find(({ to }) => to.includes(email))!.raw.toString('latin1')

describe.skipIf(!dovecotAvailable())('a placement test with Dovecot (apt-get install dovecot-imapd)', () => {
  let dovecot: Dovecot
  beforeAll(async () => void (dovecot = await startDovecot()))
  afterAll(() => dovecot.stop())
  beforeEach(() => void (smtp.accepted.length = 0))

  async function seedOf(name: string, fields: object = {}): Promise<string> {
    const email = `${name}${count}@seeds.example.com`
    const imap = {
      host: '127.0.0.1',
      port: dovecot.port,
      security: 'none',
      username: email,
      password: dovecot.password,
      ...fields,
    }
    return (await ask('live', 'POST', '/v2/seed-mailboxes', { email, imap })).id
  }
  const results = (words: string) => `Authentication-Results: mx.seeds.example.com; ${words}\r\n`
  const pass = results('spf=pass; dkim=pass header.d=sender.test; dmarc=pass')
  const signed = 'DKIM-Signature: v=1; d=sender.test; h=From:List-Unsubscribe:List-Unsubscribe-Post; b=x\r\n'

  test('reads where each message arrived and what its receiver says, and changes nothing in the mailbox', async () => {
    const { own, sender, body } = await campaignOf()
    const inbox = await seedOf('inbox')
    const junk = await seedOf('junk')
    const other = await seedOf('other')
    const none = await seedOf('none')
    expect(await ask('live', 'POST', `/v2/seed-mailboxes/${junk}/verify`)).toEqual({
      ok: true,
      message: 'Logged in.',
      spamFolder: 'Junk',
    })
    const before = await ask('live', 'GET', '/v2/analytics?groupBy=sender')
    const { id, status, counts } = await ask('live', 'POST', '/v2/placement-tests', {
      ...body,
      seedMailboxIds: [inbox, junk, other, none],
    })
    expect([status, counts.pending]).toEqual(['running', 4])
    for (const place of [0, 1, 2, 3]) await send(place * 20_000)
    expect(smtp.accepted).toHaveLength(4)

    const to = (name: string) => `${name}${count}@seeds.example.com`
    const forged = results('spf=fail; dkim=fail; dmarc=fail').replace('\r\n', '')
    const inboxMail = `Received: from a by mx.seeds.example.com\r\n${pass}${signed}${bytesTo(to('inbox'))}`
    await dovecot.deliver(to('inbox'), inboxMail.replace('\r\nSubject:', `\r\n${forged}\r\nSubject:`))
    await dovecot.deliver(
      to('junk'),
      `${results('spf=softfail; dkim=fail header.d=sender.test; dmarc=fail')}${bytesTo(to('junk'))}`,
      {
        folder: 'Junk',
      },
    )
    const replaced = bytesTo(to('other')).replace(/^Message-ID: .*$/m, 'Message-ID: <replaced@mx.seeds.example.com>')
    await dovecot.deliver(to('other'), replaced, { folder: 'Promotions' })
    await look(2 * minuteMs)
    expect((await testOf(id)).counts).toEqual({ pending: 1, inbox: 1, tab: 1, spam: 1, missing: 0, unknown: 0 })
    await look(40 * minuteMs)

    const found = Object.fromEntries((await resultsOf(id)).map((one: { to: string }) => [one.to, one]))
    expect(found[to('inbox')]).toMatchObject({
      placement: 'inbox',
      folder: 'INBOX',
      from: own,
      spf: 'pass',
      dkim: 'pass',
      dmarc: 'pass',
      optOutSigned: true,
      problem: null,
    })
    expect(found[to('junk')]).toMatchObject({ placement: 'spam', spf: 'softfail', dkim: 'fail', optOutSigned: false })
    expect(found[to('other')]).toMatchObject({
      placement: 'tab',
      folder: 'Promotions',
      spf: null,
      optOutSigned: null,
      receivedMessageId: '<replaced@mx.seeds.example.com>',
    })
    expect(found[to('none')]).toMatchObject({ placement: 'missing', problem: null })
    expect(found[to('inbox')].seconds).toBeGreaterThanOrEqual(0)
    expect(await testOf(id)).toMatchObject({ status: 'completed', counts: { missing: 1, pending: 0 } })
    const events = (await ask('live', 'GET', '/v2/events?type=placement_test.completed')).results
    expect(events[0].data).toMatchObject({ placementTestId: id, inbox: 1, tab: 1, spam: 1, missing: 1, unknown: 0 })

    // The messages count for the sender's limit, and in no statistic.
    expect((await ask('live', 'GET', `/v2/sending-accounts/${sender}`)).sentToday).toBe(4)
    expect(await ask('live', 'GET', '/v2/analytics?groupBy=sender')).toEqual(before)
    expect((await ask('live', 'GET', '/v2/events?type=message.sent')).results).toEqual([])
    const [unread] = await server.app.db.query<{ kind: string }>(
      `select distinct kind from message_heads where sending_account_id = $1`,
      [sender],
    )
    expect(unread?.kind).toBe('test')
    const domain = await ask('live', 'GET', '/v2/deliverability/domains/sender.test')
    expect(domain.placement).toEqual({ inbox: 1, tab: 1, spam: 1, missing: 1 })
  })

  test('tells mailboxes that vanish or refuse the login apart from missing mail', async () => {
    const { body } = await campaignOf()
    const wrong = await seedOf('wrong', { password: 'other' })
    const gone = await seedOf('gone')
    expect((await ask('live', 'POST', `/v2/seed-mailboxes/${wrong}/verify`)).ok).toBe(false)
    const { id } = await ask('live', 'POST', '/v2/placement-tests', { ...body, seedMailboxIds: [wrong, gone] })
    for (const place of [0, 1]) await send(place * 20_000)
    await ask('live', 'DELETE', `/v2/seed-mailboxes/${gone}`)
    await look(40 * minuteMs)
    const problems = (await resultsOf(id)).map((one: { placement: string; problem: string }) => [
      one.placement,
      one.problem,
    ])
    expect(problems.toSorted()).toEqual([
      ['missing', 'seed_deleted'],
      ['missing', 'seed_unreadable'],
    ])
    expect((await testOf(id)).counts).toMatchObject({ missing: 0, unknown: 2 })
    expect(await ask('live', 'GET', `/v2/seed-mailboxes/${wrong}`)).toMatchObject({ status: 'failing' })
  })

  test('seeds in spam slow a sender down', async () => {
    const { sender, body } = await campaignOf()
    const ids: string[] = []
    for (let index = 0; index < 10; index++) ids.push(await seedOf(`spam${index}x`))
    const { id } = await ask('live', 'POST', '/v2/placement-tests', { ...body, seedMailboxIds: ids })
    for (let place = 0; place < 10; place++) await send(place * 20_000)
    for (let index = 0; index < 10; index++) {
      const email = `spam${index}x${count}@seeds.example.com`
      await dovecot.deliver(email, bytesTo(email), index < 2 ? { folder: 'Junk' } : {})
    }
    await look(5 * minuteMs)
    expect(await testOf(id)).toMatchObject({ status: 'completed', counts: { spam: 2, inbox: 8 } })
    expect((await ask('live', 'GET', `/v2/sending-accounts/${sender}`)).deliverability).toMatchObject({
      state: 'cooling',
      score: 50,
      reasons: [{ signal: 'spam_placement', value: 0.2, threshold: 0.2, sample: 10, scope: 'mailbox' }],
    })
  })
})

describe('a placement test', () => {
  const imap = { host: 'imap.seeds.example.com', port: 993, username: 'a@seeds.example.com', password: 'a secret' }

  test('waits for the limit of its sender, and gives up after a day', async () => {
    const { body } = await campaignOf({ dailyLimit: 1 })
    const ids: string[] = []
    for (const name of ['x', 'y']) {
      const email = `${name}${count}@seeds.example.com`
      ids.push((await ask('live', 'POST', '/v2/seed-mailboxes', { email, imap })).id)
    }
    smtp.accepted.length = 0
    const { id } = await ask('live', 'POST', '/v2/placement-tests', { ...body, seedMailboxIds: ids })
    for (const place of [0, 1, 2]) await send(place * 20_000)
    expect(smtp.accepted).toHaveLength(1)
    await look(25 * 60 * minuteMs)
    expect((await testOf(id)).counts).toMatchObject({ pending: 0, unknown: 2 })
    const statuses = await server.app.db.query<{ status: string }>(
      `select m.status from message_heads m join placement_results r on r.id = m.id where r.placement_test_id = $1 order by 1`,
      [id],
    )
    expect(statuses.map(({ status }) => status)).toEqual(['failed', 'sent'])
  })

  test('seed mailboxes never show their password, and send it to no other server', async () => {
    const email = `seed${++count}@seeds.example.com`
    const made = await ask('live', 'POST', '/v2/seed-mailboxes', { email, imap })
    expect(JSON.stringify(made)).not.toContain('a secret')
    const [row] = await server.app.db.query<{ secrets: Buffer }>('select secrets from seed_mailboxes where id = $1', [
      made.id,
    ])
    expect(row?.secrets.toString('latin1')).not.toContain('a secret')
    const path = `/v2/seed-mailboxes/${made.id}`
    const moved = await call('live', 'PUT', path, { imap: { host: 'thief.example.com' } })
    expect([moved.status, moved.body.error.details.issues[0].path]).toEqual([400, 'imap.password'])
    expect((await ask('live', 'PUT', path, { imap: { host: 'other.example.com', password: 'new' } })).imap.host).toBe(
      'other.example.com',
    )
    expect((await call('live', 'POST', '/v2/seed-mailboxes', { email, imap })).status).toBe(409)
    expect(
      (await call('live', 'POST', '/v2/seed-mailboxes', { email: 'a@b.example.com' })).body.error.details.issues[0]
        .path,
    ).toBe('imap')
    expect((await call('test', 'GET', path)).status).toBe(404)
  })

  test.each([
    ['an unknown sender', { sendingAccountIds: ['snd_none'], templateId: 'tpl_x' }, 400, 'sendingAccountIds[0]'],
    ['neither text', { sendingAccountIds: ['snd_none'] }, 400, 'campaignId'],
    ['a campaign without a step', { sendingAccountIds: ['snd_none'], campaignId: 'cmp_x' }, 400, 'stepId'],
  ])('is refused with %s', async (_name, body, status, path) => {
    const refused = await call('live', 'POST', '/v2/placement-tests', body)
    expect([refused.status, refused.body.error.details.issues[0].path]).toEqual([status, path])
  })
})

describe('the test environment', () => {
  const advance = (days: number) => ask('test', 'POST', '/v2/sandbox/clock/advance', { by: `${days}d` })

  test('simulates the mailboxes by their tags, repeats weekly, and says why a series ends', async () => {
    const email = 'ada@tenant.test'
    const sender = await ask('test', 'POST', '/v2/sending-accounts', { email, fromName: 'Ada', provider: 'sandbox' })
    const template = await ask('test', 'POST', '/v2/templates', {
      name: 'Hi',
      subject: 'Hi {{ firstName }}',
      body: 'About {{ customVariables.x }}.',
    })
    for (const tag of ['inbox', 'spam', 'tab', 'missing'])
      await ask('test', 'POST', '/v2/seed-mailboxes', { email: `a+${tag}@seeds.test` })
    const body = { sendingAccountIds: [sender.id], templateId: template.id, repeat: 'weekly' }
    const first = await ask('test', 'POST', '/v2/placement-tests', body)
    expect(first.nextRunAt).not.toBeNull()
    await advance(1)
    expect(await testOf(first.id, 'test')).toMatchObject({
      status: 'completed',
      counts: { pending: 0, inbox: 1, tab: 1, spam: 1, missing: 1, unknown: 0 },
    })
    const [one] = (await resultsOf(first.id, 'test')).filter((row: { placement: string }) => row.placement === 'inbox')
    expect(one).toMatchObject({ spf: 'pass', optOutSigned: true, seconds: 5 })
    await advance(7)
    const { results } = await ask('test', 'GET', '/v2/placement-tests')
    expect(results).toHaveLength(2)
    expect(results[0]).toMatchObject({ status: 'completed', repeat: 'weekly' })
    expect(results[1].nextRunAt).toBeNull()
    await ask('test', 'DELETE', `/v2/templates/${template.id}`)
    await advance(8)
    expect(await testOf(results[0].id, 'test')).toMatchObject({ repeatEndedBecause: 'text_deleted', nextRunAt: null })
    const csv = await call('test', 'GET', `/v2/placement-tests/${first.id}/results?format=csv`)
    expect(csv.text.split('\n')[0]).toContain('placement')
  })

  test('a series ends when a user stops it', async () => {
    const [sender] = (await ask('test', 'GET', '/v2/sending-accounts')).results
    const template = await ask('test', 'POST', '/v2/templates', { name: 'Hi', subject: 'Hi', body: 'Hi.' })
    const { id } = await ask('test', 'POST', '/v2/placement-tests', {
      sendingAccountIds: [sender.id],
      templateId: template.id,
      repeat: 'weekly',
    })
    expect(await ask('test', 'PUT', `/v2/placement-tests/${id}`, { repeat: 'none' })).toMatchObject({
      nextRunAt: null,
      repeatEndedBecause: 'user',
      repeat: 'none',
    })
  })
})
