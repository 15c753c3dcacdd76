import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { campaignRoutes } from '../../campaigns/index.ts'
import { deliveryJobs, noFaults } from '../../delivery/index.ts'
import { dovecotAvailable, startDovecot } from '@overture/testing/mail/dovecot.server.ts'
import { campaignTools } from '@overture/testing/campaign-tools.ts'
import { testRenderer } from '@overture/testing/renderer.ts'
import { startImapDouble } from '@overture/testing/mail/imap-double.server.ts'
import { startTestServer, type TestServer } from '@overture/testing/server.ts'
import { sendingAccountsRoutes } from '../../sending-accounts/index.ts'
import { endMailboxWaitsAcrossAccounts } from '@overture/testing/inbox/inbox-fixtures.sql.ts'
import {
  mailboxEmail,
  newUser,
  openMailboxWorld,
  outgoingId,
  writeReply,
  type MailboxWorld,
  type MailServer,
} from '@overture/testing/inbox/mailbox-world.ts'
import { createReadingThreads, type ReadingThreads } from '../reading/reading-threads.client.ts'
import { wholeBytesMax } from './folder.shell.ts'
import { createInboxWorker } from './inbox.worker.ts'
import { createSentFolder } from './mailbox-session.client.ts'
import { OpenMailboxes } from './open-mailboxes.ts'
import { lacks } from '@overture/testing/tools.ts'

// Each test reads whole mailboxes over many connections.
vi.setConfig({ testTimeout: 300_000 })

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

const patient = { timeout: 60_000, interval: 50 }

const mailServers: [string, boolean, (user: string) => Promise<MailServer>][] = [
  [
    'a double',
    true,
    async (user) => {
      const double = await startImapDouble({ users: { [user]: 'secret' }, repeatUids: true })
      stops.push(() => double.stop())
      return {
        port: double.port,
        deliver: (to, raw, { folder, receivedAt } = {}) =>
          double.deliver(to, raw, {
            ...(folder !== undefined && { folder }),
            ...(receivedAt !== undefined && { internalDate: receivedAt }),
          }),
        renewUidValidity: (of) => double.renewUidValidity(of, 'INBOX'),
      }
    },
  ],
  [
    'Dovecot',
    dovecotAvailable(),
    async () => {
      const dovecot = await startDovecot()
      stops.push(() => dovecot.stop())
      return {
        port: dovecot.port,
        deliver: (to, raw, at) => dovecot.deliver(to, raw, at),
        renewUidValidity: (of) => dovecot.renewUidValidity(of),
      }
    },
  ],
]

async function openMailbox(start: (user: string) => Promise<MailServer>, user = newUser()): Promise<MailboxWorld> {
  return openMailboxWorld(server, stops, { mail: await start(user), user })
}

const once = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, 1]))

async function startWorker(pollMs = 400) {
  const worker = createInboxWorker(server.app, { tickMs: 50, pollMs, reader })
  await worker.start()
  stops.push(() => worker.stop())
  return worker
}

for (const [name, available, start] of mailServers) {
  describe.skipIf(lacks('Dovecot', available))(`on ${name}`, () => {
    test('mail while idle, in junk, before the start and delivered twice is read once', async () => {
      const box = await openMailbox(start)
      const names = ['before', 'idle', 'junk', 'twice', 'nameless']
      for (const lead of names) await box.contact(lead)
      await box.mail.deliver(box.user, writeReply(box.user, 'before'))
      await startWorker()
      await vi.waitFor(async () => expect(await box.replies()).toMatchObject({ before: 1, idle: 0 }), patient)
      await vi.waitFor(() => expect(box.proxy.commands.some((line) => /^IDLE/i.test(line))).toBe(true), patient)
      await box.mail.deliver(box.user, writeReply(box.user, 'idle'))
      await box.mail.deliver(box.user, writeReply(box.user, 'junk'), { folder: 'Junk' })
      for (let copy = 0; copy < 2; copy++) {
        await box.mail.deliver(box.user, writeReply(box.user, 'twice'))
        await box.mail.deliver(box.user, writeReply(box.user, 'nameless', []))
      }
      await box.mail.deliver(box.user, writeReply(box.user, 'twice'), { folder: 'Junk' })
      await vi.waitFor(async () => expect(await box.replies()).toEqual(once(names)), patient)
      expect(box.proxy.connectionCount).toBe(1)
    })

    test('the first reading covers one week', async () => {
      const box = await openMailbox(start)
      for (const lead of ['old', 'recent']) await box.contact(lead)
      const ago = (days: number) => new Date(server.app.clock.now().getTime() - days * 86_400_000)
      await server.app.db.execute(`update sending_accounts set created_at = $2 where id = $1`, [box.senderId, ago(30)])
      // Simulates a sender that is older than its mailbox row.
      await server.app.db.execute('delete from mailboxes where sending_account_id = $1', [box.senderId])
      await box.mail.deliver(box.user, writeReply(box.user, 'old'), { receivedAt: ago(9) })
      await box.mail.deliver(box.user, writeReply(box.user, 'recent'), { receivedAt: ago(5) })
      await startWorker()
      await vi.waitFor(async () => expect(await box.replies()).toEqual({ old: 0, recent: 1 }), patient)
      await box.contact('later')
      await box.mail.deliver(box.user, writeReply(box.user, 'later'))
      await vi.waitFor(async () => expect(await box.replies()).toEqual({ old: 0, recent: 1, later: 1 }), patient)
    })

    test("a lead's attachment is fetched completely, a stranger's message only in part", async () => {
      const box = await openMailbox(start)
      await box.contact('lead')
      const lines = Buffer.alloc(3_000_000, 7).toString('base64').replaceAll(/.{76}/g, '$&\r\n')
      const file = `Content-Type: application/pdf; name=a.pdf\r\nContent-Transfer-Encoding: base64\r\n\r\n${lines}`
      const headers = ['Message-ID: <file@there.test>', 'Content-Type: multipart/mixed; boundary=b']
      const answer = `${writeReply(box.user, 'lead', headers).replace('Yes', '--b\r\n\r\nYes')}\r\n--b\r\n${file}\r\n--b--`
      await box.mail.deliver(box.user, answer.replaceAll('lead', 'stranger').replace('<file@', '<other@'))
      await box.mail.deliver(box.user, answer)
      await startWorker()
      await vi.waitFor(async () => expect(await box.replies()).toEqual({ lead: 1 }), patient)
      const stored = await server.app.db.query<{ attachments: object }>(
        `select attachments from message_heads where sending_account_id = $1 and direction = 'inbound'`,
        [box.senderId],
      )
      expect(stored).toMatchObject([{ attachments: [{ filename: 'a.pdf', size: 3_000_000 }] }])
      const bodies = box.proxy.commands.filter((line) => /^UID FETCH \d+ .*BODY/i.test(line))
      expect(bodies.filter((line) => /^UID FETCH 2 /i.test(line)).length).toBeGreaterThan(0)
      const wholeOfStranger = new RegExp(`^UID FETCH 1 .*BODY.*<0\\.${wholeBytesMax}>`, 'i')
      expect(bodies.filter((line) => wholeOfStranger.test(line))).toEqual([])
    })

    test('a new UIDVALIDITY loses no message and reads none twice', async () => {
      const box = await openMailbox(start)
      const names = ['one', 'two', 'three']
      for (const lead of names) await box.contact(lead)
      await box.mail.deliver(box.user, writeReply(box.user, 'one'))
      await box.mail.deliver(box.user, writeReply(box.user, 'two'))
      await startWorker()
      await vi.waitFor(async () => expect(await box.replies()).toMatchObject({ one: 1, two: 1 }), patient)
      box.proxy.dropAll()
      await box.mail.renewUidValidity(box.user)
      await box.mail.deliver(box.user, writeReply(box.user, 'three'))
      await vi.waitFor(async () => {
        await endMailboxWaitsAcrossAccounts(server.app.db)
        expect(await box.replies()).toEqual(once(names))
      }, patient)
    })

    test.each(['before', 'after'] as const)(
      'after a connection lost %s any command, no message is missing or read twice',
      async (when) => {
        const box = await openMailbox(start)
        const names = Array.from({ length: 20 }, (_, at) => `lead${at + 1}`)
        for (const lead of names) await box.contact(lead)
        // The n-th connection breaks at its n-th command, and there is a new message for each connection.
        box.proxy.cut = (connection) => {
          const lead = names[connection - 1]
          if (lead === undefined) return null
          void box.mail.deliver(box.user, writeReply(box.user, lead), connection % 5 === 0 ? { folder: 'Junk' } : {})
          return { command: connection, when }
        }
        await startWorker(150)
        await vi.waitFor(async () => {
          await endMailboxWaitsAcrossAccounts(server.app.db)
          expect(await box.replies()).toEqual(once(names))
        }, patient)
        expect(box.proxy.connectionCount).toBeGreaterThanOrEqual(names.length)
        for (const command of ['LOGIN', 'LIST', 'SELECT', 'IDLE', 'UID SEARCH', 'UID FETCH'])
          expect(box.proxy.commands.some((line) => line.toUpperCase().startsWith(command))).toBe(true)
      },
      120_000,
    )

    test('a message in the Sent folder settles its uncertain delivery and no other', async () => {
      const box = await openMailbox(start)
      const [sent, unknown] = [await box.contact('sent', 'uncertain'), await box.contact('unknown', 'uncertain')]
      await box.mail.deliver(
        box.user,
        `Message-ID: ${outgoingId(box.user, 'sent')}\r\nFrom: ${box.user}\r\nSubject: Hello\r\n\r\nHi`,
        { folder: 'Sent' },
      )
      // SEARCH also matches parts of a header: this is another message.
      await box.mail.deliver(box.user, `Message-ID: <x.unknown.${box.user}>\r\nSubject: Hello\r\n\r\nHi`, {
        folder: 'Sent',
      })
      const { app, tenant } = server
      const [settle] = deliveryJobs({
        app,
        renderer: testRenderer,
        faults: noFaults,
        sentFolder: createSentFolder(app, new OpenMailboxes()),
        transportFor: () => {
          throw new Error('Settling sends nothing.')
        },
      }).filter((job) => job.kind === 'delivery.settle')
      for (const { messageId } of [sent, unknown])
        await settle?.run({ app, tenant, now: app.clock.now() } as never, { messageId })
      const statuses = await app.db.query<{ id: string; status: string }>(
        `select id, status from messages where sending_account_id = $1 and direction = 'outbound'`,
        [box.senderId],
      )
      expect(new Map(statuses.map((one) => [one.id, one.status]))).toEqual(
        new Map([
          [sent.messageId, 'sent'],
          [unknown.messageId, 'uncertain'],
        ]),
      )
      const events = await app.db.query<{ data: object }>(
        `select data from events where message_id = $1 and type = 'message.sent'`,
        [sent.messageId],
      )
      expect(events).toMatchObject([{ data: { settledBy: 'sent_folder' } }])
      const jobs = await app.db.query<{ key: string }>(
        `select key from jobs where kind = 'delivery.settle' and payload ->> 'messageId' = any($1)`,
        [[sent.messageId, unknown.messageId]],
      )
      // It is searched for again later, for a day.
      expect(jobs.map((job) => job.key)).toEqual([unknown.messageId])
    })
  })
}

describe('on Gmail', () => {
  test('All Mail gives archived messages, and reads inbox, drafts and Sent only once', async () => {
    const user = newUser()
    const gmail = await startImapDouble({
      users: { [user]: 'secret' },
      folders: [
        { path: '[Gmail]/All Mail', use: '\\All' },
        { path: '[Gmail]/Sent Mail', use: '\\Sent' },
        { path: '[Gmail]/Spam', use: '\\Junk' },
      ],
      capabilities: ['IMAP4rev1', 'IDLE', 'SPECIAL-USE', 'UIDPLUS', 'SASL-IR', 'AUTH=PLAIN', 'X-GM-EXT-1'],
    })
    stops.push(() => gmail.stop())
    const all = '[Gmail]/All Mail'
    const box = await openMailbox(
      async () => ({
        port: gmail.port,
        deliver: (to, raw, options) => gmail.deliver(to, raw, options ?? {}),
        renewUidValidity: (of) => gmail.renewUidValidity(of, all),
      }),
      user,
    )
    const names = ['inbox', 'archived', 'spam', 'draft', 'sent']
    for (const lead of names) await box.contact(lead, lead === 'sent' ? 'uncertain' : 'sent')
    gmail.deliver(user, writeReply(user, 'inbox'), { emailId: '901' })
    gmail.deliver(user, writeReply(user, 'inbox'), { folder: all, emailId: '901', labels: ['\\Inbox'] })
    gmail.deliver(user, writeReply(user, 'archived'), { folder: all, emailId: '902', labels: ['Campaigns'] })
    gmail.deliver(user, writeReply(user, 'draft'), { folder: all, emailId: '903', labels: ['\\Draft'] })
    gmail.deliver(
      user,
      `Message-ID: ${outgoingId(user, 'sent')}\r\nFrom: ${user}\r\nTo: ${mailboxEmail(user, 'sent')}\r\nSubject: Hello\r\n\r\nHi`,
      { folder: all, emailId: '904', labels: ['\\Sent'] },
    )
    gmail.deliver(user, writeReply(user, 'spam'), { folder: '[Gmail]/Spam', emailId: '905' })
    await startWorker()
    await vi.waitFor(
      async () => expect(await box.replies()).toEqual({ inbox: 1, archived: 1, spam: 1, draft: 0, sent: 0 }),
      patient,
    )
    // Our own copy is no reply, but shows that the message was sent.
    await vi.waitFor(async () => {
      const [message] = await server.app.db.query<{ status: string }>(
        'select status from messages where rfc_message_id = $1',
        [outgoingId(user, 'sent')],
      )
      expect(message).toEqual({ status: 'sent' })
    }, patient)
    const bodies = gmail.commands.filter((line) => /^UID FETCH .*BODY/i.test(line)).length
    expect(bodies).toBe(4)
  })
})
