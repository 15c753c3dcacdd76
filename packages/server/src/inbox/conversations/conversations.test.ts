import { contactedLead, type ContactedLead } from '@overture/testing/inbox/contacted-lead.ts'
import type { TestServer } from '@overture/testing/server.ts'
import { startWholeServer } from '@overture/testing/server/whole-server.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { receiveMessage } from '../receive/receive.commands.ts'

let server: TestServer
let senderId: string
const now = new Date('2026-03-02T09:00:00.000Z')

beforeAll(async () => {
  server = await startWholeServer()
  const sender = { email: 'sender@example.com', fromName: 'Sender', provider: 'sandbox' }
  senderId = (await call('POST', '/v2/sending-accounts', sender)).body.id
})
afterAll(() => server.stop())

const call = (method: string, path: string, body?: unknown, key = server.keys.test) =>
  server.call(method, path, { key, body })

const idOf = ({ id }: { id: string }) => id

let uid = 0
let minutes = 0
interface Mail {
  from?: string
  text?: string
  headers?: string[]
  inReplyTo?: string
  at?: Date
}
async function receive(lead: ContactedLead, mail: Mail = {}): Promise<string> {
  const id = `<in${++uid}@there.test>`
  const at = mail.at ?? new Date(now.getTime() + ++minutes * 60_000)
  const lines = [
    `From: <${mail.from ?? lead.email}>`,
    'To: sender@example.com',
    'Subject: Re: Hello',
    `Message-ID: ${id}`,
    `In-Reply-To: ${mail.inReplyTo ?? lead.rfcMessageId}`,
    ...(mail.headers ?? []),
    '',
    mail.text ?? 'Tell me more, please.',
  ]
  const place = { sendingAccountId: senderId, folder: 'INBOX', uid, junk: false, receivedAt: at, now: at }
  await receiveMessage(server.app, server.testTenant, { ...place, raw: Buffer.from(lines.join('\r\n')) })
  return id
}

const conversationOf = async (lead: ContactedLead) =>
  (await call('GET', `/v2/conversations?campaignId=${lead.campaignId}`)).body.results[0]

describe('a conversation awaits a reply', () => {
  test("from a lead's reply until a person replies, and again from the next one", async () => {
    const lead = await contactedLead(server, { senderId, now })
    await receive(lead, { headers: ['Auto-Submitted: auto-replied'], text: 'I am away.' })
    const { id, awaiting } = await conversationOf(lead)
    expect(awaiting).toBe(false)
    await receive(lead)
    expect(await conversationOf(lead)).toMatchObject({ awaiting: true })
    expect((await call('POST', `/v2/conversations/${id}/reply`, { text: 'Gladly.' })).status).toBe(202)
    expect(await conversationOf(lead)).toMatchObject({ awaiting: false })
    await receive(lead, { at: new Date(Date.now() + 3_600_000) })
    expect(await conversationOf(lead)).toMatchObject({ awaiting: true })
  })

  test('no longer after a reply over the leads endpoint or an opt-out', async () => {
    const [answered, left] = [
      await contactedLead(server, { senderId, now }),
      await contactedLead(server, { senderId, now }),
    ]
    for (const lead of [answered, left]) await receive(lead)
    const path = `/v2/campaigns/${answered.campaignId}/leads/${answered.leadId}/reply`
    expect((await call('POST', path, { text: 'Gladly.' })).status).toBe(202)
    await receive(left, { text: 'Please unsubscribe me.' })
    expect(await conversationOf(answered)).toMatchObject({ awaiting: false })
    expect(await conversationOf(left)).toMatchObject({ awaiting: false })
  })

  test('no longer after a newer reply is found in the Sent folder', async () => {
    const lead = await contactedLead(server, { senderId, now })
    const first = await receive(lead)
    const sentAt = new Date(now.getTime() + ++minutes * 60_000)
    await receive(lead)
    await receive(lead, { from: 'sender@example.com', inReplyTo: first, at: sentAt })
    expect(await conversationOf(lead)).toMatchObject({ awaiting: true })
    await receive(lead, { from: 'sender@example.com', inReplyTo: first })
    expect(await conversationOf(lead)).toMatchObject({ awaiting: false })
  })
})

describe('a message of a person', () => {
  test('lists the conversation of a lead who never wrote, until it is withdrawn', async () => {
    const lead = await contactedLead(server, { senderId, now })
    expect(await conversationOf(lead)).toBeUndefined()
    const path = `/v2/campaigns/${lead.campaignId}/leads/${lead.leadId}/reply`
    const sent = await call('POST', path, { text: 'One more thought.', delaySeconds: 60 })
    const listed = await conversationOf(lead)
    expect(listed).toMatchObject({ snippet: 'One more thought.', unread: false, awaiting: false })
    expect((await call('DELETE', `/v2/conversations/${listed.id}/messages/${sent.body.id}`)).status).toBe(200)
    expect(await conversationOf(lead)).toBeUndefined()
  })

  test('is found by its words', async () => {
    const lead = await contactedLead(server, { senderId, now })
    await receive(lead)
    const { id } = await conversationOf(lead)
    await call('POST', `/v2/conversations/${id}/reply`, { text: 'The agenda of our quokka meeting.' })
    const found = async () => (await call('GET', '/v2/conversations?q=quokka')).body.results.map(idOf)
    expect(await found()).toEqual([id])
    expect((await call('GET', '/v2/conversations?q=wombat')).body.results).toEqual([])
  })
})

test('the signature of a received message is separate, and part of its quoted text', async () => {
  const lead = await contactedLead(server, { senderId, now })
  const text =
    'Call me.\n-- \nGrace Hopper\n+1 555 0100\n\nOn 1 March 2026 at 09:00 Sender <sender@example.com> wrote:\n> Hello'
  await receive(lead, { text })
  const { id } = await conversationOf(lead)
  const { messages } = (await call('GET', `/v2/conversations/${id}`)).body
  expect(messages.at(-1)).toMatchObject({ text: 'Call me.', signature: '--\nGrace Hopper\n+1 555 0100' })
  expect(messages.at(-1).quotedText).toMatch(/^--\nGrace Hopper\n\+1 555 0100\n[^]*> Hello$/)
})

test('each count equals the list with that filter, within the account', async () => {
  const leads = []
  for (let number = 0; number < 7; number++) leads.push(await contactedLead(server, { senderId, now }))
  for (const lead of leads) await receive(lead)
  const labels = ['interested', 'interested', 'not_interested', null, null, null, 'won']
  for (const [at, lead] of leads.entries()) {
    const { id } = await conversationOf(lead)
    await call('PUT', `/v2/conversations/${id}`, { read: at % 2 === 0, interest: labels[at], archived: at === 6 })
    if (at % 3 === 0) await call('POST', `/v2/conversations/${id}/reply`, { text: 'Gladly.' })
  }
  const counts = (await call('GET', '/v2/conversations/counts')).body
  const total = async (query: string) =>
    (await call('GET', `/v2/conversations?limit=1${query}`)).body.pagination.totalCount
  expect(counts).toMatchObject({
    total: await total(''),
    unread: await total('&unread=true'),
    awaiting: await total('&awaiting=true'),
  })
  expect(counts.total - counts.awaiting).toBe(await total('&awaiting=false'))
  expect(counts.awaiting).toBeGreaterThanOrEqual(4)
  for (const [filter, named] of [
    ['interest', counts.byInterest],
    ['sendingAccountId', counts.bySendingAccount],
    ['campaignId', counts.byCampaign],
  ] as const)
    for (const [name, count] of Object.entries(named)) expect(await total(`&${filter}=${name}`)).toBe(count)
  expect(counts.byInterest).toMatchObject({ interested: 2, not_interested: 1 })
  expect(counts.byInterest).not.toHaveProperty('won')
  expect((await call('GET', '/v2/conversations/counts', undefined, server.other.keys.test)).body).toEqual({
    total: 0,
    unread: 0,
    awaiting: 0,
    snoozed: 0,
    scheduled: 0,
    held: 0,
    byInterest: {},
    bySendingAccount: {},
    byCampaign: {},
  })
})

describe('bulk changes of conversations', () => {
  test('change like single requests, and unknown or foreign ids fail no others', async () => {
    const leads = [await contactedLead(server, { senderId, now }), await contactedLead(server, { senderId, now })]
    for (const lead of leads) await receive(lead)
    const ids = await Promise.all(leads.map(async (lead) => (await conversationOf(lead)).id))
    const change = { read: true, archived: true, interest: 'interested' }
    const foreign = await call('POST', '/v2/conversations/bulk', { ids, ...change }, server.other.keys.test)
    expect(foreign.body.results.map(({ outcome }: { outcome: string }) => outcome)).toEqual(['not_found', 'not_found'])
    const mixed = [ids[0], 'thr_nothing', 7, null, { id: 'x' }, '\u0000', ids[1], ids[1]]
    const { status, body } = await call('POST', '/v2/conversations/bulk', { ids: mixed, ...change })
    expect(status).toBe(200)
    expect(body.results.map(({ outcome }: { outcome: string }) => outcome)).toEqual(
      mixed.map((id) => (ids.includes(id) ? 'updated' : 'not_found')),
    )
    for (const id of ids) {
      const one = (await call('GET', `/v2/conversations/${id}`)).body
      expect(one).toMatchObject({ unread: false, archived: true, interest: 'interested', awaiting: true })
    }
    const events = (await call('GET', `/v2/campaigns/${leads[1]?.campaignId}/activity?type=lead.interest_changed`)).body
    expect(events.results).toHaveLength(1)
    await call('POST', '/v2/conversations/bulk', { ids, interest: null, read: false })
    for (const id of ids)
      expect((await call('GET', `/v2/conversations/${id}`)).body).toMatchObject({ unread: true, interest: null })
  })

  test.each([
    ['nothing to change', { ids: ['thr_1'] }, 'read'],
    ['no ids', { ids: [], read: true }, 'ids'],
    ['more than a hundred', { ids: Array(101).fill('thr_1'), read: true }, 'ids'],
    ['an unknown label', { ids: ['thr_1'], interest: 'keen' }, 'interest'],
  ])('%s is refused', async (_, body, path) => {
    const answer = await call('POST', '/v2/conversations/bulk', body)
    expect([answer.status, answer.body.error.details.issues[0].path]).toEqual([400, path])
  })
})
