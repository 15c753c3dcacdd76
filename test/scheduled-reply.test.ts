import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  insertTestCampaign,
  insertTestLeads,
  insertTestSender,
} from '@overture/testing/delivery/delivery-fixtures.sql.ts'
import { answeringLead, receiveFrom } from '@overture/testing/inbox/answering-lead.ts'
import { startMailWorld, type MailWorld } from '@overture/testing/server/mail-world.ts'

let world: MailWorld
beforeAll(async () => {
  world = await startMailWorld()
})
afterAll(() => world.stop())

const live: MailWorld['live'] = (method, path, body) => world.live(method, path, body)
const work: MailWorld['work'] = (now) => world.work(now)
const inMinutes = (minutes: number) => new Date(world.server.app.clock.now().getTime() + minutes * 60_000)
const textsSent = () => world.smtp.accepted.map(({ raw }) => /word\d+/.exec(raw.toString())?.[0]).filter(Boolean)

interface Conversation {
  path: string
  email: string
  firstId: string
  senderId: string
}

async function conversation(): Promise<Conversation> {
  const { app, tenant } = world.server
  const senderId = await insertTestSender(app.db, tenant, { port: world.smtp.port })
  const campaign = await insertTestCampaign(app.db, tenant, { senderIds: [senderId] })
  await insertTestLeads(app.db, tenant, { campaignId: campaign.id, count: 1, dueAt: app.clock.now() })
  await work()
  const [lead] = (await live('GET', `/v2/campaigns/${campaign.id}/leads`)).body.results
  const [first] = (await live('GET', `/v2/campaigns/${campaign.id}/leads/${lead.id}/thread`)).body.messages
  await world.receiveAnswer({ from: lead.email, to: first.messageId, senderId })
  const [found] = (await live('GET', `/v2/conversations?campaignId=${campaign.id}`)).body.results
  return { path: `/v2/conversations/${found.id}`, email: lead.email, firstId: first.messageId, senderId }
}

const schedule = async ({ path }: Conversation, text: string, minutes = 60) =>
  (await live('POST', `${path}/reply`, { text, sendAt: inMinutes(minutes).toISOString() })).body
const messageOf = async ({ path }: Conversation, id: string) =>
  (await live('GET', path)).body.messages.find((one: { id: string }) => one.id === id)
const answer = ({ email, firstId, senderId }: Conversation) =>
  world.receiveAnswer({ from: email, to: firstId, senderId })

describe('a scheduled reply', () => {
  test('is listed in its conversation and sent once at its time', async () => {
    const one = await conversation()
    const sendAt = inMinutes(60).toISOString()
    const { status, body } = await live('POST', `${one.path}/reply`, { text: 'word1', sendAt })
    expect([status, body.status, body.sendAt, body.heldAt]).toEqual([202, 'queued', sendAt, null])
    expect((await live('GET', one.path)).body).toMatchObject({ scheduled: 'waiting', awaiting: false })
    expect((await live('GET', '/v2/conversations?scheduled=true')).body.results).toHaveLength(1)
    expect((await live('GET', '/v2/conversations/counts')).body).toMatchObject({ scheduled: 1, held: 0 })
    await work(inMinutes(59))
    expect(textsSent()).not.toContain('word1')
    await work(inMinutes(61))
    await work(inMinutes(120))
    expect(textsSent().filter((text) => text === 'word1')).toHaveLength(1)
    expect((await live('GET', one.path)).body).toMatchObject({ scheduled: null })
    const late = await live('PUT', `${one.path}/messages/${body.id}`, { text: 'word2' })
    expect([late.status, late.body.error.details.currentStatus]).toEqual([409, 'sent'])
  })

  test('has its text and its time changed, and is withdrawn', async () => {
    const one = await conversation()
    const reply = await schedule(one, 'word3')
    const path = `${one.path}/messages/${reply.id}`
    const sooner = inMinutes(10).toISOString()
    const changed = await live('PUT', path, { text: 'word4', sendAt: sooner })
    expect([changed.status, changed.body.sendAt, changed.body.text]).toEqual([200, sooner, 'word4'])
    await work(inMinutes(11))
    expect(textsSent()).toContain('word4')
    expect(textsSent()).not.toContain('word3')
    const other = await schedule(one, 'word5')
    expect((await live('DELETE', `${one.path}/messages/${other.id}`)).status).toBe(200)
    expect((await live('PUT', `${one.path}/messages/${other.id}`, { text: 'word6' })).status).toBe(404)
    await work(inMinutes(120))
    expect(textsSent()).not.toContain('word5')
  })

  test('is held by a message of the lead until a person lets it be sent', async () => {
    const one = await conversation()
    const reply = await schedule(one, 'word7')
    await answer(one)
    const held = await messageOf(one, reply.id)
    expect([held.status, held.heldAt === null]).toEqual(['queued', false])
    expect((await live('GET', one.path)).body).toMatchObject({ scheduled: 'held', awaiting: true })
    await work(inMinutes(120))
    expect(textsSent()).not.toContain('word7')
    // A new time does not let it be sent.
    await live('PUT', `${one.path}/messages/${reply.id}`, { sendAt: inMinutes(20).toISOString() })
    await work(inMinutes(21))
    expect(textsSent()).not.toContain('word7')
    const released = await live('PUT', `${one.path}/messages/${reply.id}`, { held: false })
    expect([released.status, released.body.heldAt]).toEqual([200, null])
    expect((await live('GET', one.path)).body).toMatchObject({ scheduled: 'waiting', awaiting: false })
    await work(inMinutes(22))
    await work(inMinutes(120))
    expect(textsSent().filter((text) => text === 'word7')).toHaveLength(1)
  })

  test.each([
    ['in the past', () => ({ sendAt: inMinutes(-1).toISOString() })],
    ['more than 90 days ahead', () => ({ sendAt: inMinutes(91 * 1_440).toISOString() })],
    ['that is no time', () => ({ sendAt: 'tomorrow' })],
    ['together with a delay', () => ({ sendAt: inMinutes(5).toISOString(), delaySeconds: 8 })],
  ])('needs a time, and not one %s', async (_, input) => {
    const one = await conversation()
    const { status, body } = await live('POST', `${one.path}/reply`, { text: 'word9', ...input() })
    expect([status, body.error.details.issues[0].path]).toEqual([400, 'sendAt'])
    expect((await live('GET', one.path)).body.messages).toHaveLength(2)
  })

  test('is the only kind of message that can be changed', async () => {
    const one = await conversation()
    for (const { id } of (await live('GET', one.path)).body.messages)
      expect((await live('PUT', `${one.path}/messages/${id}`, { text: 'x' })).status).toBe(409)
    const plain = (await live('POST', `${one.path}/reply`, { text: 'word10', delaySeconds: 60 })).body
    expect((await live('PUT', `${one.path}/messages/${plain.id}`, { text: 'x' })).status).toBe(409)
    expect((await live('PUT', `${one.path}/messages/${plain.id}`, {})).status).toBe(400)
    const foreign = { key: world.server.other.keys.live, body: { text: 'x' } }
    expect((await world.server.call('PUT', `${one.path}/messages/${plain.id}`, foreign)).status).toBe(404)
  })
})

describe('at the same time', () => {
  test('two colleagues reply: the second one is told, and one reply is sent', async () => {
    const one = await conversation()
    const seenMessageId = (await live('GET', one.path)).body.messages.at(-1).id
    const replies = await Promise.all(
      ['word20', 'word21'].map((text) => live('POST', `${one.path}/reply`, { text, seenMessageId })),
    )
    expect(replies.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([202, 409])
    const refused = replies.find(({ status }) => status === 409)
    expect(refused?.body.error.details.currentStatus).toBe('answered')
    await work(inMinutes(1))
    expect(textsSent().filter((text) => text === 'word20' || text === 'word21')).toHaveLength(1)
  })

  test('replies are sent, changed, withdrawn or held while workers claim them: none is sent twice', async () => {
    const one = await conversation()
    const replies: { id: string; text: string }[] = []
    for (let number = 100; number < 118; number++) {
      const text = `word${number}`
      replies.push({ id: (await schedule(one, text, 0.02)).id, text })
    }
    const withdrawn = new Set<string>()
    const changed = new Map<string, string>()
    const act = async ({ id, text }: { id: string; text: string }, at: number) => {
      const path = `${one.path}/messages/${id}`
      const { status } = at % 2 === 0 ? await live('DELETE', path) : await live('PUT', path, { text: `word9${at}` })
      if (status === 200 && at % 2 === 0) withdrawn.add(text)
      else if (status === 200) changed.set(text, `word9${at}`)
      else expect(status).toBe(409)
    }
    await Promise.all([work(inMinutes(1)), ...replies.slice(0, 12).map(act), work(inMinutes(1)), answer(one)])
    for (const { id } of (await live('GET', one.path)).body.messages.filter(({ heldAt }: Held) => heldAt !== null))
      expect((await live('PUT', `${one.path}/messages/${id}`, { held: false })).status).toBe(200)
    for (let round = 0; round < 40; round++) await work(inMinutes(2 + round * 10))
    const sent = textsSent()
    const count = (wanted: string) => sent.filter((text) => text === wanted).length
    for (const { text } of replies) {
      const now = changed.get(text)
      expect([text, count(text)]).toEqual([text, withdrawn.has(text) || now !== undefined ? 0 : 1])
      if (now !== undefined) expect([now, count(now)]).toEqual([now, 1])
    }
  })
})

interface Held {
  heldAt: string | null
}

test('in the test environment the time follows the test clock', async () => {
  const { server } = world
  const call = (method: string, path: string, body?: unknown) =>
    server.call(method, path, { key: server.keys.test, body })
  const { now } = (await call('POST', '/v2/sandbox/clock', { frozen: true })).body
  const sender = { email: 'sender@example.com', fromName: 'Sender', provider: 'sandbox' }
  const senderId = (await call('POST', '/v2/sending-accounts', sender)).body.id
  const one = await answeringLead(server, { senderId, now: new Date(now) })
  const sendAt = new Date(Date.parse(now) + 10 * 86_400_000).toISOString()
  const reply = (await call('POST', `${one.path}/reply`, { text: 'word30', sendAt })).body
  const current = async () =>
    (await call('GET', one.path)).body.messages.find(({ id }: { id: string }) => id === reply.id)
  await call('POST', '/v2/sandbox/clock/advance', { by: '9d' })
  expect((await current()).status).toBe('queued')
  await receiveFrom(server, senderId, one, { at: new Date(Date.parse(now) + 9 * 86_400_000) })
  await call('POST', '/v2/sandbox/clock/advance', { by: '2d' })
  expect((await current()).status).toBe('queued')
  await call('PUT', `${one.path}/messages/${reply.id}`, { held: false })
  await call('POST', '/v2/sandbox/clock/advance', { by: '1h' })
  expect((await current()).status).toBe('sent')
})

// All leads of these tests have one address, so this test is the last one.
test('a scheduled reply is not sent to an address that was suppressed after it was scheduled', async () => {
  const one = await conversation()
  const reply = await schedule(one, 'word8')
  expect((await live('POST', '/v2/suppressions', { email: one.email })).status).toBe(201)
  await work(inMinutes(61))
  expect(textsSent()).not.toContain('word8')
  expect(await messageOf(one, reply.id)).toMatchObject({ status: 'failed' })
})
