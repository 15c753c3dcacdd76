import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { contactedLead, type ContactedLead } from '@overture/testing/inbox/contacted-lead.ts'
import { campaignTools } from '@overture/testing/campaign-tools.ts'
import { startTestServer, type TestServer } from '@overture/testing/server.ts'
import { campaignRoutes } from '../../campaigns/index.ts'
import { deliveryRoutes } from '../../delivery/index.ts'
import { sendingAccountsRoutes } from '../../sending-accounts/index.ts'
import { findSuppressed } from '../../suppressions/index.ts'
import { receiveMessage } from './receive.commands.ts'

// Each test stores hundreds of mails.
vi.setConfig({ testTimeout: 300_000 })

let server: TestServer
let senderId: string
let attacker: ContactedLead
let victim: ContactedLead
const now = new Date('2026-03-02T09:00:00.000Z')
const call = (method: string, path: string, body?: unknown) =>
  server.call(method, path, { key: server.keys.test, body })

beforeAll(async () => {
  server = await startTestServer({
    routes: () => [...campaignRoutes(campaignTools), ...sendingAccountsRoutes(), ...deliveryRoutes(campaignTools)],
  })
  const login = { username: 'sender@tenant.test', password: 'secret', security: 'tls' }
  const made = await call('POST', '/v2/sending-accounts', {
    email: 'sender@tenant.test',
    fromName: 'Sender',
    smtp: { ...login, host: 'smtp.gmail.com', port: 465 },
    imap: { ...login, host: 'imap.gmail.com', port: 993 },
  })
  senderId = made.body.id
  // Reports about the attacker's own address are true and don't matter here.
  attacker = await contacted('eve@attacker.test', { bounceProtection: { enabled: false } })
  victim = await contacted('victim@company.test')
  await sentBefore(victim, 40)
})
afterAll(() => server.stop())

const contacted = (email: string, settings: object = {}) => contactedLead(server, { senderId, now, email, settings })

/** Inserts sent messages. With this many, a single complaint already trips the breaker. */
async function sentBefore(lead: ContactedLead, count: number): Promise<void> {
  const { accountId, environment } = server.testTenant
  await server.app.db.execute(
    `insert into message_heads (account_id, environment, id, campaign_id, sending_account_id, direction, kind, status,
       rfc_message_id, queued_at, sent_at)
     select $1, $2, 'msg_before_' || n, $3, $4, 'outbound', 'campaign', 'sent', '<before' || n || '@tenant.test>', $5, $5
     from generate_series(1, $6) n`,
    [accountId, environment, lead.campaignId, senderId, new Date(now.getTime() - 2 * 86_400_000), count],
  )
}

let uid = 0
const receive = (raw: string, { junk = false } = {}) =>
  receiveMessage(server.app, server.testTenant, {
    sendingAccountId: senderId,
    raw: Buffer.from(raw),
    folder: junk ? 'Junk' : 'INBOX',
    junk,
    uid: ++uid,
    receivedAt: now,
    now,
  })

interface ReportSpec {
  form: 'fields' | 'text' | 'notification' | 'complaint'
  from: string
  recipients: string[]
  /** Message-IDs in the enclosed message, and in the report's headers. */
  enclosed: string[]
  referred: string[]
  headers: string[]
}

function reportOf({ form, from, recipients, enclosed, referred, headers }: ReportSpec): string {
  const head = [
    ...headers,
    `From: Mail Delivery System <${from}>`,
    'To: sender@tenant.test',
    'Subject: Undelivered Mail Returned to Sender',
    `Message-ID: <report${++uid}@attacker.test>`,
    ...(referred.length === 0 ? [] : [`References: ${referred.join(' ')}`]),
  ]
  const copy = ['--b', 'Content-Type: message/rfc822', '', ...enclosed.map((id) => `Message-ID: ${id}`), '', 'Hi']
  const fields = recipients.flatMap((one) => [
    `Final-Recipient: rfc822; ${one}`,
    'Action: failed',
    'Status: 5.1.1',
    'Diagnostic-Code: smtp; 550 5.1.1 User unknown',
    '',
  ])
  const inReport = (type: string, part: string[]) =>
    [`Content-Type: multipart/report; report-type=${type}; boundary=b`, '', ...part, ...copy, '--b--'].join('\r\n')
  const body = {
    fields: () =>
      inReport('delivery-status', [
        '--b',
        'Content-Type: message/delivery-status',
        '',
        'Reporting-MTA: dns; mx.test',
        '',
        ...fields,
      ]),
    text: () =>
      [
        '',
        'This message could not be delivered to:',
        ...recipients.map((one) => `<${one}>: 550 5.1.1 User unknown`),
        '',
        '------ This is a copy of the message, including all the headers. ------',
        '',
        ...enclosed.map((id) => `Message-ID: ${id}`),
      ].join('\r\n'),
    notification: () =>
      `\r\n${JSON.stringify({
        notificationType: 'Bounce',
        bounce: {
          bounceType: 'Permanent',
          bounceSubType: 'General',
          bouncedRecipients: recipients.map((emailAddress) => ({ emailAddress, status: '5.1.1', action: 'failed' })),
        },
        mail: { messageId: enclosed[0] ?? 'none', headers: enclosed.map((value) => ({ name: 'Message-ID', value })) },
      })}`,
    complaint: () =>
      inReport('feedback-report', [
        '--b',
        'Content-Type: message/feedback-report',
        '',
        'Feedback-Type: abuse',
        'Version: 1',
        ...recipients.map((one) => `Original-Rcpt-To: rfc822;${one}`),
        '',
      ]),
  }[form]()
  return `${head.join('\r\n')}\r\n${body}`
}

const forms = ['fields', 'text', 'notification', 'complaint'] as const
const stateOf = async (lead: ContactedLead) => {
  const { results } = (await call('GET', `/v2/campaigns/${lead.campaignId}/leads`)).body
  const found = await findSuppressed(server.app.db, server.testTenant, {
    secrets: server.app.secrets,
    emails: [lead.email],
  })
  const { status, statusReason } = (await call('GET', `/v2/sending-accounts/${senderId}`)).body
  return { lead: results[0].status, suppressed: found.has(lead.email), sender: [status, statusReason] }
}
const messagesOf = async (lead: ContactedLead) =>
  (await call('GET', `/v2/campaigns/${lead.campaignId}/leads/${lead.leadId}/thread`)).body.messages

/** All reports that an attacker can write with the victim's address and messages of the sender. */
const forged = fc.record({
  form: fc.constantFrom(...forms),
  from: fc.constantFrom('mailer-daemon@company.test', 'postmaster@attacker.test', 'fbl@mx.test', 'eve@attacker.test'),
  recipients: fc
    .array(fc.constantFrom('eve@attacker.test', 'nobody@else.test'), { maxLength: 2 })
    .chain((others) => fc.shuffledSubarray(['victim@company.test', ...others], { minLength: 1 + others.length })),
  enclosed: fc.array(fc.constantFrom('<own>', '<answer>', '<guess>', '<out2@tenant.test>'), { maxLength: 2 }),
  referred: fc.array(fc.constantFrom('<own>', '<answer>', '<guess>'), { maxLength: 2 }),
  headers: fc.subarray([
    'Authentication-Results: mx.attacker.test; dkim=pass header.d=company.test; dmarc=pass header.from=company.test',
    'Authentication-Results: mx.google.com; dkim=pass header.d=attacker.test; dmarc=fail header.from=company.test',
    'Authentication-Results: mx.google.com; spf=pass ("; dkim=pass header.d=company.test;") smtp.mailfrom=attacker.test',
    'Received: from mx.company.test by mx.google.com',
    'Auto-Submitted: auto-replied',
    'Return-Path: <>',
  ]),
  junk: fc.boolean(),
})

test('no forged report ends another lead, suppresses its address or pauses the mailbox', async () => {
  const answered = '<answer.of.eve@attacker.test>'
  await receive(
    [
      'From: <eve@attacker.test>',
      'Subject: Re: Hello',
      `Message-ID: ${answered}`,
      `In-Reply-To: ${attacker.rfcMessageId}`,
      '',
      'Tell me more.',
    ].join('\r\n'),
  )
  const before = await stateOf(victim)
  expect(before).toEqual({ lead: 'active', suppressed: false, sender: ['active', null] })
  const ids: Record<string, string> = { '<own>': attacker.rfcMessageId, '<answer>': answered, '<guess>': '<a@b.test>' }
  const known = (list: string[]) => list.map((id) => ids[id] ?? id).filter((id) => id !== victim.rfcMessageId)
  await fc.assert(
    fc.asyncProperty(forged, async ({ junk, ...spec }) => {
      await receive(reportOf({ ...spec, enclosed: known(spec.enclosed), referred: known(spec.referred) }), { junk })
      expect(await stateOf(victim)).toEqual(before)
    }),
    { numRuns: 150 },
  )
  const kept = (await messagesOf(victim)).filter((one: { direction: string }) => one.direction === 'inbound')
  expect(kept.length).toBeGreaterThan(0)
  for (const one of kept) expect(one.classification.proof).toBe('none')
}, 120_000)

describe('a proven report counts', () => {
  test.each(forms.flatMap((form) => [false, true].map((junk) => [form, junk] as const)))(
    'with the Message-ID of our message: %s, in junk %s',
    async (form, junk) => {
      const lead = await contacted(`proven.${form}.${junk}@company.test`)
      const spec = { form, from: 'bounces@relay.test', recipients: [lead.email], referred: [], headers: [] }
      await receive(reportOf({ ...spec, enclosed: [lead.rfcMessageId] }), { junk })
      expect((await stateOf(lead)).suppressed).toBe(true)
      expect((await messagesOf(lead)).at(-1).classification.proof).toBe('message_id')
    },
  )

  const passed =
    'Authentication-Results: mx.google.com; dkim=pass header.i=@mx.company.test header.s=a; dmarc=pass header.from=company.test'
  test.each([
    ['the recipient’s own server, says the mailbox’s provider', 'mailer-daemon@company.test', passed, false, true],
    ['a colleague at the same company', 'ada@company.test', passed, false, false],
    ['the provider, but in junk', 'mailer-daemon@company.test', passed, true, false],
    [
      'results further down',
      'mailer-daemon@company.test',
      `Authentication-Results: mx.google.com; spf=none\r\n${passed}`,
      false,
      false,
    ],
    ['another domain', 'mailer-daemon@other.test', passed.replaceAll('company', 'other'), false, false],
  ])('without Message-ID, depending on where it comes from: %s (%#)', async (_what, from, header, junk, counts) => {
    const lead = await contacted(`vouched${++uid}@company.test`)
    const spec = { form: 'fields' as const, recipients: [lead.email], enclosed: [], referred: [] }
    await receive(reportOf({ ...spec, from, headers: [header] }), { junk })
    expect((await stateOf(lead)).suppressed).toBe(counts)
    expect((await messagesOf(lead)).at(-1).classification.proof).toBe(counts ? 'authentication' : 'none')
  })

  test('but not by the domain of a public mailbox provider', async () => {
    const lead = await contacted('person@gmx.de')
    const spec = { form: 'fields' as const, recipients: [lead.email], enclosed: [], referred: [] }
    const headers = ['Authentication-Results: mx.google.com; dkim=pass header.d=gmx.de']
    await receive(reportOf({ ...spec, from: 'postmaster@gmx.de', headers }))
    expect((await stateOf(lead)).suppressed).toBe(false)
  })
})

test('an opt-out in words counts from anyone, even from junk', async () => {
  const lead = await contacted('asks@company.test')
  const raw = `From: <${lead.email}>\r\nSubject: Hello\r\nMessage-ID: <asks@x.test>\r\n\r\nPlease remove me from your list.`
  await receive(raw, { junk: true })
  expect(await stateOf(lead)).toMatchObject({ lead: 'unsubscribed', suppressed: true })
})
