import {
  insertTestCampaign,
  insertTestLeads,
  insertTestSender,
  listTestMessages,
} from '../delivery/delivery-fixtures.sql.ts'
import type { TestAnswer } from '../server.ts'
import type { MailWorld } from './mail-world.ts'

/** A lead whose first message was sent from a new mailbox, in the live environment. */
export interface Contacted {
  senderId: string
  campaignId: string
  leadId: string
  email: string
  messageId: string
}

type Accepted = MailWorld['smtp']['accepted']

/** Actions on contacted leads of one mail world. */
export interface ContactedWorld {
  contacted: () => Promise<Contacted>
  suppress: (email: string) => Promise<TestAnswer>
  /** Sends a person's reply to the lead. */
  reply: (of: Contacted, body?: object) => Promise<TestAnswer>
  /** The lead replies to the first message. */
  answer: (of: Contacted, headers?: readonly string[]) => Promise<void>
  /** The messages that the SMTP server accepts while `run` and the worker run. */
  acceptedBy: (run: () => Promise<unknown>) => Promise<Accepted>
}

export function contactedWorld(world: MailWorld): ContactedWorld {
  let leads = 0
  return {
    async contacted() {
      const { server, smtp } = world
      const { app, tenant } = server
      leads++
      const senderId = await insertTestSender(app.db, tenant, { port: smtp.port, email: `seller${leads}@tenant.test` })
      const { id: campaignId } = await insertTestCampaign(app.db, tenant, { senderIds: [senderId] })
      // With ten digits the lead's id has the form of all ids.
      const [prefix, domain] = [`n${String(leads).padStart(8, '0')}x`, `firm${leads}.test`]
      await insertTestLeads(app.db, tenant, { campaignId, count: 1, dueAt: app.clock.now(), prefix, domain })
      await world.work()
      const leadId = `led_${prefix}00000001`
      const first = (await listTestMessages(app.db, tenant)).find((one) => one.leadId === leadId)
      return { senderId, campaignId, leadId, email: `${prefix}1@${domain}`, messageId: first!.rfcMessageId! }
    },
    suppress: (email) => world.live('POST', '/v2/suppressions', { email }),
    reply: (of, body = {}) =>
      world.live('POST', `/v2/campaigns/${of.campaignId}/leads/${of.leadId}/reply`, { text: 'Hello again.', ...body }),
    answer: (of, headers = []) =>
      world.receiveAnswer({ from: of.email, to: of.messageId, senderId: of.senderId, headers }),
    async acceptedBy(run) {
      const before = world.smtp.accepted.length
      await run()
      await world.work()
      return world.smtp.accepted.slice(before)
    },
  }
}
