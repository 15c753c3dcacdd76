import { expect, test } from 'vitest'
import { smtpOver, type DeliveryByHand } from '@overture/testing/delivery/delivery-by-hand.ts'
import {
  insertTestCampaign,
  insertTestLeads,
  insertTestPolicy,
  listTestLeads,
} from '@overture/testing/delivery/delivery-fixtures.sql.ts'
import { useDelivery } from '@overture/testing/delivery/use-delivery.ts'
import { noContactPolicy } from '@overture/contract/contact-policy/contact-policy.ts'
import { deliverClaimed, runPlanning } from '../../delivery/index.ts'
import type { App } from '../../platform/app.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { receiveMessage } from './receive.commands.ts'

const start = new Date('2026-03-02T10:00:00.000Z')

let app: App
let delivery: DeliveryByHand
let tenant: Tenant
let senderId: string
useDelivery((world) => ({ app, delivery, tenant, senderId } = world))

/** The owner of the mailbox writes to `p1@acme.test` with a mail program, and we find the copy in the folder of sent mail. */
const readManualMail = () =>
  receiveMessage(app, tenant, {
    sendingAccountId: senderId,
    raw: Buffer.from(
      ['From: <me@laptop.test>', 'To: <p1@acme.test>', 'Message-ID: <by-hand@laptop.test>', '', 'As we said.'].join(
        '\r\n',
      ),
    ),
    folder: 'Sent',
    sent: true,
    junk: false,
    uid: 1,
    receivedAt: start,
    now: start,
  })

test.each([
  [true, ['p2@acme.test']],
  [false, ['p1@acme.test', 'p2@acme.test']],
])(
  'manual mail during the body of our message withholds it (stopOnManualMail: %s)',
  async (stopOnManualMail, mailed) => {
    await insertTestPolicy(app.db, tenant, { ...noContactPolicy, stopOnManualMail })
    const { id } = await insertTestCampaign(app.db, tenant, { senderIds: [senderId] })
    await insertTestLeads(app.db, tenant, { campaignId: id, count: 2, dueAt: start })
    const smtp = smtpOver(app, delivery.pool)
    let read: Promise<unknown> | undefined
    delivery.tools.transportFor = () => ({
      send: (request) =>
        smtp.send({
          ...request,
          async gate() {
            await (read ??= readManualMail())
            return request.gate()
          },
        }),
    })
    const { token } = await runPlanning(delivery.tools, tenant, start)
    await deliverClaimed(delivery.tools, tenant, { now: start, token })
    expect(new Set(delivery.smtp.accepted.map(({ to }) => to[0]))).toEqual(new Set(mailed))
    expect(delivery.smtp.accepted).toHaveLength(mailed.length)
    const stopped = (await listTestLeads(app.db, tenant)).filter(({ status }) => status === 'stopped')
    expect(stopped).toHaveLength(stopOnManualMail ? 1 : 0)
  },
)
