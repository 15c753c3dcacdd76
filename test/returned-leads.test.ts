import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AnswerBody, TestServer } from '@overture/testing/server.ts'
import { startWholeServer } from '@overture/testing/server/whole-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startWholeServer()
  await done('POST', '/v2/sandbox/clock', { frozen: true })
  await done('POST', '/v2/sandbox/clock/advance', { to: '2027-02-01T07:00:00.000Z' })
})
afterAll(() => server.stop())

async function done(method: string, path: string, body?: unknown): Promise<AnswerBody> {
  const answer = await server.call(method, path, { key: server.keys.test, ...(body !== undefined && { body }) })
  expect([path, answer.status < 300 ? null : answer.text]).toEqual([path, null])
  return answer.body
}

const everyDay = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
const always = { timezone: 'UTC', windows: [{ days: everyDay, from: '00:00', to: '24:00' }] }

let campaigns = 0

/** Creates a campaign whose only lead waits, because its first message bounced due to the sender. */
async function returnedLead(steps: number, tag: 'quota' | 'senderblocked' = 'quota') {
  const name = `returned${++campaigns}`
  const sender = await done('POST', '/v2/sending-accounts', {
    email: `mara@${name}.example.com`,
    fromName: 'Mara',
    provider: 'sandbox',
    timezone: 'UTC',
    minGapSeconds: 0,
    maxGapSeconds: 0,
  })
  const { id } = await done('POST', '/v2/campaigns/launch', {
    name,
    sendingAccountIds: [sender.id],
    schedule: always,
    steps: Array.from({ length: steps }, (_, index) => ({
      waitBefore: { value: index === 0 ? 0 : 5, unit: 'days' },
      sameThread: false,
      variants: [{ subject: `step ${index + 1}`, body: 'Hello' }],
    })),
    leads: [{ email: `${name}+${tag}@prospects.test` }],
  })
  await done('POST', '/v2/sandbox/clock/advance', { by: '1d' })
  const [lead] = (await done('GET', `/v2/campaigns/${id}/leads`)).results
  expect(lead).toMatchObject({ status: 'active', blockedReason: 'returned' })
  return { id, leadId: lead.id, senderId: sender.id }
}

const resolve = (id: string, body: object): Promise<AnswerBody> =>
  done('POST', `/v2/campaigns/${id}/returned/resolve`, body)
const leadOf = async (id: string): Promise<AnswerBody> => (await done('GET', `/v2/campaigns/${id}/leads`)).results[0]
const messagesOf = async ({ id, leadId }: { id: string; leadId: string }): Promise<AnswerBody[]> =>
  (await done('GET', `/v2/campaigns/${id}/leads/${leadId}/thread`)).messages.filter(
    (one: AnswerBody) => one.direction === 'outbound',
  )

test('a returned step resolved by several requests at once is sent again only once', async () => {
  const lead = await returnedLead(1)
  const answers = await Promise.all(
    [1, 2, 3].map(() => resolve(lead.id, { action: 'send_again', leadIds: [lead.leadId] })),
  )
  expect(answers.map(({ resolved }) => resolved).filter((count) => count > 0)).toEqual([1])
  await done('POST', '/v2/sandbox/clock/advance', { by: '1d' })
  expect(await messagesOf(lead)).toMatchObject([{ status: 'sent' }])
  const mailbox = await done('GET', `/v2/sandbox/messages?leadId=${lead.leadId}`)
  expect(mailbox.results.filter((one: AnswerBody) => one.direction === 'to_prospect')).toHaveLength(2)
})

test("the event of a resent message has the resent message's Message-ID", async () => {
  const lead = await returnedLead(1)
  const [first] = await messagesOf(lead)
  await resolve(lead.id, { action: 'send_again', all: true })
  await done('POST', '/v2/sandbox/clock/advance', { by: '1d' })
  const [again] = await messagesOf(lead)
  expect(again!.rfcMessageId).not.toBe(first!.rfcMessageId)
  const events = await done('GET', `/v2/campaigns/activity?type=message.sent&campaignId=${lead.id}`)
  const ids = events.results.map((event: AnswerBody) => event.data.rfcMessageId)
  expect(new Set(ids)).toEqual(new Set([first!.rfcMessageId, again!.rfcMessageId]))
  expect(ids).toHaveLength(2)
})

test('a lead whose returned step was removed continues with the next one', async () => {
  const lead = await returnedLead(3)
  const [, next, last] = (await done('GET', `/v2/campaigns/${lead.id}`)).steps
  await done('POST', `/v2/campaigns/${lead.id}/pause`, {})
  await done('PUT', `/v2/campaigns/${lead.id}`, { steps: [{ ...next, waitBefore: { value: 0, unit: 'days' } }, last] })
  await done('POST', `/v2/campaigns/${lead.id}/resume`, {})
  expect(await resolve(lead.id, { action: 'send_again', all: true })).toMatchObject({ resolved: 1 })
  await done('POST', '/v2/sandbox/clock/advance', { by: '20d' })
  expect((await messagesOf(lead)).map(({ status, subject }) => [status, subject])).toEqual([
    ['returned', 'step 1'],
    ['sent', 'step 2'],
    ['sent', 'step 3'],
  ])
  expect(await leadOf(lead.id)).toMatchObject({ status: 'completed', blockedReason: null })
})

test('a simulated block of the sender blocks the sending account until a person acts', async () => {
  const { senderId } = await returnedLead(1, 'senderblocked')
  expect(await done('GET', `/v2/sending-accounts/${senderId}`)).toMatchObject({
    status: 'blocked',
    lastError: expect.stringContaining('5.1.8'),
    statusAdvice: expect.any(String),
  })
})

test('forecast and explain hold a returned lead for a decision, like sending', async () => {
  const lead = await returnedLead(3)
  await done('POST', `/v2/campaigns/${lead.id}/leads`, { leads: [{ email: `other${campaigns}@prospects.test` }] })
  const messages = async () => {
    const forecast = await done('GET', `/v2/campaigns/${lead.id}/forecast`)
    const days = forecast.days.filter(({ first, followUp }: AnswerBody) => first + followUp > 0)
    return {
      first: days.reduce((sum: number, { first }: AnswerBody) => sum + first, 0),
      followUp: days.reduce((sum: number, { followUp }: AnswerBody) => sum + followUp, 0),
      unscheduled: forecast.unscheduled,
    }
  }
  const explained = () => done('GET', `/v2/campaigns/${lead.id}/leads/${lead.leadId}/explain`)
  const waiting = [{ reason: 'returned', count: 1 }]
  expect(await messages()).toEqual({ first: 1, followUp: 2, unscheduled: waiting })
  const isClosed = { gate: 'returned', passed: false, until: null }
  expect(await explained()).toMatchObject({
    blockedReason: 'returned',
    next: { at: null },
    gates: expect.arrayContaining([expect.objectContaining(isClosed)]),
  })
  const status = await done('GET', `/v2/campaigns/${lead.id}/followup-status`)
  expect(status).toMatchObject({ blocked: expect.arrayContaining([{ reason: 'returned', count: 1 }]) })

  await done('POST', '/v2/sandbox/clock/advance', { by: '12d' })
  expect(await messagesOf(lead)).toMatchObject([{ status: 'returned' }])
  expect(await messages()).toEqual({ first: 0, followUp: 0, unscheduled: waiting })
  await resolve(lead.id, { action: 'skip', all: true })
  expect(await messages()).toEqual({ first: 0, followUp: 2, unscheduled: [] })
  await done('POST', '/v2/sandbox/clock/advance', { by: '12d' })
  expect(await messagesOf(lead)).toMatchObject([{ status: 'returned' }, { status: 'sent' }, { status: 'sent' }])
})

test('the forecast counts a returned step again after send_again', async () => {
  const lead = await returnedLead(2)
  const followUps = async () => {
    const { days, unscheduled } = await done('GET', `/v2/campaigns/${lead.id}/forecast`)
    return [
      days.reduce((sum: number, { first, followUp }: AnswerBody) => sum + first + followUp, 0) as number,
      unscheduled,
    ]
  }
  expect(await followUps()).toEqual([0, [{ reason: 'returned', count: 1 }]])
  await resolve(lead.id, { action: 'send_again', all: true })
  expect(await followUps()).toEqual([2, []])
  await done('POST', '/v2/sandbox/clock/advance', { by: '12d' })
  expect(await messagesOf(lead)).toMatchObject([{ status: 'sent' }, { status: 'sent' }])
  expect(await leadOf(lead.id)).toMatchObject({ status: 'completed' })
})

test('forecast and explain show a returned lead at the last step', async () => {
  const lead = await returnedLead(1)
  const forecast = await done('GET', `/v2/campaigns/${lead.id}/forecast`)
  expect(forecast.unscheduled).toEqual([{ reason: 'returned', count: 1 }])
  const explained = await done('GET', `/v2/campaigns/${lead.id}/leads/${lead.leadId}/explain`)
  expect(explained).toMatchObject({ blockedReason: 'returned', next: { at: null } })
})

test('no branch is decided for a returned lead before it, in forecast and run', async () => {
  const lead = await returnedLead(2)
  const [first, second] = (await done('GET', `/v2/campaigns/${lead.id}`)).steps
  const branch = {
    type: 'branch',
    waitBefore: { value: 1, unit: 'days' },
    branches: [{ label: 'Opened', when: { did: 'opened', stepId: first.id }, goTo: 'end' }],
    then: second.id,
  }
  await done('POST', `/v2/campaigns/${lead.id}/pause`, {})
  await done('PUT', `/v2/campaigns/${lead.id}`, { settings: { openTracking: true }, steps: [first, branch, second] })
  await done('POST', `/v2/campaigns/${lead.id}/resume`, {})
  const decided = async () => {
    const { byBranch, unscheduled } = await done('GET', `/v2/campaigns/${lead.id}/forecast`)
    return [byBranch.reduce((sum: number, { count }: AnswerBody) => sum + count, 0) as number, unscheduled]
  }
  const explained = () => done('GET', `/v2/campaigns/${lead.id}/leads/${lead.leadId}/explain`)
  expect(await decided()).toEqual([0, [{ reason: 'returned', count: 1 }]])
  expect(await explained()).toMatchObject({ blockedReason: 'returned', next: { type: 'branch', at: null } })
  await done('POST', '/v2/sandbox/clock/advance', { by: '10d' })
  expect(await leadOf(lead.id)).toMatchObject({ currentStep: 1, blockedReason: 'returned' })
  await resolve(lead.id, { action: 'skip', all: true })
  expect(await decided()).toEqual([1, []])
  await done('POST', '/v2/sandbox/clock/advance', { by: '10d' })
  expect((await messagesOf(lead)).map(({ status }) => status)).toEqual(['returned', 'sent'])
})
