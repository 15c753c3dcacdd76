import { describe, expect, test } from 'vitest'
import { deliverDue, type DeliveryByHand } from '@overture/testing/delivery/delivery-by-hand.ts'
import {
  insertTestCampaign,
  insertTestLeads,
  insertTestSender,
  listTestLeads,
  listTestMessages,
} from '@overture/testing/delivery/delivery-fixtures.sql.ts'
import { useDelivery } from '@overture/testing/delivery/use-delivery.ts'
import type { App } from '../../platform/app.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { findSender } from '../../sending-accounts/index.ts'

const start = new Date('2026-03-02T10:00:00.000Z')
const hourMs = 3_600_000

let app: App
let delivery: DeliveryByHand
let tenant: Tenant
let senderId: string

useDelivery((world) => ({ app, delivery, tenant, senderId } = world))

type Sender = { status: string; heldMs?: number }

/** The reply of the provider to the end of the message, and the state of the sending account afterwards. */
const replies: [string, Sender][] = [
  ['554 5.2.0 STOREDRV.Submission.Exception:SubmissionQuotaExceededException', { status: 'active', heldMs: hourMs }],
  [
    '550 5.1.90 Your message can’t be sent because you’ve reached your daily limit',
    { status: 'active', heldMs: hourMs },
  ],
  ['550 5.4.5 Daily user sending limit exceeded.', { status: 'active', heldMs: hourMs }],
  ['550 5.7.1 Daily SMTP relay limit exceeded for customer.', { status: 'active', heldMs: hourMs }],
  ['550 5.7.233 Your tenant exceeded its daily limit', { status: 'active', heldMs: hourMs }],
  ['421 4.7.28 Gmail has detected an unusual rate of mail', { status: 'active', heldMs: hourMs }],
  [
    '550 5.7.26 Your email has been blocked because the sender is unauthenticated.',
    { status: 'active', heldMs: hourMs },
  ],
  ['550 5.7.515 Access denied, sending domain does not meet the required level', { status: 'active', heldMs: hourMs }],
  ['432 4.3.2 Concurrent connections limit exceeded.', { status: 'active', heldMs: 60_000 }],
  ['554 5.2.252 SendAsDenied; ada@here.example not allowed to send as bo@here.example', { status: 'blocked' }],
  ['550 5.1.8 Access denied, bad outbound sender', { status: 'blocked' }],
  ['550 5.7.705 Access denied, tenant has exceeded threshold', { status: 'blocked' }],
  ['554 5.2.2 mailbox full; STOREDRV.Submission.Exception:ShutoffQuotaExceededException', { status: 'blocked' }],
  ['535 5.7.139 Authentication unsuccessful, SmtpClientAuthentication is disabled', { status: 'auth_required' }],
  ['550 5.7.30 Basic authentication is not supported', { status: 'auth_required' }],
  ['530 5.7.57 Client not authenticated to send mail', { status: 'auth_required' }],
]

describe("a refusal that is the sender's fault", () => {
  test.each(replies)('%s', async (answer, { status, heldMs }) => {
    const campaign = await insertTestCampaign(app.db, tenant, { senderIds: [senderId] })
    await insertTestLeads(app.db, tenant, { campaignId: campaign.id, count: 1, dueAt: start })
    delivery.smtp.faults = [{ stage: 'answer', times: 1, action: { bytes: Buffer.from(`${answer}\r\n`) } }]
    await deliverDue(delivery.tools, tenant, start)
    expect(await listTestLeads(app.db, tenant)).toMatchObject([{ status: 'pending' }])
    expect((await listTestMessages(app.db, tenant)).filter((row) => row.status !== 'queued')).toEqual([])
    const sender = await findSender(app.db, tenant, senderId)
    expect(sender).toMatchObject({ status, lastError: answer })
    expect(sender?.statusAdvice).toMatch(/^[A-Z].{20,}\.$/)
    expect(sender?.heldUntil?.getTime() ?? null).toBe(heldMs === undefined ? null : start.getTime() + heldMs)
  })

  test('a limit of the organisation holds only the sending accounts of its domain or its tenant', async () => {
    const insert = () => insertTestSender(app.db, tenant, { port: delivery.smtp.port })
    const [colleague, sister, stranger, other] = [await insert(), await insert(), await insert(), await insert()]
    const accounts: [id: string, email: string, organization: string | null][] = [
      [senderId, 'ada@here.example', 'tenant one'],
      [colleague, 'bo@here.example', null],
      [sister, 'cy@sister.example', 'tenant one'],
      [stranger, 'di@there.example', 'tenant two'],
      [other, 'ed@elsewhere.example', null],
    ]
    for (const [id, email, organization] of accounts)
      await app.db.execute(
        'update sending_accounts set email = $3, organization = $4 where account_id = $1 and id = $2',
        [tenant.accountId, id, email, organization],
      )
    const campaign = await insertTestCampaign(app.db, tenant, { senderIds: [senderId] })
    await insertTestLeads(app.db, tenant, { campaignId: campaign.id, count: 1, dueAt: start })
    const words = '550 5.7.232 Your message can’t be sent because your trial tenant has exceeded its daily limit'
    delivery.smtp.faults = [{ stage: 'answer', times: 1, action: { bytes: Buffer.from(`${words}\r\n`) } }]
    await deliverDue(delivery.tools, tenant, start)
    const held = await Promise.all(accounts.map(([id]) => id).map((id) => findSender(app.db, tenant, id)))
    expect(held.map((sender) => sender?.heldUntil !== null)).toEqual([true, true, true, false, false])
  })
})
