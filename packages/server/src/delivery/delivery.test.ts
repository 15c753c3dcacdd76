import { blockedReasons } from '@overture/contract/campaigns/leads.ts'
import { minuteMs, dayMs } from '@overture/ground/time/spans.ts'
import { describe, expect, test } from 'vitest'
import { stopLead } from '../campaigns/index.ts'
import { deliverDue, smtpOver, type DeliveryByHand } from '@overture/testing/delivery/delivery-by-hand.ts'
import { testRenderer } from '@overture/testing/renderer.ts'
import { startSmtpDouble, type SmtpDouble } from '@overture/testing/mail/smtp-double.server.ts'
import type { App } from '../platform/app.ts'
import type { Tenant } from '../platform/tenant.ts'
import { suppress } from '../suppressions/index.ts'
import {
  insertTestCampaign,
  insertTestLeads,
  insertTestSender,
  listTestLeads,
  listTestMessages,
} from '@overture/testing/delivery/delivery-fixtures.sql.ts'
import { useDelivery } from '@overture/testing/delivery/use-delivery.ts'
import {
  deliverClaimed,
  forecast,
  explain,
  previewMessage,
  recordBounce,
  recoverExpired,
  runPlanning,
  sendNow,
  type DeliveryTools,
} from './index.ts'
import { getFollowupStatus, getLeadThread } from './ask/explain.queries.ts'
import { replyToLead } from './messages/reply.commands.ts'
import { resolveUncertain } from './record/settle.commands.ts'
import { withoutLinkTokens } from '@overture/ground/text/link-tokens.ts'

const start = new Date('2026-03-02T10:00:00.000Z')
const noMeeting = () => null

let app: App
let delivery: DeliveryByHand
let double: SmtpDouble
let tools: DeliveryTools
let tenant: Tenant
let senderId: string

useDelivery((world) => {
  ;({ app, delivery, tenant, senderId } = world)
  double = delivery.smtp
  tools = delivery.tools
})

async function launch(count: number, change: Parameters<typeof insertTestCampaign>[2] | object = {}) {
  const campaign = await insertTestCampaign(app.db, tenant, { senderIds: [senderId], ...change })
  await insertTestLeads(app.db, tenant, { campaignId: campaign.id, count, dueAt: start })
  return campaign
}

const work = (now: Date): Promise<number> => deliverDue(tools, tenant, now)

const later = (ms: number) => new Date(start.getTime() + ms)

describe('a campaign', () => {
  test('is sent over SMTP, waits, follows up in its thread and is completed', async () => {
    const campaign = await launch(5)
    expect(await work(start)).toBe(5)
    expect(double.accepted).toHaveLength(5)
    const first = await listTestMessages(app.db, tenant)
    expect(new Set(first.map((row) => row.status))).toEqual(new Set(['sent']))
    expect(new Set(double.accepted.map((mail) => mail.messageId))).toEqual(
      new Set(first.map((row) => row.rfcMessageId)),
    )
    const raw = double.accepted[0]?.raw.toString() ?? ''
    expect(raw).toMatch(/^List-Unsubscribe: ?(\r\n )?<https:\/\/mail\.example\.com\/u\//m)
    expect(raw).toContain('multipart/alternative')
    expect(raw).toContain('1 Main St, Town')

    expect(await work(later(dayMs))).toBe(0)
    expect(await work(later(3 * dayMs))).toBe(5)
    const all = await listTestMessages(app.db, tenant)
    expect(all).toHaveLength(10)
    for (const follow of all.slice(5)) {
      const before = first.find((row) => row.leadId === follow.leadId)
      expect(follow.inReplyTo).toBe(before?.rfcMessageId)
      expect(follow.subject).toBe(`Re: ${before?.subject}`)
    }
    expect(new Set((await listTestLeads(app.db, tenant)).map((lead) => lead.status))).toEqual(new Set(['completed']))
    const [row] = await app.db.query<{ status: string }>(`select status from campaigns where id = $1`, [campaign.id])
    expect(row?.status).toBe('completed')
    const events = await app.db.query<{ type: string; count: number }>(
      `select type, count(*)::int as count from events where account_id = $1 group by type`,
      [tenant.accountId],
    )
    expect(Object.fromEntries(events.map((event) => [event.type, event.count]))).toEqual({
      'message.sent': 10,
      'lead.status_changed': 10,
      'campaign.completed': 1,
    })
  })

  test("stops at the sender's daily limit and continues the next day", async () => {
    await app.db.execute(`update sending_accounts set daily_limit = 2 where id = $1`, [senderId])
    await launch(5)
    await work(start)
    await work(later(minuteMs))
    expect(double.accepted).toHaveLength(2)
    await work(later(dayMs))
    expect(double.accepted).toHaveLength(4)
  })

  test('a missing variable holds only its lead and is never sent as a blank', async () => {
    await launch(3)
    await app.db.execute(
      `update lead_profiles set first_name = null where account_id = $1 and email = 'p2@acme.test'`,
      [tenant.accountId],
    )
    await work(start)
    expect(double.accepted).toHaveLength(2)
    const held = (await listTestLeads(app.db, tenant)).find((lead) => lead.blockedReason !== null)
    expect(held).toMatchObject({ status: 'pending', blockedReason: 'missing_variable', attemptAt: null })
  })
})

describe('a refused message', () => {
  test('is retried after five minutes with the same bytes and Message-ID after a 4xx', async () => {
    await launch(1)
    double.faults = [{ stage: 'rcpt', action: { code: 451, text: '4.7.1 Greylisted' }, times: 1 }]
    await work(start)
    const [waiting] = await listTestMessages(app.db, tenant)
    expect(waiting).toMatchObject({ status: 'queued', attempts: 1 })
    expect(await work(later(4 * minuteMs))).toBe(0)
    expect(await work(later(5 * minuteMs))).toBe(1)
    expect(double.accepted.map((mail) => mail.messageId)).toEqual([waiting?.rfcMessageId])
    const [day] = await app.db.query<{ claimed: number }>(`select claimed from sender_days where account_id = $1`, [
      tenant.accountId,
    ])
    expect(day?.claimed).toBe(1)
  })

  test('an unknown user is a hard bounce: the lead ends and the address is suppressed', async () => {
    await launch(1)
    double.faults = [{ stage: 'rcpt', action: { code: 550, text: '5.1.1 No such user' }, times: 1 }]
    await work(start)
    expect((await listTestMessages(app.db, tenant))[0]).toMatchObject({ status: 'bounced', failure: { type: 'hard' } })
    expect((await listTestLeads(app.db, tenant))[0]).toMatchObject({ status: 'bounced' })
    const suppressed = await app.db.query(`select id from suppressions where account_id = $1 and source = 'bounce'`, [
      tenant.accountId,
    ])
    expect(suppressed).toHaveLength(1)
    expect(await work(later(4 * dayMs))).toBe(0)
  })

  test('a policy block ends the lead without a suppression; a full mailbox leaves it active', async () => {
    await launch(2)
    double.faults = [
      { stage: 'rcpt', action: { code: 554, text: '5.7.1 blocked using Spamhaus' }, only: 'p1@acme.test' },
      { stage: 'rcpt', action: { code: 552, text: '5.2.2 Mailbox full' }, only: 'p2@acme.test' },
    ]
    await work(start)
    expect((await listTestLeads(app.db, tenant)).map((lead) => lead.status)).toEqual(['bounced', 'active'])
    expect(await app.db.query(`select id from suppressions where account_id = $1`, [tenant.accountId])).toHaveLength(0)
  })

  test("a refused connection is the sender's failure, and another sender takes over the lead", async () => {
    await double.stop()
    const other = await startSmtpDouble()
    await launch(1)
    await work(start)
    const [sender] = await app.db.query<{ status: string }>(`select status from sending_accounts where id = $1`, [
      senderId,
    ])
    expect(sender?.status).toBe('connection_error')
    const secondId = await insertTestSender(app.db, tenant, { port: other.port })
    await app.db.execute(`update campaigns set sending_account_ids = $2 where account_id = $1`, [
      tenant.accountId,
      [senderId, secondId],
    ])
    await work(later(1000))
    expect(other.accepted).toHaveLength(1)
    expect((await listTestMessages(app.db, tenant)).map((row) => row.status)).toEqual(['sent'])
    await other.stop()
  })

  test("credentials that can't be decrypted are recorded as the sender's failure", async () => {
    await launch(1)
    await app.db.execute('update sending_accounts set secrets = $2 where id = $1', [senderId, Buffer.from('damaged')])
    await work(start)
    const [sender] = await app.db.query<{ status: string }>('select status from sending_accounts where id = $1', [
      senderId,
    ])
    expect(sender?.status).toBe('connection_error')
    expect(double.accepted).toHaveLength(0)
  })

  test("the provider's own limit holds the mailbox, not the lead", async () => {
    await launch(1)
    double.faults = [
      { stage: 'mail', action: { code: 550, text: '5.4.5 Daily user sending limit exceeded' }, times: 1 },
    ]
    await work(start)
    expect(await work(later(30 * minuteMs))).toBe(0)
    expect(await work(later(61 * minuteMs))).toBe(1)
    expect(double.accepted).toHaveLength(1)
  })
})

describe('the gate', () => {
  test('withholds a claimed message whose lead was stopped since', async () => {
    const campaign = await launch(2)
    const [lead] = await listTestLeads(app.db, tenant)
    const { token } = await runPlanning(tools, tenant, start)
    double.onStage = null
    const stopped = app.db.transaction((tx) =>
      stopLead(tx, tenant, {
        campaignId: campaign.id,
        leadId: lead?.id ?? '',
        status: 'replied',
        stoppedBy: { rule: 'reply' },
        now: start,
      }),
    )
    await stopped
    await deliverClaimed(tools, tenant, { now: start, token })
    expect(double.accepted.map((mail) => mail.to[0])).toEqual(['p2@acme.test'])
  })

  test('withholds the message when the address opts out just before the end of the body', async () => {
    await launch(1)
    const smtp = smtpOver(app, delivery.pool)
    tools.transportFor = () => ({
      send: (request) =>
        smtp.send({
          ...request,
          async gate() {
            await app.db.transaction((tx) =>
              suppress(tx, tenant, {
                email: 'p1@acme.test',
                source: 'recipient',
                reason: null,
                secrets: app.secrets,
                now: start,
              }),
            )
            return request.gate()
          },
        }),
    })
    await work(start)
    expect(double.accepted).toHaveLength(0)
    expect(double.bodiesBegun).toBe(1)
    expect(await listTestMessages(app.db, tenant)).toHaveLength(0)
    await work(later(minuteMs))
    expect((await listTestLeads(app.db, tenant))[0]).toMatchObject({ blockedReason: 'suppressed' })
  })

  test('refuses a claim whose lease has expired, and recovery returns the lead', async () => {
    await launch(1)
    const { token } = await runPlanning(tools, tenant, start)
    await app.db.execute(`update claims set lease_until = now() - interval '1 second' where account_id = $1`, [
      tenant.accountId,
    ])
    await deliverClaimed(tools, tenant, { now: start, token })
    expect(double.accepted).toHaveLength(0)
    await launch(1, {}).catch(() => undefined)
    await recoverExpired(app)
    await work(later(1000))
    expect(double.accepted.length).toBeGreaterThan(0)
    expect(new Set(double.accepted.map((mail) => mail.messageId)).size).toBe(double.accepted.length)
  })
})

describe('a missing reply to the end of the message', () => {
  test.each(['sent', 'not_sent'] as const)(
    'is uncertain and holds the lead until a person resolves it as %s',
    async (outcome) => {
      const campaign = await launch(1)
      double.faults = [{ stage: outcome === 'sent' ? 'answer' : 'end', action: 'drop', times: 1 }]
      await work(start)
      const [message] = await listTestMessages(app.db, tenant)
      const [lead] = await listTestLeads(app.db, tenant)
      expect(message?.status).toBe('uncertain')
      expect(lead).toMatchObject({ status: 'pending', blockedReason: 'delivery_uncertain', attemptAt: null })
      expect(await work(later(10 * dayMs))).toBe(0)
      const key = { campaignId: campaign.id, leadId: lead?.id ?? '' }
      await app.db.transaction((tx) => resolveUncertain(tx, tenant, { ...key, outcome, now: later(minuteMs) }))
      await work(later(2 * minuteMs))
      expect(double.accepted.map((mail) => mail.messageId)).toEqual([message?.rfcMessageId])
      expect((await listTestLeads(app.db, tenant))[0]).toMatchObject({
        status: 'active',
        currentStep: 1,
        blockedReason: null,
      })
      await expect(
        app.db.transaction((tx) => resolveUncertain(tx, tenant, { ...key, outcome, now: start })),
      ).rejects.toMatchObject({ code: 'CONFLICT' })
    },
  )
})

describe('requests of a person', () => {
  test('preview shows exactly the text that is sent', async () => {
    const campaign = await launch(1)
    const [lead] = await listTestLeads(app.db, tenant)
    const key = { campaignId: campaign.id, leadId: lead?.id ?? '' }
    const shown = await previewMessage(app, tenant, {
      ...key,
      now: start,
      meetingUrl: noMeeting,
      renderer: testRenderer,
    })
    await work(start)
    const [sent] = (await getLeadThread(app, tenant, key)).messages
    const { subject, text, html } = withoutLinkTokens(shown)
    expect({ subject: sent?.subject, text: sent?.text, html: sent?.html }).toEqual({ subject, text, html })
    expect(shown.headers['List-Unsubscribe-Post']).toBe('List-Unsubscribe=One-Click')
    const raw = double.accepted[0]?.raw.toString().replaceAll('\r\n ', ' ') ?? ''
    for (const [name, value] of Object.entries(shown.headers)) expect(raw).toContain(`${name}: ${value}`)
    await expect(
      previewMessage(app, tenant, {
        ...key,
        stepId: 'stp_none',
        now: start,
        meetingUrl: noMeeting,
        renderer: testRenderer,
      }),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  test('send-now skips the wait, later waits count from it, and 409 if no step is next', async () => {
    const campaign = await launch(1)
    await work(start)
    const [lead] = await listTestLeads(app.db, tenant)
    const key = { campaignId: campaign.id, leadId: lead?.id ?? '' }
    const queued = await app.db.transaction((tx) =>
      sendNow(tx, tenant, { ...key, renderer: testRenderer, secrets: app.secrets, now: later(minuteMs) }),
    )
    expect(queued.status).toBe('queued')
    expect(await work(later(minuteMs))).toBe(1)
    expect(double.accepted).toHaveLength(2)
    await expect(
      app.db.transaction((tx) =>
        sendNow(tx, tenant, { ...key, renderer: testRenderer, secrets: app.secrets, now: later(minuteMs) }),
      ),
    ).rejects.toMatchObject({ code: 'CONFLICT' })
  })

  test('a reply is sent in the thread and ends the sequence', async () => {
    const campaign = await launch(1)
    const [lead] = await listTestLeads(app.db, tenant)
    const key = { campaignId: campaign.id, leadId: lead?.id ?? '' }
    await expect(
      app.db.transaction((tx) => replyToLead(tx, tenant, key, { renderer: testRenderer, text: 'Hi', now: start })),
    ).rejects.toMatchObject({ code: 'CONFLICT' })
    await work(start)
    const [sent] = await listTestMessages(app.db, tenant)
    await app.db.transaction((tx) =>
      replyToLead(tx, tenant, key, {
        renderer: testRenderer,
        text: 'One more thing',
        cc: ['bob@acme.test'],
        now: later(minuteMs),
      }),
    )
    expect(await work(later(minuteMs))).toBe(1)
    const mail = double.accepted[1]
    expect(mail?.to).toEqual(['p1@acme.test', 'bob@acme.test'])
    expect(mail?.raw.toString()).toContain(`In-Reply-To: ${sent?.rfcMessageId}`)
    expect((await listTestLeads(app.db, tenant))[0]?.status).toBe('stopped')
    expect(await work(later(4 * dayMs))).toBe(0)
  })

  test('explain lists every gate, followup-status counts, and the forecast covers all steps', async () => {
    const campaign = await launch(3)
    const [lead] = await listTestLeads(app.db, tenant)
    const ahead = await forecast(app, tenant, {
      campaignId: campaign.id,
      now: start,
      meetingUrl: noMeeting,
      renderer: testRenderer,
    })
    expect(ahead.days.reduce((sum, day) => sum + day.first + day.followUp, 0)).toBe(6)
    await work(start)
    const explanation = await explain(app, tenant, {
      campaignId: campaign.id,
      leadId: lead?.id ?? '',
      now: later(dayMs),
      meetingUrl: noMeeting,
      renderer: testRenderer,
    })
    expect(explanation.blockedReason).toBe('wait_not_over')
    expect(explanation.gates).toHaveLength(blockedReasons.length)
    expect(explanation.next?.at).toBe(later(3 * dayMs).toISOString())
    expect(explanation.history.map((entry) => entry.decision)).toContain('message.sent')
    expect(
      await getFollowupStatus(app, tenant, {
        campaignId: campaign.id,
        now: later(dayMs),
        meetingUrl: noMeeting,
        renderer: testRenderer,
      }),
    ).toMatchObject({
      waiting: 3,
      due: 0,
      blocked: [{ reason: 'wait_not_over', count: 3 }],
      nextSendAt: later(3 * dayMs).toISOString(),
    })
  })

  test('delivery reports bounce the message and pause the sender', async () => {
    await launch(25)
    await work(start)
    const messages = await listTestMessages(app.db, tenant)
    for (const message of messages.slice(0, 3)) {
      await app.db.transaction((tx) =>
        recordBounce(tx, tenant, {
          messageId: message.id,
          recipient: null,
          type: 'hard',
          code: '5.1.1',
          reason: 'unknown',
          secrets: app.secrets,
          now: later(minuteMs),
        }),
      )
    }
    const [sender] = await app.db.query<{ status: string; statusReason: string }>(
      `select status, status_reason from sending_accounts where id = $1`,
      [senderId],
    )
    expect(sender).toEqual({ status: 'paused', statusReason: 'bounce_rate' })
  })
})
