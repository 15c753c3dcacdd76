import { afterEach, describe, expect, test } from 'vitest'
import { dovecotAvailable, startDovecot, type Dovecot } from '@overture/testing/mail/dovecot.server.ts'
import { loopback, publicOnly } from '@overture/testing/mail/reach.ts'
import { startImapDouble, type ImapDouble } from '@overture/testing/mail/imap-double.server.ts'
import { lacks } from '@overture/testing/tools.ts'
import {
  openMailbox,
  type FetchedMail,
  type ImapConnectOptions,
  type MailboxSession,
  type NewMail,
} from './imap-session.client.ts'

const user = 'ada@example.com'
const since = new Date('2020-01-01T00:00:00Z')
const stops: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

function options(port: number, changes: Partial<ImapConnectOptions> = {}): ImapConnectOptions {
  return {
    host: '127.0.0.1',
    port,
    security: 'none',
    auth: { kind: 'password', username: user, password: 'secret' },
    connectTimeoutMs: 3_000,
    reach: loopback,
    ...changes,
  }
}

async function startDouble(): Promise<ImapDouble> {
  const double = await startImapDouble({ users: { [user]: 'secret' }, tokens: { [user]: 'token' } })
  stops.push(() => double.stop())
  return double
}

async function open(port: number, changes: Partial<ImapConnectOptions> = {}): Promise<MailboxSession> {
  const opened = await openMailbox(options(port, changes))
  if (opened.kind !== 'open') throw new Error(JSON.stringify(opened))
  stops.push(() => opened.mailbox.close())
  return opened.mailbox
}

function mail(id: string): string {
  return `Message-ID: <${id}@prospects.test>\r\nFrom: bob@prospects.test\r\nSubject: Re: Hello\r\n\r\nThanks ${id}\r\n`
}

async function all(read: NewMail): Promise<FetchedMail[]> {
  const mails: FetchedMail[] = []
  for await (const fetched of read.messages) mails.push(fetched)
  return mails
}

function bodies(mails: FetchedMail[]): string[] {
  return mails.map((fetched) => /Thanks (\S+)/.exec(fetched.raw.toString())?.[1] ?? '')
}

test('a refused login and an unreachable server have different results', async () => {
  const double = await startDouble()
  expect(
    await openMailbox(options(double.port, { auth: { kind: 'password', username: user, password: 'wrong' } })),
  ).toMatchObject({ kind: 'refused', stage: 'auth' })
  expect(
    await openMailbox(options(double.port, { auth: { kind: 'xoauth2', username: user, accessToken: 'old' } })),
  ).toMatchObject({ kind: 'refused', stage: 'auth' })
  expect(await openMailbox(options(double.port, { reach: publicOnly }))).toMatchObject({
    kind: 'failed',
    stage: 'connect',
    reason: 'forbidden_target',
  })
  await double.stop()
  expect(await openMailbox(options(double.port))).toMatchObject({ kind: 'failed', stage: 'connect' })
})

test('an access token logs in', async () => {
  const double = await startDouble()
  const mailbox = await open(double.port, { auth: { kind: 'xoauth2', username: user, accessToken: 'token' } })
  expect(mailbox.usable).toBe(true)
})

test('a server that stalls at login times out', async () => {
  const double = await startDouble()
  double.stallAt('AUTHENTICATE')
  double.stallAt('LOGIN')
  expect(await openMailbox(options(double.port, { connectTimeoutMs: 300 }))).toMatchObject({
    kind: 'failed',
    stage: 'connect',
    reason: 'timeout',
  })
})

test('a new UIDVALIDITY reads the folder again from the date', async () => {
  const double = await startDouble()
  double.deliver(user, mail('one'))
  double.deliver(user, mail('two'))
  const mailbox = await open(double.port)
  const first = await mailbox.readNew({ folder: 'INBOX', uidValidity: null, lastUid: 0, since })
  expect(first).toMatchObject({ reset: true, uidValidity: '1', uids: [1, 2] })
  await all(first)
  await mailbox.close()
  double.renewUidValidity(user, 'INBOX')
  double.deliver(user, mail('three'))
  const again = await open(double.port)
  const second = await again.readNew({ folder: 'INBOX', uidValidity: '1', lastUid: 2, since })
  expect(second).toMatchObject({ reset: true, uidValidity: '2', uids: [1, 2, 3] })
})

test('a first reading is limited by date', async () => {
  const double = await startDouble()
  double.deliver(user, mail('old'), { internalDate: new Date('2019-05-05T00:00:00Z') })
  double.deliver(user, mail('new'), { internalDate: new Date('2021-05-05T00:00:00Z') })
  const mailbox = await open(double.port)
  expect(bodies(await all(await mailbox.readNew({ folder: 'INBOX', uidValidity: null, lastUid: 0, since })))).toEqual([
    'new',
  ])
})

test('mail from before the date is not read by later readings', async () => {
  const double = await startDouble()
  double.deliver(user, mail('old'), { internalDate: new Date('2019-05-05T00:00:00Z') })
  const mailbox = await open(double.port)
  const first = await mailbox.readNew({ folder: 'INBOX', uidValidity: null, lastUid: 0, since })
  expect(first).toMatchObject({ uids: [], highestUid: 1 })
  expect(await mailbox.readNew({ folder: 'INBOX', uidValidity: '1', lastUid: 0, since })).toMatchObject({
    reset: false,
    uids: [],
  })
  double.deliver(user, mail('new'))
  expect(await mailbox.readNew({ folder: 'INBOX', uidValidity: '1', lastUid: 1, since })).toMatchObject({
    uids: [2],
    highestUid: 2,
  })
})

test('a message above the limit is cut and marked', async () => {
  const double = await startDouble()
  double.deliver(user, mail('x'.repeat(5_000)))
  const mailbox = await open(double.port, { messageBytesMax: 1_000 })
  const [fetched] = await all(await mailbox.readNew({ folder: 'INBOX', uidValidity: null, lastUid: 0, since }))
  expect(fetched).toMatchObject({ truncated: true })
  expect(fetched?.raw.length).toBe(1_000)
  expect(fetched?.sizeBytes).toBeGreaterThan(5_000)
})

test.each(['SELECT', 'UID SEARCH', 'UID FETCH', 'IDLE'])(
  'a connection lost at %s is reported, and nothing hangs',
  async (command) => {
    for (const when of ['before', 'after'] as const) {
      const double = await startDouble()
      double.deliver(user, mail('one'))
      const mailbox = await open(double.port)
      const closed = new Promise((resolve) => mailbox.onClose(resolve))
      double.dropAt(command, when)
      const reading = (async () => {
        await mailbox.watch('INBOX', { onChange: () => {}, pollMs: 60_000 })
        await all(await mailbox.readNew({ folder: 'INBOX', uidValidity: null, lastUid: 0, since }))
      })().catch(() => {})
      expect(await closed).toMatchObject({ kind: 'failed', stage: 'session' })
      await reading
      expect(mailbox.usable).toBe(false)
    }
  },
)

test("polling finds mail that the server doesn't announce", async () => {
  const double = await startDouble()
  const mailbox = await open(double.port)
  let notify = (): void => {}
  const change = new Promise<void>((resolve) => (notify = resolve))
  await mailbox.watch('INBOX', { onChange: () => notify(), pollMs: 20 })
  double.deliver(user, mail('silent'), { silent: true })
  await change
  expect(bodies(await all(await mailbox.readNew({ folder: 'INBOX', uidValidity: '1', lastUid: 0, since })))).toEqual([
    'silent',
  ])
})

interface Server {
  port: number
  deliver(user: string, raw: string): unknown
}

const servers: [string, boolean, () => Promise<Server>][] = [
  ['the double', true, startDouble],
  [
    'Dovecot',
    dovecotAvailable(),
    async (): Promise<Dovecot> => {
      const dovecot = await startDovecot()
      stops.push(() => dovecot.stop())
      return dovecot
    },
  ],
]

describe.each(servers)('with %s', (name, available, start) => {
  test.skipIf(lacks('Dovecot', available))(
    `new mail is announced and read once (${available ? name : 'Dovecot is not installed: skipped'})`,
    async () => {
      const server = await start()
      const mailbox = await open(server.port)
      const folders = await mailbox.listFolders()
      expect(folders).toEqual(
        expect.arrayContaining([
          { path: 'INBOX', use: 'inbox' },
          { path: 'Sent', use: 'sent' },
          { path: 'Junk', use: 'junk' },
        ]),
      )
      await server.deliver(user, mail('one'))
      const first = await mailbox.readNew({ folder: 'INBOX', uidValidity: null, lastUid: 0, since })
      expect(bodies(await all(first))).toEqual(['one'])
      for (const id of ['two', 'three']) {
        let notify = (): void => {}
        const change = new Promise<void>((resolve) => (notify = resolve))
        await mailbox.watch('INBOX', { onChange: () => notify(), pollMs: 60_000 })
        await server.deliver(user, mail(id))
        await change
        const lastUid = id === 'two' ? 1 : 2
        expect(
          bodies(await all(await mailbox.readNew({ folder: 'INBOX', uidValidity: first.uidValidity, lastUid, since }))),
        ).toEqual([id])
      }
      const none = await mailbox.readNew({ folder: 'INBOX', uidValidity: first.uidValidity, lastUid: 3, since })
      expect(none).toMatchObject({ reset: false, uids: [] })
    },
  )

  test.skipIf(lacks('Dovecot', available))(
    `finds a copy by its exact Message-ID, its replaced Message-ID and our token (${name})`,
    async () => {
      const server = await start()
      const mailbox = await open(server.port)
      await mailbox.watch('INBOX', { onChange: () => {}, pollMs: 60_000 })
      const uid = await mailbox.append('Sent', Buffer.from(mail('sent-one')), ['\\Seen'])
      expect(uid).toBe(1)
      const replaced = `X-Microsoft-Original-Message-ID: <own@prospects.test>\r\nX-Overture-Ref: a.token\r\n${mail('other')}`
      await mailbox.append('Sent', Buffer.from(replaced), ['\\Seen'])
      const find = (rfcMessageId: string, ref = 'none') => mailbox.findCopy('Sent', { rfcMessageId, ref })
      expect(await find('<sent-one@prospects.test>')).toEqual({ messageId: '<sent-one@prospects.test>' })
      expect(await find('<own@prospects.test>')).toEqual({ messageId: '<other@prospects.test>' })
      expect(await find('<lost@prospects.test>', 'a.token')).toEqual({ messageId: '<other@prospects.test>' })
      expect(await find('<sent-on@prospects.test>')).toBeNull()
      expect(await find('<nt-one@prospects.test>', 'a.toke')).toBeNull()
      await mailbox.createFolder('Gesendet')
      expect((await mailbox.listFolders()).map((folder) => folder.path)).toContain('Gesendet')
    },
  )
})
