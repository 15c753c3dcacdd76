import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { campaignRoutes } from '../campaigns/index.ts'
import { newId } from '../platform/ids.ts'
import { startImapDouble, type ImapDouble } from '../platform/testing/mail/imap-double.server.ts'
import { startTestServer, type TestServer } from '../platform/testing/server.ts'
import { sendingAccountsRoutes } from '../sending-accounts/index.ts'
import { createInboxWorker } from './inbox.worker.ts'
import { createSentFolder } from './mailbox-session.client.ts'

const user = 'sender@example.com'
let server: TestServer
let imap: ImapDouble
let senderId: string
let campaignId: string

beforeAll(async () => {
  imap = await startImapDouble({ users: { [user]: 'secret' } })
  server = await startTestServer({
    routes: () => [
      ...campaignRoutes({ checkAi: () => Promise.resolve({ missingPresetIds: [], creditsMissing: false }) }),
      ...sendingAccountsRoutes(),
    ],
    environment: { OVERTURE_ALLOW_PRIVATE_TARGETS: '1' },
  })
  const login = { host: '127.0.0.1', security: 'none', username: user, password: 'secret' }
  const sender = await call('POST', '/v2/sending-accounts', {
    email: user,
    fromName: 'Sender',
    smtp: { ...login, port: 2525 },
    imap: { ...login, port: imap.port },
  })
  senderId = sender.body.id
  campaignId = (
    await call('POST', '/v2/campaigns', {
      name: 'One',
      sendingAccountIds: [senderId],
      steps: [{ variants: [{ subject: 'Hello', body: 'Hi' }] }],
    })
  ).body.id
})
afterAll(async () => {
  await server.stop()
  await imap.stop()
})

const call = (method: string, path: string, body?: unknown) =>
  server.call(method, path, { key: server.keys.live, body })

async function contact(email: string, rfcMessageId: string): Promise<void> {
  const added = await call('POST', `/v2/campaigns/${campaignId}/leads`, { leads: [{ email }] })
  const now = server.app.clock.now()
  await server.app.db.execute(
    `with message as (
       insert into messages (account_id, environment, id, campaign_id, lead_id, thread_id, sending_account_id, direction, kind, status, rfc_message_id, queued_at, sent_at)
       values ($1, 'live', $2, $3, $4, $5, $6, 'outbound', 'campaign', 'sent', $7, $8, $8))
     update leads set status = 'active', last_contacted_at = $8, sending_account_id = $6, thread_id = $5 where account_id = $1 and campaign_id = $3 and id = $4`,
    [
      server.tenant.accountId,
      newId('msg'),
      campaignId,
      added.body.results[0].leadId,
      newId('thr'),
      senderId,
      rfcMessageId,
      now,
    ],
  )
}

const reply = (email: string, inReplyTo: string, id: string) =>
  [
    `From: <${email}>`,
    `To: ${user}`,
    'Subject: Re: Hello',
    `Message-ID: ${id}`,
    `In-Reply-To: ${inReplyTo}`,
    '',
    'Yes please.',
  ].join('\r\n')
const leads = async () =>
  (await call('GET', `/v2/campaigns/${campaignId}/leads`)).body.results as {
    email: string
    status: string
    replyCount: number
  }[]
const leadOf = async (email: string) => (await leads()).find((one) => one.email === email)
const patient = { timeout: 15_000, interval: 50 }

test('what arrives is read once, through idling, a dropped connection and new UIDs', async () => {
  await contact('ada@there.test', '<one@example.com>')
  await contact('bob@there.test', '<two@example.com>')
  await contact('eve@there.test', '<three@example.com>')
  imap.deliver(user, reply('ada@there.test', '<one@example.com>', '<r1@there.test>'))
  const worker = createInboxWorker(server.app, { tickMs: 50, pollMs: 500 })
  await worker.start()
  try {
    await vi.waitFor(
      async () => expect(await leadOf('ada@there.test')).toMatchObject({ status: 'replied', replyCount: 1 }),
      patient,
    )
    await vi.waitFor(() => expect(imap.commands.some((line) => /^IDLE/i.test(line))).toBe(true), patient)
    imap.deliver(user, reply('bob@there.test', '<two@example.com>', '<r2@there.test>'))
    await vi.waitFor(async () => expect(await leadOf('bob@there.test')).toMatchObject({ status: 'replied' }), patient)
    imap.renewUidValidity(user, 'INBOX')
    imap.deliver(user, reply('eve@there.test', '<three@example.com>', '<r3@there.test>'), { folder: 'Junk' })
    await vi.waitFor(async () => expect(await leadOf('eve@there.test')).toMatchObject({ status: 'replied' }), patient)
    expect((await leads()).map((one) => one.replyCount)).toEqual([1, 1, 1])
  } finally {
    await worker.stop()
  }
  const [box] = await server.app.db.query<{ leaseToken: string | null }>(
    'select lease_token from mailboxes where sending_account_id = $1',
    [senderId],
  )
  expect(box).toEqual({ leaseToken: null })
}, 60_000)

test('the Sent folder tells what was sent', async () => {
  imap.deliver(user, `Message-ID: <sent@example.com>\r\nSubject: Hello\r\n\r\nHi`, { folder: 'Sent' })
  const sent = createSentFolder(server.app)
  expect(await sent.find(server.tenant, senderId, '<sent@example.com>')).toBe('found')
  expect(await sent.find(server.tenant, senderId, '<other@example.com>')).toBe('absent')
}, 30_000)
