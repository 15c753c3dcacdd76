import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  insertTestCampaign,
  insertTestLeads,
  insertTestSender,
  listTestMessages,
} from '@overture/testing/delivery/delivery-fixtures.sql.ts'
import { startMailWorld, type MailWorld } from '@overture/testing/server/mail-world.ts'

let world: MailWorld
beforeAll(async () => {
  world = await startMailWorld()
})
afterAll(() => world.stop())

let leads = 0
/** Creates a lead that replied to its first message, and returns the conversation's id. */
async function answered(...headers: string[]): Promise<{ conversationId: string; email: string }> {
  const { server, smtp, live } = world
  const { app, tenant } = server
  leads++
  const senderId = await insertTestSender(app.db, tenant, { port: smtp.port, email: `sender${leads}@tenant.test` })
  const campaign = await insertTestCampaign(app.db, tenant, { senderIds: [senderId] })
  const [prefix, domain] = [`p${leads}x`, `company${leads}.test`]
  await insertTestLeads(app.db, tenant, { campaignId: campaign.id, count: 1, dueAt: app.clock.now(), prefix, domain })
  const email = `${prefix}1@${domain}`
  smtp.faults = []
  await world.work()
  const first = (await listTestMessages(app.db, tenant)).find((one) => one.leadId === `led_${prefix}00000001`)
  await world.receiveAnswer({ from: email, to: first?.rfcMessageId ?? '', senderId, headers })
  const { results } = (await live('GET', `/v2/conversations?campaignId=${campaign.id}`)).body
  return { conversationId: results[0].id, email }
}

async function reply(conversationId: string, body: object = {}) {
  await world.live('POST', `/v2/conversations/${conversationId}/reply`, { text: 'With pleasure.', ...body })
  await world.work()
  return (await world.live('GET', `/v2/conversations/${conversationId}`)).body.messages.at(-1)
}

test("a reply goes to the Reply-To address of the lead's message", async () => {
  const { conversationId } = await answered('Reply-To: Ada’s assistant <assistant@acme.test>')
  const sent = await reply(conversationId)
  expect(sent).toMatchObject({ status: 'sent', to: [{ email: 'assistant@acme.test' }], refusedRecipients: [] })
  expect(world.smtp.accepted.at(-1)?.to).toEqual(['assistant@acme.test'])
})

const noSuchUser = { code: 550, text: '5.1.1 No such user' }

test('refused recipients of a reply are shown in conversation and event, and others get it', async () => {
  const { conversationId, email } = await answered()
  const cc = ['copy@acme.test', 'gone@acme.test']
  world.smtp.faults = [{ stage: 'rcpt', only: 'gone@acme.test', action: noSuchUser }]
  const sent = await reply(conversationId, { cc })
  const refusedRecipients = [{ email: 'gone@acme.test', code: '5.1.1', reason: '550 5.1.1 No such user' }]
  expect(sent).toMatchObject({ status: 'sent', refusedRecipients })
  expect(world.smtp.accepted.at(-1)?.to).toEqual([email, 'copy@acme.test'])
  const { results } = (await world.live('GET', '/v2/events?type=message.sent&order=desc&limit=1')).body
  expect(results[0].data).toMatchObject({ messageId: sent.id, refusedRecipients })
  expect((await world.live('GET', '/v2/suppressions')).body.results).toEqual([])
})

test('if only the lead is refused permanently, it has bounced, and the copy is delivered', async () => {
  const { conversationId, email } = await answered()
  world.smtp.faults = [{ stage: 'rcpt', only: email, action: noSuchUser }]
  const sent = await reply(conversationId, { cc: ['copy@acme.test'] })
  expect(sent).toMatchObject({ status: 'bounced', refusedRecipients: [{ email, code: '5.1.1' }] })
  expect(world.smtp.accepted.at(-1)?.to).toEqual(['copy@acme.test'])
  expect((await world.live('GET', '/v2/suppressions')).body.results).toMatchObject([{ email, source: 'bounce' }])
})
