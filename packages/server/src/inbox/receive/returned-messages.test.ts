import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { campaignTools } from '@overture/testing/campaign-tools.ts'
import { contactedLead, type ContactedLead } from '@overture/testing/inbox/contacted-lead.ts'
import { startTestServer, type TestServer } from '@overture/testing/server.ts'
import { campaignRoutes } from '../../campaigns/index.ts'
import { deliveryRoutes } from '../../delivery/index.ts'
import { sendingAccountsRoutes } from '../../sending-accounts/index.ts'
import { findSuppressed } from '../../suppressions/index.ts'
import { receiveMessage } from './receive.commands.ts'

const now = new Date('2026-03-02T09:00:00.000Z')
let server: TestServer
let count = 0

beforeAll(async () => {
  server = await startTestServer({
    routes: () => [...campaignRoutes(campaignTools), ...sendingAccountsRoutes(), ...deliveryRoutes(campaignTools)],
  })
})
afterAll(() => server.stop())

const call = (method: string, path: string, body?: unknown) =>
  server.call(method, path, { key: server.keys.test, body })

async function contacted() {
  const email = `sender${++count}@example.com`
  const senderId = (await call('POST', '/v2/sending-accounts', { email, fromName: 'Sender', provider: 'sandbox' })).body
    .id as string
  return { senderId, lead: await contactedLead(server, { senderId, now }) }
}

const receive = (senderId: string, ...lines: string[]) =>
  receiveMessage(server.app, server.testTenant, {
    sendingAccountId: senderId,
    raw: Buffer.from(lines.join('\r\n')),
    folder: 'INBOX',
    junk: false,
    uid: ++count,
    receivedAt: now,
    now,
  })

const report = (senderId: string, lead: ContactedLead, status: string, diagnostic: string) =>
  receive(
    senderId,
    'From: MAILER-DAEMON@mx.test',
    'To: sender@example.com',
    'Subject: Undelivered Mail',
    `Message-ID: <dsn${++count}@mx.test>`,
    'Content-Type: multipart/report; report-type=delivery-status; boundary=b',
    '',
    '--b',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; mx.test',
    '',
    `Final-Recipient: rfc822; ${lead.email}`,
    'Action: failed',
    `Status: ${status}`,
    `Diagnostic-Code: smtp; ${diagnostic}`,
    '',
    '--b',
    'Content-Type: message/rfc822',
    '',
    `Message-ID: ${lead.rfcMessageId}`,
    '',
    'Hi',
    '--b--',
  )

const leadOf = async ({ campaignId, leadId }: ContactedLead) =>
  (await call('GET', `/v2/campaigns/${campaignId}/leads/${leadId}`)).body
const messageOf = async ({ campaignId, leadId }: ContactedLead) =>
  (await call('GET', `/v2/campaigns/${campaignId}/leads/${leadId}/thread`)).body.messages.find(
    ({ direction }: { direction: string }) => direction === 'outbound',
  )
const senderOf = async (id: string) => (await call('GET', `/v2/sending-accounts/${id}`)).body
const suppressed = async (email: string) =>
  (await findSuppressed(server.app.db, server.testTenant, { secrets: server.app.secrets, emails: [email] })).size > 0

const bounces: [string, string, string, string][] = [
  ['5.2.0', '554 5.2.0 STOREDRV.Submission.Exception:SubmissionQuotaExceededException', 'sender_limit', 'active'],
  ['5.4.5', '550 5.4.5 Daily user sending limit exceeded.', 'sender_limit', 'active'],
  ['5.7.233', '550 5.7.233 Your tenant exceeded its daily limit', 'sender_limit', 'active'],
  ['5.1.8', '550 5.1.8 Access denied, bad outbound sender', 'sender_blocked', 'blocked'],
  ['5.2.252', '554 5.2.252 SendAsDenied; not allowed to send as bo@here.example', 'sender_blocked', 'blocked'],
  ['5.7.515', '550 5.7.515 Access denied, sending domain example.com fails', 'sender_authentication', 'active'],
  ['5.2.2', '554 5.2.2 mailbox full; STOREDRV.Submission.ShutoffQuotaExceeded', 'sender_mailbox', 'blocked'],
]

describe("a bounce message that is the sender's fault", () => {
  test.each(bounces)('%s "%s" returns the message because of %s', async (status, words, because, sender) => {
    const { senderId, lead } = await contacted()
    await report(senderId, lead, status, words)
    expect(await leadOf(lead)).toMatchObject({ status: 'active', blockedReason: 'returned' })
    expect(await messageOf(lead)).toMatchObject({ status: 'returned', returnedBecause: because })
    expect(await suppressed(lead.email)).toBe(false)
    // One recipient can forge such a report. Three reports at different companies are believed.
    expect(await senderOf(senderId)).toMatchObject({ status: 'active', lastError: null })
    for (const _ of ['second', 'third'])
      await report(senderId, await contactedLead(server, { senderId, now }), status, words)
    expect(await senderOf(senderId)).toMatchObject({ status: sender, lastError: words })
  })

  test('many reports of one company stop no sending account', async () => {
    const { senderId } = await contacted()
    for (const name of ['ada', 'bo', 'cem', 'dag']) {
      const lead = await contactedLead(server, { senderId, now, email: `${name}@hostile.test` })
      await report(senderId, lead, '5.1.8', '550 5.1.8 Access denied, bad outbound sender')
      expect(await messageOf(lead)).toMatchObject({ status: 'returned' })
    }
    expect(await senderOf(senderId)).toMatchObject({ status: 'active', lastError: null })
  })

  test('a notice of the provider returns the message that it refers to', async () => {
    const { senderId, lead } = await contacted()
    await receive(
      senderId,
      'From: Mail Delivery Subsystem <mailer-daemon@googlemail.com>',
      'To: sender@example.com',
      'Subject: Delivery Status Notification (Failure)',
      'Message-ID: <notice@mx.test>',
      `In-Reply-To: ${lead.rfcMessageId}`,
      'Auto-Submitted: auto-replied',
      '',
      'You have reached a limit for sending mail. Your message was not sent.',
    )
    expect(await leadOf(lead)).toMatchObject({ status: 'active', blockedReason: 'returned' })
    expect(await messageOf(lead)).toMatchObject({ status: 'returned', returnedBecause: 'sender_limit' })
  })

  test('a full mailbox or a rate limit of the recipient stays a bounce', async () => {
    for (const [status, words] of [
      ['5.2.2', '552 5.2.2 The email account that you tried to reach is over quota'],
      ['5.2.1', '550 5.2.1 The user you are trying to contact is receiving mail at a rate that prevents delivery'],
    ] as const) {
      const { senderId, lead } = await contacted()
      await report(senderId, lead, status, words)
      expect(await messageOf(lead)).toMatchObject({ status: 'bounced', returnedBecause: null })
      expect(await leadOf(lead)).toMatchObject({ status: 'active' })
      expect(await suppressed(lead.email)).toBe(false)
    }
  })
})

describe('a decision about returned messages', () => {
  const resolve = (lead: ContactedLead, body: object) =>
    call('POST', `/v2/campaigns/${lead.campaignId}/returned/resolve`, body)

  test('send_again makes the step due in the same row, once', async () => {
    const { senderId, lead } = await contacted()
    await report(senderId, lead, '5.4.5', '550 5.4.5 Daily user sending limit exceeded.')
    const before = await messageOf(lead)
    expect((await resolve(lead, { action: 'send_again', all: true })).body).toMatchObject({ resolved: 1, more: false })
    expect(await messageOf(lead)).toMatchObject({ id: before.id, status: 'queued', returnedBecause: null })
    expect((await resolve(lead, { action: 'send_again', leadIds: [lead.leadId] })).body).toMatchObject({
      resolved: 0,
      skipped: { not_returned: 1 },
    })
  })

  test('skip lets the lead wait for its next step', async () => {
    const { senderId, lead } = await contacted()
    await report(senderId, lead, '5.4.5', '550 5.4.5 Daily user sending limit exceeded.')
    expect((await resolve(lead, { action: 'skip', leadIds: [lead.leadId] })).body).toMatchObject({ resolved: 1 })
    expect((await leadOf(lead)).blockedReason).not.toBe('returned')
    expect(await messageOf(lead)).toMatchObject({ status: 'returned' })
  })

  test('needs either leads or all', async () => {
    const { lead } = await contacted()
    expect((await resolve(lead, { action: 'skip' })).status).toBe(400)
    expect((await call('POST', '/v2/campaigns/cmp_none/returned/resolve', { action: 'skip', all: true })).status).toBe(
      404,
    )
  })
})
