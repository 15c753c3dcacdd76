import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { campaignRoutes } from '../../campaigns/index.ts'
import { deliveryRoutes, signOptOut, signTrackingToken } from '../../delivery/index.ts'
import { noDrafts } from '@overture/testing/inbox/no-drafts.ts'
import { contactedLead, type ContactedLead, type ContactOptions } from '@overture/testing/inbox/contacted-lead.ts'
import { startTestServer, type TestServer } from '@overture/testing/server.ts'
import { campaignTools } from '@overture/testing/campaign-tools.ts'
import { sendingAccountsRoutes } from '../../sending-accounts/index.ts'
import { findSuppressed, suppressionsRoutes } from '../../suppressions/index.ts'
import { trackingRoutes } from '../../tracking/index.ts'
import { conversationsRoutes } from '../conversations/conversations.routes.ts'
import { replyRoutes } from '../conversations/replies.routes.ts'
import { receiveMessage } from './receive.commands.ts'
import { testRenderer } from '@overture/testing/renderer.ts'

let server: TestServer
let senderId: string
const now = new Date('2026-03-02T09:00:00.000Z')

beforeAll(async () => {
  server = await startTestServer({
    routes: () => [
      ...campaignRoutes(campaignTools),
      ...sendingAccountsRoutes(),
      ...suppressionsRoutes(),
      ...conversationsRoutes(noDrafts),
      ...replyRoutes(testRenderer, noDrafts),
      ...deliveryRoutes(campaignTools),
    ],
    publicRoutes: ({ app }) => trackingRoutes(app),
  })
  senderId = (
    await call('POST', '/v2/sending-accounts', { email: 'sender@example.com', fromName: 'Sender', provider: 'sandbox' })
  ).body.id
})
afterAll(() => server.stop())

const call = (method: string, path: string, body?: unknown) =>
  server.call(method, path, { key: server.keys.test, body })

let counter = 1_000
const contacted = (options: ContactOptions = {}) => contactedLead(server, { ...options, senderId, now })

const mail = (...lines: string[]) => Buffer.from(lines.join('\r\n'))
let uid = 0
const receive = (raw: Buffer, junk = false) =>
  receiveMessage(server.app, server.testTenant, {
    sendingAccountId: senderId,
    raw,
    folder: junk ? 'Junk' : 'INBOX',
    junk,
    uid: ++uid,
    receivedAt: now,
    now,
  })
const answer = (lead: ContactedLead, text: string, ...headers: string[]) =>
  receive(
    mail(
      `From: <${lead.email}>`,
      'To: sender@example.com',
      'Subject: Re: Hello',
      `Message-ID: <in${++uid}@there.test>`,
      `In-Reply-To: ${lead.rfcMessageId}`,
      'Date: Mon, 02 Mar 2026 08:59:00 +0000',
      ...headers,
      '',
      text,
    ),
  )
const report = (lead: ContactedLead, status: string, diagnostic: string, action = 'failed') =>
  receive(
    mail(
      'From: MAILER-DAEMON@mx.test',
      'To: sender@example.com',
      'Subject: Undelivered Mail',
      `Message-ID: <dsn${++uid}@mx.test>`,
      'Content-Type: multipart/report; report-type=delivery-status; boundary=b',
      '',
      '--b',
      'Content-Type: text/plain',
      '',
      'Sorry.',
      '--b',
      'Content-Type: message/delivery-status',
      '',
      'Reporting-MTA: dns; mx.test',
      '',
      `Final-Recipient: rfc822; ${lead.email}`,
      `Action: ${action}`,
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
    ),
  )
const leadOf = async (lead: ContactedLead) =>
  (await call('GET', `/v2/campaigns/${lead.campaignId}/leads`)).body.results.find(
    (one: { id: string }) => one.id === lead.leadId,
  )
const suppressed = async (email: string) =>
  (await findSuppressed(server.app.db, server.testTenant, { secrets: server.app.secrets, emails: [email] })).get(
    email,
  ) ?? null
const eventsOf = async (lead: ContactedLead) =>
  server.app.db.query<{ type: string; data: Record<string, unknown> }>(
    `select type, data from events where account_id = $1 and lead_id = $2 order by position`,
    [server.testTenant.accountId, lead.leadId],
  )

describe('a reply', () => {
  test('stops the sequence and becomes a conversation', async () => {
    const lead = await contacted()
    expect(
      await answer(lead, 'Tell me more.\r\n\r\nOn Sun, 1 Mar 2026, Sender <sender@example.com> wrote:\r\n> Hi'),
    ).toMatchObject({ outcome: 'stored', kind: 'reply', leadId: lead.leadId })
    expect(await leadOf(lead)).toMatchObject({ status: 'replied', replyCount: 1, stoppedBy: { rule: 'reply' } })
    expect((await eventsOf(lead)).map((one) => one.type)).toContain('reply.received')
    const list = await call('GET', `/v2/conversations?campaignId=${lead.campaignId}&unread=true`)
    expect(list.body.results).toMatchObject([
      { leadId: lead.leadId, unread: true, snippet: 'Tell me more.', lead: { email: lead.email } },
    ])
    const { body } = await call('GET', `/v2/conversations/${list.body.results[0].id}`)
    expect(body.messages.map((one: { kind: string; text: string | null }) => [one.kind, one.text])).toEqual([
      ['campaign', null],
      ['reply', 'Tell me more.'],
    ])
  })

  test('is stored once, by Message-ID and by content', async () => {
    const lead = await contacted()
    const raw = mail(
      `From: <${lead.email}>`,
      'Subject: Re: Hello',
      'Message-ID: <same@there.test>',
      `In-Reply-To: ${lead.rfcMessageId}`,
      '',
      'Yes',
    )
    const outcomes = await Promise.all([receive(raw), receive(raw), receive(raw)])
    expect(outcomes.map((one) => one.outcome).sort()).toEqual(['duplicate', 'duplicate', 'stored'])
    expect((await leadOf(lead)).replyCount).toBe(1)
  })

  test('without a known thread is matched by address', async () => {
    const lead = await contacted()
    expect(
      await receive(
        mail(
          `From: Ada <${lead.email.toUpperCase()}>`,
          'Subject: your note',
          'Message-ID: <lost@there.test>',
          '',
          'Yes',
        ),
      ),
    ).toMatchObject({ outcome: 'stored', leadId: lead.leadId })
  })

  test("doesn't stop the lead if stopOnReply is off", async () => {
    const lead = await contacted({ settings: { stopOnReply: false } })
    await answer(lead, 'Yes')
    expect(await leadOf(lead)).toMatchObject({ status: 'active', replyCount: 1 })
  })

  test("stops the colleagues with the lead's id as the reason", async () => {
    const lead = await contacted({
      settings: { stopForCompany: true },
      email: 'ada@engines.test',
      colleagues: ['bob@engines.test', 'eve@other.test'],
    })
    await answer(lead, 'Yes')
    const { results } = (await call('GET', `/v2/campaigns/${lead.campaignId}/leads`)).body
    const byEmail = new Map(results.map((one: { email: string }) => [one.email, one]))
    expect(byEmail.get('bob@engines.test')).toMatchObject({
      status: 'stopped',
      stoppedBy: { rule: 'company_reply', leadId: lead.leadId },
    })
    expect(byEmail.get('eve@other.test')).toMatchObject({ status: 'pending' })
  })

  test("in junk stops no colleagues, because its sender isn't proven", async () => {
    const lead = await contacted({
      settings: { stopForCompany: true },
      email: 'ada@forged.test',
      colleagues: ['bob@forged.test'],
    })
    const raw = mail(`From: <${lead.email}>`, 'To: sender@example.com', `In-Reply-To: ${lead.rfcMessageId}`, '', 'Yes')
    await receive(raw, true)
    const { results } = (await call('GET', `/v2/campaigns/${lead.campaignId}/leads`)).body
    const statuses = results.map(({ email, status }: { email: string; status: string }) => [email, status])
    expect(Object.fromEntries(statuses)).toEqual({ 'ada@forged.test': 'replied', 'bob@forged.test': 'pending' })
  })

  test('is not our own copy or private mail', async () => {
    const lead = await contacted()
    expect(
      await receive(
        mail(
          'From: Sender <sender@example.com>',
          `To: ${lead.email}`,
          'Subject: Re: Hello',
          'Message-ID: <own@example.com>',
          `In-Reply-To: ${lead.rfcMessageId}`,
          '',
          'Hi',
        ),
      ),
    ).toEqual({ outcome: 'own_copy' })
    expect(
      await receive(mail('From: mum@home.test', 'Subject: Sunday', 'Message-ID: <p@home.test>', '', 'Lunch?')),
    ).toEqual({ outcome: 'unmatched' })
    expect((await leadOf(lead)).status).toBe('active')
  })
})

describe('an automatic reply', () => {
  test('moves the next step after the return date and is no reply', async () => {
    const lead = await contacted()
    expect(
      await answer(lead, 'I am out of the office until 20 March 2026.', 'Auto-Submitted: auto-replied'),
    ).toMatchObject({ kind: 'auto_reply' })
    await server.app.db.execute(`update campaigns set status = 'active' where id = $1`, [lead.campaignId])
    expect(await leadOf(lead)).toMatchObject({
      status: 'active',
      replyCount: 0,
      interest: 'out_of_office',
      nextSendAt: expect.stringMatching(/^2026-03-21/),
    })
    expect((await eventsOf(lead)).map((one) => one.type)).toContain('reply.auto_received')
  })

  test('keeps a more important label', async () => {
    const lead = await contacted()
    const { accountId, environment } = server.testTenant
    for (const [interest, source] of [
      ['meeting_booked', 'system'],
      ['interested', 'machine'],
      ['won', 'person'],
    ]) {
      await server.app.db.execute(
        `update lead_profiles set interest = $4, interest_source = $5 where account_id = $1 and environment = $2 and id = $3`,
        [accountId, environment, lead.leadId, interest, source],
      )
      await answer(lead, `I am away, ${interest} or not.`, 'Auto-Submitted: auto-replied')
      expect((await leadOf(lead)).interest).toBe(interest)
    }
    expect((await eventsOf(lead)).map((one) => one.type)).not.toContain('lead.interest_changed')
  })
})

describe('a bounce', () => {
  test('if hard, suppresses the address and ends the lead', async () => {
    const lead = await contacted()
    await report(lead, '5.1.1', '550 5.1.1 User unknown')
    expect(await leadOf(lead)).toMatchObject({ status: 'bounced' })
    expect(await suppressed(lead.email)).toMatchObject({ source: 'bounce' })
  })

  test('if soft, keeps the lead active; a block never suppresses; a delay does nothing', async () => {
    const [soft, block, delayed] = [await contacted(), await contacted(), await contacted()]
    await report(soft, '5.2.2', '552 5.2.2 Mailbox full')
    await report(block, '5.7.1', '554 5.7.1 Client host blocked using zen.example')
    await report(delayed, '4.4.1', '421 4.4.1 Connection timed out', 'delayed')
    expect(await leadOf(soft)).toMatchObject({ status: 'active' })
    expect(await leadOf(block)).toMatchObject({ status: 'bounced' })
    expect(await leadOf(delayed)).toMatchObject({ status: 'active' })
    expect([await suppressed(soft.email), await suppressed(block.email), await suppressed(delayed.email)]).toEqual([
      null,
      null,
      null,
    ])
    expect((await eventsOf(delayed)).map((one) => one.type)).not.toContain('message.bounced')
  })
})

describe('an opt-out', () => {
  test("in words ends all leads of the address and can't be lifted", async () => {
    const email = 'stop@everywhere.test'
    const [one, other] = [await contacted({ email }), await contacted({ email })]
    expect(await answer(one, 'Please remove me from your list.')).toMatchObject({ kind: 'unsubscribe' })
    expect([await leadOf(one), await leadOf(other)]).toMatchObject([
      { status: 'unsubscribed', replyCount: 0 },
      { status: 'unsubscribed' },
    ])
    const { results } = (await call('GET', '/v2/suppressions?q=everywhere&source=recipient')).body
    expect(results).toMatchObject([{ email, domain: null, source: 'recipient' }])
    expect((await call('DELETE', `/v2/suppressions/${results[0].id}`)).status).toBe(409)
  })

  test('by link works with POST only, not with GET', async () => {
    const lead = await contacted()
    const token = signOptOut(server.app.secrets, { ...server.testTenant, ...lead })
    const page = await fetch(`${server.url}/u/${token}`)
    expect([page.status, await suppressed(lead.email)]).toEqual([200, null])
    const done = await fetch(`${server.url}/u/${token}`, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'List-Unsubscribe=One-Click',
    })
    expect(done.status).toBe(200)
    expect(await suppressed(lead.email)).toMatchObject({ source: 'recipient', reason: 'one_click' })
    expect((await leadOf(lead)).status).toBe('unsubscribed')
    expect((await fetch(`${server.url}/u/${token}x`, { method: 'POST' })).status).toBe(404)
  })
})

/** A report of a mailbox provider's feedback loop about a lead's message (RFC 5965). */
function feedback(lead: ContactedLead, type: string) {
  return receive(
    mail(
      'From: fbl@mx.test',
      'Subject: Abuse',
      `Message-ID: <arf${++uid}@mx.test>`,
      'Content-Type: multipart/report; report-type=feedback-report; boundary=b',
      '',
      '--b',
      'Content-Type: message/feedback-report',
      '',
      `Feedback-Type: ${type}`,
      'Version: 1',
      '',
      '--b',
      'Content-Type: message/rfc822',
      '',
      `Message-ID: ${lead.rfcMessageId}`,
      '',
      'Hi',
      '--b--',
    ),
  )
}

test('a complaint ends the lead and suppresses the address; an authentication report does not', async () => {
  const [angry, checked] = [await contacted(), await contacted()]
  expect(await feedback(angry, 'abuse')).toMatchObject({ kind: 'complaint', leadId: angry.leadId })
  await feedback(checked, 'auth-failure')
  expect([(await leadOf(angry)).status, (await leadOf(checked)).status]).toEqual(['unsubscribed', 'active'])
  expect([await suppressed(angry.email), await suppressed(checked.email)]).toMatchObject([
    { source: 'complaint' },
    null,
  ])
})

/** Messages that the mailbox sent before, all of one campaign. */
async function sentBefore(lead: ContactedLead, count: number): Promise<void> {
  const { accountId, environment } = server.testTenant
  await server.app.db.execute(
    `insert into message_heads (account_id, environment, id, campaign_id, sending_account_id, direction, kind, status,
       rfc_message_id, queued_at, sent_at)
     select $1, $2, 'before.' || $3 || n, $3, m.sending_account_id, 'outbound', 'campaign', 'sent', '<before.' || $3 || n || '>', $4, $4
     from generate_series(1, $5) n, (select sending_account_id from messages where rfc_message_id = $6) m`,
    [accountId, environment, lead.campaignId, new Date(now.getTime() - 2 * 86_400_000), count, lead.rfcMessageId],
  )
}

describe('the bounce breaker of a mailbox', () => {
  const senderOf = async (id: string) => (await call('GET', `/v2/sending-accounts/${id}`)).body
  const errorsOf = (id: string) =>
    server.app.db.query<{ data: Record<string, unknown> }>(
      `select data from events where sending_account_id = $1 and type = 'sending_account.error' order by position`,
      [id],
    )
  const withOwnSender = async (): Promise<{ lead: ContactedLead; own: string }> => {
    const before = senderId
    const made = await call('POST', '/v2/sending-accounts', {
      email: `own${++counter}@example.com`,
      fromName: 'Own',
      provider: 'sandbox',
    })
    senderId = made.body.id
    try {
      // Another lead is still waiting, so the campaign is not completed.
      const lead = await contacted({ colleagues: [`waiting${counter}@other.test`] })
      await server.app.db.execute(`update campaigns set status = 'active' where id = $1`, [lead.campaignId])
      return { lead, own: senderId }
    } finally {
      senderId = before
    }
  }
  const campaignOf = async (lead: ContactedLead) => (await call('GET', `/v2/campaigns/${lead.campaignId}`)).body

  test('warns once at two percent, on the sending account', async () => {
    const { lead, own } = await withOwnSender()
    await sentBefore(lead, 48)
    await report(lead, '5.2.2', '552 5.2.2 Mailbox full')
    expect(await senderOf(own)).toMatchObject({ status: 'active', statusReason: 'bounce_rate_warning' })
    await report(
      { ...lead, email: 'x@y.test', rfcMessageId: `<before.${lead.campaignId}1>` },
      '5.2.2',
      '552 5.2.2 Mailbox full',
    )
    expect(await errorsOf(own)).toMatchObject([
      { data: { status: 'active', error: 'bounce_rate_warning', sent: 49, bounced: 1 } },
    ])
    expect(await campaignOf(lead)).toMatchObject({ status: 'active' })
  })

  test('does nothing below two percent, and pauses at five', async () => {
    const { lead, own } = await withOwnSender()
    await sentBefore(lead, 98)
    await report(lead, '5.2.2', '552 5.2.2 Mailbox full')
    expect(await senderOf(own)).toMatchObject({ status: 'active', statusReason: null })
    for (let at = 1; at <= 4; at++)
      await report(
        { ...lead, email: 'x@y.test', rfcMessageId: `<before.${lead.campaignId}${at}>` },
        '5.2.2',
        '552 5.2.2 Mailbox full',
      )
    expect(await senderOf(own)).toMatchObject({ status: 'paused', statusReason: 'bounce_rate' })
  })

  test('a complaint pauses the mailbox, and a campaign with no other mailbox', async () => {
    const { lead, own } = await withOwnSender()
    await sentBefore(lead, 40)
    await feedback(lead, 'abuse')
    expect(await senderOf(own)).toMatchObject({ status: 'paused', statusReason: 'complaint_rate' })
    expect(await campaignOf(lead)).toMatchObject({ status: 'paused', statusReason: 'sending_accounts_unavailable' })
    expect(await errorsOf(own)).toMatchObject([{ data: { status: 'paused', error: 'complaint_rate' } }])
  })
})

describe('opens and clicks', () => {
  test('are counted by people and machines, and redirect only to signed URLs', async () => {
    const lead = await contacted()
    const token = (purpose: 'open' | 'click', url: string | null) =>
      signTrackingToken((name, fields) => server.app.secrets.signToken(name, fields), purpose, {
        ...server.testTenant,
        ...lead,
        target: url,
      })
    const browser = {
      'user-agent':
        'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36',
    }
    await fetch(`${server.url}/o/${token('open', null)}`, { headers: { 'user-agent': 'curl/8' } })
    expect((await leadOf(lead)).openCount).toBe(0)
    await fetch(`${server.url}/o/${token('open', null)}`, { headers: browser })
    const click = await fetch(`${server.url}/c/${token('click', 'https://example.com/a')}`, {
      redirect: 'manual',
      headers: browser,
    })
    expect([click.status, click.headers.get('location')]).toEqual([302, 'https://example.com/a'])
    expect(await leadOf(lead)).toMatchObject({ openCount: 1, clickCount: 1 })
    expect(
      (await eventsOf(lead)).filter((one) => one.type === 'message.opened').map((one) => one.data['machine']),
    ).toEqual([true, false])
    expect((await fetch(`${server.url}/c/nonsense`, { redirect: 'manual' })).status).toBe(404)
  })
})

describe('conversations', () => {
  test('can be answered, labelled, archived and searched', async () => {
    const lead = await contacted()
    await answer(lead, 'Could you tell me about zeppelins?')
    const [found] = (await call('GET', '/v2/conversations?q=zepp')).body.results
    expect(found.leadId).toBe(lead.leadId)
    const sent = await call('POST', `/v2/conversations/${found.id}/reply`, { text: 'They float.' })
    expect(sent).toMatchObject({
      status: 202,
      body: {
        kind: 'manual',
        status: 'queued',
        subject: 'Re: Hello',
        text: 'They float.',
        to: [{ email: lead.email }],
      },
    })
    expect(sent.body.inReplyTo).toMatch(/^<in/)
    expect(
      (await call('PUT', `/v2/conversations/${found.id}`, { read: true, interest: 'interested', archived: true })).body,
    ).toMatchObject({ unread: false, interest: 'interested', archived: true })
    expect((await call('GET', `/v2/conversations?campaignId=${lead.campaignId}`)).body.results).toEqual([])
    expect((await call('GET', '/v2/conversations/thr_none')).status).toBe(404)
    const whole = (await call('GET', `/v2/conversations/${found.id}`)).body
    expect((await call('PUT', `/v2/conversations/${found.id}`, whole)).status).toBe(200)
    expect((await call('PUT', `/v2/conversations/${found.id}`, { ...whole, snippet: 'x' })).status).toBe(400)
  })
})

test('a reply can have attachments of up to ten megabytes', async () => {
  const lead = await contacted()
  await answer(lead, 'Please send the brochure.')
  const [found] = (await call('GET', `/v2/conversations?campaignId=${lead.campaignId}`)).body.results
  const file = (bytes: number) => ({
    filename: 'brochure.pdf',
    contentType: 'application/pdf',
    content: Buffer.alloc(bytes, 'brochure').toString('base64'),
  })
  const reply = (attachments: object[]) =>
    call('POST', `/v2/conversations/${found.id}/reply`, { html: '<p>Here it is.</p>', attachments })
  const sent = await reply([file(6_000_000), file(4_000_000)])
  expect(sent).toMatchObject({ status: 202, body: { status: 'queued', text: 'Here it is.' } })
  const [stored] = await server.app.db.query<{ sizes: number[] }>(
    `select array(select length(decode(one ->> 'content', 'base64')) from jsonb_array_elements(attachments::jsonb) one) as sizes
     from message_contents where message_id = $1`,
    [sent.body.id],
  )
  expect(stored).toEqual({ sizes: [6_000_000, 4_000_000] })
  expect(await reply([file(6_000_000), file(4_600_000)])).toMatchObject({
    status: 400,
    body: { error: { code: 'VALIDATION_ERROR', details: { issues: [{ path: 'attachments' }] } } },
  })
})

describe('suppressions', () => {
  test('can be added, listed and lifted; a domain covers its addresses', async () => {
    const added = await call('POST', '/v2/suppressions', { domain: 'Blocked.test' })
    expect(added).toMatchObject({ status: 201, body: { email: null, domain: 'blocked.test', source: 'manual' } })
    expect(await suppressed('any@blocked.test')).toMatchObject({ source: 'manual' })
    expect((await call('POST', '/v2/suppressions', { email: 'a@b.test', domain: 'b.test' })).status).toBe(400)
    expect((await call('DELETE', `/v2/suppressions/${added.body.id}`)).body).toEqual({
      id: added.body.id,
      deleted: true,
    })
    expect(await suppressed('any@blocked.test')).toBeNull()
    expect((await call('DELETE', `/v2/suppressions/${added.body.id}`)).status).toBe(404)
  })
})
