import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { campaignRoutes } from '../../campaigns/index.ts'
import { startImapDouble, type ImapDouble } from '@overture/testing/mail/imap-double.server.ts'
import { campaignTools } from '@overture/testing/campaign-tools.ts'
import { startTestServer, type TestServer } from '@overture/testing/server.ts'
import { sendingAccountsRoutes } from '../../sending-accounts/index.ts'
import { endMailboxWaitsAcrossAccounts, insertContacted } from '@overture/testing/inbox/inbox-fixtures.sql.ts'
import { createInboxWorker } from './inbox.worker.ts'
import { fairShare, idleMailboxesMax } from './sharing.ts'

// Each test starts and stops several workers.
vi.setConfig({ testTimeout: 300_000 })

const users = Array.from({ length: 6 }, (_, at) => `sender${at + 1}@example.com`)
const patient = { timeout: 60_000, interval: 50 }
let server: TestServer
let mail: ImapDouble
let campaignId: string
let stepId: string
let senders: Map<string, string>
const call = (method: string, path: string, body?: unknown) =>
  server.call(method, path, { key: server.keys.live, body })

beforeAll(async () => {
  server = await startTestServer({
    routes: () => [...campaignRoutes(campaignTools), ...sendingAccountsRoutes()],
    environment: { OVERTURE_ALLOW_PRIVATE_TARGETS: '1' },
  })
  mail = await startImapDouble({ users: Object.fromEntries(users.map((user) => [user, 'secret'])) })
  senders = new Map()
  for (const user of users) {
    const login = { host: '127.0.0.1', security: 'none', username: user, password: 'secret' }
    const { body } = await call('POST', '/v2/sending-accounts', {
      email: user,
      fromName: 'Sender',
      smtp: { ...login, port: 2525 },
      imap: { ...login, port: mail.port },
    })
    senders.set(user, body.id)
  }
  const campaign = await call('POST', '/v2/campaigns', {
    name: 'One',
    sendingAccountIds: [...senders.values()],
    steps: [{ variants: [{ subject: 'Hello', body: 'Hi' }] }],
  })
  ;[campaignId, stepId] = [campaign.body.id, campaign.body.steps[0].id]
})
const stops: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})
afterAll(async () => {
  await mail.stop()
  await server.stop()
})

async function startWorker(watchedMax = 2_000) {
  const worker = createInboxWorker(server.app, { tickMs: 50, pollMs: 300, watchedMax })
  await worker.start()
  let running = true
  const stop = async () => {
    if (running) await worker.stop()
    running = false
  }
  stops.push(stop)
  return { stop }
}

/** The number of mailboxes that each worker leases, fewest first. */
async function holdings(): Promise<number[]> {
  await endMailboxWaitsAcrossAccounts(server.app.db)
  const rows = await server.app.db.query<{ held: number }>(
    'select count(*)::int as held from mailboxes where lease_token is not null group by lease_token order by held',
    [],
  )
  return rows.map((row) => row.held)
}

let round = 0
/** Delivers a reply to every mailbox. Returns the leads that replied. */
async function deliverEverywhere(): Promise<string[]> {
  round++
  const emails = []
  for (const [user, sendingAccountId] of senders) {
    const email = `r${round}.${user.split('@')[0]}@round${round}.${user.split('@')[0]}.test`
    const added = await call('POST', `/v2/campaigns/${campaignId}/leads`, { leads: [{ email }] })
    const rfcMessageId = `<out.${round}.${user}>`
    await insertContacted(server.app.db, server.tenant, {
      campaignId,
      leadId: added.body.results[0].leadId,
      stepId,
      sendingAccountId,
      rfcMessageId,
      status: 'sent',
      at: new Date(server.app.clock.now().getTime() - 11 * 60_000),
    })
    mail.deliver(
      user,
      `From: <${email}>\r\nTo: ${user}\r\nSubject: Re: Hello\r\nMessage-ID: <in.${round}.${user}>\r\n` +
        `In-Reply-To: ${rfcMessageId}\r\n\r\nYes please.`,
    )
    emails.push(email)
  }
  return emails
}

async function repliesOf(emails: string[]): Promise<number[]> {
  const { results } = (await call('GET', `/v2/campaigns/${campaignId}/leads?limit=100`)).body
  return results
    .filter((one: { email: string }) => emails.includes(one.email))
    .map((one: { replyCount: number }) => one.replyCount)
}

test('the number of idle mailboxes follows from memory and open files, within bounds', () => {
  const gibibyte = 2 ** 30
  const idleIn = (memoryBytes: number, openFiles = Infinity) => idleMailboxesMax({ memoryBytes, openFiles })
  expect([1_024, 4_096, 1_048_576].map((files) => idleIn(64 * gibibyte, files))).toEqual([512, 2_048, 10_000])
  expect([0.25, 1, 2, 4, 8, 64].map((of) => idleIn(of * gibibyte))).toEqual([
    1_000, 2_048, 4_096, 8_192, 10_000, 10_000,
  ])
})

test('workers share the mailboxes evenly as they start and stop, without gaps or duplicates', async () => {
  const leads: string[] = []
  await startWorker()
  await vi.waitFor(async () => expect(await holdings()).toEqual([6]), patient)
  const second = await startWorker()
  leads.push(...(await deliverEverywhere()))
  await vi.waitFor(async () => expect(await holdings()).toEqual([3, 3]), patient)
  await startWorker()
  leads.push(...(await deliverEverywhere()))
  await vi.waitFor(async () => expect(await holdings()).toEqual([2, 2, 2]), patient)
  await second.stop()
  leads.push(...(await deliverEverywhere()))
  await vi.waitFor(async () => expect(await holdings()).toEqual([3, 3]), patient)
  await vi.waitFor(async () => expect(await repliesOf(leads)).toEqual(leads.map(() => 1)), patient)
  // Each worker idles in its leased mailboxes and in no others.
  await vi.waitFor(() => expect(mail.openConnections).toBe(6), patient)
  expect(await repliesOf(leads)).toEqual(leads.map(() => 1))
})

test('a worker that was killed counts until its lease ends', async () => {
  const token = '00000000-0000-4000-8000-000000000001'
  const until = (ms: number) => new Date(server.app.clock.now().getTime() + ms)
  await server.app.db.execute('insert into inbox_workers (token, lease_until) values ($1, $2)', [token, until(600_000)])
  await startWorker()
  await vi.waitFor(async () => expect(await holdings()).toEqual([3]), patient)
  await server.app.db.execute('update inbox_workers set lease_until = $2 where token = $1', [token, until(-1)])
  await vi.waitFor(async () => expect(await holdings()).toEqual([6]), patient)
  await vi.waitFor(
    async () =>
      expect(await server.app.db.query('select 1 from inbox_workers where token = $1', [token])).toHaveLength(0),
    patient,
  )
})

test('mailboxes without an idle connection are read in turn, and read_at is recorded', async () => {
  const startedAt = await databaseNow()
  await startWorker(2)
  const leads = await deliverEverywhere()
  await vi.waitFor(async () => expect(await repliesOf(leads)).toEqual(leads.map(() => 1)), patient)
  // Later messages are read too, in any mailbox.
  leads.push(...(await deliverEverywhere()))
  await vi.waitFor(async () => expect(await repliesOf(leads)).toEqual(leads.map(() => 1)), patient)
  await vi.waitFor(async () => {
    const rows = await server.app.db.query<{ readAt: Date | null }>('select read_at from mailboxes')
    expect(rows.map(({ readAt }) => readAt !== null && readAt >= startedAt)).toEqual(users.map(() => true))
  }, patient)
  const idle = mail.commands.filter((line) => /\bIDLE$/i.test(line)).length
  expect(idle).toBeGreaterThan(0)
})

async function databaseNow(): Promise<Date> {
  const [row] = await server.app.db.query<{ now: Date }>('select clock_timestamp() as now')
  return row!.now
}

test.each([
  [1, 7, 7],
  [2, 7, 4],
  [3, 7, 3],
  [8, 7, 1],
  [1, 5_000, 2_000],
  [3, 0, 0],
])('with %i workers and %i mailboxes each takes at most %i', (workers, mailboxes, share) => {
  expect(fairShare({ workers, mailboxes }, 2_000)).toBe(share)
})
