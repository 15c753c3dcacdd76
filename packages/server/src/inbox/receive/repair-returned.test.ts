import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { contactedLead, type ContactedLead } from '@overture/testing/inbox/contacted-lead.ts'
import type { TestServer } from '@overture/testing/server.ts'
import { startWholeServer } from '@overture/testing/server/whole-server.ts'
import { rollUpAll } from '../../analytics/index.ts'
import { idOfMessageId, insertInbound, recordBounce } from '../../delivery/index.ts'
import { repairReturned } from './repair-returned.shell.ts'

const now = new Date('2026-03-02T09:00:00.000Z')
let server: TestServer
let senderId: string
let count = 0

beforeAll(async () => {
  server = await startWholeServer()
})
afterAll(() => server.stop())
beforeEach(async () => {
  senderId = (
    await done('POST', '/v2/sending-accounts', {
      email: `sender${++count}@example.com`,
      fromName: 'Sender',
      provider: 'sandbox',
    })
  ).id
})

async function done(method: string, path: string, body?: unknown) {
  const answer = await server.call(method, path, { key: server.keys.test, ...(body !== undefined && { body }) })
  expect([path, answer.status < 300 ? null : answer.text]).toEqual([path, null])
  return answer.body
}

const contacted = (email?: string) => contactedLead(server, { senderId, now, ...(email !== undefined && { email }) })
const leadOf = ({ campaignId, leadId }: ContactedLead) => done('GET', `/v2/campaigns/${campaignId}/leads/${leadId}`)
const statusOf = async ({ campaignId, leadId }: ContactedLead) =>
  (await done('GET', `/v2/campaigns/${campaignId}/leads/${leadId}/thread`)).messages.find(
    ({ direction }: { direction: string }) => direction === 'outbound',
  )
const statsOf = ({ campaignId }: ContactedLead) => done('GET', `/v2/campaigns/${campaignId}/stats`)
const isSuppressed = async (email: string) =>
  (await done('GET', `/v2/suppressions?q=${encodeURIComponent(email)}`)).results.length > 0

type OldBounce = { type: 'hard' | 'soft' | 'block'; code: string | null; reason: string }

/** A bounce as the previous release recorded it, with today's consequences. */
const bounced = async (lead: ContactedLead, bounce: OldBounce) => {
  const { secrets } = server.app
  const messageId = idOfMessageId(lead.rfcMessageId)!
  await server.app.db.transaction((tx) =>
    recordBounce(tx, server.testTenant, { ...bounce, recipient: null, messageId, secrets, now }),
  )
}

/** The stored delivery report with the verdict of the previous release's reader. */
async function storedReport(lead: ContactedLead, { type, code, reason }: OldBounce, diagnostic: string) {
  const raw = Buffer.from(
    [
      'From: MAILER-DAEMON@mx.test',
      'To: sender@example.com',
      'Subject: Undelivered Mail',
      `Message-ID: <old${++count}@mx.test>`,
      'Content-Type: multipart/report; report-type=delivery-status; boundary=b',
      '',
      '--b',
      'Content-Type: message/delivery-status',
      '',
      'Reporting-MTA: dns; mx.test',
      '',
      `Final-Recipient: rfc822; ${lead.email}`,
      'Action: failed',
      `Status: ${code}`,
      `Diagnostic-Code: smtp; ${diagnostic}`,
      '',
      '--b',
      'Content-Type: message/rfc822',
      '',
      `Message-ID: ${lead.rfcMessageId}`,
      '',
      'Hi',
      '--b--',
    ].join('\r\n'),
  )
  await server.app.db.transaction((tx) =>
    insertInbound(tx, server.testTenant, {
      id: `msg_old${count}`,
      threadId: `thr_old${count}`,
      campaignId: lead.campaignId,
      leadId: lead.leadId,
      sendingAccountId: senderId,
      kind: 'bounce',
      rfcMessageId: `<old${count}@mx.test>`,
      inReplyTo: null,
      refs: [],
      from: { email: 'mailer-daemon@mx.test', name: null },
      to: [],
      cc: [],
      subject: 'Undelivered Mail',
      text: null,
      quotedText: null,
      signature: null,
      html: null,
      raw,
      sha256: Buffer.alloc(32, count),
      receivedAt: now,
      classification: {
        kind: 'bounce',
        rule: 'dsn',
        awayUntil: null,
        bounces: [{ recipient: lead.email, status: code, smtpCode: 550, type, reason }],
      },
      attachments: [],
    }),
  )
}

const repair = async (options: Partial<Parameters<typeof repairReturned>[1]> = {}) =>
  repairReturned(server.app, { dryRun: false, progress() {}, async recorded() {}, ...options })

const recipientQuota: OldBounce = {
  type: 'hard',
  code: '5.1.90',
  reason: '550 5.1.90 Your message can’t be sent because you’ve reached your daily limit for message recipients',
}
const unknownUser: OldBounce = { type: 'hard', code: '5.1.1', reason: '550 5.1.1 No such user' }

test('a lead that was ended by a refusal of the sender waits for a decision', async () => {
  const lead = await contacted()
  const other = await contacted(lead.email)
  await bounced(lead, recipientQuota)
  await server.app.db.execute(
    `update lead_progress set blocked_reason = 'suppressed', attempt_at = null where lead_id = $1`,
    [other.leadId],
  )
  expect(await leadOf(other)).toMatchObject({ blockedReason: 'suppressed' })
  expect(await leadOf(lead)).toMatchObject({ status: 'bounced', stoppedBy: { rule: 'hard_bounce' } })
  expect(await isSuppressed(lead.email)).toBe(true)
  await rollUpAll(server.app)
  expect(await statsOf(lead)).toMatchObject({ bounced: 1, returned: 0 })

  expect(await repair()).toMatchObject({ returned: 1, first: [{ because: 'sender_limit', code: '5.1.90' }] })
  expect(await leadOf(lead)).toMatchObject({ status: 'active', blockedReason: 'returned', stoppedBy: null })
  expect(await statusOf(lead)).toMatchObject({ status: 'returned', returnedBecause: 'sender_limit' })
  expect(await isSuppressed(lead.email)).toBe(false)
  expect(await leadOf(other)).toMatchObject({ status: 'active', blockedReason: 'campaign_not_active' })
  expect(await statsOf(lead)).toMatchObject({ bounced: 0, returned: 1 })
  await rollUpAll(server.app)
  expect(await statsOf(lead)).toMatchObject({ bounced: 0, returned: 1 })
  const events = (await done('GET', `/v2/campaigns/activity?campaignId=${lead.campaignId}`)).results
  expect(events.filter(({ type }: { type: string }) => type === 'message.returned')).toMatchObject([
    { occurredAt: now.toISOString(), data: { bouncedBefore: true } },
  ])

  await done('POST', `/v2/campaigns/${lead.campaignId}/returned/resolve`, { action: 'skip', all: true })
  expect(await leadOf(lead)).toMatchObject({ status: 'active' })
  const [row] = await server.app.db.query<{ dueAt: Date }>('select due_at from lead_progress where lead_id = $1', [
    lead.leadId,
  ])
  expect(row!.dueAt).toEqual(new Date('2026-03-04T09:00:00.000Z'))
})

test('a second run finds nothing more to repair and writes no event', async () => {
  const lead = await contacted()
  await bounced(lead, recipientQuota)
  expect(await repair()).toMatchObject({ returned: 1 })
  expect(await repair()).toMatchObject({ returned: 0 })
  expect(await statsOf(lead)).toMatchObject({ bounced: 0, returned: 1 })
})

test('the stored bytes of a delivery report decide, because the bounce keeps only its class', async () => {
  const ours: OldBounce = { type: 'block', code: '5.7.1', reason: 'rejected' }
  const [returned, refused] = [await contacted(), await contacted()]
  for (const lead of [returned, refused]) await bounced(lead, ours)
  await storedReport(returned, ours, '550 5.7.1 Daily SMTP relay limit exceeded for customer.')
  await storedReport(refused, ours, '550 5.7.1 The recipient policy rejects mail of unknown senders')
  expect(await repair()).toMatchObject({ returned: 1 })
  expect(await leadOf(returned)).toMatchObject({ status: 'active', blockedReason: 'returned' })
  expect(await leadOf(refused)).toMatchObject({ status: 'bounced' })
})

test('the status code decides if the delivery report was deleted', async () => {
  const [returned, refused] = [await contacted(), await contacted()]
  await bounced(returned, { type: 'block', code: '5.7.233', reason: 'policyviolation' })
  await bounced(refused, { type: 'hard', code: '5.1.1', reason: 'userunknown' })
  expect(await repair()).toMatchObject({ returned: 1 })
  expect(await leadOf(returned)).toMatchObject({ blockedReason: 'returned' })
  expect(await leadOf(refused)).toMatchObject({ status: 'bounced' })
  expect(await isSuppressed(refused.email)).toBe(true)
})

test.each([
  '552 5.2.2 The email account that you tried to reach is over quota',
  '550 5.2.1 The user you are trying to contact is receiving mail at a rate that prevents additional messages',
  '554 5.2.0 STOREDRV.Deliver; SubmissionQuotaExceeded of the recipient',
  '550 5.1.1 No such user',
])('a refusal of the recipient stays a bounce: %s', async (reason) => {
  const lead = await contacted()
  await bounced(lead, { type: 'hard', code: reason.slice(4, 9), reason })
  expect(await repair()).toMatchObject({ returned: 0 })
  expect(await leadOf(lead)).toMatchObject({ status: 'bounced' })
  expect(await isSuppressed(lead.email)).toBe(true)
})

test('an address with a hard bounce of its own stays suppressed', async () => {
  const [ours, theirs] = [await contacted('shared@two.test'), await contacted('shared@two.test')]
  await bounced(ours, recipientQuota)
  await bounced(theirs, unknownUser)
  expect(await repair()).toMatchObject({ returned: 1 })
  expect(await isSuppressed('shared@two.test')).toBe(true)
  expect(await leadOf(theirs)).toMatchObject({ status: 'bounced' })
})

test('an address that was suppressed by hand after the bounce stays suppressed', async () => {
  const lead = await contacted()
  await bounced(lead, recipientQuota)
  await done('POST', '/v2/suppressions', { email: lead.email })
  expect(await repair()).toMatchObject({ returned: 1 })
  expect(await isSuppressed(lead.email)).toBe(true)
})

test('a lead that got another step is paused, and a lead that replied stays replied', async () => {
  const [later, replied] = [await contacted(), await contacted()]
  for (const lead of [later, replied]) await bounced(lead, recipientQuota)
  const { steps } = await done('GET', `/v2/campaigns/${later.campaignId}`)
  await server.app.db.execute('update lead_progress set current_step = 2, current_step_id = $2 where lead_id = $1', [
    later.leadId,
    steps[1].id,
  ])
  await server.app.db.execute(
    `update lead_progress set status = 'replied', stopped_by = '{"rule": "reply", "leadId": null, "email": null}' where lead_id = $1`,
    [replied.leadId],
  )
  expect(await repair()).toMatchObject({ returned: 2 })
  expect(await leadOf(later)).toMatchObject({ status: 'paused', blockedReason: null })
  expect(await leadOf(replied)).toMatchObject({ status: 'replied' })
  expect(await statusOf(replied)).toMatchObject({ status: 'returned' })
})

test('a dry run counts and lists, and changes nothing', async () => {
  const lead = await contacted()
  await bounced(lead, recipientQuota)
  const seen = await repair({ dryRun: true })
  expect(seen).toMatchObject({ returned: 1, first: [{ leadId: lead.leadId, because: 'sender_limit' }] })
  expect(await leadOf(lead)).toMatchObject({ status: 'bounced' })
  expect(await isSuppressed(lead.email)).toBe(true)
  expect(await repair()).toMatchObject({ returned: 1 })
})

test('a run that ended early is continued by another run, across batches', async () => {
  const leads = [await contacted(), await contacted()]
  await server.app.db.execute(
    `insert into message_heads (account_id, environment, id, campaign_id, sending_account_id, direction, kind, status, queued_at, failure)
     select $1, $2, 'msg_' || n, $3, $4, 'outbound', 'campaign', 'bounced', now(), '{"type": "hard", "reason": "550 5.1.1 No such user"}'
     from generate_series(1, 450) n`,
    [server.testTenant.accountId, server.testTenant.environment, leads[0]!.campaignId, senderId],
  )
  for (const lead of leads) await bounced(lead, recipientQuota)
  let repairs = 0
  const recorded = async () => {
    if (++repairs === 2) throw new Error('The process ended.')
  }
  await expect(repair({ recorded })).rejects.toThrow('The process ended.')
  const states = async () => (await Promise.all(leads.map(leadOf))).map(({ status }) => status as string)
  expect((await states()).filter((status) => status === 'bounced')).toHaveLength(1)
  const batches: number[] = []
  expect(await repair({ progress: ({ checked }) => void batches.push(checked) })).toMatchObject({ returned: 1 })
  expect(await states()).toEqual(['active', 'active'])
  expect(batches.length).toBeGreaterThan(2)
})
