import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  insertTestCampaign,
  insertTestLeads,
  insertTestSender,
  listTestMessages,
} from '@overture/testing/delivery/delivery-fixtures.sql.ts'
import { startSmtpDouble, type SmtpDouble } from '@overture/testing/mail/smtp-double.server.ts'
import { testRenderer } from '@overture/testing/renderer.ts'
import type { TestServer } from '@overture/testing/server.ts'
import { startWholeServer } from '@overture/testing/server/whole-server.ts'
import { createSmtpTransport, deliverClaimed, noFaults, runPlanning } from '../packages/server/src/delivery/index.ts'
import { receiveMessage } from '../packages/server/src/inbox/index.ts'
import { createSmtpPool, type SmtpPool } from '../packages/server/src/platform/mail/smtp-pool.client.ts'

let server: TestServer
let double: SmtpDouble
let pool: SmtpPool
const live = (method: string, path: string, body?: unknown) =>
  server.call(method, path, { key: server.keys.live, body })

beforeAll(async () => {
  server = await startWholeServer({ environment: { OVERTURE_ALLOW_PRIVATE_TARGETS: '1' } })
  double = await startSmtpDouble()
  pool = createSmtpPool()
})
afterAll(async () => {
  await pool.close()
  await double.stop()
  await server.stop()
})

async function work(): Promise<void> {
  const { app, tenant } = server
  const transport = createSmtpTransport({ app, pool, faultsArmed: false })
  const tools = { app, renderer: testRenderer, transportFor: () => transport, faults: noFaults, sentFolder: null }
  const now = app.clock.now()
  const { token } = await runPlanning(tools, tenant, now)
  await deliverClaimed(tools, tenant, { now, token })
}

let uid = 0
/** A lead that got its first message and answered it; the conversation's id. */
async function answered(...headers: string[]): Promise<{ conversationId: string; email: string }> {
  const { app, tenant } = server
  uid++
  const senderId = await insertTestSender(app.db, tenant, { port: double.port, email: `sender${uid}@tenant.test` })
  const campaign = await insertTestCampaign(app.db, tenant, { senderIds: [senderId] })
  const [prefix, domain] = [`p${uid}x`, `company${uid}.test`]
  await insertTestLeads(app.db, tenant, { campaignId: campaign.id, count: 1, dueAt: app.clock.now(), prefix, domain })
  const email = `${prefix}1@${domain}`
  double.faults = []
  await work()
  const first = (await listTestMessages(app.db, tenant)).find((one) => one.leadId === `led_${prefix}00000001`)
  const now = app.clock.now()
  const raw = [
    `From: Ada <${email}>`,
    ...headers,
    'Subject: Re: Hello',
    `Message-ID: <question${uid}@acme.test>`,
    `In-Reply-To: ${first?.rfcMessageId ?? ''}`,
    '',
    'Tell me more.',
  ].join('\r\n')
  const input = {
    sendingAccountId: senderId,
    raw: Buffer.from(raw),
    folder: 'INBOX',
    junk: false,
    uid,
    receivedAt: now,
    now,
  }
  await receiveMessage(app, tenant, input)
  const { results } = (await live('GET', `/v2/conversations?campaignId=${campaign.id}`)).body
  return { conversationId: results[0].id, email }
}

async function reply(conversationId: string, body: object = {}) {
  await live('POST', `/v2/conversations/${conversationId}/reply`, { text: 'With pleasure.', ...body })
  await work()
  return (await live('GET', `/v2/conversations/${conversationId}`)).body.messages.at(-1)
}

test('an answer goes where its writer asked for it', async () => {
  const { conversationId } = await answered('Reply-To: Ada’s assistant <assistant@acme.test>')
  const sent = await reply(conversationId)
  expect(sent).toMatchObject({ status: 'sent', to: [{ email: 'assistant@acme.test' }], refusedRecipients: [] })
  expect(double.accepted.at(-1)?.to).toEqual(['assistant@acme.test'])
})

const noSuchUser = { code: 550, text: '5.1.1 No such user' }

test('whom the server did not take of several is told in the conversation and in the log; the others got it', async () => {
  const { conversationId, email } = await answered()
  const cc = ['copy@acme.test', 'gone@acme.test']
  double.faults = [{ stage: 'rcpt', only: 'gone@acme.test', action: noSuchUser }]
  const sent = await reply(conversationId, { cc })
  const refusedRecipients = [{ email: 'gone@acme.test', code: '5.1.1', reason: '550 5.1.1 No such user' }]
  expect(sent).toMatchObject({ status: 'sent', refusedRecipients })
  expect(double.accepted.at(-1)?.to).toEqual([email, 'copy@acme.test'])
  const { results } = (await live('GET', '/v2/events?type=message.sent&order=desc&limit=1')).body
  expect(results[0].data).toMatchObject({ messageId: sent.id, refusedRecipients })
  expect((await live('GET', '/v2/suppressions')).body.results).toEqual([])
})

test('where the lead alone is refused for good, it has bounced, and the copy is said to have arrived', async () => {
  const { conversationId, email } = await answered()
  double.faults = [{ stage: 'rcpt', only: email, action: noSuchUser }]
  const sent = await reply(conversationId, { cc: ['copy@acme.test'] })
  expect(sent).toMatchObject({ status: 'bounced', refusedRecipients: [{ email, code: '5.1.1' }] })
  expect(double.accepted.at(-1)?.to).toEqual(['copy@acme.test'])
  expect((await live('GET', '/v2/suppressions')).body.results).toMatchObject([{ email, source: 'bounce' }])
})
