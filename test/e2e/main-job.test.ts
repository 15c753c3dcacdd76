import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { dovecotAvailable, startDovecot } from '@overture/testing/mail/dovecot.server.ts'
import { startImapDouble } from '@overture/testing/mail/imap-double.server.ts'
import { type SmtpDouble, startSmtpDouble } from '@overture/testing/mail/smtp-double.server.ts'
import { type RunningProduct, startRunningServer } from '@overture/testing/server/running-server.ts'
import { anyTime } from '@overture/testing/schedules.ts'
import { lacks } from '@overture/testing/tools.ts'

interface ImapServer {
  port: number
  password: string
  deliver(user: string, raw: string): unknown
  stop(): Promise<void>
}

const eventually = { timeout: 30_000, interval: 100 }

async function imapDouble(): Promise<ImapServer> {
  const users = { 'ada@sender.test': 'secret', 'bob@sender.test': 'secret' }
  const double = await startImapDouble({ users })
  return {
    port: double.port,
    password: 'secret',
    deliver: (user, raw) => double.deliver(user, raw),
    stop: () => double.stop(),
  }
}

const servers: [string, () => Promise<ImapServer>, boolean][] = [
  ['the IMAP double', imapDouble, true],
  ["Debian's Dovecot (skipped where it is not installed)", startDovecot, dovecotAvailable()],
]

describe.each(servers)('a campaign over real SMTP with replies over %s', (_name, startImap, available) => {
  let product: RunningProduct
  let smtp: SmtpDouble
  let imap: ImapServer

  beforeAll(async () => {
    if (!available) return
    smtp = await startSmtpDouble({ users: { 'ada@sender.test': 'secret', 'bob@sender.test': 'secret' } })
    imap = await startImap()
    product = await startRunningServer({ OVERTURE_ALLOW_PRIVATE_TARGETS: '1' })
    await product.live('PUT', '/v2/account', { postalAddress: '1 Main Street, Springfield' })
  })
  afterAll(async () => {
    if (!available) return
    await product.stop()
    await smtp.stop()
    await imap.stop()
  })

  async function connectMailbox(user: string): Promise<string> {
    const server = (port: number) => ({ host: '127.0.0.1', port, security: 'none', username: user, password: 'secret' })
    const made = await product.live('POST', '/v2/sending-accounts', {
      email: user,
      fromName: 'Ada',
      provider: 'smtp',
      smtp: server(smtp.port),
      imap: server(imap.port),
      minGapSeconds: 0,
      maxGapSeconds: 0,
    })
    expect(made.status).toBe(201)
    expect(JSON.stringify(made.body)).not.toContain('secret')
    const verified = await product.live('POST', `/v2/sending-accounts/${made.body.id}/verify`)
    expect(verified.body).toMatchObject({ ok: true })
    return made.body.id
  }

  async function launch(senderId: string, emails: string[]) {
    const { status, body } = await product.live('POST', '/v2/campaigns/launch', {
      name: 'Main job',
      sendingAccountIds: [senderId],
      schedule: anyTime,
      steps: [
        { variants: [{ subject: 'Hello {{ firstName }}', body: 'Hi {{ firstName }}, shall we talk?' }] },
        { waitBefore: { value: 1, unit: 'hours' }, variants: [{ body: 'Still there?' }] },
      ],
      leads: emails.map((email) => ({ email, firstName: email.split('@')[0] })),
    })
    expect(status).toBe(201)
    return body
  }

  const acceptedFor = (email: string) => smtp.accepted.filter((mail) => mail.to.includes(email))
  const leadOf = async (campaignId: string, email: string) =>
    (await product.live('GET', `/v2/campaigns/${campaignId}/leads?email=${encodeURIComponent(email)}`)).body.results[0]

  // The receiving server has a message a moment before the sender records it.
  const recordedAsSent = (campaignId: string, email: string) =>
    vi.waitFor(async () => expect((await leadOf(campaignId, email)).status).toBe('active'), eventually)

  test.skipIf(lacks('Dovecot', available))(
    'messages are sent, a reply is received, and the sequence stops for its lead',
    async () => {
      const senderId = await connectMailbox('ada@sender.test')
      const campaign = await launch(senderId, ['grace@r.test', 'joan@r.test'])
      await vi.waitFor(() => expect(smtp.accepted.length).toBe(2), eventually)
      for (const email of ['grace@r.test', 'joan@r.test']) await recordedAsSent(campaign.id, email)

      const mail = acceptedFor('grace@r.test')[0]
      const text = mail?.raw.toString() ?? ''
      expect(text).toMatch(/^Subject: Hello grace\r$/m)
      expect(text).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m)
      expect(text).toContain('multipart/alternative')
      expect(text.replace(/=\r\n/g, '')).toContain('1 Main Street, Springfield')

      await imap.deliver(
        'ada@sender.test',
        [
          'From: Grace <grace@r.test>',
          'To: ada@sender.test',
          'Subject: Re: Hello grace',
          'Message-ID: <r1@r.test>',
          `In-Reply-To: ${mail?.messageId ?? ''}`,
          `References: ${mail?.messageId ?? ''}`,
          'Date: Sat, 21 Nov 2026 10:00:00 +0000',
          '',
          'Yes, gladly.',
          '',
          'On Sat, 21 Nov 2026, Ada wrote:',
          '> Hi grace, shall we talk?',
          '',
        ].join('\r\n'),
      )
      await vi.waitFor(
        async () => expect((await leadOf(campaign.id, 'grace@r.test')).status).toBe('replied'),
        eventually,
      )

      const lead = await leadOf(campaign.id, 'grace@r.test')
      expect(lead).toMatchObject({ replyCount: 1, nextSendAt: null, stoppedBy: { rule: 'reply' } })
      const thread = (await product.live('GET', `/v2/campaigns/${campaign.id}/leads/${lead.id}/thread`)).body.messages
      expect(
        thread.map((message: { direction: string; kind: string; text: string }) => [message.direction, message.kind]),
      ).toEqual([
        ['outbound', 'campaign'],
        ['inbound', 'reply'],
      ])
      expect(thread[1].text).toBe('Yes, gladly.')
      expect((await product.live('GET', `/v2/campaigns/${campaign.id}/stats`)).body).toMatchObject({
        sent: 2,
        replied: 1,
        uniqueReplied: 1,
      })
      expect((await leadOf(campaign.id, 'joan@r.test')).status).toBe('active')

      const answered = await product.live('POST', `/v2/campaigns/${campaign.id}/leads/${lead.id}/reply`, {
        text: 'Tuesday at ten?',
      })
      expect(answered.status).toBe(202)
      await vi.waitFor(() => expect(acceptedFor('grace@r.test').length).toBe(2), eventually)
      const reply = acceptedFor('grace@r.test')[1]?.raw.toString() ?? ''
      expect(reply).toMatch(/^In-Reply-To: <r1@r\.test>\r$/m)
      expect(reply).toMatch(/^Subject: Re: Hello grace\r$/m)

      const joan = await leadOf(campaign.id, 'joan@r.test')
      const now = await product.live('POST', `/v2/campaigns/${campaign.id}/leads/${joan.id}/send-now`)
      expect(now.status).toBe(202)
      await vi.waitFor(() => expect(acceptedFor('joan@r.test').length).toBe(2), eventually)
      const second = acceptedFor('joan@r.test')[1]?.raw.toString() ?? ''
      expect(second).toMatch(/^Subject: Re: Hello joan\r$/m)
      expect(second).toContain(`In-Reply-To: ${acceptedFor('joan@r.test')[0]?.messageId ?? ''}`)
      await vi.waitFor(
        async () => expect((await product.live('GET', `/v2/campaigns/${campaign.id}`)).body.status).toBe('completed'),
        eventually,
      )
    },
  )

  test.skipIf(lacks('Dovecot', available))('the unsubscribe link opts out with POST, and not with GET', async () => {
    const senderId = await connectMailbox('bob@sender.test')
    const campaign = await launch(senderId, ['mary@r.test'])
    await vi.waitFor(() => expect(acceptedFor('mary@r.test').length).toBe(1), eventually)
    const raw = (acceptedFor('mary@r.test')[0]?.raw.toString() ?? '').replace(/\r\n[ \t]+/g, ' ')
    const url = /^List-Unsubscribe: <(http[^>]+)>/m.exec(raw)?.[1] ?? ''
    await recordedAsSent(campaign.id, 'mary@r.test')
    expect((await fetch(url)).status).toBe(200)
    expect((await leadOf(campaign.id, 'mary@r.test')).status).toBe('active')
    const posted = await fetch(url, {
      method: 'POST',
      redirect: 'error',
      body: 'List-Unsubscribe=One-Click',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(posted.status).toBe(200)
    expect((await leadOf(campaign.id, 'mary@r.test')).status).toBe('unsubscribed')
    const { body } = await product.live('POST', `/v2/campaigns/${campaign.id}/leads`, {
      leads: [{ email: 'mary@r.test' }],
    })
    expect(body.results[0].reason).toBe('suppressed')
  })
})
