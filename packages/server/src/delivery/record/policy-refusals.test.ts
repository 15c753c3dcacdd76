import { expect, test } from 'vitest'
import { deliverDue, type DeliveryByHand } from '@overture/testing/delivery/delivery-by-hand.ts'
import {
  insertTestCampaign,
  insertTestLeads,
  listTestMessages,
} from '@overture/testing/delivery/delivery-fixtures.sql.ts'
import { useDelivery } from '@overture/testing/delivery/use-delivery.ts'
import type { App } from '../../platform/app.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { findSender } from '../../sending-accounts/index.ts'

const start = new Date('2026-03-02T10:00:00.000Z')
const minuteMs = 60_000

let app: App
let delivery: DeliveryByHand
let tenant: Tenant
let senderId: string
useDelivery((world) => ({ app, delivery, tenant, senderId } = world))

const byPolicy = '421 4.7.0 [TSS04] Messages temporarily deferred due to unexpected volume'

/** Sends to new leads at the minute. The server gives this reply to each of them, or accepts all. */
async function sendAt(minute: number, count: number, answer: string | null): Promise<void> {
  const dueAt = new Date(start.getTime() + minute * minuteMs)
  const campaign = await insertTestCampaign(app.db, tenant, { senderIds: [senderId] })
  await insertTestLeads(app.db, tenant, { campaignId: campaign.id, count, dueAt, prefix: `at${minute}-` })
  refuse(answer, count)
  await deliverDue(delivery.tools, tenant, dueAt)
}

function refuse(answer: string | null, times: number): void {
  const action = { bytes: Buffer.from(`${answer}\r\n`) }
  delivery.smtp.faults = answer === null ? [] : [{ stage: 'answer', times, action }]
}

const paceNow = async () => (await findSender(app.db, tenant, senderId))?.pace
const statuses = async () => (await listTestMessages(app.db, tenant)).map(({ status }) => status)

test('a message that is refused by policy for now slows the sender down before its last try', async () => {
  await sendAt(0, 23, null)
  await sendAt(1, 2, byPolicy)
  expect((await statuses()).filter((status) => status === 'queued')).toHaveLength(2)
  expect(await paceNow()).toMatchObject({
    state: 'cooling',
    reasons: [{ signal: 'policy_refusals', value: 2 / 25, sample: 25, scope: 'mailbox' }],
  })
})

test('it counts once, and still counts after a later try was accepted', async () => {
  await sendAt(0, 23, null)
  await sendAt(1, 2, byPolicy)
  refuse(byPolicy, 2)
  await deliverDue(delivery.tools, tenant, new Date(start.getTime() + 6 * minuteMs))
  expect(await paceNow()).toMatchObject({ reasons: [{ value: 2 / 25, sample: 25 }] })
  refuse(null, 0)
  await deliverDue(delivery.tools, tenant, new Date(start.getTime() + 21 * minuteMs))
  expect(await statuses()).toEqual(Array(25).fill('sent'))
  await sendAt(60, 1, byPolicy)
  expect(await paceNow()).toMatchObject({ reasons: [{ value: 3 / 26, sample: 26 }] })
})

test('many such refusals hold the sender, and greylisting counts for nothing', async () => {
  await sendAt(0, 40, null)
  await sendAt(1, 10, '451 4.7.1 Greylisted, please try again in 300 seconds')
  expect(await paceNow()).toBeNull()
  await sendAt(2, 8, byPolicy)
  expect(await findSender(app.db, tenant, senderId)).toMatchObject({
    status: 'paused',
    statusReason: 'policy_refusals',
    pace: { state: 'held' },
  })
})
