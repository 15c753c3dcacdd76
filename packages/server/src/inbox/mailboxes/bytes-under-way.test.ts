import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startImapDouble, type ImapDouble } from '@overture/testing/mail/imap-double.server.ts'
import { startTestServer, type TestServer } from '@overture/testing/server.ts'
import { sendingAccountsRoutes } from '../../sending-accounts/index.ts'
import type { MailReader } from '../reading/mail-reader.ts'
import { readMessage } from '@overture/mail-reading/reading/read-message.ts'
import { createInboxWorker } from './inbox.worker.ts'

/** One large message to all people of a company arrives in hundreds of mailboxes in the same second. */
const mebibyte = 1024 * 1024
const boundBytes = 6 * mebibyte
const users = Array.from({ length: 9 }, (_, at) => `sender${at + 1}@example.com`)
let server: TestServer
let mail: ImapDouble

beforeAll(async () => {
  server = await startTestServer({
    routes: () => sendingAccountsRoutes(),
    environment: { OVERTURE_ALLOW_PRIVATE_TARGETS: '1' },
  })
  mail = await startImapDouble({ users: Object.fromEntries(users.map((user) => [user, 'secret'])) })
  for (const user of users) {
    const login = { host: '127.0.0.1', security: 'none', username: user, password: 'secret' }
    const body = { email: user, smtp: { ...login, port: 2525 }, imap: { ...login, port: mail.port } }
    expect((await server.call('POST', '/v2/sending-accounts', { key: server.keys.live, body })).status).toBe(201)
  }
})
afterAll(async () => {
  await mail.stop()
  await server.stop()
})

test('mail that arrives in all mailboxes at once is read completely within one memory bound', async () => {
  const filler = `${'x'.repeat(76)}\r\n`.repeat(40_000)
  for (const user of users) {
    const head = ['From: <boss@example.org>', `To: ${user}`, 'Subject: All hands', `Message-ID: <${user}>`, '']
    mail.deliver(user, [...head, 'Please read.', filler].join('\r\n'))
  }
  let letGo = (): void => undefined
  const held = new Promise<void>((resolve) => (letGo = resolve))
  const lengths: number[] = []
  let [underWay, most, read] = [0, 0, 0]
  const reader: MailReader = {
    async read(raw) {
      underWay += raw.length
      most = Math.max(most, underWay)
      lengths.push(raw.length)
      await held
      underWay -= raw.length
      read++
      return readMessage(raw)
    },
  }
  const worker = createInboxWorker(server.app, { tickMs: 50, pollMs: 200, bytesUnderWayMax: boundBytes, reader })
  await worker.start()
  try {
    const searched = () => mail.commands.filter((command) => /^UID SEARCH/i.test(command)).length
    // All readers have seen that there is a message, and none has released its bytes.
    await vi.waitFor(() => expect([lengths.length, searched()]).toEqual([3, 9]), { timeout: 60_000, interval: 50 })
    letGo()
    await vi.waitFor(() => expect(read).toBe(users.length), { timeout: 60_000, interval: 50 })
    expect(most).toBeLessThanOrEqual(boundBytes)
    expect(new Set(lengths)).toEqual(new Set([2 * mebibyte]))
  } finally {
    letGo()
    await worker.stop()
  }
}, 180_000)
