import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  mailboxEmail,
  newUser,
  openMailboxWorld,
  writeReply,
  type MailboxWorld,
} from '@overture/testing/inbox/mailbox-world.ts'
import { endMailboxWaitsAcrossAccounts } from '@overture/testing/inbox/inbox-fixtures.sql.ts'
import { startImapDouble, type ImapDouble } from '@overture/testing/mail/imap-double.server.ts'
import { campaignTools } from '@overture/testing/campaign-tools.ts'
import { startTestServer, type TestServer } from '@overture/testing/server.ts'
import { campaignRoutes } from '../../campaigns/index.ts'
import { metrics } from '../../platform/metrics.shell.ts'
import { sendingAccountsRoutes } from '../../sending-accounts/index.ts'
import type { MailReader } from '../reading/mail-reader.ts'
import { readMessage } from '@overture/mail-reading/reading/read-message.ts'
import { createReadingThreads } from '../reading/reading-threads.client.ts'
import { createInboxWorker, type InboxWorkerOptions } from './inbox.worker.ts'
import { listSetAsideAcrossAccounts } from './set-aside.sql.ts'
import { retrySetAside } from './set-aside.commands.ts'
import { forgetSetAside } from './set-aside.worker.ts'

// Each test reads whole mailboxes over many connections.
vi.setConfig({ testTimeout: 300_000 })

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({
    routes: () => [...campaignRoutes(campaignTools), ...sendingAccountsRoutes()],
    environment: { OVERTURE_ALLOW_PRIVATE_TARGETS: '1', OVERTURE_MAIL_SECONDS_MAX: '60' },
  })
})
afterAll(() => server.stop())

const stops: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

const patient = { timeout: 60_000, interval: 50 }

async function openBox(): Promise<MailboxWorld & { double: ImapDouble }> {
  const user = newUser()
  const double = await startImapDouble({ users: { [user]: 'secret' } })
  stops.push(() => double.stop())
  const mail = {
    port: double.port,
    deliver: (to: string, raw: string) => double.deliver(to, raw),
    renewUidValidity: (of: string) => double.renewUidValidity(of, 'INBOX'),
  }
  return { ...(await openMailboxWorld(server, stops, { mail, user })), double }
}

async function startWorker(options: InboxWorkerOptions = {}) {
  const worker = createInboxWorker(server.app, { tickMs: 50, pollMs: 200, ...options })
  await worker.start()
  stops.push(() => worker.stop())
  return worker
}

const setAside = async (box: MailboxWorld) =>
  (await listSetAsideAcrossAccounts(server.app.db, 1_000)).filter((one) => one.sendingAccountId === box.senderId)
const eventsOf = (box: MailboxWorld) =>
  server.app.db.query<{ data: { reason: string } }>(
    `select data from events where sending_account_id = $1 and type = 'message.set_aside' order by id`,
    [box.senderId],
  )
const faulty = (box: MailboxWorld, name: string, fault: string) =>
  writeReply(box.user, name, [`Message-ID: <${name}>`, `X-Fault: ${fault}`])

/** Reads messages that name a fault like a reader with that fault. */
function faultyReader(mended: () => boolean): MailReader {
  const threads = createReadingThreads({
    log: server.app.log,
    // Enough time to run out of memory first, also on a slow machine.
    secondsMax: 2,
    mebibytesMax: 16,
    threadsMax: 1,
    boot: new URL(import.meta.resolve('@overture/testing/inbox/faulty-reader.boot.mjs')),
  })
  stops.push(() => threads.stop())
  return {
    read: (raw) =>
      Buffer.from(raw).includes('X-Fault') && !mended() ? threads.read(raw) : Promise.resolve(readMessage(raw)),
  }
}

describe("a message that can't be read", () => {
  test('is set aside while all others are read, and is tried again on request', async () => {
    const box = await openBox()
    let isFixed = false
    const faults = { first: 'loop', second: 'memory', third: 'throw', fourth: 'exit' }
    const names = [...Object.keys(faults), 'good', 'last']
    for (const name of names) await box.contact(name)
    for (const [name, fault] of Object.entries(faults)) {
      box.mail.deliver(box.user, faulty(box, name, fault))
      if (name === 'second') box.mail.deliver(box.user, writeReply(box.user, 'good'))
    }
    await startWorker({ reader: faultyReader(() => isFixed) })
    box.mail.deliver(box.user, writeReply(box.user, 'last'))
    await vi.waitFor(async () => {
      expect(await box.replies()).toEqual({ first: 0, second: 0, third: 0, fourth: 0, good: 1, last: 1 })
    }, patient)
    const reasons = { 1: 'too_slow', 2: 'out_of_memory', 4: 'reader_failed', 5: 'reader_failed' }
    const rows = await setAside(box)
    expect(Object.fromEntries(rows.map(({ uid, reason }) => [uid, reason]))).toEqual(reasons)
    expect((await eventsOf(box)).map(({ data }) => data)).toEqual(
      Object.entries(reasons).map(([uid, reason]) => ({
        reason,
        folder: 'INBOX',
        uid: Number(uid),
        sizeBytes: expect.any(Number),
      })),
    )
    expect(await metrics.getSingleMetricAsString('overture_mail_set_aside_total')).toMatch(/reason="too_slow"\} \d/)

    // If it is requested while the reader is unchanged, it is set aside again, without a second event.
    const [slow] = rows.filter(({ uid }) => uid === 1)
    const ask = (ids: string[] | null) => retrySetAside(server.app.db, { ids, now: new Date() })
    expect(await ask([slow!.id])).toBe(1)
    await vi.waitFor(async () => {
      expect((await setAside(box)).find(({ id }) => id === slow!.id)).toMatchObject({ tries: 2, retryAskedAt: null })
    }, patient)
    expect(await eventsOf(box)).toHaveLength(4)
    isFixed = true
    await ask(null)
    await vi.waitFor(async () => {
      expect(await box.replies()).toEqual(Object.fromEntries(names.map((name) => [name, 1])))
      expect(await setAside(box)).toEqual([])
    }, patient)
  }, 120_000)

  test('that was deleted or has a new UIDVALIDITY is not requested again', async () => {
    const box = await openBox()
    await box.contact('good')
    box.mail.deliver(box.user, faulty(box, 'good', 'throw'))
    await startWorker({ reader: faultyReader(() => false) })
    await vi.waitFor(async () => expect(await setAside(box)).toHaveLength(1), patient)
    box.mail.renewUidValidity(box.user)
    await vi.waitFor(async () => expect(await setAside(box)).toHaveLength(2), patient)
    expect((await setAside(box)).map((one) => one.uidValidity).toSorted()).toEqual(['1', '2'])
    // Simulates that the message that can still be requested was deleted meanwhile.
    await server.app.db.execute(`update set_aside_messages set uid = uid + 100 where uid_validity = '2'`, [])
    await retrySetAside(server.app.db, { ids: null, now: new Date() })
    await vi.waitFor(async () => expect(await setAside(box)).toEqual([]), patient)
  }, 90_000)

  test('because each fetch breaks the connection is skipped in the end', async () => {
    const box = await openBox()
    for (const name of ['bad', 'good']) await box.contact(name)
    box.mail.deliver(box.user, writeReply(box.user, 'bad'))
    box.mail.deliver(box.user, writeReply(box.user, 'good'))
    for (let times = 0; times < 10; times++) box.double.dropAt('UID FETCH', 'before')
    await startWorker()
    await vi.waitFor(async () => {
      await endMailboxWaitsAcrossAccounts(server.app.db)
      expect(await setAside(box)).toMatchObject([{ uid: 1, reason: 'broke_the_connection' }])
      expect(await box.replies()).toEqual({ bad: 0, good: 1 })
    }, patient)
  }, 90_000)

  test("because storing it fails doesn't hold back the next one", async () => {
    const box = await openBox()
    const { leadId } = await box.contact('bad')
    await box.contact('good')
    box.mail.deliver(box.user, writeReply(box.user, 'bad'))
    box.mail.deliver(box.user, writeReply(box.user, 'good'))
    const replied = async (_tx: unknown, _tenant: unknown, reply: { leadId: string }) => {
      if (reply.leadId === leadId) throw new TypeError('A mistake of ours.')
    }
    await startWorker({ hooks: { replied } })
    await vi.waitFor(async () => {
      expect(await box.replies()).toEqual({ bad: 0, good: 1 })
      expect(await setAside(box)).toMatchObject([{ uid: 1, reason: 'not_stored' }])
    }, patient)
  }, 90_000)
})

test('a reply before or after a large attachment is read', async () => {
  const box = await openBox()
  for (const name of ['behind', 'before']) await box.contact(name)
  const attachment = `--b\r\nContent-Type: image/png\r\nContent-Transfer-Encoding: base64\r\n\r\n${'QUJD\r\n'.repeat(600_000)}`
  const text = '--b\r\nContent-Type: text/plain\r\n\r\nYes please.\r\n'
  const whole = (name: string, parts: string[]) =>
    [
      `From: <${mailboxEmail(box.user, name)}>`,
      'Subject: Re: Hello',
      'Content-Type: multipart/mixed; boundary=b',
      '',
      ...parts,
      '--b--',
    ].join('\r\n')
  box.mail.deliver(box.user, whole('behind', [attachment, text]))
  box.mail.deliver(box.user, whole('before', [text, attachment]))
  await startWorker()
  await vi.waitFor(async () => expect(await box.replies()).toEqual({ behind: 1, before: 1 }), patient)
  const texts = await server.app.db.query(
    `select text from messages where sending_account_id = $1 and direction = 'inbound'`,
    [box.senderId],
  )
  expect(texts).toEqual([{ text: 'Yes please.' }, { text: 'Yes please.' }])
}, 90_000)

test('what was set aside is deleted by age', async () => {
  const box = await openBox()
  box.mail.deliver(box.user, `Subject: ${'x'.repeat(300_000)}\r\n\r\nHi`)
  await startWorker()
  await vi.waitFor(async () => expect(await setAside(box)).toMatchObject([{ reason: 'header_too_large' }]), patient)
  const [row] = await setAside(box)
  const forget = (before: Date) => forgetSetAside(server.app.db, before, 1_000)
  await forget(row!.setAsideAt)
  expect(await setAside(box)).toHaveLength(1)
  await forget(new Date(row!.setAsideAt.getTime() + 1))
  expect(await setAside(box)).toEqual([])
}, 90_000)
