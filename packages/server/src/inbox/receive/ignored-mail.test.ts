import { readMessage } from '@overture/mail-reading/reading/read-message.ts'
import { noDrafts } from '@overture/testing/inbox/no-drafts.ts'
import { contactedLead } from '@overture/testing/inbox/contacted-lead.ts'
import { insertTestPolicy } from '@overture/testing/delivery/delivery-fixtures.sql.ts'
import { campaignTools } from '@overture/testing/campaign-tools.ts'
import { startTestServer, type TestServer } from '@overture/testing/server.ts'
import { noContactPolicy } from '@overture/contract/contact-policy/contact-policy.ts'
import { hourMs } from '@overture/ground/time/spans.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { campaignRoutes } from '../../campaigns/index.ts'
import { sendingAccountsRoutes } from '../../sending-accounts/index.ts'
import { conversationsRoutes } from '../conversations/conversations.routes.ts'
import { isIgnored } from './ignored-mail.ts'
import { receiveMessage } from './receive.commands.ts'

const now = new Date('2026-03-02T09:00:00.000Z')
let server: TestServer
let senderId: string
let uid = 0

beforeAll(async () => {
  server = await startTestServer({
    routes: () => [...campaignRoutes(campaignTools), ...sendingAccountsRoutes(), ...conversationsRoutes(noDrafts)],
  })
  const sender = { email: 'sender@example.com', provider: 'sandbox' }
  senderId = (await call('POST', '/v2/sending-accounts', sender)).body.id
})
afterAll(() => server?.stop())

const call = (method: string, path: string, body?: unknown) =>
  server.call(method, path, { key: server.keys.test, body })

const rawMail = (text: string, ...headers: string[]) =>
  Buffer.from(
    [
      'From: ada@there.test',
      'To: sender@example.com',
      `Message-ID: <in${++uid}@there.test>`,
      ...headers,
      '',
      text,
    ].join('\r\n'),
  )
const receive = (raw: Buffer, folder: { sent?: boolean; now?: Date; receivedAt?: Date } = {}) =>
  receiveMessage(server.app, server.testTenant, {
    sendingAccountId: senderId,
    raw,
    folder: 'INBOX',
    junk: false,
    uid: ++uid,
    receivedAt: now,
    now,
    ...folder,
  })

describe('a rule', () => {
  const read = (raw: Buffer) => {
    const reading = readMessage(raw)
    if (reading.outcome !== 'read') throw new Error(reading.reason)
    return reading.message
  }
  const raw = rawMail('The code is\r\nWU-4711.', 'Subject: =?utf-8?Q?Gr=C3=BC=C3=9Fe?=', 'X-Warm-Up: yes,', ' really')

  test.each<[string, 'header' | 'subject' | 'body', string, boolean]>([
    ['a header in another case', 'header', 'x-warm-up: YES', true],
    ['a folded header', 'header', 'yes, really', true],
    ['an encoded subject', 'subject', 'grüße', true],
    ['words of the body', 'body', 'wu-4711', true],
    ['no words of the body in the header', 'header', 'wu-4711', false],
    ['no header in the subject', 'subject', 'warm-up', false],
  ])('finds %s', (_name, place, contains, expected) => {
    expect(isIgnored([{ in: place, contains }], read(raw), raw)).toBe(expected)
  })

  test('never hides an opt-out', () => {
    const optOut = rawMail('Please unsubscribe me. WU-4711', 'Subject: Re: Hello')
    expect(read(optOut).verdict.kind).toBe('unsubscribe')
    expect(isIgnored([{ in: 'body', contains: 'WU-4711' }], read(optOut), optOut)).toBe(false)
  })
})

test('mail of another tool becomes other, without a conversation or a count', async () => {
  const lead = await contactedLead(server, { senderId, now })
  const rules = [{ in: 'header', contains: 'X-Warm-Up: yes' }]
  const saved = await call('PUT', `/v2/sending-accounts/${senderId}`, { ignoreMail: rules })
  expect(saved.body.ignoreMail).toEqual(rules)
  const headers = [`In-Reply-To: ${lead.rfcMessageId}`, 'Subject: Re: Hello']
  const received = await receive(rawMail('Great idea!', ...headers, 'X-Warm-Up: yes'))
  expect(received).toMatchObject({ outcome: 'stored', kind: 'other', rule: 'ignored_mail' })
  const read = async () => (await call('GET', `/v2/campaigns/${lead.campaignId}/leads`)).body.results[0]
  expect(await read()).toMatchObject({ status: 'active', replyCount: 0, stoppedBy: null })
  const list = () => call('GET', `/v2/conversations?campaignId=${lead.campaignId}`)
  expect((await list()).body.results).toEqual([])
  expect(await receive(rawMail('Great idea!', ...headers))).toMatchObject({ kind: 'reply' })
  expect(await read()).toMatchObject({ status: 'replied', replyCount: 1 })
  expect((await list()).body.results).toHaveLength(1)
})

test('sent mail of another tool stops no lead', async () => {
  const policy = { ...noContactPolicy, stopOnManualMail: true }
  const later = new Date(server.app.clock.now().getTime() + hourMs)
  await insertTestPolicy(server.app.db, server.testTenant, policy)
  const lead = await contactedLead(server, { senderId, now })
  const sent = (header: string) => {
    const lines = [
      'From: sender@example.com',
      `To: ${lead.email}`,
      `Message-ID: <s${++uid}@x.test>`,
      header,
      '',
      'Hello',
    ]
    return receive(Buffer.from(lines.join('\r\n')), { sent: true, now: later, receivedAt: later })
  }
  const stoppedBy = async () => (await call('GET', `/v2/campaigns/${lead.campaignId}/leads`)).body.results[0].stoppedBy
  expect(await sent('X-Warm-Up: yes')).toEqual({ outcome: 'own_copy' })
  expect(await stoppedBy()).toBeNull()
  expect(await sent('X-Other: yes')).toEqual({ outcome: 'own_copy' })
  expect(await stoppedBy()).toMatchObject({ rule: 'manual_mail' })
})

test('a rule that is too short, and too many rules, are refused by field', async () => {
  const put = async (body: unknown) =>
    (await call('PUT', `/v2/sending-accounts/${senderId}`, body)).body.error.details.issues.map(
      (issue: { path: string }) => issue.path,
    )
  expect(await put({ ignoreMail: [{ in: 'body', contains: 'a' }] })).toEqual(['ignoreMail[0].contains'])
  expect(await put({ ignoreMail: [{ in: 'footer', contains: 'abc' }] })).toEqual(['ignoreMail[0].in'])
  expect(await put({ ignoreMail: Array.from({ length: 21 }, () => ({ in: 'body', contains: 'abc' })) })).toEqual([
    'ignoreMail',
  ])
  expect(await put({ reservedPerDay: 50 })).toEqual(['reservedPerDay'])
})
