import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { dovecotAvailable, startDovecot } from '@overture/testing/mail/dovecot.server.ts'
import { campaignTools } from '@overture/testing/campaign-tools.ts'
import { startImapDouble } from '@overture/testing/mail/imap-double.server.ts'
import { startTestServer, type TestServer } from '@overture/testing/server.ts'
import { insertTestPolicy } from '@overture/testing/delivery/delivery-fixtures.sql.ts'
import {
  mailboxEmail,
  newUser,
  openMailboxWorld,
  writeReply,
  type MailServer,
} from '@overture/testing/inbox/mailbox-world.ts'
import { lacks } from '@overture/testing/tools.ts'
import { noContactPolicy } from '@overture/contract/contact-policy/contact-policy.ts'
import { campaignRoutes } from '../../campaigns/index.ts'
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
  await insertTestPolicy(server.app.db, server.tenant, {
    ...noContactPolicy,
    stopOnManualMail: true,
    conversation: { days: 30, scope: 'person' },
  })
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
      const double = await startImapDouble({ users: { [user]: 'secret' } })
      stops.push(() => double.stop())
      return {
        port: double.port,
        deliver: (to, raw, at = {}) => double.deliver(to, raw, at.folder === undefined ? {} : { folder: at.folder }),
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

const letter = (from: string, to: string, headers: readonly string[] = []) =>
  [`From: <${from}>`, `To: <${to}>`, 'Subject: Our call', ...headers, '', 'As we said on the phone.'].join('\r\n')

for (const [name, available, start] of mailServers) {
  describe.skipIf(lacks('Dovecot', available))(`sent mail on ${name}`, () => {
    test('stops the lead to which the owner wrote, and not one to which only we wrote', async () => {
      const user = newUser()
      const box = await openMailboxWorld(server, stops, { mail: await start(user), user })
      const leads = ['byhand', 'ours', 'away', 'forged', 'last']
      for (const lead of leads) await box.contact(lead)
      await server.app.db.execute(
        `update lead_progress set status = 'active', attempt_at = now() + interval '1 day' where campaign_id = $1`,
        [box.campaignId],
      )
      const sent = { folder: 'Sent' }
      const to = (lead: string) => mailboxEmail(user, lead)
      await box.mail.deliver(user, letter(user, to('byhand'), ['Message-ID: <one@laptop.test>']), sent)
      await box.mail.deliver(user, letter(user, to('ours'), ['Message-ID: <two@x.test>', 'X-Overture-Ref: abc']), sent)
      const away = ['Message-ID: <three@x.test>', 'Auto-Submitted: auto-replied']
      await box.mail.deliver(user, letter(user, to('away'), away), sent)
      // A stranger can forge the owner's name in mail to the inbox.
      await box.mail.deliver(user, letter(user, to('forged'), ['Message-ID: <four@x.test>']))
      await box.mail.deliver(user, writeReply(user, 'last'))
      const worker = createInboxWorker(server.app, { tickMs: 50, pollMs: 400, reader })
      await worker.start()
      stops.push(() => worker.stop())
      await vi.waitFor(async () => expect(await box.replies()).toMatchObject({ last: 1 }), patient)
      const rules = async () =>
        Object.fromEntries(
          (
            await server.app.db.query<{ name: string; rule: string | null }>(
              `select split_part(email, '@', 1) as name, stopped_by->>'rule' as rule from leads where campaign_id = $1`,
              [box.campaignId],
            )
          ).map((lead) => [lead.name, lead.rule]),
        )
      const expected = { byhand: 'manual_mail', ours: null, away: null, forged: null, last: 'reply' }
      await vi.waitFor(async () => expect(await rules()).toEqual(expected), patient)
      const [exchanges] = await server.app.db.query<{ count: number }>(
        `select count(*)::int as count from exchanges where sending_account_id = $1 and direction = 'outbound'`,
        [box.senderId],
      )
      expect(exchanges).toEqual({ count: 1 })
    })
  })
}
