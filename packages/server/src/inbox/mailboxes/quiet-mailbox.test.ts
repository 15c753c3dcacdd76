import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { campaignTools } from '@overture/testing/campaign-tools.ts'
import { newUser, openMailboxWorld, writeReply, type MailboxWorld } from '@overture/testing/inbox/mailbox-world.ts'
import { startImapDouble, type ImapDouble } from '@overture/testing/mail/imap-double.server.ts'
import { startTestServer, type TestServer } from '@overture/testing/server.ts'
import { campaignRoutes } from '../../campaigns/index.ts'
import { sendingAccountsRoutes } from '../../sending-accounts/index.ts'
import { createReadingThreads, type ReadingThreads } from '../reading/reading-threads.client.ts'
import { createInboxWorker } from './inbox.worker.ts'
import { createSentFolder } from './mailbox-session.client.ts'
import { OpenMailboxes } from './open-mailboxes.ts'

let server: TestServer
let reader: ReadingThreads
beforeAll(async () => {
  server = await startTestServer({
    routes: () => [...campaignRoutes(campaignTools), ...sendingAccountsRoutes()],
    environment: { OVERTURE_ALLOW_PRIVATE_TARGETS: '1', OVERTURE_MAIL_SECONDS_MAX: '60' },
  })
  reader = createReadingThreads({ log: server.app.log, ...server.app.config.inbox })
})
afterAll(async () => {
  await reader.stop()
  await server.stop()
})

const stops: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

const patient = { timeout: 60_000, interval: 20 }
const pollMs = 50

async function openQuietMailbox(options: { staleStatus?: boolean } = {}): Promise<[MailboxWorld, ImapDouble]> {
  const user = newUser()
  const double = await startImapDouble({ users: { [user]: 'secret' }, ...options })
  stops.push(() => double.stop())
  const mail = {
    port: double.port,
    deliver: (to: string, raw: string | Buffer) => double.deliver(to, raw),
    renewUidValidity: (of: string) => double.renewUidValidity(of, 'INBOX'),
  }
  return [await openMailboxWorld(server, stops, { mail, user }), double]
}

async function startWorker(options: { open?: OpenMailboxes } = {}): Promise<void> {
  const worker = createInboxWorker(server.app, { tickMs: 50, pollMs, reader, ...options })
  await worker.start()
  stops.push(() => worker.stop())
}

const countOf = (double: ImapDouble, command: RegExp) => double.commands.filter((line) => command.test(line)).length

test("polls of a quiet mailbox select no folder and don't read the position from the database", async () => {
  const [box, double] = await openQuietMailbox()
  await box.contact('first')
  double.deliver(box.user, writeReply(box.user, 'first'))
  await startWorker()
  await vi.waitFor(async () => expect(await box.replies()).toEqual({ first: 1 }), patient)
  await vi.waitFor(() => expect(countOf(double, /^STATUS/i)).toBeGreaterThan(0), patient)
  // If a reader asked the database for the position now, it would read the first reply again.
  await server.app.db.execute(`update mailbox_folders set last_uid = 0 where sending_account_id = $1`, [box.senderId])
  double.commands.length = 0
  await vi.waitFor(() => expect(countOf(double, /^UID SEARCH/i)).toBeGreaterThan(25), patient)
  const [looks, selections] = [countOf(double, /^STATUS .*Junk/i), countOf(double, /^SELECT .*Junk/i)]
  expect(looks).toBeGreaterThan(15)
  // One of ten polls does not trust STATUS.
  expect(selections).toBeGreaterThan(0)
  expect(selections).toBeLessThanOrEqual(Math.ceil(looks / 9) + 1)
  expect(countOf(double, /^UID FETCH/i)).toBe(0)
})

test("a message that STATUS doesn't report is still read", async () => {
  const [box, double] = await openQuietMailbox({ staleStatus: true })
  await box.contact('unsaid')
  await startWorker()
  await vi.waitFor(() => expect(countOf(double, /^STATUS/i)).toBeGreaterThan(0), patient)
  double.deliver(box.user, writeReply(box.user, 'unsaid'), { folder: 'Junk', silent: true })
  await vi.waitFor(async () => expect(await box.replies()).toEqual({ unsaid: 1 }), patient)
})

test('short copies use the connection of the reading, long ones their own', async () => {
  const [box, double] = await openQuietMailbox()
  const logins = () => countOf(double, /^AUTHENTICATE|^LOGIN$/i)
  const open = new OpenMailboxes()
  const sentFolder = createSentFolder(server.app, open)
  stops.push(() => sentFolder.stop())
  await sentFolder.append(server.tenant, box.senderId, Buffer.from('Subject: before\r\n\r\nNo reader is open yet.'))
  await sentFolder.stop()
  expect(logins()).toBe(1)
  await box.contact('asked')
  await startWorker({ open })
  await vi.waitFor(() => expect(open.find(server.tenant, box.senderId)).not.toBeNull(), patient)
  const short = Array.from({ length: 20 }, (_, at) => Buffer.from(`Subject: copy ${at}\r\n\r\nHello.`))
  for (const raw of short) await sentFolder.append(server.tenant, box.senderId, raw)
  expect(logins()).toBe(2)
  // The mailbox is still read.
  double.deliver(box.user, writeReply(box.user, 'asked'))
  await vi.waitFor(async () => expect(await box.replies()).toEqual({ asked: 1 }), patient)
  const long = Buffer.alloc(2_000_000, 'x')
  await sentFolder.append(server.tenant, box.senderId, long)
  expect(logins()).toBe(3)
  const kept = () => double.messages(box.user, 'Sent').map(({ raw }) => raw)
  expect(kept().slice(1, -1)).toEqual(short)
  expect(kept().at(-1)?.length).toBe(long.length)
  // If the shared connection breaks during the copy, the copy uses its own connection and the mailbox is read again.
  const before = kept().length
  double.dropAt('APPEND', 'before')
  await sentFolder.append(server.tenant, box.senderId, short[0]!)
  expect(kept()).toHaveLength(before + 1)
})
