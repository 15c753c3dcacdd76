import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  insertTestCampaign,
  insertTestLeads,
  insertTestSender,
} from '@overture/testing/delivery/delivery-fixtures.sql.ts'
import { contactedLead } from '@overture/testing/inbox/contacted-lead.ts'
import { startMailWorld, type MailWorld } from '@overture/testing/server/mail-world.ts'

let world: MailWorld
beforeAll(async () => {
  world = await startMailWorld()
})
afterAll(() => world.stop())

const live: MailWorld['live'] = (method, path, body) => world.live(method, path, body)
const work: MailWorld['work'] = (now) => world.work(now)

async function conversationOf(name: string): Promise<{ path: string; campaignId: string; leadId: string }> {
  const { app, tenant } = world.server
  const senderId = await insertTestSender(app.db, tenant, { port: world.smtp.port })
  const campaign = await insertTestCampaign(app.db, tenant, { senderIds: [senderId] })
  await insertTestLeads(app.db, tenant, { campaignId: campaign.id, count: 1, dueAt: app.clock.now() })
  await work()
  const [lead] = (await live('GET', `/v2/campaigns/${campaign.id}/leads`)).body.results
  const [first] = (await live('GET', `/v2/campaigns/${campaign.id}/leads/${lead.id}/thread`)).body.messages
  await world.receiveAnswer({ from: lead.email, to: first.messageId, senderId })
  const [found] = (await live('GET', `/v2/conversations?campaignId=${campaign.id}`)).body.results
  if (found === undefined) throw new Error(`no conversation of ${name}`)
  return { path: `/v2/conversations/${found.id}`, campaignId: campaign.id, leadId: lead.id }
}

const textsSent = () => world.smtp.accepted.map(({ raw }) => /word\d+/.exec(raw.toString())?.[0]).filter(Boolean)

test('a reply is sent after its delay, and can be withdrawn completely until then', async () => {
  const { path, campaignId, leadId } = await conversationOf('one')
  const now = world.server.app.clock.now()
  const reply = await live('POST', `${path}/reply`, { text: 'word1', delaySeconds: 60 })
  expect([reply.status, reply.body.status]).toEqual([202, 'queued'])
  expect((await live('GET', path)).body).toMatchObject({ awaiting: false })
  await work(new Date(now.getTime() + 59_000))
  expect(textsSent()).toEqual([])
  const gone = await live('DELETE', `${path}/messages/${reply.body.id}`)
  expect([gone.status, gone.body]).toEqual([200, { id: reply.body.id, deleted: true }])
  expect((await live('GET', path)).body).toMatchObject({ awaiting: true })
  const thread = (await live('GET', `/v2/campaigns/${campaignId}/leads/${leadId}/thread`)).body.messages
  expect(thread.map(({ id }: { id: string }) => id)).not.toContain(reply.body.id)
  expect((await live('DELETE', `${path}/messages/${reply.body.id}`)).status).toBe(404)
  await work(new Date(now.getTime() + 120_000))
  expect(textsSent()).toEqual([])

  const again = await live('POST', `${path}/reply`, { text: 'word2', delaySeconds: 30 })
  await work(new Date(world.server.app.clock.now().getTime() + 31_000))
  expect(textsSent()).toEqual(['word2'])
  const late = await live('DELETE', `${path}/messages/${again.body.id}`)
  expect([late.status, late.body.error.details.currentStatus]).toEqual([409, 'sent'])
})

test("other messages, and replies of other conversations or accounts, can't be withdrawn", async () => {
  const { path } = await conversationOf('two')
  const other = await conversationOf('three')
  const { messages } = (await live('GET', path)).body
  for (const message of messages) expect((await live('DELETE', `${path}/messages/${message.id}`)).status).toBe(409)
  const reply = (await live('POST', `${path}/reply`, { text: 'word3', delaySeconds: 60 })).body
  expect((await live('DELETE', `${other.path}/messages/${reply.id}`)).status).toBe(404)
  const foreign = await world.server.call('DELETE', `${path}/messages/${reply.id}`, {
    key: world.server.other.keys.live,
  })
  expect(foreign.status).toBe(404)
  expect((await live('DELETE', `${path}/messages/${reply.id}`)).status).toBe(200)
  for (const delaySeconds of [-1, 61, 1.5, '8'])
    expect((await live('POST', `${path}/reply`, { text: 'x', delaySeconds })).status).toBe(400)
})

test('a reply withdrawn while it is claimed is either deleted or sent once', async () => {
  const { path } = await conversationOf('four')
  const replies: { id: string; text: string }[] = []
  for (let number = 100; number < 124; number++) {
    const text = `word${number}`
    replies.push({ id: (await live('POST', `${path}/reply`, { text })).body.id, text })
  }
  const withdrawn = new Set<string>()
  const withdraw = async ({ id, text }: { id: string; text: string }) => {
    const { status } = await live('DELETE', `${path}/messages/${id}`)
    if (status === 200) withdrawn.add(text)
    else expect(status).toBe(409)
  }
  await Promise.all([work(), ...replies.slice(0, 12).map(withdraw), work()])
  await Promise.all(replies.slice(12).map(withdraw))
  for (let round = 0; round < 40; round++)
    await work(new Date(world.server.app.clock.now().getTime() + round * 600_000))
  const sent = textsSent()
  for (const { text } of replies)
    expect([text, sent.filter((one) => one === text).length]).toEqual([text, withdrawn.has(text) ? 0 : 1])
})

test('in the test environment the delay follows the test clock', async () => {
  const { server } = world
  const call = (method: string, path: string, body?: unknown) =>
    server.call(method, path, { key: server.keys.test, body })
  const { now } = (await call('POST', '/v2/sandbox/clock', { frozen: true })).body
  const sender = { email: 'sender@example.com', fromName: 'Sender', provider: 'sandbox' }
  const senderId = (await call('POST', '/v2/sending-accounts', sender)).body.id
  const lead = await contactedLead(server, { senderId, now: new Date(now) })
  await world.receiveAnswer({ from: lead.email, to: lead.rfcMessageId, senderId }, server.testTenant)
  const [found] = (await call('GET', '/v2/conversations')).body.results
  const reply = await call('POST', `/v2/conversations/${found.id}/reply`, { text: 'word9', delaySeconds: 60 })
  const statusOf = async () =>
    (await call('GET', `/v2/conversations/${found.id}`)).body.messages.find(
      ({ id }: { id: string }) => id === reply.body.id,
    ).status
  await call('POST', '/v2/sandbox/clock/advance', { to: new Date(Date.parse(now) + 59_000).toISOString() })
  expect(await statusOf()).toBe('queued')
  await call('POST', '/v2/sandbox/clock/advance', { by: '1m' })
  expect(await statusOf()).toBe('sent')
})
