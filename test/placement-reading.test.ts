import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import {
  insertTestCampaign,
  insertTestLeads,
  insertTestSender,
} from '@overture/testing/delivery/delivery-fixtures.sql.ts'
import { type ImapDouble, type ImapDoubleOptions, startImapDouble } from '@overture/testing/mail/imap-double.server.ts'
import { startSmtpDouble, type SmtpDouble } from '@overture/testing/mail/smtp-double.server.ts'
import { testRenderer } from '@overture/testing/renderer.ts'
import type { AnswerBody, TestServer } from '@overture/testing/server.ts'
import { startWholeServer } from '@overture/testing/server/whole-server.ts'
import { createReadingThreads, type ReadingThreads } from '@overture/server/inbox/index.ts'
import { placementJobs } from '@overture/server/placement/index.ts'
import { runDueJobs } from '@overture/server/platform/jobs/run-due-jobs.shell.ts'
import { createSmtpTransport, deliverClaimed, noFaults, runPlanning } from '../packages/server/src/delivery/index.ts'
import { createSmtpPool, type SmtpPool } from '../packages/server/src/platform/mail/smtp-pool.client.ts'

const minuteMs = 60_000
const patience = { timeout: 60_000, interval: 20 }
let server: TestServer
let smtp: SmtpDouble
let pool: SmtpPool
let reader: ReadingThreads
const doubles: ImapDouble[] = []
beforeAll(async () => {
  server = await startWholeServer({ environment: { OVERTURE_ALLOW_PRIVATE_TARGETS: '1' } })
  smtp = await startSmtpDouble()
  pool = createSmtpPool()
  reader = createReadingThreads({ log: server.app.log, ...server.app.config.inbox })
})
afterAll(async () => {
  await reader.stop()
  await pool.close()
  await smtp.stop()
  await server.stop()
})
afterEach(async () => {
  for (const double of doubles.splice(0)) await double.stop()
  smtp.accepted.length = 0
})

async function ask(method: string, path: string, body?: unknown): Promise<AnswerBody> {
  const answer = await server.call(method, path, { key: server.keys.live, body })
  expect([path, answer.status < 300 ? null : answer.text]).toEqual([path, null])
  return answer.body
}

const later = (laterMs: number) => new Date(server.app.clock.now().getTime() + laterMs)

async function newSeed(email: string, options: Partial<ImapDoubleOptions> = {}) {
  const imap = await startImapDouble({ users: { [email]: 'secret' }, ...options })
  doubles.push(imap)
  const login = { host: '127.0.0.1', port: imap.port, security: 'none', username: email, password: 'secret' }
  const { id } = await ask('POST', '/v2/seed-mailboxes', { email, imap: login })
  return { id: id as string, email, imap }
}

let count = 0

/** Starts a test and sends its messages. Returns the id of the test. */
async function sendTest(seedMailboxIds: readonly string[]): Promise<string> {
  const { app, tenant } = server
  const sender = await insertTestSender(app.db, tenant, { port: smtp.port, email: `reader${++count}@sender.test` })
  const campaign = await insertTestCampaign(app.db, tenant, { senderIds: [sender] })
  const dueAt = later(60 * minuteMs)
  await insertTestLeads(app.db, tenant, { campaignId: campaign.id, count: 1, dueAt, prefix: `r${count}x` })
  const { id } = await ask('POST', '/v2/placement-tests', {
    sendingAccountIds: [sender],
    campaignId: campaign.id,
    stepId: campaign.stepIds[0],
    seedMailboxIds,
  })
  const transport = createSmtpTransport({ app, pool, faultsArmed: false })
  const tools = { app, renderer: testRenderer, transportFor: () => transport, faults: noFaults, sentFolder: null }
  for (let place = 0; place < seedMailboxIds.length; place++) {
    const now = later(place * 20_000)
    const { token } = await runPlanning(tools, tenant, now)
    await deliverClaimed(tools, tenant, { now, token })
  }
  expect(smtp.accepted).toHaveLength(seedMailboxIds.length)
  return id
}

const rawTo = (email: string) => smtp.accepted.find(({ to }) => to.includes(email))!.raw
type Tools = Parameters<typeof placementJobs>[0]
const look = (laterMs: number, more: Pick<Tools, 'limit'> = {}) =>
  runDueJobs(
    server.app,
    server.tenant,
    later(laterMs),
    placementJobs({ renderer: testRenderer, meetingUrl: () => null, reader, ...more }),
  )
const resultsOf = async (id: string) =>
  Object.fromEntries(
    (await ask('GET', `/v2/placement-tests/${id}/results?limit=100`)).results.map((one: { to: string }) => [
      one.to,
      one,
    ]),
  )

test('a mailbox whose server hangs in a session is told, ends in time, and delays no other', async () => {
  const hung = await newSeed('hung@seeds.example.com')
  const fine = await newSeed('fine@seeds.example.com')
  const id = await sendTest([hung.id, fine.id])
  for (const { email, imap } of [hung, fine]) imap.deliver(email, rawTo(email))
  hung.imap.stallAt('UID SEARCH')

  // The time of the hung session ends when the other mailbox has been read.
  const limits: { limitMs: number; end: () => void }[] = []
  const limit: Tools['limit'] = (limitMs) => {
    let end = (): void => {}
    const late = new Promise<never>((_resolve, reject) => {
      end = () => reject(new Error('The mailbox was not read in time.'))
    })
    late.catch(() => {})
    limits.push({ limitMs, end })
    return { late, stop: () => {} }
  }
  const looked = look(2 * minuteMs, { limit })
  await vi.waitFor(() => expect(fine.imap.commands).toContain('LOGOUT'), patience)
  await vi.waitFor(() => expect(hung.imap.commands.at(-1)).toMatch(/^UID SEARCH/), patience)
  for (const { end } of limits) end()
  await looked
  expect(limits.map(({ limitMs }) => limitMs)).toEqual([minuteMs, minuteMs])
  await vi.waitFor(() => expect(hung.imap.openConnections).toBe(0), patience)

  expect(await resultsOf(id)).toMatchObject({
    [fine.email]: { placement: 'inbox', problem: null },
    [hung.email]: { placement: 'pending', problem: null },
  })
  expect(await ask('GET', `/v2/seed-mailboxes/${hung.id}`)).toMatchObject({
    status: 'failing',
    lastError: 'The mailbox was not read in time.',
  })
  expect(await ask('GET', `/v2/seed-mailboxes/${fine.id}`)).toMatchObject({ status: 'working', lastError: null })

  // The next look finds the message, and the mailbox works again.
  await look(10 * minuteMs)
  expect((await resultsOf(id))[hung.email]).toMatchObject({ placement: 'inbox', problem: null })
  expect(await ask('GET', `/v2/seed-mailboxes/${hung.id}`)).toMatchObject({ status: 'working', lastError: null })
  expect(await ask('GET', `/v2/placement-tests/${id}`)).toMatchObject({ status: 'completed' })
})

test('a server that drops each session is told as unreadable after half an hour, and not as missing mail', async () => {
  const broken = await newSeed('broken@seeds.example.com')
  const id = await sendTest([broken.id])
  broken.imap.deliver(broken.email, rawTo(broken.email))
  for (const afterMs of [2 * minuteMs, 40 * minuteMs]) {
    broken.imap.dropAt('UID SEARCH', 'before')
    await look(afterMs)
  }
  expect((await resultsOf(id))[broken.email]).toMatchObject({ placement: 'missing', problem: 'seed_unreadable' })
  expect((await ask('GET', `/v2/placement-tests/${id}`)).counts).toMatchObject({ missing: 0, unknown: 1 })
})

test("Gmail's categories are tabs, its spam is spam, and its All Mail is not read", async () => {
  const all = '[Gmail]/All Mail'
  const gmail = {
    folders: [
      { path: '[Gmail]', use: '\\HasChildren \\Noselect' },
      { path: all, use: '\\All' },
      { path: '[Gmail]/Drafts', use: '\\Drafts' },
      { path: '[Gmail]/Important', use: '\\Important' },
      { path: '[Gmail]/Sent Mail', use: '\\Sent' },
      { path: '[Gmail]/Spam', use: '\\Junk' },
      { path: '[Gmail]/Starred', use: '\\Flagged' },
      { path: '[Gmail]/Trash', use: '\\Trash' },
    ],
    capabilities: ['IMAP4rev1', 'IDLE', 'SPECIAL-USE', 'UIDPLUS', 'SASL-IR', 'AUTH=PLAIN', 'X-GM-EXT-1'],
  }
  const places = {
    primary: { placement: 'inbox', folder: 'INBOX' },
    promotions: { placement: 'tab', folder: 'INBOX' },
    updates: { placement: 'tab', folder: 'INBOX' },
    spam: { placement: 'spam', folder: '[Gmail]/Spam' },
  } as const
  const seeds = []
  for (const name of Object.keys(places) as (keyof typeof places)[])
    seeds.push({ name, ...(await newSeed(`${name}@gmail.example.com`, gmail)) })
  const id = await sendTest(seeds.map((seed) => seed.id))
  for (const { name, email, imap } of seeds) {
    // Gmail has one message in several folders, and the category in none of its labels.
    if (name === 'spam') imap.deliver(email, rawTo(email), { folder: '[Gmail]/Spam', labels: ['\\Spam'] })
    else {
      imap.deliver(email, rawTo(email), { category: name, labels: ['\\Important'] })
      imap.deliver(email, rawTo(email), { folder: '[Gmail]/Important', category: name, labels: ['\\Inbox'] })
      imap.deliver(email, rawTo(email), { folder: all, category: name, labels: ['\\Inbox', '\\Important'] })
    }
  }
  await look(2 * minuteMs)
  const found = await resultsOf(id)
  for (const { name, email, imap } of seeds) {
    expect([name, found[email]]).toEqual([name, expect.objectContaining(places[name])])
    const opened = imap.commands.filter((line) => /^(?:SELECT|EXAMINE) /.test(line)).join(' ')
    expect(opened).not.toContain(all)
    expect(
      imap.messages(email, name === 'spam' ? '[Gmail]/Spam' : 'INBOX').every(({ flags }) => flags.length === 0),
    ).toBe(true)
  }
  expect((await ask('GET', `/v2/placement-tests/${id}`)).counts).toEqual({
    pending: 0,
    inbox: 1,
    tab: 2,
    spam: 1,
    missing: 0,
    unknown: 0,
  })
})
