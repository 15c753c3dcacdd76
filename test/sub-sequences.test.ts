import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { anyTime } from '@overture/testing/schedules.ts'
import type { AnswerBody, TestServer } from '@overture/testing/server.ts'
import { startWholeServer } from '@overture/testing/server/whole-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startWholeServer()
  await post('/v2/sandbox/clock', { frozen: true })
  await post('/v2/sandbox/clock/advance', { to: '2027-02-01T07:00:00.000Z' })
})
afterAll(() => server.stop())

const ask = (method: string, path: string, body?: unknown) =>
  server.call(method, path, { key: server.keys.test, ...(body !== undefined && { body }) })
async function done(method: string, path: string, body?: unknown): Promise<AnswerBody> {
  const answer = await ask(method, path, body)
  expect([path, answer.status < 300 ? null : answer.text]).toEqual([path, null])
  return answer.body
}
const post = (path: string, body: unknown) => done('POST', path, body)
const put = (path: string, body: unknown) => done('PUT', path, body)
const get = (path: string) => done('GET', path)
const advance = (by: string) => post('/v2/sandbox/clock/advance', { by })

const mail = (subject: string) => [{ subject, body: `<p>${subject}</p>` }]
const wait = (value: number, unit = 'days') => ({ value, unit })
const twoMails = (name: string) => [
  { variants: mail(`${name} 1`) },
  { waitBefore: wait(3), sameThread: false, variants: mail(`${name} 2`) },
]

async function sender(name: string): Promise<string> {
  const made = await post('/v2/sending-accounts', {
    email: `${name}@sender.example.com`,
    fromName: 'Mara',
    provider: 'sandbox',
    timezone: 'UTC',
    dailyLimit: 5000,
    minGapSeconds: 0,
    maxGapSeconds: 0,
  })
  return made.id
}

async function create(name: string, fields: object): Promise<AnswerBody> {
  const sendingAccountIds = [await sender(name)]
  return post('/v2/campaigns', {
    name,
    schedule: { timezone: 'UTC', ...anyTime },
    sendingAccountIds,
    settings: { openTracking: true, linkTracking: true },
    steps: twoMails(name),
    ...fields,
  })
}
const start = (campaign: AnswerBody) => post(`/v2/campaigns/${campaign.id}/start`, {})
async function started(name: string, fields: object): Promise<AnswerBody> {
  return start(await create(name, fields))
}
const add = (campaign: AnswerBody, leads: object[]) => post(`/v2/campaigns/${campaign.id}/leads`, { leads })
const leadsOf = async (campaign: AnswerBody): Promise<AnswerBody[]> =>
  (await get(`/v2/campaigns/${campaign.id}/leads?limit=100`)).results
const threadOf = async (lead: AnswerBody): Promise<AnswerBody[]> =>
  (await get(`/v2/campaigns/${lead.campaignId}/leads/${lead.id}/thread`)).messages
const subjectsTo = async (lead: AnswerBody): Promise<string[]> =>
  (await threadOf(lead)).filter((one) => one.direction === 'outbound').map((one) => one.subject)
const interested = { interest: ['interested'] }

describe('a sub-sequence', () => {
  test("continues the person's thread with the same sender", async () => {
    const first = await started('origin', {})
    const second = await started('answering', {
      entry: { from: [first.id], when: interested },
      steps: [
        { waitBefore: wait(2), sameThread: true, variants: mail('Without a thread') },
        { waitBefore: wait(5), sameThread: true, variants: [{ body: 'Still there?' }] },
      ],
    })
    await add(first, [
      { email: 'keen@prospects.test', firstName: 'Ada', customVariables: { plan: 'pro' } },
      { email: 'quiet@prospects.test' },
    ])
    await add(second, [{ email: 'by-hand@prospects.test' }])
    await advance('1d')
    const [writing] = await leadsOf(first)
    await post('/v2/sandbox/inbound', { leadId: writing!.id, kind: 'reply', text: 'Tell me more.' })
    await advance('1h')
    await put(`/v2/campaigns/${first.id}/leads/${writing!.id}`, { interest: 'interested' })
    await advance('1m')
    const [source, other] = await leadsOf(first)
    expect(source).toMatchObject({ status: 'replied', interest: 'interested', currentStep: 1, originLeadId: null })
    expect(other).toMatchObject({ status: 'active' })
    const [byHand, taken] = await leadsOf(second)
    expect(taken).toMatchObject({
      email: source!.email,
      firstName: 'Ada',
      customVariables: { plan: 'pro' },
      status: 'pending',
      originLeadId: source!.id,
      sendingAccountId: source!.sendingAccountId,
      interest: null,
    })
    // A lead added by hand has no thread and waits for nothing.
    expect(await subjectsTo(byHand!)).toEqual(['Without a thread'])
    const explained = await get(`/v2/campaigns/${second.id}/leads/${taken!.id}/explain`)
    expect(explained).toMatchObject({
      blockedReason: 'wait_not_over',
      next: { sendingAccountId: source!.sendingAccountId },
    })
    expect(second.sendingAccountIds).not.toContain(source!.sendingAccountId)
    const forecast = await get(`/v2/campaigns/${second.id}/forecast`)
    await advance('3d')
    const [sent] = await threadOf(taken!)
    const exchanged = await threadOf(source!)
    const [hello, answer] = exchanged
    expect(answer).toMatchObject({ direction: 'inbound' })
    expect(sent).toMatchObject({
      subject: 'Re: origin 1',
      inReplyTo: hello!.messageId,
      threadId: hello!.threadId,
    })
    const { results: stored } = await get(`/v2/sandbox/messages?campaignId=${second.id}&leadId=${taken!.id}`)
    const { headers } = await get(`/v2/sandbox/messages/${stored[0].id}`)
    expect(headers.find((one: AnswerBody) => one.name === 'References').value.split(/\s+/)).toEqual([
      hello!.messageId,
      answer!.messageId,
    ])
    expect(forecast.days[0].bySender).toEqual([{ sendingAccountId: source!.sendingAccountId, count: 1 }])
    // From now on a reply belongs to the newest lead.
    await post('/v2/sandbox/inbound', { leadId: source!.id, kind: 'reply', text: 'Please call me.' })
    await advance('1h')
    expect((await leadsOf(second)).map(({ id, status }) => [id, status])).toContainEqual([taken!.id, 'replied'])
    expect(await subjectsTo(source!)).toEqual(['origin 1'])
    await advance('20d')
    expect(await subjectsTo(taken!)).toEqual(['Re: origin 1'])
    const history = (await get(`/v2/campaigns/${first.id}/leads/${source!.id}/explain`)).history
    expect(history.map((one: AnswerBody) => one.decision)).toContain('lead.handed_over')
    expect((await get(`/v2/campaigns/${first.id}/stats`)).handedOver).toBe(1)
    expect((await get(`/v2/campaigns/${first.id}/leads/${source!.id}/explain`)).entries).toEqual([
      { campaignId: second.id, holds: true, detail: expect.stringContaining('took over the person') },
    ])
  })

  test('takes over a person at the click, and the previous campaign sends nothing more', async () => {
    const first = await started('clicked', {
      steps: [
        { variants: [{ subject: 'Hi', body: '<a href="https://example.com/prices">Prices</a>' }] },
        { waitBefore: wait(3), sameThread: false, variants: mail('Not any more') },
      ],
    })
    const second = await started('fast', { entry: { from: 'any', when: { did: 'clicked' } }, steps: twoMails('fast') })
    await add(first, [{ email: 'link+click@prospects.test' }, { email: 'none@prospects.test' }])
    await advance('1d')
    const [clicker, none] = await leadsOf(first)
    const [taken, ...more] = await leadsOf(second)
    expect(more).toEqual([])
    expect(clicker).toMatchObject({
      status: 'stopped',
      stoppedBy: { rule: 'sub_sequence', leadId: taken!.id, email: null },
    })
    await advance('20d')
    expect(await subjectsTo(clicker!)).toEqual(['Hi'])
    expect(await subjectsTo(taken!)).toEqual(['fast 1', 'fast 2'])
    expect(await subjectsTo(none!)).toEqual(['Hi', 'Not any more'])
    expect((await post(`/v2/campaigns/${second.id}/copy`, {})).entry).toEqual(second.entry)
    expect((await put(`/v2/campaigns/${second.id}`, { entry: null })).entry).toBeNull()
  })

  test('waits while it is paused, and takes over no lead before its first start', async () => {
    const first = await started('source', {})
    const second = await create('later', { entry: { from: [first.id], when: interested }, steps: twoMails('later') })
    const label = async (at: number, value: string | null) => {
      const lead = (await leadsOf(first))[at]!
      await put(`/v2/campaigns/${first.id}/leads/${lead.id}`, { interest: value })
      return lead
    }
    await add(first, [{ email: 'a@prospects.test' }, { email: 'b@prospects.test' }, { email: 'c@prospects.test' }])
    await advance('1h')
    await label(0, 'interested')
    await start(second)
    await advance('1h')
    expect(await leadsOf(second)).toEqual([])
    await label(1, 'interested')
    await advance('1m')
    expect((await leadsOf(second)).map((lead) => lead.email)).toEqual(['b@prospects.test'])
    await post(`/v2/campaigns/${second.id}/pause`, {})
    const waiting = await label(2, 'interested')
    await advance('1h')
    expect(await leadsOf(second)).toHaveLength(1)
    expect((await leadsOf(first))[2]).toMatchObject({ status: 'active' })
    const { entries } = await get(`/v2/campaigns/${first.id}/leads/${waiting.id}/explain`)
    expect(entries).toEqual([
      { campaignId: second.id, holds: true, detail: 'Label: interested. The campaign is paused.' },
    ])
    await post(`/v2/campaigns/${second.id}/resume`, {})
    await advance('1m')
    expect((await leadsOf(second)).map((lead) => lead.originLeadId)).toContain(waiting.id)
    expect((await leadsOf(first))[2]).toMatchObject({ status: 'stopped' })
  })

  test('gets the leads of a branch once, and circles end', async () => {
    const target = await started('german', { entry: { from: [] }, steps: twoMails('german') })
    const branch = (goTo: string) => ({
      type: 'branch',
      waitBefore: wait(1),
      branches: [{ label: 'German', when: { field: 'country', is: 'equals', value: 'DE' }, goTo }],
    })
    const [one, two] = [{ variants: mail('All') }, { waitBefore: wait(3), sameThread: false, variants: mail('Others') }]
    const source = await started('all', { steps: [one, branch(target.id), two] })
    // The branch leads back, but a lead whose address is already in the campaign reaches its end.
    await post(`/v2/campaigns/${target.id}/pause`, {})
    await put(`/v2/campaigns/${target.id}`, {
      steps: [...target.steps, { ...branch(source.id), waitBefore: wait(1) }],
    })
    await post(`/v2/campaigns/${target.id}/resume`, {})
    await add(
      source,
      Array.from({ length: 20 }, (_, at) => ({ email: `p${at}@prospects.test`, country: at % 2 === 0 ? 'DE' : 'FR' })),
    )
    const forecast = await get(`/v2/campaigns/${source.id}/forecast`)
    expect(forecast.byBranch.map((each: AnswerBody) => each.count)).toEqual([10, 10])
    expect([forecast.handedOver, forecast.arrivals]).toEqual([10, 0])
    const ahead = await get(`/v2/campaigns/${target.id}/forecast`)
    // No lead is handed back to a campaign that already has its address.
    expect([ahead.handedOver, ahead.arrivals, ahead.finishesOn]).toEqual([0, 10, expect.any(String)])
    await advance('30d')
    const left = await get(`/v2/campaigns/${target.id}/stats`)
    expect(ahead.days.map((day: AnswerBody) => day.first + day.followUp)).toEqual([10, 10])
    expect(left.sent).toBe(20)
    for (const lead of await leadsOf(source)) {
      const german = lead.country === 'DE'
      expect(lead.status).toBe(german ? 'stopped' : 'completed')
      expect(await subjectsTo(lead)).toEqual(german ? ['All'] : ['All', 'Others'])
    }
    const taken = await leadsOf(target)
    expect(taken.map((lead) => lead.status)).toEqual(taken.map(() => 'completed'))
    expect(taken).toHaveLength(10)
    for (const lead of taken) expect(await subjectsTo(lead)).toEqual(['german 1', 'german 2'])
    const handed = (await leadsOf(source)).find((lead) => lead.country === 'DE')!
    const { path } = await get(`/v2/campaigns/${source.id}/leads/${handed.id}`)
    expect(path[1]).toMatchObject({ type: 'branch', outcome: target.id })
    expect((await get(`/v2/campaigns/${source.id}/stats`)).handedOver).toBe(10)
    const events = (await get(`/v2/campaigns/${source.id}/activity?type=lead.handed_over&limit=100`)).results
    expect(events).toHaveLength(10)
    expect(events[0].data).toMatchObject({ toCampaignId: target.id, by: 'branch' })
    expect((await get(`/v2/campaigns/${source.id}`)).status).toBe('completed')
    expect((await get(`/v2/campaigns/${target.id}`)).status).toBe('completed')
  })

  test("is refused with invalid targets: itself, a draft, or another account's campaign", async () => {
    const draft = await create('draft', {})
    const fork = (goTo: string) => ({ type: 'branch', branches: [{ when: { chance: 50 }, goTo }] })
    const source = await create('to-draft', { steps: [fork(draft.id), { sameThread: false, variants: mail('x') }] })
    const refused = await ask('POST', `/v2/campaigns/${source.id}/start`, {})
    expect([refused.status, refused.body.error.details.blockers]).toEqual([
      409,
      [{ code: 'target_not_ready', ref: draft.id, message: expect.stringContaining('never started') }],
    ])
    const preflight = await get(`/v2/campaigns/${source.id}/preflight`)
    expect(preflight.blockers.map((one: AnswerBody) => one.code)).toContain('target_not_ready')
    await start(draft)
    await start(source)
    const stranger = await server.call('POST', '/v2/campaigns', { key: server.keys.live, body: { name: 'Live' } })
    for (const id of ['cmp_nobody', stranger.body.id]) {
      const steps = [fork(id), { sameThread: false, variants: mail('x') }]
      expect((await ask('POST', '/v2/campaigns', { name: 'x', steps })).status).toBe(404)
      expect((await ask('POST', '/v2/campaigns', { name: 'x', entry: { from: [id], when: interested } })).status).toBe(
        404,
      )
    }
    const cases: [object, string, string][] = [
      [{ entry: { from: [draft.id] } }, 'entry.when', 'required'],
      [{ entry: { from: 'any', when: null } }, 'entry.when', 'required'],
      [{ entry: { from: [], when: interested } }, 'entry.when', 'without_sources'],
      [{ entry: { from: 'any', when: { field: 'country', is: 'exists' } } }, 'entry.when', 'event'],
      [{ entry: { from: 'any', when: { not: interested } } }, 'entry.when', 'event'],
      [{ entry: { from: 'any', when: { did: 'opened', stepId: 'stp_x' } } }, 'entry.when.stepId', 'unknown_step'],
      [{ entry: { from: Array.from({ length: 21 }, () => draft.id), when: interested } }, 'entry.from', 'max'],
      [{ steps: [{ waitBefore: wait(1), variants: mail('x') }] }, 'steps[0].waitBefore.value', 'first_step'],
      [{ steps: [{ sameThread: true, variants: mail('x') }] }, 'steps[0].sameThread', 'first_step'],
      [
        { entry: { from: 'any', when: interested }, steps: [{ sameThread: true, variants: [{ body: 'x' }] }] },
        'steps[0].variants[0].subject',
        'required',
      ],
    ]
    for (const [fields, path, rule] of cases) {
      const answer = await ask('POST', '/v2/campaigns', { name: 'x', ...fields })
      expect([path, answer.status, answer.body.error?.details?.issues?.map((one: AnswerBody) => one.path)]).toEqual([
        path,
        400,
        expect.arrayContaining([path]),
      ])
      if (rule !== 'max')
        expect(answer.body.error.details.issues).toContainEqual(expect.objectContaining({ path, rule }))
    }
    const blind = await create('blind', { settings: {} })
    const unseen = await create('unseen', { entry: { from: [blind.id], when: { did: 'opened' } } })
    const never = await ask('POST', `/v2/campaigns/${unseen.id}/start`, {})
    expect([never.status, never.body.error.details.blockers]).toEqual([
      409,
      [{ code: 'condition_unreachable', ref: null, message: expect.stringContaining('openTracking') }],
    ])
    await put(`/v2/campaigns/${unseen.id}`, { entry: { from: [blind.id], when: { did: 'replied' } } })
    await start(unseen)
    const seeing = await create('seeing', { settings: { openTracking: true } })
    const opened = await create('opened', { entry: { from: [seeing.id, blind.id], when: { did: 'opened' } } })
    await start(seeing)
    await start(opened)
    const cutOff = await ask('PUT', `/v2/campaigns/${seeing.id}`, { settings: { openTracking: false } })
    expect([cutOff.status, cutOff.body.error.details.blockers]).toEqual([
      409,
      [{ code: 'condition_unreachable', ref: opened.id, message: expect.stringContaining('openTracking') }],
    ])
    await put(`/v2/campaigns/${seeing.id}`, { settings: { openTracking: true, linkTracking: true } })
    await put(`/v2/campaigns/${blind.id}`, { settings: { openTracking: true } })
    await put(`/v2/campaigns/${seeing.id}`, { settings: { openTracking: false } })
    const own = await create('own', {})
    const self = await ask('PUT', `/v2/campaigns/${own.id}`, { entry: { from: [own.id], when: interested } })
    expect(self.body.error.details.issues[0]).toMatchObject({ path: 'entry.from[0]', rule: 'self' })
    const loop = await ask('PUT', `/v2/campaigns/${own.id}`, { steps: [...own.steps, fork(own.id)] })
    expect(loop.body.error.details.issues[0]).toMatchObject({ path: 'steps[2].branches[0].goTo', rule: 'self' })
    const waiting = { entry: { from: 'any', when: interested }, steps: [{ waitBefore: wait(1), variants: mail('x') }] }
    const sub = await post('/v2/campaigns', { name: 'x', ...waiting })
    const needed = await ask('PUT', `/v2/campaigns/${sub.id}`, { entry: null })
    expect(needed.body.error.details.issues[0]).toMatchObject({ path: 'entry', rule: 'required' })
    // The fields of a response are valid input for an update.
    expect((await put(`/v2/campaigns/${sub.id}`, { entry: sub.entry, steps: sub.steps })).entry).toEqual(sub.entry)
  })
})
