import { afterAll, beforeAll, expect, test } from 'vitest'
import { campaignTools } from '@overture/testing/campaign-tools.ts'
import { contactedLead, type ContactedLead } from '@overture/testing/inbox/contacted-lead.ts'
import { startTestServer, type TestServer } from '@overture/testing/server.ts'
import { campaignRoutes } from '../../campaigns/index.ts'
import { signAddressToken, signOptOut } from '../../delivery/index.ts'
import { sendingAccountsRoutes } from '../../sending-accounts/index.ts'
import { suppressionsRoutes } from '../../suppressions/index.ts'
import { receiveMessage } from './receive.commands.ts'

let server: TestServer
let senderId: string
const now = new Date('2026-03-02T09:00:00.000Z')
beforeAll(async () => {
  server = await startTestServer({
    routes: () => [...campaignRoutes(campaignTools), ...sendingAccountsRoutes(), ...suppressionsRoutes()],
  })
  const body = { email: 'sender@example.com', fromName: 'Sender', provider: 'sandbox' }
  senderId = (await server.call('POST', '/v2/sending-accounts', { key: server.keys.test, body })).body.id
})
afterAll(() => server.stop())

const sign = (purpose: string, fields: readonly string[]) => server.app.secrets.signToken(purpose, fields)
const tokenOf = (
  lead: ContactedLead,
  accountId = server.testTenant.accountId,
  environment: 'live' | 'test' = 'test',
) => {
  const { leadId, email } = lead
  return signOptOut(server.app.secrets, { accountId, environment, leadId, email })
}
let uid = 0
const receive = (mail: { from: string; subject: string; to?: string; headers?: string[]; body?: string }) =>
  receiveMessage(server.app, server.testTenant, {
    sendingAccountId: senderId,
    raw: Buffer.from(
      [
        `Message-ID: <optout${++uid}@there.test>`,
        `From: <${mail.from}>`,
        `To: <${mail.to ?? 'sender@example.com'}>`,
        `Subject: ${mail.subject}`,
        ...(mail.headers ?? []),
        'Content-Type: text/plain; charset=utf-8',
        '',
        mail.body ?? '',
      ].join('\r\n'),
    ),
    folder: 'INBOX',
    junk: false,
    uid,
    receivedAt: now,
    now,
  })
const suppressed = async (email: string): Promise<boolean> => {
  const found = await server.call('GET', `/v2/suppressions?q=${encodeURIComponent(email)}`, {
    key: server.keys.test,
  })
  return (found.body.results as { source: string }[]).some(({ source }) => source === 'recipient')
}
const statusOf = async ({ campaignId, leadId }: ContactedLead): Promise<string> =>
  (await server.call('GET', `/v2/campaigns/${campaignId}/leads/${leadId}`, { key: server.keys.test })).body.status

const anyFrom: [string, (lead: ContactedLead) => Parameters<typeof receive>[0]][] = [
  ['another address', (lead) => ({ from: 'pat@home.test', subject: `unsubscribe ${tokenOf(lead)}` })],
  [
    'behind tags and prefixes',
    (lead) => ({ from: 'lou@home.test', subject: `[EXTERNAL] Fwd: *** SPAM *** unsubscribe ${tokenOf(lead)}` }),
  ],
  [
    'with text in Japanese and marks of a program',
    (lead) => ({
      from: lead.email,
      subject: `unsubscribe ${tokenOf(lead)}`,
      headers: ['Auto-Submitted: auto-replied'],
      body: 'このメールはメールアプリによって送信されました。',
    }),
  ],
  [
    "with a person's question in the text",
    (lead) => ({ from: 'kim@home.test', subject: `RE: unsubscribe ${tokenOf(lead)}`, body: 'When is the call?' }),
  ],
  [
    'by the plus address alone',
    (lead) => ({ from: 'sam@home.test', subject: '', to: `sender+${signAddressToken(sign, lead.leadId)}@example.com` }),
  ],
]

test.each(anyFrom)('a signed token opts out the lead that got the message: %s', async (_, mailOf) => {
  const lead = await contactedLead(server, { senderId, now })
  expect(await receive(mailOf(lead))).toMatchObject({ outcome: 'stored', kind: 'unsubscribe', leadId: lead.leadId })
  expect(await statusOf(lead)).toBe('unsubscribed')
  expect(await suppressed(lead.email)).toBe(true)
})

test('a signed token opts out the address after the campaign was deleted', async () => {
  const lead = await contactedLead(server, { senderId, now })
  await server.call('DELETE', `/v2/campaigns/${lead.campaignId}`, { key: server.keys.test })
  const result = await receive({ from: 'pat@home2.test', subject: `unsubscribe ${tokenOf(lead)}` })
  expect(result).toEqual({ outcome: 'late' })
  expect(await suppressed(lead.email)).toBe(true)
})

const worthless: [string, (lead: ContactedLead) => string][] = [
  ['forged', (lead) => `${tokenOf(lead).slice(0, -4)}AAAA`],
  ['of another account', (lead) => tokenOf(lead, 'acc_000000000000000000')],
  ['of another environment', (lead) => tokenOf(lead, undefined, 'live')],
  ['of another purpose', (lead) => sign('open', ['a', lead.leadId])],
  ['cut', (lead) => tokenOf(lead).slice(0, 60)],
]
test.each(worthless)('a token that is %s has no effect from another address', async (_, textOf) => {
  const lead = await contactedLead(server, { senderId, now })
  expect(await receive({ from: `x${uid}@home.test`, subject: `unsubscribe ${textOf(lead)}` })).toEqual({
    outcome: 'unmatched',
  })
  expect(await statusOf(lead)).toBe('active')
  expect(await suppressed(lead.email)).toBe(false)
})

test('a forged token from the lead itself counts as the plain form', async () => {
  const lead = await contactedLead(server, { senderId, now })
  await receive({ from: lead.email, subject: `unsubscribe ${tokenOf(lead).slice(0, -4)}AAAA` })
  expect(await statusOf(lead)).toBe('unsubscribed')
})

test('a signed token in the text alone opts out no one', async () => {
  const lead = await contactedLead(server, { senderId, now })
  const body = `Sounds good!\n\n> https://out.test/u/${tokenOf(lead)}`
  expect(await receive({ from: lead.email, subject: 'Re: Hello', body })).toMatchObject({ kind: 'reply' })
  expect(await suppressed(lead.email)).toBe(false)
})

const oldForms: [string, Omit<Parameters<typeof receive>[0], 'from'>][] = [
  ['a note of Gmail', { subject: 'unsubscribe', body: 'This message was automatically generated by Gmail.' }],
  ['only a signature', { subject: 'Unsubscribe', body: '\r\n-- \r\nPat Example\r\nExample Ltd' }],
  ['nothing', { subject: '[EXT] unsubscribe' }],
  [
    'the header of Apple Mail',
    { subject: 'Abmelden', headers: ['X-Apple-Unsubscribe: true', 'Auto-Submitted: auto-replied'], body: 'Gesendet.' },
  ],
]
test.each(oldForms)('the plain mailto of earlier messages opts out with %s', async (_, mail) => {
  const lead = await contactedLead(server, { senderId, now })
  expect(await receive({ from: lead.email, ...mail })).toMatchObject({ kind: 'unsubscribe' })
  expect(await statusOf(lead)).toBe('unsubscribed')
  expect(await suppressed(lead.email)).toBe(true)
})
