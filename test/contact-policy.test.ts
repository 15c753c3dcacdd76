import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AnswerBody, TestServer } from '@overture/testing/server.ts'
import { openAccount } from '@overture/server/composition/operator.commands.ts'
import { getPolicy } from '@overture/server/contact-policy/index.ts'
import { anyTime } from '@overture/testing/schedules.ts'
import { testCalls } from '@overture/testing/server/test-calls.ts'
import { startWholeServer } from '@overture/testing/server/whole-server.ts'

/** Source: docs/contract.md, "Contact policy". */
let server: TestServer
const { call, done } = testCalls(() => server)
beforeAll(async () => {
  server = await startWholeServer()
  await done('POST', '/v2/sandbox/clock', { frozen: true })
  await done('POST', '/v2/sandbox/clock/advance', { to: '2027-02-01T07:00:00.000Z' })
})
afterAll(() => server.stop())

const always = { timezone: 'UTC', ...anyTime }
const off = {
  perPerson: null,
  perCompany: null,
  oneCampaignAtATime: false,
  quietAfterReplyDays: null,
  conversation: null,
  stopOnManualMail: false,
}
const policy = (changes: object) => done('PUT', '/v2/account/contact-policy', { ...off, ...changes })
const advance = (by: string) => done('POST', '/v2/sandbox/clock/advance', { by })

let names = 0

async function newSender(): Promise<string> {
  const email = `mara@sender${++names}.example.com`
  const fields = { provider: 'sandbox', timezone: 'UTC', minGapSeconds: 0, maxGapSeconds: 0, dailyLimit: 500 }
  return (await done('POST', '/v2/sending-accounts', { email, fromName: 'Mara', ...fields })).id
}

/** Launches a campaign whose steps are `waits` days apart. */
async function launch(senderId: string, leads: object[], waits: number[] = [0]): Promise<string> {
  const steps = waits.map((value) => ({
    waitBefore: { value, unit: 'days' },
    sameThread: false,
    variants: [{ subject: 'Hello', body: 'Hello' }],
  }))
  const body = { name: `campaign ${++names}`, sendingAccountIds: [senderId], schedule: always, steps, leads }
  return (await done('POST', '/v2/campaigns/launch', body)).id
}

async function leadOf(campaignId: string): Promise<AnswerBody> {
  return (await done('GET', `/v2/campaigns/${campaignId}/leads`)).results[0]
}

async function gateOf(campaignId: string, gate: string): Promise<AnswerBody> {
  const { id } = await leadOf(campaignId)
  const explained = await done('GET', `/v2/campaigns/${campaignId}/leads/${id}/explain`)
  return explained.gates.find((one: AnswerBody) => one.gate === gate)
}

async function sentTo(campaignIds: string[]): Promise<{ email: string; at: Date }[]> {
  const sent = []
  for (const campaignId of campaignIds) {
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: AnswerBody = await done(
        'GET',
        `/v2/campaigns/activity?type=message.sent&campaignId=${campaignId}&limit=100${cursor && `&cursor=${cursor}`}`,
      )
      sent.push(
        ...page.results.map((event: AnswerBody) => ({ email: event.leadEmail, at: new Date(event.occurredAt) })),
      )
      cursor = page.nextCursor
    }
  }
  return sent
}

const dayOf = (at: Date) => Math.floor(at.getTime() / 86_400_000)

describe('the policy itself', () => {
  test('has no limit until one is set, and changes only the fields that are sent', async () => {
    expect(await done('GET', '/v2/account/contact-policy')).toEqual(off)
    const perPerson = { messages: 3, days: 30 }
    expect(await done('PUT', '/v2/account/contact-policy', { perPerson })).toEqual({ ...off, perPerson })
    const changed = await done('PUT', '/v2/account/contact-policy', { oneCampaignAtATime: true })
    expect(changed).toEqual({ ...off, perPerson, oneCampaignAtATime: true })
    expect(await done('GET', '/v2/account/contact-policy')).toEqual(changed)
    await policy({})
  })

  test('stops leads on manual mail in a new account', async () => {
    const { db } = server.app
    const input = { name: 'New', plan: 'self_hosted', now: new Date() } as const
    const { accountId } = await db.transaction((tx) => openAccount(tx, input))
    for (const environment of ['live', 'test'] as const)
      expect(await getPolicy(db, { accountId, environment })).toEqual({ ...off, stopOnManualMail: true })
  })

  test.each([
    [{ perPerson: { messages: 0, days: 7 } }, 'perPerson.messages'],
    [{ perPerson: { messages: 1, days: 366 } }, 'perPerson.days'],
    [{ perCompany: { people: 1 } }, 'perCompany.days'],
    [{ quietAfterReplyDays: 1.5 }, 'quietAfterReplyDays'],
    [{ conversation: { days: 7, scope: 'family' } }, 'conversation.scope'],
    [{ perPersons: null }, 'perPersons'],
  ])('names the field of a wrong value: %j', async (body, path) => {
    const answer = await call('PUT', '/v2/account/contact-policy', body)
    expect([answer.status, answer.body.error.details.issues[0].path]).toEqual([400, path])
  })
})

describe('a limit per person', () => {
  test('holds over three campaigns, and the forecast says what is sent', async () => {
    await policy({ perPerson: { messages: 2, days: 7 } })
    const senders = [await newSender(), await newSender(), await newSender()]
    const people = Array.from({ length: 20 }, (_, at) => ({ email: `person${at}@limit.prospects.test` }))
    const campaigns: string[] = []
    for (const sender of senders) campaigns.push(await launch(sender, people, [0, 2, 3]))
    const forecast = await done('GET', '/v2/forecast?days=40')
    await advance('40d')
    const sent = await sentTo(campaigns)
    expect(sent).toHaveLength(20 * 3 * 3)
    for (const { email } of people) {
      const days = sent.filter((one) => one.email === email).map(({ at }) => dayOf(at))
      for (const day of days) expect(days.filter((other) => other >= day && other < day + 7).length).toBeLessThan(3)
    }
    const byDay = new Map<string, number>()
    for (const { at } of sent)
      byDay.set(at.toISOString().slice(0, 10), (byDay.get(at.toISOString().slice(0, 10)) ?? 0) + 1)
    const ahead = forecast.days
      .map((day: AnswerBody) => [
        day.date,
        day.byCampaign
          .filter((one: AnswerBody) => campaigns.includes(one.campaignId))
          .reduce((sum: number, one: AnswerBody) => sum + one.count, 0),
      ])
      .filter(([, count]: [string, number]) => count > 0)
    expect(ahead).toEqual([...byDay].sort(([a], [b]) => (a < b ? -1 : 1)))
  })

  test('is explained with its numbers, and send-now does not skip it', async () => {
    await policy({ perPerson: { messages: 1, days: 30 } })
    const sender = await newSender()
    const lead = { email: 'once@explained.prospects.test' }
    await launch(sender, [lead])
    await advance('1h')
    const second = await launch(sender, [lead])
    await advance('1h')
    expect(await leadOf(second)).toMatchObject({ status: 'pending', blockedReason: 'person_limit' })
    const gate = await gateOf(second, 'person_limit')
    expect(gate).toMatchObject({
      passed: false,
      detail: expect.stringMatching(/^1 of 1 in 30 days; the oldest falls out on \d+ \w+\.$/),
    })
    const message = '1 lead is held back by the limit of messages per person.'
    const { warnings } = await done('GET', `/v2/campaigns/${second}/preflight`)
    expect(warnings).toContainEqual({ code: 'contact_policy', message, ref: 'person_limit', count: 1 })
    const { nextSendAt } = await done('GET', `/v2/campaigns/${second}/followup-status`)
    expect(Date.parse(nextSendAt)).toBe(Date.parse(gate.until))
    const { id } = await leadOf(second)
    const answer = await call('POST', `/v2/campaigns/${second}/leads/${id}/send-now`)
    expect([answer.status, answer.body.error.details.currentStatus]).toEqual([409, 'person_limit'])
    await policy({})
    await advance('1h')
    expect(await sentTo([second])).toHaveLength(1)
  })

  test('counts a message whose lead was deleted', async () => {
    await policy({ perPerson: { messages: 1, days: 30 } })
    const sender = await newSender()
    const lead = { email: 'deleted@again.prospects.test' }
    const first = await launch(sender, [lead])
    await advance('1h')
    await done('DELETE', `/v2/campaigns/${first}`)
    const second = await launch(sender, [lead])
    await advance('1h')
    expect(await leadOf(second)).toMatchObject({ blockedReason: 'person_limit' })
  })
})

test('a limit per company counts people who get their first message', async () => {
  await policy({ perCompany: { people: 2, days: 30 } })
  const sender = await newSender()
  const leads = ['a', 'b', 'c'].map((name) => ({
    email: `${name}@company.prospects.test`,
    companyDomain: 'acme.example',
  }))
  const campaign = await launch(sender, leads, [0, 1])
  await advance('3d')
  const sent = await sentTo([campaign])
  expect(new Set(sent.map(({ email }) => email)).size).toBe(2)
  // The limit does not hold the second message to the same people.
  expect(sent).toHaveLength(4)
})

test('one campaign at a time: the one that wrote first keeps the person until its lead ends', async () => {
  await policy({ oneCampaignAtATime: true })
  const sender = await newSender()
  const lead = { email: 'shared@one.prospects.test' }
  const first = await launch(sender, [lead], [0, 3])
  await advance('1h')
  const second = await launch(sender, [lead])
  await advance('1d')
  expect(await leadOf(second)).toMatchObject({ blockedReason: 'other_campaign' })
  expect(await gateOf(second, 'other_campaign')).toMatchObject({
    passed: false,
    detail: expect.stringContaining(first),
  })
  await advance('3d')
  const sent = [...(await sentTo([first])), ...(await sentTo([second]))]
  expect(sent).toHaveLength(3)
})

test('after a reply no campaign writes for some days', async () => {
  await policy({ quietAfterReplyDays: 5 })
  const sender = await newSender()
  const lead = { email: 'quiet@reply.prospects.test' }
  const first = await launch(sender, [lead], [0, 3])
  await advance('1h')
  await done('POST', '/v2/sandbox/inbound', { leadId: (await leadOf(first)).id, kind: 'reply' })
  const second = await launch(sender, [lead])
  await advance('1h')
  expect(await leadOf(second)).toMatchObject({ blockedReason: 'in_conversation' })
  expect((await gateOf(second, 'in_conversation')).detail).toMatch(/^The person replied on \d+ \w+\./)
  await advance('5d')
  expect(await sentTo([second])).toHaveLength(1)
})

describe('mail outside of campaigns', () => {
  test('from a sending account to a lead stops the lead', async () => {
    await policy({ stopOnManualMail: true })
    const campaign = await launch(await newSender(), [{ email: 'byhand@manual.prospects.test' }], [0, 2])
    await advance('1h')
    const { id } = await leadOf(campaign)
    await done('POST', '/v2/sandbox/inbound', { leadId: id, kind: 'manual_mail' })
    expect(await leadOf(campaign)).toMatchObject({ status: 'stopped', stoppedBy: { rule: 'manual_mail' } })
    const events = await done('GET', `/v2/campaigns/activity?type=message.manual_sent&campaignId=${campaign}`)
    expect(events.results).toMatchObject([{ leadId: id, data: { rfcMessageId: expect.stringContaining('manual-') } }])
    await advance('5d')
    expect(await sentTo([campaign])).toHaveLength(1)
  })

  test('does not stop a lead if the policy does not say so', async () => {
    await policy({})
    const campaign = await launch(await newSender(), [{ email: 'goeson@manual.prospects.test' }], [0, 2])
    await advance('1h')
    await done('POST', '/v2/sandbox/inbound', { leadId: (await leadOf(campaign)).id, kind: 'manual_mail' })
    await advance('5d')
    expect(await sentTo([campaign])).toHaveLength(2)
  })

  test.each(['inbound', 'outbound'] as const)(
    '%s holds a person in conversation, and a company if asked',
    async (direction) => {
      await policy({ conversation: { days: 3, scope: 'company' } })
      const sender = await newSender()
      const domain = `${direction}.conversation.example`
      const [talks, colleague] = [`talks@${domain}`, `colleague@${domain}`]
      const draft = await launch(sender, [{ email: talks }])
      await done('POST', '/v2/sandbox/inbound', { leadId: (await leadOf(draft)).id, kind: 'manual_mail', direction })
      const other = await launch(sender, [{ email: colleague }])
      await advance('1h')
      for (const campaign of [draft, other]) {
        expect(await leadOf(campaign)).toMatchObject({ blockedReason: 'in_conversation' })
        expect((await gateOf(campaign, 'in_conversation')).detail).toMatch(
          /^mara@sender\d+\.example\.com (?:wrote to|got mail from)/,
        )
      }
      await advance('3d')
      expect(await sentTo([draft, other])).toHaveLength(2)
    },
  )
})

test('a preview counts what a policy would hold back today, and changes nothing', async () => {
  await policy({})
  const sender = await newSender()
  const lead = { email: 'preview@today.prospects.test' }
  await launch(sender, [lead])
  await advance('1h')
  const second = await launch(sender, [lead, { email: 'fresh@today.prospects.test' }])
  const preview = await done('POST', '/v2/account/contact-policy/preview', { perPerson: { messages: 1, days: 7 } })
  expect(preview.byCampaign.find((one: AnswerBody) => one.campaignId === second)).toMatchObject({ leads: 2, held: 1 })
  expect(preview.held).toContainEqual({ reason: 'person_limit', count: 1 })
  expect(await done('GET', '/v2/account/contact-policy')).toEqual(off)
})
