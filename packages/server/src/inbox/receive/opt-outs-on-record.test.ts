import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { campaignTools } from '@overture/testing/campaign-tools.ts'
import { contactedLead, type ContactedLead } from '@overture/testing/inbox/contacted-lead.ts'
import { startTestServer, type TestServer } from '@overture/testing/server.ts'
import { campaignRoutes } from '../../campaigns/index.ts'
import { signOptOut } from '../../delivery/index.ts'
import { rememberRecipients, suppress, suppressionsRoutes } from '../../suppressions/index.ts'
import { sendingAccountsRoutes } from '../../sending-accounts/index.ts'
import { trackingRoutes } from '../../tracking/index.ts'
import { receiveMessage } from './receive.commands.ts'

let server: TestServer
let senderId: string
const now = new Date('2026-03-02T09:00:00.000Z')
beforeAll(async () => {
  server = await startTestServer({
    routes: () => [...campaignRoutes(campaignTools), ...sendingAccountsRoutes(), ...suppressionsRoutes()],
    publicRoutes: ({ app }) => trackingRoutes(app),
  })
  const body = { email: 'sender@example.com', fromName: 'Sender', provider: 'sandbox' }
  senderId = (await server.call('POST', '/v2/sending-accounts', { key: server.keys.test, body })).body.id
})
afterAll(() => server.stop())

let uid = 0
const receive = (...lines: string[]) =>
  receiveMessage(server.app, server.testTenant, {
    sendingAccountId: senderId,
    raw: Buffer.from([`Message-ID: <in${++uid}@there.test>`, ...lines].join('\r\n')),
    folder: 'INBOX',
    junk: false,
    uid,
    receivedAt: now,
    now,
  })
const about = ({ rfcMessageId }: Pick<ContactedLead, 'rfcMessageId'>, type: string, fields: readonly string[]) => [
  `Content-Type: multipart/report; report-type=${type}; boundary=b`,
  '',
  '--b',
  `Content-Type: message/${type}`,
  '',
  ...fields,
  '',
  '--b',
  'Content-Type: message/rfc822',
  '',
  `Message-ID: ${rfcMessageId}`,
  '',
  'Hi',
  '--b--',
]
const complain = (lead: ContactedLead) =>
  receive(
    'From: fbl@mx.test',
    'Subject: Abuse',
    ...about(lead, 'feedback-report', ['Feedback-Type: abuse', 'Version: 1']),
  )
const answer = ({ email, rfcMessageId }: ContactedLead) =>
  receive(
    `From: <${email}>`,
    'To: sender@example.com',
    'Subject: Re: Hello',
    `In-Reply-To: ${rfcMessageId}`,
    'Date: Mon, 02 Mar 2026 08:59:00 +0000',
    '',
    'Please remove me from your list.',
  )
const follow = async (lead: ContactedLead, body: string) => {
  const token = signOptOut(server.app.secrets, { ...server.testTenant, ...lead })
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  expect((await fetch(`${server.url}/u/${token}`, { method: 'POST', headers, body })).status).toBe(200)
}

const ways: Record<string, { say: (lead: ContactedLead) => Promise<unknown>; action: string }> = {
  link: { say: (lead) => follow(lead, 'from=page'), action: 'recipient.unsubscribe' },
  one_click: { say: (lead) => follow(lead, 'List-Unsubscribe=One-Click'), action: 'recipient.unsubscribe' },
  reply: { say: answer, action: 'recipient.unsubscribe' },
  complaint: { say: complain, action: 'recipient.complain' },
}

/** The entry that is on the list before this person opts out. */
const already: Record<string, (email: string) => Promise<unknown>> = {
  nothing: () => Promise.resolve(),
  'its domain': (email) => put({ domain: email.split('@')[1]! }, 'manual'),
  'the address, by hand': (email) => put({ email }, 'manual'),
  'the address, after a bounce': (email) => put({ email }, 'bounce'),
  'the address, for a while': (email) => put({ email }, 'bounce', new Date(Date.now() + 86_400_000)),
}

function put(what: { email: string } | { domain: string }, source: 'manual' | 'bounce', expiresAt: Date | null = null) {
  const { app, testTenant } = server
  const { secrets } = app
  return app.db.transaction((tx) =>
    suppress(tx, testTenant, { ...what, source, reason: null, secrets, expiresAt, now }),
  )
}

const actsOf = (actorId: string | null) =>
  server.app.db.query<{ action: string; changes: unknown; targetId: string | null }>(
    `select action, changes, target_id, ip, user_agent, request_id from audit_entries
     where account_id = $1 and actor_type = 'recipient' and actor_id is not distinct from $2 order by position`,
    [server.testTenant.accountId, actorId],
  )

describe('an opt-out is recorded once in the audit log, by the lead', () => {
  for (const [via, { say, action }] of Object.entries(ways))
    test.each(Object.keys(already))(`by ${via}, if the address was suppressed by %s`, async (before) => {
      const lead = await contactedLead(server, { senderId, now })
      await already[before]!(lead.email)
      for (let times = 0; times < 3; times++) await say(lead)
      const nowhere = { ip: null, userAgent: null, requestId: null }
      expect(await actsOf(lead.leadId)).toEqual([
        { action, targetId: lead.leadId, changes: [{ path: 'via', before: null, after: via }], ...nowhere },
      ])
    })

  test.each(['reply', 'complaint'] as const)('by %s to a deleted message', async (via) => {
    const { app, testTenant } = server
    const lead = { rfcMessageId: `<former.${via}@example.com>`, email: `former.${via}@company.test` }
    await app.db.transaction((tx) => rememberRecipients(tx, testTenant, { secrets: app.secrets, messages: [lead] }))
    const before = (await actsOf(null)).length
    const known = { ...lead, campaignId: '', leadId: '', stepId: '' }
    for (let times = 0; times < 2; times++) await ways[via]!.say(known)
    expect((await actsOf(null)).slice(before).map(({ action, changes }) => [action, changes])).toEqual([
      [ways[via]!.action, [{ path: 'via', before: null, after: via }]],
    ])
  })
})

test('an address that bounced is suppressed by the system and recorded once', async () => {
  const email = 'bounced@company.test'
  for (let times = 0; times < 3; times++) await put({ email }, 'bounce')
  await put({ email: 'by.hand@company.test' }, 'manual')
  const { results } = (await server.call('GET', '/v2/suppressions?q=bounced', { key: server.keys.test })).body
  const entries = await server.app.db.query(
    `select environment, target_type, target_id from audit_entries where account_id = $1 and action = 'system.suppressions.create'
     and target_id = $2`,
    [server.testTenant.accountId, results[0].id],
  )
  expect(entries).toEqual([{ environment: 'test', targetType: 'suppressions', targetId: results[0].id }])
})
