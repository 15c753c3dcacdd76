import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contactedLead, type ContactedLead } from '@overture/testing/inbox/contacted-lead.ts'
import { campaignTools } from '@overture/testing/campaign-tools.ts'
import { startTestServer, type TestServer } from '@overture/testing/server.ts'
import { campaignRoutes } from '../../campaigns/index.ts'
import { calendarHook, meetingRoutes, type MeetingMail } from '../../meetings/index.ts'
import { sendingAccountsRoutes } from '../../sending-accounts/index.ts'
import { rememberRecipients, suppressionsRoutes } from '../../suppressions/index.ts'
import { receiveMessage } from './receive.commands.ts'

const now = new Date('2026-03-02T09:00:00.000Z')
let server: TestServer
let senderId: string
let mails: MeetingMail[] = []
const call = (method: string, path: string, body?: unknown) =>
  server.call(method, path, { key: server.keys.test, body })

beforeAll(async () => {
  server = await startTestServer({
    routes: ({ app }) => [
      ...campaignRoutes(campaignTools),
      ...sendingAccountsRoutes(),
      ...suppressionsRoutes(),
      ...meetingRoutes({ app, queueMail: (_tx, _tenant, mail) => Promise.resolve(mails.push(mail)) }),
    ],
  })
  const login = { username: 'sales@tenant.test', password: 'secret', security: 'tls' }
  const made = await call('POST', '/v2/sending-accounts', {
    email: 'sales@tenant.test',
    fromName: 'Sales',
    smtp: { ...login, host: 'smtp.gmail.com', port: 465 },
    imap: { ...login, host: 'imap.gmail.com', port: 993 },
  })
  senderId = made.body.id
})
afterAll(() => server.stop())

const contacted = () => contactedLead(server, { senderId, now })
let uid = 0
const receive = (lines: string[], junk = false) =>
  receiveMessage(
    server.app,
    server.testTenant,
    {
      sendingAccountId: senderId,
      raw: Buffer.from([`Message-ID: <in${++uid}@acme.test>`, ...lines].join('\r\n')),
      folder: junk ? 'Junk' : 'INBOX',
      junk,
      uid,
      receivedAt: now,
      now,
    },
    { calendar: calendarHook(server.app) },
  )
const authenticated = (email: string) =>
  `Authentication-Results: mx.google.com; dkim=pass header.d=${email.slice(email.indexOf('@') + 1)}`

describe('a calendar message about our meeting', () => {
  /** A meeting of the lead, and the UID in its invitation. */
  async function meetingOf(lead: ContactedLead) {
    const { body } = await call('POST', '/v2/meetings', {
      leadId: lead.leadId,
      title: 'Intro call',
      startAt: '2031-05-05T08:00:00Z',
      endAt: '2031-05-05T08:30:00Z',
      joinUrl: 'https://meet.tenant.test/a',
    })
    return { id: body.id as string, uid: `${body.id}@overture` }
  }

  const calendar = (method: string, uidOf: string, fields: readonly string[]) => [
    'MIME-Version: 1.0',
    `Content-Type: text/calendar; method=${method}`,
    '',
    'BEGIN:VCALENDAR',
    `METHOD:${method}`,
    'BEGIN:VEVENT',
    `UID:${uidOf}`,
    'SEQUENCE:5',
    ...fields,
    'END:VEVENT',
    'END:VCALENDAR',
  ]
  const phishing = [
    'SUMMARY:Your invoice is overdue - pay now at pay.evil.test',
    'LOCATION:https://pay.evil.test/login',
    ...Array.from({ length: 150 }, (_, n) => `ATTENDEE:mailto:victim${n}@victims.test`),
  ]
  const moved = ['DTSTART:20310506T080000Z', 'DTEND:20310506T083000Z']
  const same = ['DTSTART:20310505T080000Z', 'DTEND:20310505T083000Z']

  test.each([
    [
      'from a stranger, in our thread',
      (lead: ContactedLead) => ['From: x@evil.test', `In-Reply-To: ${lead.rfcMessageId}`],
      false,
    ],
    ['from the lead, without proof', (lead: ContactedLead) => [`From: ${lead.email}`], false],
    [
      'from the lead, in Junk',
      (lead: ContactedLead) => [`From: ${lead.email}`, `In-Reply-To: ${lead.rfcMessageId}`],
      true,
    ],
  ])('changes nothing if it is %s', async (_name, head, junk) => {
    const lead = await contacted()
    const meeting = await meetingOf(lead)
    const before = (await call('GET', `/v2/meetings/${meeting.id}`)).body
    for (const [method, fields] of [
      ['REQUEST', [...moved, ...phishing]],
      ['CANCEL', same],
    ] as const)
      await receive([...head(lead), 'Subject: Meeting', ...calendar(method, meeting.uid, fields)], junk)
    expect((await call('GET', `/v2/meetings/${meeting.id}`)).body).toEqual(before)
  })

  test('from a proven attendee moves it, but changes no texts or attendees', async () => {
    const lead = await contacted()
    const meeting = await meetingOf(lead)
    const head = [`From: ${lead.email}`, `In-Reply-To: ${lead.rfcMessageId}`, 'Subject: Meeting']
    await receive([...head, ...calendar('REQUEST', meeting.uid, [...moved, ...phishing])])
    expect((await call('GET', `/v2/meetings/${meeting.id}`)).body).toMatchObject({
      status: 'rescheduled',
      title: 'Intro call',
      joinUrl: 'https://meet.tenant.test/a',
      startAt: '2031-05-06T08:00:00.000Z',
      attendees: [{ email: lead.email }],
    })
    mails = []
    await call('PUT', `/v2/meetings/${meeting.id}`, { startAt: '2031-05-07T08:00:00Z', endAt: '2031-05-07T08:30:00Z' })
    expect(mails.flatMap(({ to }) => to.map(({ email }) => email))).toEqual([lead.email])
    expect(mails[0]?.subject).toContain('Intro call')
  })

  test('counts as an answer only for its own sender address', async () => {
    const [lead, other] = [await contacted(), await contacted()]
    const meeting = await meetingOf(lead)
    const declined = `ATTENDEE;PARTSTAT=DECLINED:mailto:${lead.email}`
    const thread = [`In-Reply-To: ${lead.rfcMessageId}`, 'Subject: Declined']
    const status = async () => (await call('GET', `/v2/meetings/${meeting.id}`)).body.status
    await receive([`From: ${other.email}`, ...thread, ...calendar('REPLY', meeting.uid, [...same, declined])])
    expect(await status()).toBe('booked')
    await receive([`From: ${lead.email}`, ...thread, ...calendar('REPLY', meeting.uid, [...same, declined])])
    expect(await status()).toBe('canceled')
  })
})

test('a message settles an uncertain delivery only by its Message-ID, not by its From', async () => {
  const lead = await contacted()
  const { db } = server.app
  const { accountId, environment } = server.testTenant
  const ofLead = [accountId, environment, lead.leadId]
  await db.execute(
    `with kept as (
       update message_heads set status = 'uncertain' where account_id = $1 and environment = $2 and lead_id = $3 returning *)
     insert into claims (account_id, environment, message_id, kind, campaign_id, lead_id, step_id, sending_account_id, claimed_at,
       lease_token, gated_at)
     select account_id, environment, id, kind, campaign_id, lead_id, step_id, sending_account_id, gated_at, gen_random_uuid(), gated_at
     from kept`,
    ofLead,
  )
  const status = async () => {
    const [row] = await db.query<{ status: string }>(
      `select status from message_heads
       where account_id = $1 and environment = $2 and lead_id = $3 and direction = 'outbound'`,
      ofLead,
    )
    return row?.status
  }
  await receive([`From: ${lead.email}`, 'Subject: Hello', '', 'Who are you?'])
  expect(await status()).toBe('uncertain')
  await receive([`From: ${lead.email}`, `In-Reply-To: ${lead.rfcMessageId}`, 'Subject: Hello', '', 'Who are you?'])
  expect(await status()).toBe('sent')
})

test('a recipient of one conversation proves nothing in another one', async () => {
  const [ada, eve] = [await contacted(), await contacted()]
  await receive([`From: ${ada.email}`, `In-Reply-To: ${ada.rfcMessageId}`, 'Subject: Re: Hello', '', 'Tell me more.'])
  const known = `<in${uid}@acme.test>`
  const forged = [`From: ${ada.email}`, `In-Reply-To: ${known}`, `References: ${eve.rfcMessageId}`]
  await receive([...forged, 'Reply-To: desk@evil.test', 'Subject: Re: Hello', '', 'Send me the contract.'])
  const rows = await server.app.db.query<{ classification: Record<string, unknown> }>(
    `select classification from message_heads where lead_id = $1 and direction = 'inbound' order by id`,
    [ada.leadId],
  )
  expect(rows.map(({ classification: { proof, replyTo } }) => [proof, replyTo])).toEqual([
    ['message_id', undefined],
    ['none', undefined],
  ])
})

describe('an opt-out that names another address', () => {
  const optOut = (lead: ContactedLead, from: string, head: string[] = []) =>
    receive([...head, `From: ${from}`, `In-Reply-To: ${lead.rfcMessageId}`, 'Subject: Re: Hello', '', 'unsubscribe'])
  const find = async (email: string) => (await call('GET', `/v2/suppressions?q=${email}`)).body.results[0]

  test('suppresses the lead permanently, and the other address until an admin lifts it', async () => {
    const lead = await contacted()
    await optOut(lead, 'best-customer@bigco.test')
    expect(await find(lead.email)).toMatchObject({ source: 'recipient' })
    const other = await find('best-customer@bigco.test')
    expect(other).toMatchObject({ source: 'unproven' })
    expect((await call('DELETE', `/v2/suppressions/${other.id}`)).status).toBe(200)
    const own = await find(lead.email)
    expect((await call('DELETE', `/v2/suppressions/${own.id}`)).status).toBe(409)
  })

  test("counts as the recipient's if the provider authenticated the address", async () => {
    const lead = await contacted()
    await optOut(lead, 'private@home.test', [authenticated('private@home.test')])
    expect(await find('private@home.test')).toMatchObject({ source: 'recipient' })
  })

  test("to a message without a lead counts only for that message's recipient", async () => {
    const lead = await contacted()
    await server.app.db.execute(
      'update message_heads set campaign_id = null, lead_id = null where rfc_message_id = $1',
      [lead.rfcMessageId],
    )
    await optOut(lead, 'stranger@bigco.test')
    expect(await find('stranger@bigco.test')).toMatchObject({ source: 'unproven' })
    await optOut(lead, lead.email)
    expect(await find(lead.email)).toMatchObject({ source: 'recipient' })
  })

  test('suppresses at most three addresses per thread', async () => {
    const lead = await contacted()
    for (const n of [1, 2, 3, 4, 5]) await optOut(lead, `customer${n}@crowd.test`)
    const { results } = (await call('GET', '/v2/suppressions?q=crowd.test')).body
    expect(results).toHaveLength(3)
  })
  test('suppresses at most three addresses per deleted message', async () => {
    const rfcMessageId = '<deleted@example.com>'
    await rememberRecipients(server.app.db, server.testTenant, {
      secrets: server.app.secrets,
      messages: [{ rfcMessageId, email: 'former@company.test' }],
    })
    for (const n of [1, 2, 3, 4, 5]) {
      const thread = [`In-Reply-To: <other${n}@evil.test> ${rfcMessageId}`, `References: <${n}@evil.test>`]
      await receive([`From: customer${n}@gang.test`, ...thread, 'Subject: Re: Hello', '', 'unsubscribe'])
    }
    expect((await call('GET', '/v2/suppressions?q=gang.test')).body.results).toHaveLength(3)
  })
})
