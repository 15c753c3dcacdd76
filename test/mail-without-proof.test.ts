import { afterAll, beforeAll, expect, test } from 'vitest'
import { anyTime } from '@overture/testing/schedules.ts'
import type { AnswerBody, TestServer } from '@overture/testing/server.ts'
import { startWholeServer } from '@overture/testing/server/whole-server.ts'
import { receiveMessage } from '../packages/server/src/inbox/index.ts'

let server: TestServer
let sendingAccountId = ''
beforeAll(async () => {
  server = await startWholeServer()
  await ask('POST', '/v2/sandbox/clock', { frozen: true })
  await ask('POST', '/v2/sandbox/clock/advance', { to: '2027-02-01T07:00:00.000Z' })
  const sender = { email: 'mara@sender.example.com', fromName: 'Mara', provider: 'sandbox', minGapSeconds: 0 }
  sendingAccountId = (await ask('POST', '/v2/sending-accounts', { ...sender, maxGapSeconds: 0 })).id
})
afterAll(() => server.stop())

async function ask(method: string, path: string, body?: unknown): Promise<AnswerBody> {
  const answer = await server.call(method, path, { key: server.keys.test, ...(body !== undefined && { body }) })
  expect([path, answer.status < 300 ? null : answer.text]).toEqual([path, null])
  return answer.body
}

async function started(name: string, fields: object = {}): Promise<AnswerBody> {
  const campaign = await ask('POST', '/v2/campaigns', {
    name,
    schedule: { timezone: 'UTC', ...anyTime },
    sendingAccountIds: [sendingAccountId],
    settings: { stopOnReply: false },
    steps: [
      { variants: [{ subject: name, body: 'Hi' }] },
      { waitBefore: { value: 9, unit: 'days' }, variants: [{ body: 'Again' }] },
    ],
    ...fields,
  })
  return ask('POST', `/v2/campaigns/${campaign.id}/start`, {})
}

/** A campaign with one lead that got its first message, and another campaign that takes leads over on this condition. */
async function contacted(name: string, when: object) {
  const first = await started(name)
  const second = await started(`${name} taken over`, { entry: { from: [first.id], when } })
  await ask('POST', `/v2/campaigns/${first.id}/leads`, { leads: [{ email: `${name}@prospects.test` }] })
  await ask('POST', '/v2/sandbox/clock/advance', { by: '1h' })
  const [lead] = (await ask('GET', `/v2/campaigns/${first.id}/leads`)).results
  const path = `/v2/campaigns/${first.id}/leads/${lead.id}`
  const { messages } = await ask('GET', `${path}/thread`)
  return {
    path,
    email: lead.email as string,
    rfcMessageId: messages[0].messageId as string,
    lead: async (): Promise<AnswerBody> => (await ask('GET', `/v2/campaigns/${first.id}/leads`)).results[0],
    takenOver: async (): Promise<number> => (await ask('GET', `/v2/campaigns/${second.id}/leads`)).results.length,
  }
}

let uid = 0
async function receive(lines: readonly string[]) {
  const now = new Date((await ask('GET', '/v2/sandbox/clock')).now)
  uid++
  const raw = Buffer.from([`Message-ID: <mail${uid}@prospects.test>`, ...lines].join('\r\n'))
  const place = { sendingAccountId, folder: 'INBOX', junk: false, uid, receivedAt: now, now }
  expect(await receiveMessage(server.app, server.testTenant, { ...place, raw })).toMatchObject({ outcome: 'stored' })
}

test("an unproven reply doesn't hand over its lead, now or at the next event", async () => {
  const { path, email, rfcMessageId, takenOver } = await contacted('reply', { did: 'replied' })
  await receive([`From: ${email}`, 'Subject: Hello', '', 'Tell me more.'])
  expect(await takenOver()).toBe(0)
  await ask('PUT', path, { interest: 'interested' })
  expect(await takenOver()).toBe(0)
  const { messages } = await ask('GET', `${path}/thread`)
  expect(messages.at(-1)).toMatchObject({ direction: 'inbound', kind: 'reply', classification: { proof: 'none' } })
  await receive([`From: ${email}`, `In-Reply-To: ${rfcMessageId}`, 'Subject: Re: Hello', '', 'Tell me more.'])
  expect(await takenOver()).toBe(1)
})

test('an unproven automatic reply gives its lead no label', async () => {
  const { email, rfcMessageId, lead, takenOver } = await contacted('away', { interest: ['out_of_office'] })
  const away = ['Auto-Submitted: auto-replied', 'Subject: Out of office', '', 'I am away.']
  await receive([`From: ${email}`, ...away])
  expect([(await lead()).interest, await takenOver()]).toEqual([null, 0])
  await receive([`From: ${email}`, `In-Reply-To: ${rfcMessageId}`, ...away])
  expect([(await lead()).interest, await takenOver()]).toEqual(['out_of_office', 1])
})
