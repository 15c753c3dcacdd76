import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { campaignTools } from '@overture/testing/campaign-tools.ts'
import { newUser, openMailboxWorld, writeReply } from '@overture/testing/inbox/mailbox-world.ts'
import { startImapDouble } from '@overture/testing/mail/imap-double.server.ts'
import { startTestServer, type TestServer } from '@overture/testing/server.ts'
import { campaignRoutes } from '../../campaigns/index.ts'
import { hourMs } from '@overture/ground/time/spans.ts'
import { sendingAccountsRoutes } from '../../sending-accounts/index.ts'
import { createReadingThreads, type ReadingThreads } from '../reading/reading-threads.client.ts'
import { createInboxWorker } from './inbox.worker.ts'

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

test('a reply that arrives while another folder is selected is noticed at the next poll', async () => {
  const user = newUser()
  const double = await startImapDouble({ users: { [user]: 'secret' } })
  stops.push(() => double.stop())
  const mail = {
    port: double.port,
    deliver: (to: string, raw: string | Buffer) => double.deliver(to, raw),
    renewUidValidity: (of: string) => double.renewUidValidity(of, 'INBOX'),
  }
  const box = await openMailboxWorld(server, stops, { mail, user })
  await box.contact('elsewhere')
  let isDelivered = false
  // Servers report a new message in the selected folder. A client that has selected another folder notices it only by the count.
  double.commands.push = (...commands) => {
    if (!isDelivered && commands.some((command) => /^SELECT .*Junk/i.test(command))) {
      isDelivered = true
      double.deliver(user, writeReply(user, 'elsewhere'))
    }
    return Array.prototype.push.apply(double.commands, commands)
  }
  const worker = createInboxWorker(server.app, { tickMs: 50, pollMs: hourMs, reader })
  await worker.start()
  stops.push(() => worker.stop())
  await vi.waitFor(async () => expect(await box.replies()).toEqual({ elsewhere: 1 }), { timeout: 60_000, interval: 50 })
  expect(isDelivered).toBe(true)
})
