import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { anyTime } from '@overture/testing/schedules.ts'
import type { AnswerBody, TestServer } from '@overture/testing/server.ts'
import { startWholeServer } from '@overture/testing/server/whole-server.ts'

// A test sends the campaigns of 200 leads.
vi.setConfig({ testTimeout: 300_000 })

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
const get = (path: string) => done('GET', path)
const advance = (by: string) => post('/v2/sandbox/clock/advance', { by })

const mail = (subject: string) => [{ subject, body: `<p>${subject}</p>` }]
const days = (value: number) => ({ value, unit: 'days' })

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

/** A first email and a branch: a fast email for leads that opened within three days, a slow one for the others. */
const byOpens = [
  { key: 'hello', variants: mail('Hello') },
  {
    key: 'fork',
    type: 'branch',
    waitBefore: days(3),
    branches: [{ label: 'Opened', when: { did: 'opened', stepId: 'hello' }, goTo: 'fast' }],
    then: 'slow',
  },
  { key: 'fast', waitBefore: days(0), sameThread: false, variants: mail('Fast'), then: 'end' },
  { key: 'slow', waitBefore: days(1), sameThread: false, variants: mail('Slow') },
]

async function launch(name: string, fields: object): Promise<AnswerBody> {
  return post('/v2/campaigns/launch', {
    name,
    sendingAccountIds: [await sender(name)],
    schedule: { timezone: 'UTC', ...anyTime },
    settings: { openTracking: true, linkTracking: true },
    ...fields,
  })
}

const leadsOf = async (id: string): Promise<AnswerBody[]> => {
  const all: AnswerBody[] = []
  for (let page = 1; ; page++) {
    const { results } = await get(`/v2/campaigns/${id}/leads?limit=100&page=${page}`)
    all.push(...results)
    if (results.length < 100) return all
  }
}
const subjectsTo = async (id: string, leadId: string): Promise<string[]> =>
  (await get(`/v2/campaigns/${id}/leads/${leadId}/thread`)).messages.map((one: { subject: string }) => one.subject)

describe('a sequence with branches', () => {
  test('sends each of 200 leads the emails of its branch', async () => {
    const leads = Array.from({ length: 200 }, (_, index) => ({
      email: index % 2 === 0 ? `a${index}+open@prospects.test` : `b${index}@prospects.test`,
    }))
    const campaign = await launch('sides', { steps: byOpens, leads })
    const [hello, fork, fast, slow] = campaign.steps
    expect(fork).toMatchObject({ type: 'branch', key: 'fork', variants: [], then: slow.id, sameThread: false })
    expect(fork.branches).toEqual([
      {
        id: expect.stringMatching(/^brn_/),
        label: 'Opened',
        when: { did: 'opened', stepId: hello.id },
        goTo: fast.id,
        immediately: false,
      },
    ])
    const forecast = await get(`/v2/campaigns/${campaign.id}/forecast`)
    // Leads that do nothing open nothing.
    expect(forecast).toMatchObject({
      assumes: 'leads_do_nothing',
      byBranch: [{ stepId: fork.id, branchId: null, count: 200 }],
    })
    await advance('1d')
    const waiting = await leadsOf(campaign.id)
    expect(waiting.map((lead) => [lead.status, lead.currentStep, lead.nextSendAt])).toEqual(
      Array.from({ length: 200 }, () => ['active', 1, null]),
    )
    const waitingAt = (await get(`/v2/campaigns/${campaign.id}/analytics`)).steps.map((one: AnswerBody) => one.waiting)
    expect(waitingAt).toEqual([0, 200, 0, 0])
    const opener = waiting.find((lead) => lead.email.includes('+open'))!
    const explained = await get(`/v2/campaigns/${campaign.id}/leads/${opener.id}/explain`)
    expect(explained.next).toMatchObject({
      stepId: fork.id,
      type: 'branch',
      decision: {
        branches: [
          { branchId: fork.branches[0].id, label: 'Opened', holds: true, detail: expect.stringMatching(/^Opened/) },
        ],
        otherwise: slow.id,
      },
    })
    expect(explained.next.decision.decidesAt).toBe(explained.next.at)
    expect(explained.blockedReason).toBe('wait_not_over')
    // From here on the forecast includes the recorded opens, so it must match what happens.
    const ahead = await get(`/v2/campaigns/${campaign.id}/forecast`)
    expect(ahead.byBranch.toSorted((a: AnswerBody, b: AnswerBody) => a.count - b.count)).toEqual([
      { stepId: fork.id, branchId: fork.branches[0].id, count: 100 },
      { stepId: fork.id, branchId: null, count: 100 },
    ])
    await advance('10d')
    const ended = await leadsOf(campaign.id)
    for (const lead of ended) {
      const opened = lead.email.includes('+open')
      expect(lead.status).toBe('completed')
      expect(lead.currentStep).toBe(opened ? 3 : 4)
    }
    const { path } = await get(`/v2/campaigns/${campaign.id}/leads/${opener.id}`)
    expect(path.map(({ at: _at, ...one }: { at: string }) => one)).toEqual([
      { stepId: hello.id, type: 'email', outcome: 'sent', branchId: null },
      { stepId: fork.id, type: 'branch', outcome: fast.id, branchId: fork.branches[0].id },
      { stepId: fast.id, type: 'email', outcome: 'sent', branchId: null },
    ])
    expect(await subjectsTo(campaign.id, opener.id)).toEqual(['Hello', 'Fast'])
    const other = ended.find((lead) => !lead.email.includes('+open'))!
    expect(await subjectsTo(campaign.id, other.id)).toEqual(['Hello', 'Slow'])
    const sent = (await get(`/v2/campaigns/${campaign.id}/followup-status`)).byStep.map((one: AnswerBody) => one.sent)
    expect(sent).toEqual([200, 0, 100, 100])
    const analytics = await get(`/v2/campaigns/${campaign.id}/analytics`)
    expect(analytics.steps.map((one: AnswerBody) => [one.type, one.reached, one.waiting])).toEqual([
      ['email', 200, 0],
      ['branch', 200, 0],
      ['email', 100, 0],
      ['email', 100, 0],
    ])
    const paths = analytics.paths.map(({ stepId, branchId, label, leads, sent: left, uniqueOpened }: AnswerBody) => {
      return { stepId, branchId, label, leads, left, uniqueOpened }
    })
    // Opens before the decision don't count for the path. Simulated openers open every message.
    expect(paths).toEqual([
      { stepId: fork.id, branchId: fork.branches[0].id, label: 'Opened', leads: 100, left: 100, uniqueOpened: 0 },
      { stepId: fork.id, branchId: null, label: null, leads: 100, left: 100, uniqueOpened: 0 },
    ])
    expect(analytics.paths[0].opened).toBeGreaterThanOrEqual(100)
    const decided = (await get(`/v2/campaigns/${campaign.id}/activity?type=branch.decided&limit=100`)).results
    expect(decided).toHaveLength(100)
    expect(decided[0].data).toMatchObject({ stepId: fork.id, reason: 'decided', immediate: false })
    expect((await get(`/v2/campaigns/${campaign.id}`)).status).toBe('completed')
  })

  test('decides while a lead waits, if a branch is immediate', async () => {
    const [hello, fork, fast, slow] = byOpens
    const branches = [
      { label: 'Clicked', when: { did: 'clicked', url: 'https://example.com/*' }, goTo: 'fast', immediately: true },
    ]
    const steps = [
      { ...hello, variants: [{ subject: 'Hello', body: '<p><a href="https://example.com/prices">Prices</a></p>' }] },
      { ...fork, branches },
      fast,
      slow,
    ]
    const leads = [
      { email: 'c+click@prospects.test' },
      { email: 'd+open@prospects.test' },
      { email: 'e@prospects.test' },
    ]
    const campaign = await launch('at-once', { steps, leads })
    // Simulated leads click a link within ten hours; the branch waits up to three days.
    await advance('11h')
    const [clicker, opener] = await leadsOf(campaign.id)
    expect(clicker).toMatchObject({ status: 'completed', currentStep: 3, clickCount: 1 })
    expect(opener).toMatchObject({ status: 'active', currentStep: 1 })
    const { path } = await get(`/v2/campaigns/${campaign.id}/leads/${clicker!.id}`)
    const activity = (await get(`/v2/campaigns/${campaign.id}/activity?limit=100`)).results
    const clicked = activity.find((one: AnswerBody) => one.type === 'message.clicked' && !one.data.machine)
    // The branch is decided at the time of the click, and its email is sent at the same time.
    expect(path.slice(1).map((one: AnswerBody) => one.at)).toEqual([clicked.occurredAt, clicked.occurredAt])
    const decided = activity.filter((one: AnswerBody) => one.type === 'branch.decided')
    expect(decided).toHaveLength(1)
    expect(decided[0].data).toMatchObject({ immediate: true, label: 'Clicked', leadId: clicker!.id })
    await advance('6d')
    expect(await subjectsTo(campaign.id, opener!.id)).toEqual(['Hello', 'Slow'])
  })

  test('decides by signals about a lead, its address or its company', async () => {
    const [hello, fork, fast, slow] = byOpens
    const branches = [
      { label: 'Wants a demo', when: { signal: 'crm.demo', withinDays: 2 }, goTo: 'fast', immediately: true },
      { label: 'Customer', when: { signal: 'crm.customer' }, goTo: 'end' },
    ]
    const names = ['demo@p1.test', 'customer@p2.test', 'colleague@p2.test', 'old@p3.test', 'other@p4.test']
    const campaign = await launch('told', {
      steps: [hello, { ...fork, branches }, fast, slow],
      leads: names.map((email) => ({ email })),
    })
    await advance('1d')
    const sent = await post('/v2/signals', {
      signals: [
        { name: 'crm.demo', email: names[0] },
        { name: 'crm.customer', domain: 'p2.test' },
        { name: 'crm.demo', email: names[3], occurredAt: '2027-01-01T00:00:00.000Z' },
        { name: 'crm.unasked', email: names[4] },
      ],
    })
    expect(sent.results.map((one: AnswerBody) => [one.outcome, one.matchedLeads])).toEqual([
      ['accepted', 1],
      ['accepted', 2],
      ['accepted', 1],
      ['accepted', 1],
    ])
    await advance('1m')
    const soon = await leadsOf(campaign.id)
    expect(soon.map(({ status, currentStep }) => [status, currentStep])).toEqual([
      ['completed', 3],
      ['active', 1],
      ['active', 1],
      ['active', 1],
      ['active', 1],
    ])
    const explained = await get(`/v2/campaigns/${campaign.id}/leads/${soon[1]!.id}/explain`)
    expect(explained.next.decision.branches.map((one: AnswerBody) => [one.holds, one.detail])).toEqual([
      [false, 'No signal crm.demo.'],
      [true, expect.stringMatching(/^Signal crm.customer at /)],
    ])
    const { byBranch } = await get(`/v2/campaigns/${campaign.id}/forecast`)
    expect(byBranch.map((one: AnswerBody) => one.count).toSorted()).toEqual([2, 2])
    await advance('9d')
    const subjects = await Promise.all(soon.map((lead) => subjectsTo(campaign.id, lead.id)))
    expect(subjects).toEqual([['Hello', 'Fast'], ['Hello'], ['Hello'], ['Hello', 'Slow'], ['Hello', 'Slow']])
    const unknown = { ...fork, branches: [{ when: { signal: 'Not A Name' } }] }
    const refused = await ask('POST', '/v2/campaigns', { name: 'x', steps: [hello, unknown, { ...slow }] })
    expect(refused.body.error.details.issues[0].path).toBe('steps[1].branches[0].when.signal')
  })

  test("can't start with a condition that never holds, or get one while it runs", async () => {
    const made = await post('/v2/campaigns', {
      name: 'Blind',
      steps: byOpens,
      schedule: { timezone: 'UTC', ...anyTime },
      sendingAccountIds: [await sender('blind')],
    })
    const refused = await ask('POST', `/v2/campaigns/${made.id}/start`, {})
    expect([refused.status, refused.body.error.details.blockers]).toEqual([
      409,
      [{ code: 'condition_unreachable', ref: made.steps[1].id, message: expect.stringContaining('openTracking') }],
    ])
    const [hello, fork, fast, slow] = byOpens
    const late = { ...fork!, branches: [{ when: { did: 'opened', stepId: 'slow' }, goTo: 'fast' }] }
    const tooLate = await post('/v2/campaigns', {
      name: 'Late',
      steps: [hello, late, fast, slow],
      schedule: { timezone: 'UTC', ...anyTime },
      settings: { openTracking: true },
      sendingAccountIds: [await sender('late')],
    })
    const { blockers } = await get(`/v2/campaigns/${tooLate.id}/preflight`)
    expect(blockers).toEqual([
      { code: 'condition_unreachable', ref: tooLate.steps[1].id, message: expect.stringContaining('comes later') },
    ])
    await done('PUT', `/v2/campaigns/${made.id}`, { settings: { openTracking: true } })
    await post(`/v2/campaigns/${made.id}/start`, {})
    const blinded = await ask('PUT', `/v2/campaigns/${made.id}`, { settings: { openTracking: false } })
    expect([blinded.status, blinded.body.error.details.blockers[0].code]).toEqual([409, 'condition_unreachable'])
  })

  test('takes an immediate branch ten minutes after a click, and ignores opens of machines', async () => {
    const [hello, fork, fast, slow] = byOpens
    const url = 'https://example.com/prices'
    const branches = [{ when: { did: 'clicked', url }, goTo: 'fast', immediately: true }]
    const steps = [
      {
        ...hello,
        variants: [
          { subject: 'Hello', body: `<p><a href="${url}">Prices</a> <a href="https://example.com/">Us</a></p>` },
        ],
      },
      { ...fork, branches },
      { ...fast, waitBefore: { value: 10, unit: 'minutes' } },
      slow,
    ]
    const leads = ['one', 'two', 'three'].map((name) => ({ email: `${name}@prospects.test` }))
    const campaign = await launch('inbound', { steps, leads })
    const unsent = await ask('POST', '/v2/sandbox/inbound', { leadId: 'led_nobody', kind: 'open' })
    expect(unsent.status).toBe(404)
    await advance('1h')
    const [one, two, three] = await leadsOf(campaign.id)
    await post('/v2/sandbox/inbound', { leadId: one!.id, kind: 'click', url })
    await post('/v2/sandbox/inbound', { leadId: two!.id, kind: 'click', url: 'https://example.com/' })
    await post('/v2/sandbox/inbound', { leadId: three!.id, kind: 'open' })
    const refused = await ask('POST', '/v2/sandbox/inbound', {
      leadId: one!.id,
      kind: 'click',
      url: 'https://example.com/no',
    })
    expect([refused.status, refused.body.error.details.currentStatus]).toEqual([409, 'not_tracked'])
    for (const [field, value] of [
      ['url', url],
      ['text', 'x'],
    ] as const) {
      const wrong = await ask('POST', '/v2/sandbox/inbound', { leadId: one!.id, kind: 'open', [field]: value })
      expect([wrong.status, wrong.body.error.details.issues[0].path]).toEqual([400, field])
    }
    await advance('9m')
    expect(await subjectsTo(campaign.id, one!.id)).toEqual(['Hello'])
    await advance('2m')
    expect(await subjectsTo(campaign.id, one!.id)).toEqual(['Hello', 'Fast'])
    const seen = await leadsOf(campaign.id)
    expect(seen.map(({ clickCount, openCount }) => [clickCount, openCount])).toEqual([
      [1, 0],
      [1, 0],
      [0, 1],
    ])
    await post('/v2/sandbox/inbound', { leadId: three!.id, kind: 'meeting' })
    expect((await leadsOf(campaign.id))[2]).toMatchObject({ status: 'stopped', stoppedBy: { rule: 'meeting_booked' } })
    await advance('10d')
    expect(await subjectsTo(campaign.id, two!.id)).toEqual(['Hello', 'Slow'])
  })

  test('ignores an open in the second of the delivery', async () => {
    const campaign = await launch('gateway', { steps: byOpens, leads: [{ email: 'fetched@prospects.test' }] })
    const now = Date.parse((await get('/v2/sandbox/clock')).now)
    await post('/v2/sandbox/clock/advance', { to: new Date(now + 1000).toISOString() })
    const [lead] = await leadsOf(campaign.id)
    expect(Date.parse(lead!.lastContactedAt)).toBeGreaterThanOrEqual(now)
    await post('/v2/sandbox/inbound', { leadId: lead!.id, kind: 'open' })
    await advance('10d')
    expect(await subjectsTo(campaign.id, lead!.id)).toEqual(['Hello', 'Slow'])
    expect((await get(`/v2/campaigns/${campaign.id}/stats`)).machineOpened).toBe(1)
  })

  test("may begin with a branch on the lead's fields", async () => {
    const steps = [
      {
        type: 'branch',
        branches: [
          { when: { field: 'country', is: 'in', value: ['de', 'AT'] }, goTo: 'german' },
          { when: { field: 'customVariables.plan', is: 'equals', value: 'none' }, goTo: 'end' },
        ],
      },
      { key: 'english', variants: mail('Hello'), then: 'end' },
      { key: 'german', waitBefore: days(0), variants: mail('Hallo') },
    ]
    const leads = [
      { email: 'de@prospects.test', country: ' DE' },
      { email: 'fr@prospects.test', country: 'FR' },
      { email: 'none@prospects.test', customVariables: { plan: 'None' } },
    ]
    const campaign = await launch('first', { steps, leads, settings: { dailyNewLeadLimit: 1 } })
    // An email that is the first on its path starts the thread by default.
    expect(campaign.steps.map((one: AnswerBody) => one.sameThread)).toEqual([false, false, false])
    await advance('1m')
    const after = await leadsOf(campaign.id)
    expect(after.map((lead) => [lead.status, lead.currentStep])).toEqual([
      ['completed', 3],
      ['pending', 1],
      ['completed', 1],
    ])
    await advance('5d')
    expect(await subjectsTo(campaign.id, after[1]!.id)).toEqual(['Hello'])
    expect(await subjectsTo(campaign.id, after[2]!.id)).toEqual([])
  })

  test('refuses invalid targets and conditions with their paths', async () => {
    const fork = (fields: object) => ({ type: 'branch', branches: [{ when: { did: 'opened' }, ...fields }] })
    const when = (condition: object) => fork({ when: condition })
    const first = { key: 'a', variants: mail('A') }
    const last = { key: 'z', variants: [{ body: 'Z' }] }
    const refused: [object[], string, string][] = [
      [[first, fork({ goTo: 'a' }), last], 'steps[1].branches[0].goTo', 'forward_only'],
      [[first, { ...fork({}), then: 'a' }, last], 'steps[1].then', 'forward_only'],
      [[{ ...first, then: 'nobody' }, last], 'steps[0].then', 'unknown_step'],
      [[first, fork({ goTo: 'nobody' }), last], 'steps[1].branches[0].goTo', 'unknown_step'],
      [[first, { type: 'branch', branches: [] }, last], 'steps[1].branches', 'required'],
      [[first, { ...fork({}), variants: mail('x') }, last], 'steps[1].variants', 'not_with_type'],
      [[{ ...first, branches: [{ when: { did: 'opened' } }] }], 'steps[0].branches', 'not_with_type'],
      [[fork({ goTo: 'z' }), { ...first }, { ...last, sameThread: true }], 'steps[2].sameThread', 'first_on_a_path'],
      [[{ ...fork({}), waitBefore: days(1) }, first], 'steps[0].waitBefore.value', 'first_step'],
      [[first, { ...last, key: 'a' }], 'steps[1].key', 'unique'],
      [[{ ...first, key: 'end' }], 'steps[0].key', 'reserved'],
      [[first, when({}), last], 'steps[1].branches[0].when', 'one_kind'],
      [[first, when({ did: 'opened', chance: 5 }), last], 'steps[1].branches[0].when', 'one_kind'],
      [
        [first, when({ all: [{ did: 'opened' }, { any: [{}] }] }), last],
        'steps[1].branches[0].when.all[1].any[0]',
        'one_kind',
      ],
      [[first, when({ did: 'opened', url: '*' }), last], 'steps[1].branches[0].when.url', 'not_with_kind'],
      [[first, when({ did: 'opened', stepId: 'nobody' }), last], 'steps[1].branches[0].when.stepId', 'unknown_step'],
      [[first, when({ field: 'shoeSize', is: 'exists' }), last], 'steps[1].branches[0].when.field', 'unknown_field'],
      [[first, when({ field: 'city', is: 'in', value: 'x' }), last], 'steps[1].branches[0].when.value', 'type'],
      [[first, when({ field: 'city', is: 'gt', value: 'x' }), last], 'steps[1].branches[0].when.value', 'type'],
      [
        [first, when({ field: 'city', is: 'missing', value: 'x' }), last],
        'steps[1].branches[0].when.value',
        'not_with_kind',
      ],
      [
        [first, when({ any: Array.from({ length: 17 }, () => ({ chance: 1 })) }), last],
        'steps[1].branches[0].when.any',
        'max',
      ],
      [
        [first, when({ all: [{ any: Array.from({ length: 16 }, () => ({ chance: 1 })) }, { chance: 1 }] }), last],
        'steps[1].branches[0].when',
        'leaves',
      ],
      [
        [first, when({ not: { not: { not: { not: { chance: 1 } } } } }), last],
        'steps[1].branches[0].when.not.not.not.not',
        'unknown_field',
      ],
      [
        [first, fork({ when: { not: { did: 'opened' } }, immediately: true }), last],
        'steps[1].branches[0].immediately',
        'not_immediately',
      ],
    ]
    for (const [steps, path, rule] of refused) {
      const answer = await ask('POST', '/v2/campaigns', { name: 'Refused', steps })
      expect([path, answer.status]).toEqual([path, 400])
      expect(answer.body.error.details.issues).toContainEqual(expect.objectContaining({ path, rule }))
    }
    const stored = await post('/v2/campaigns', { name: 'Stored', steps: byOpens })
    const answer = await ask('PUT', `/v2/campaigns/${stored.id}`, {
      steps: [{ id: stored.steps[1].id, type: 'email', variants: mail('x') }],
    })
    expect(answer.body.error.details.issues).toContainEqual(
      expect.objectContaining({ path: 'steps[0].type', rule: 'fixed' }),
    )
    // The steps of a response are valid input for an update.
    expect((await done('PUT', `/v2/campaigns/${stored.id}`, { steps: stored.steps })).steps).toEqual(stored.steps)
  })

  test('can be edited while leads wait at a branch or have decisions for a removed step', async () => {
    const leads = [{ email: 'open+open@prospects.test' }, { email: 'quiet@prospects.test' }]
    const steps = [byOpens[0], byOpens[1], { ...byOpens[2], waitBefore: days(5) }, byOpens[3]]
    const campaign = await launch('edited', { steps, leads })
    await advance('4d')
    const [opener] = await leadsOf(campaign.id)
    expect(opener).toMatchObject({ currentStep: 2 })
    await post(`/v2/campaigns/${campaign.id}/pause`, {})
    const [hello, fork, , slow] = campaign.steps
    // Removes the fast email. Its leads continue as if no branch had matched, and no decision leads there.
    const without = [hello, { ...fork, branches: [{ ...fork.branches[0], goTo: slow.id }] }, slow]
    await done('PUT', `/v2/campaigns/${campaign.id}`, { steps: without })
    const voided = (await get(`/v2/campaigns/${campaign.id}/leads/${opener!.id}/explain`)).history
    expect(voided).toContainEqual(
      expect.objectContaining({
        decision: 'branch.decided',
        reason: 'target_removed',
        detail: '“Opened” matched, and the step “fast” that it led to was removed.',
      }),
    )
    const [log] = (await get(`/v2/campaigns/${campaign.id}/activity?leadId=${opener!.id}&type=branch.decided`)).results
    expect(log).toMatchObject({ stepId: fork.id, data: { branchId: null, goesTo: slow.id, reason: 'target_removed' } })
    const { path } = await get(`/v2/campaigns/${campaign.id}/leads/${opener!.id}`)
    expect(path.at(-1)).toMatchObject({ stepId: fork.id, branchId: null, outcome: slow.id })
    await post(`/v2/campaigns/${campaign.id}/resume`, {})
    await advance('10d')
    expect(await subjectsTo(campaign.id, opener!.id)).toEqual(['Hello', 'Slow'])
  })

  test('sends nothing more to a lead that a branch sent to the end, after any edit', async () => {
    const [hello, fork, , slow] = byOpens
    const toEnd = { ...fork, branches: [{ label: 'Opened', when: { did: 'opened' }, goTo: 'end' }] }
    const leads = [{ email: 'seen+open@prospects.test' }, { email: 'unseen@prospects.test' }]
    const campaign = await launch('to-the-end', { steps: [hello, toEnd, slow], leads })
    await advance('9d')
    const [opener, other] = await leadsOf(campaign.id)
    expect([opener!.status, other!.status]).toEqual(['completed', 'completed'])
    const [first, , last] = campaign.steps
    const added = { waitBefore: days(1), sameThread: false, variants: mail('Added') }
    // Removes the branch, and then adds an email to the sequence without branches.
    await done('PUT', `/v2/campaigns/${campaign.id}`, { steps: [first, last] })
    await done('PUT', `/v2/campaigns/${campaign.id}`, { steps: [first, last, added] })
    await advance('9d')
    expect(await subjectsTo(campaign.id, opener!.id)).toEqual(['Hello'])
    expect(await subjectsTo(campaign.id, other!.id)).toEqual(['Hello', 'Slow', 'Added'])
  })
})
