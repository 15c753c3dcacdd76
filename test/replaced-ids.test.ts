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

const replaced = '<ZR2P278MB01@ZR2P278MB0123.CHEP278.PROD.OUTLOOK.COM>'
/** The reply of smtp.office365.com to a message whose Message-ID it replaced. */
const answer = { code: 250, text: `2.0.0 OK ${replaced} [Hostname=ZR2P278MB0123.CHEP278.PROD.OUTLOOK.COM]` }
const headerOf = (raw: Buffer | undefined, name: string) =>
  new RegExp(`^${name}: (.*)$`, 'im').exec(raw?.toString().replaceAll('\r\n ', ' ').replaceAll('\r', '') ?? '')?.[1]

let leads = 0
/** Creates a lead whose first message went through a server that replaced its Message-ID. */
async function contacted() {
  const { server, smtp } = world
  const { app, tenant } = server
  leads++
  const senderId = await insertTestSender(app.db, tenant, { port: smtp.port, email: `sender${leads}@tenant.test` })
  const steps = [1, 2].map((step) => ({ subject: 'Hello', body: `Text ${step}`, waitDays: 0, sameThread: step === 2 }))
  const campaign = await insertTestCampaign(app.db, tenant, { senderIds: [senderId], steps })
  const [prefix, domain] = [`p${leads}x`, `company${leads}.test`]
  await insertTestLeads(app.db, tenant, { campaignId: campaign.id, count: 1, dueAt: app.clock.now(), prefix, domain })
  smtp.faults = [{ stage: 'answer', action: answer }]
  await world.work()
  const leadId = `led_${prefix}00000001`
  const first = (await listTestMessages(app.db, tenant)).find((one) => one.leadId === leadId)
  expect(first).toMatchObject({ status: 'sent' })
  return { senderId, campaignId: campaign.id, leadId, email: `${prefix}1@${domain}`, own: first!.rfcMessageId! }
}

test("a reply to the server's Message-ID joins its conversation, from any sender", async () => {
  const { senderId, campaignId, leadId, own } = await contacted()
  await world.receiveAnswer({ from: 'assistant@elsewhere.test', to: replaced, senderId })
  const { messages } = (await world.live('GET', `/v2/campaigns/${campaignId}/leads/${leadId}/thread`)).body
  expect(messages).toMatchObject([
    { direction: 'outbound', messageId: own, rfcMessageId: own, deliveredMessageId: replaced },
    { direction: 'inbound', kind: 'reply', inReplyTo: replaced, deliveredMessageId: null },
  ])
  const { results } = (await world.live('GET', '/v2/events?type=message.sent&order=desc&limit=1')).body
  expect(results[0].data).toMatchObject({ leadId, rfcMessageId: own, deliveredMessageId: replaced })
})

test("the next message and a reply refer to the server's Message-ID", async () => {
  const { senderId, campaignId, leadId, email } = await contacted()
  await world.work(new Date(world.server.app.clock.now().getTime() + 3_600_000))
  const second = world.smtp.accepted.at(-1)
  expect([second?.to, headerOf(second?.raw, 'In-Reply-To'), headerOf(second?.raw, 'References')]).toEqual([
    [email],
    replaced,
    replaced,
  ])
  await world.receiveAnswer({ from: email, to: replaced, senderId })
  await world.live('POST', `/v2/campaigns/${campaignId}/leads/${leadId}/reply`, { text: 'With pleasure.' })
  await world.work()
  expect(headerOf(world.smtp.accepted.at(-1)?.raw, 'References')).toContain(replaced)
})

test('headers that servers keep contain ids of message and campaign, but no address', async () => {
  const { campaignId, email } = await contacted()
  const { raw } = world.smtp.accepted.at(-1)!
  const { accountId } = world.server.tenant
  expect(headerOf(raw, 'Feedback-ID')).toBe(`${campaignId}:${accountId}:campaign:overture`)
  const ref = headerOf(raw, 'X-Overture-Ref') ?? ''
  expect(world.server.app.secrets.verifyToken('message ref', ref)).toHaveLength(1)
  expect(Buffer.from(ref, 'base64url').toString()).not.toContain(email)
})

test('erasing a person keeps both Message-IDs', async () => {
  const { email, own } = await contacted()
  const { app, tenant } = world.server
  await app.db.execute(
    `insert into people (account_id, environment, id, email, created_at, updated_at) values ($1, 'live', 'per_replaced', $2, now(), now())`,
    [tenant.accountId, email],
  )
  expect((await world.live('DELETE', '/v2/leads/per_replaced')).status).toBe(200)
  const former = await app.db.query<{ id: string }>(
    'select rfc_message_id as id from former_messages where rfc_message_id = any($1)',
    [[own, replaced]],
  )
  expect(former.map(({ id }) => id)).toEqual(expect.arrayContaining([own, replaced]))
})
