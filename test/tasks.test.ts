import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { anyTime } from '@overture/testing/schedules.ts'
import type { AnswerBody, TestServer } from '@overture/testing/server.ts'
import { startWholeServer } from '@overture/testing/server/whole-server.ts'

// Many days of the test clock in one test.
vi.setConfig({ testTimeout: 180_000 })

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
const post = (path: string, body: unknown = {}) => done('POST', path, body)
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

async function launch(name: string, fields: object): Promise<AnswerBody> {
  return post('/v2/campaigns/launch', {
    name,
    sendingAccountIds: [await sender(name)],
    schedule: { timezone: 'UTC', ...anyTime },
    leads: [{ email: `${name}@prospects.test`, firstName: 'Ada', mobile: '+49 30 1' }],
    ...fields,
  })
}

const call = {
  key: 'call',
  type: 'task',
  channel: 'call',
  title: 'Call {{ firstName }}',
  instructions: 'Ask {{ firstName }} about {{ plan }}.',
  waitBefore: days(1),
  dueIn: { value: 4, unit: 'hours' },
}
/** A mail, a call, and a mail for people who were not reached. */
const callSteps = [
  { key: 'hello', variants: mail('Hello') },
  call,
  {
    key: 'fork',
    type: 'branch',
    waitBefore: days(0),
    branches: [{ label: 'No answer', when: { task: 'call', outcome: ['no_answer'] }, goTo: 'missed' }],
    then: 'end',
  },
  { key: 'missed', waitBefore: days(0), variants: [{ body: '<p>I could not reach you.</p>' }] },
]

const tasksOf = async (campaignId: string, filter = ''): Promise<AnswerBody[]> =>
  (await get(`/v2/tasks?campaignId=${campaignId}${filter}`)).results
const leadOf = async (campaignId: string) => (await get(`/v2/campaigns/${campaignId}/leads`)).results[0]
const sentTo = async (campaignId: string): Promise<number> =>
  (await get(`/v2/campaigns/${campaignId}/leads/${(await leadOf(campaignId)).id}/thread`)).messages.length
const eventsOf = async (campaignId: string): Promise<AnswerBody[]> =>
  (await get(`/v2/events?limit=100&order=desc`)).results.filter(
    ({ data }: AnswerBody) => data.campaignId === campaignId,
  )
const taskEvents = async (campaignId: string): Promise<string[]> =>
  (await eventsOf(campaignId)).filter(({ type }) => type.startsWith('task.')).map(({ type }) => type)

describe('a call as a step', () => {
  test('holds its lead until it is closed, and its outcome decides the next mail', async () => {
    const campaign = await launch('noanswer', { steps: callSteps })
    const [, step] = campaign.steps
    expect(step).toMatchObject({ type: 'task', channel: 'call', blocks: true, expiresIn: null, byHand: false })
    await advance('2h')
    expect(await tasksOf(campaign.id)).toEqual([])
    await advance('1d')
    const [task] = await tasksOf(campaign.id)
    expect(task).toMatchObject({
      campaignId: campaign.id,
      stepId: step.id,
      approvalId: null,
      channel: 'call',
      title: 'Call Ada',
      instructions: 'Ask Ada about [plan].',
      status: 'open',
      outcome: null,
      closedBy: null,
    })
    const lead = await leadOf(campaign.id)
    expect(lead).toMatchObject({ status: 'active', blockedReason: 'waiting_for_task', nextSendAt: null })
    const explained = await get(`/v2/campaigns/${campaign.id}/leads/${lead.id}/explain`)
    expect(explained).toMatchObject({
      blockedReason: 'waiting_for_task',
      next: { type: 'task', stepId: step.id, at: null },
    })
    expect(explained.gates.find(({ gate }: AnswerBody) => gate === 'waiting_for_task').detail).toMatch(
      /^Task \(call\): open since .*, not assigned, due .* in UTC\.$/,
    )
    const waitingSteps = async () =>
      (await get(`/v2/campaigns/${campaign.id}/analytics`)).steps.map(({ waiting }: AnswerBody) => waiting)
    expect((await waitingSteps()).slice(0, 3)).toEqual([0, 1, 0])
    await advance('5d')
    expect(await sentTo(campaign.id)).toBe(1)
    expect(await ask('POST', `/v2/tasks/${task!.id}/complete`, {})).toMatchObject({ status: 400 })
    expect(await ask('POST', `/v2/tasks/${task!.id}/complete`, { outcome: 'done' })).toMatchObject({ status: 400 })
    const closed = await post(`/v2/tasks/${task!.id}/complete`, { outcome: 'no_answer', note: 'Twice.' })
    expect(closed).toMatchObject({ status: 'done', outcome: 'no_answer', note: 'Twice.', closedBy: expect.any(String) })
    await advance('1h')
    expect(await sentTo(campaign.id)).toBe(2)
    const { path } = await get(`/v2/campaigns/${campaign.id}/leads/${lead.id}`)
    expect(path.map(({ type, outcome }: AnswerBody) => [type, outcome]).slice(0, 2)).toEqual([
      ['email', 'sent'],
      ['task', 'no_answer'],
    ])
    const { steps } = await get(`/v2/campaigns/${campaign.id}/analytics`)
    expect(steps[1]).toMatchObject({
      type: 'task',
      reached: 1,
      tasks: { created: 1, done: 1, skipped: 0, overdue: 1, outcomes: { no_answer: 1 } },
    })
    expect(steps[0].tasks).toBeNull()
    expect((await waitingSteps())[1]).toBe(0)
    expect((await taskEvents(campaign.id)).toSorted((a, b) => a.localeCompare(b))).toEqual([
      'task.completed',
      'task.created',
      'task.overdue',
    ])
  })

  test('is canceled by a reply', async () => {
    const campaign = await launch('replies', { steps: callSteps })
    await advance('2d')
    const [task] = await tasksOf(campaign.id)
    await post('/v2/sandbox/inbound', { leadId: task!.leadId, kind: 'reply', text: 'Please write to my colleague.' })
    expect(await leadOf(campaign.id)).toMatchObject({ status: 'replied' })
    expect(await get(`/v2/tasks/${task!.id}`)).toMatchObject({ status: 'canceled', closedBy: null })
    const canceled = (await eventsOf(campaign.id)).find(({ type }) => type === 'task.canceled')
    expect(canceled?.data).toMatchObject({ taskId: task!.id, reason: 'reply', leadId: task!.leadId })
    expect(await ask('POST', `/v2/tasks/${task!.id}/complete`, { outcome: 'connected' })).toMatchObject({
      status: 409,
      body: { error: { details: { currentStatus: 'canceled', allowedActions: [] } } },
    })
  })

  test('is canceled by a suppression, by a removed step and by a deleted campaign', async () => {
    const campaigns = await Promise.all(
      ['suppressed', 'removed', 'deleted'].map((name) =>
        launch(name, { steps: [{ ...call, waitBefore: days(0) }, { variants: mail('Next') }] }),
      ),
    )
    await advance('1h')
    const ids = campaigns.map(({ id }) => id)
    const open = await Promise.all(ids.map(async (id) => (await tasksOf(id))[0]))
    await post('/v2/suppressions', { email: 'suppressed@prospects.test' })
    await post(`/v2/campaigns/${ids[1]}/pause`)
    await done('PUT', `/v2/campaigns/${ids[1]}`, { steps: [{ ...campaigns[1]?.steps[1], waitBefore: days(0) }] })
    await post(`/v2/campaigns/${ids[2]}/pause`)
    await done('DELETE', `/v2/campaigns/${ids[2]}`)
    const reasons = (await get('/v2/events?limit=100&order=desc&type=task.canceled')).results
    for (const [at, reason] of ['suppressed', 'step_removed', 'campaign_deleted'].entries())
      expect(reasons).toContainEqual(
        expect.objectContaining({ data: expect.objectContaining({ taskId: open[at]?.id, reason }) }),
      )
    await post(`/v2/campaigns/${ids[1]}/resume`)
    await advance('1h')
    expect(await sentTo(ids[1])).toBe(1)
  })

  test('is closed by one of two clients', async () => {
    const campaign = await launch('race', { steps: callSteps })
    await advance('2d')
    const [task] = await tasksOf(campaign.id)
    const answers = await Promise.all(
      ['connected', 'voicemail'].map((outcome) => ask('POST', `/v2/tasks/${task!.id}/complete`, { outcome })),
    )
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
    expect((await taskEvents(campaign.id)).filter((type) => type === 'task.completed')).toHaveLength(1)
  })

  test('can stop its lead, and can be reopened only before the lead moves on', async () => {
    const steps = [call, { waitBefore: days(3), variants: mail('Later') }].map((step, at) =>
      at === 0 ? { ...step, waitBefore: days(0) } : step,
    )
    const campaign = await launch('reopen', { steps })
    await advance('1h')
    const [task] = await tasksOf(campaign.id)
    await post(`/v2/tasks/${task!.id}/skip`)
    expect(await leadOf(campaign.id)).toMatchObject({ currentStep: 1, blockedReason: 'wait_not_over' })
    expect(await post(`/v2/tasks/${task!.id}/reopen`)).toMatchObject({ status: 'open', closedAt: null })
    expect(await leadOf(campaign.id)).toMatchObject({ currentStep: 0, blockedReason: 'waiting_for_task' })
    await advance('1d')
    expect(await tasksOf(campaign.id)).toMatchObject([{ id: task!.id, status: 'open' }])
    await post(`/v2/tasks/${task!.id}/complete`, { outcome: 'connected' })
    await advance('4d')
    expect(await sentTo(campaign.id)).toBe(1)
    expect(await ask('POST', `/v2/tasks/${task!.id}/reopen`)).toMatchObject({ status: 409 })
    const other = await launch('stops', { steps })
    await advance('1h')
    const [open] = await tasksOf(other.id)
    await post(`/v2/tasks/${open!.id}/complete`, { outcome: 'not_interested', stop: true })
    expect(await leadOf(other.id)).toMatchObject({ status: 'stopped', stoppedBy: { rule: 'user' } })
  })

  test('expires, and a task that does not block lets its lead go', async () => {
    const first = { ...call, waitBefore: days(0) }
    const expiring = await launch('expires', {
      steps: [
        { ...first, expiresIn: days(2) },
        { waitBefore: days(1), variants: mail('After') },
      ],
    })
    const beside = await launch('beside', {
      steps: [
        { ...first, channel: 'linkedin_visit', blocks: false, expiresIn: days(3) },
        { waitBefore: days(1), variants: mail('Beside') },
      ],
    })
    await advance('25h')
    expect([await sentTo(expiring.id), await sentTo(beside.id)]).toEqual([0, 1])
    expect(await tasksOf(beside.id)).toMatchObject([{ status: 'open' }])
    await advance('2d')
    expect(await tasksOf(expiring.id)).toMatchObject([{ status: 'skipped', closedBy: null }])
    await advance('2d')
    expect(await sentTo(expiring.id)).toBe(1)
    expect(await tasksOf(beside.id)).toMatchObject([{ status: 'skipped', closedBy: null }])
    expect(await taskEvents(beside.id)).toContain('task.skipped')
  })

  test('is forecast as closed when it is due, and completed by the test clock on request', async () => {
    const steps = [
      { ...call, waitBefore: days(0) },
      { waitBefore: days(1), variants: mail('Auto') },
    ]
    await post('/v2/sandbox/tasks', { completeAfter: '4h', outcome: 'voicemail' })
    const campaign = await launch('auto', { steps })
    const forecast = await get(`/v2/campaigns/${campaign.id}/forecast`)
    await advance('2d')
    await post('/v2/sandbox/tasks', { completeAfter: null })
    expect(await tasksOf(campaign.id)).toMatchObject([{ status: 'done', outcome: 'voicemail' }])
    const sent = (await eventsOf(campaign.id)).find(({ type }) => type === 'message.sent')
    expect(forecast.days.map(({ date }: AnswerBody) => date)).toEqual([sent?.occurredAt.slice(0, 10)])
  })
})

describe('the list of tasks', () => {
  test('has tasks without a step, and many are changed at once', async () => {
    const later = '2031-05-01T09:00:00.000Z'
    const made = await Promise.all(
      ['a', 'b', 'c', 'd'].map((title) => post('/v2/tasks', { channel: 'other', title, dueAt: later })),
    )
    const ids = made.map(({ id }) => id)
    expect(made[0]).toMatchObject({ campaignId: null, leadId: null, stepId: null, status: 'open', dueAt: later })
    const due = async (before: string) =>
      (await get(`/v2/tasks?status=open&channel=other&dueBefore=${before}`)).pagination.totalCount
    expect([await due('2031-05-01T08:00:00Z'), await due('2031-05-01T10:00:00Z')]).toEqual([0, 4])
    await post(`/v2/tasks/${ids[3]}/snooze`, { until: '2031-05-02T09:00:00.000Z' })
    expect([await due('2031-05-01T10:00:00Z'), await due('2031-05-03T10:00:00Z')]).toEqual([3, 4])
    await post(`/v2/tasks/${ids[0]}/skip`)
    const { results } = await post('/v2/tasks/bulk', { ids: [...ids, 'tsk_none', 7], action: 'complete' })
    expect(results.map(({ outcome }: AnswerBody) => outcome)).toEqual([
      'conflict',
      'changed',
      'changed',
      'changed',
      'not_found',
      'not_found',
    ])
    expect(await done('PUT', `/v2/tasks/${ids[0]}`, { note: 'Done by mail.' })).toMatchObject({ note: 'Done by mail.' })
    expect(await ask('PUT', `/v2/tasks/${ids[0]}`, { title: 'New' })).toMatchObject({ status: 409 })
    expect(await ask('PUT', `/v2/tasks/${ids[0]}`, { status: 'open' })).toMatchObject({ status: 400 })
    expect(await done('DELETE', `/v2/tasks/${ids[0]}`)).toEqual({ id: ids[0], deleted: true })
    const file = await server.call('GET', '/v2/tasks?format=csv&channel=other', { key: server.keys.test })
    expect(file.text.split('\n')[0]).toContain(',channel,')
  })

  test('belongs to one environment, and unknown ids are not found', async () => {
    const { id } = await post('/v2/tasks', { channel: 'other', title: 'Mine' })
    const live = (method: string, path: string, body?: unknown) =>
      server.call(method, path, { key: server.keys.live, ...(body !== undefined && { body }) })
    for (const [method, path, body] of [
      ['GET', ''],
      ['PUT', '', { note: 'x' }],
      ['DELETE', ''],
      ['POST', '/complete', {}],
      ['POST', '/skip', {}],
      ['POST', '/snooze', { until: '2099-01-01T00:00:00Z' }],
      ['POST', '/reopen'],
    ] as const)
      expect([path, (await live(method, `/v2/tasks/${id}${path}`, body)).status]).toEqual([path, 404])
    expect(await ask('POST', '/v2/tasks', { channel: 'call', title: 'x', leadId: 'led_none' })).toMatchObject({
      status: 404,
    })
    expect(await ask('POST', '/v2/tasks', { channel: 'call', title: 'x', assigneeId: 'usr_none' })).toMatchObject({
      status: 404,
    })
    expect(await ask('POST', '/v2/tasks', { channel: 'email', title: 'x' })).toMatchObject({ status: 400 })
  })
})

test.each([
  ['steps[0].channel', [{ type: 'task', title: 'Call' }]],
  ['steps[0].title', [{ type: 'task', channel: 'call' }]],
  ['steps[0].instructions', [{ type: 'task', channel: 'call', title: 'Call', instructions: '{{ firstName' }]],
  ['steps[0].variants', [{ type: 'task', channel: 'call', title: 'Call', variants: mail('x') }]],
  ['steps[0].channel', [{ channel: 'call', variants: mail('x') }]],
  [
    'steps[0].branches[0].when.task',
    [
      { type: 'branch', branches: [{ label: 'A', when: { task: 'later' } }] },
      { ...call, key: 'later' },
    ],
  ],
  [
    'steps[1].branches[0].when.task',
    [
      { key: 'hello', variants: mail('x') },
      { type: 'branch', branches: [{ label: 'A', when: { task: 'hello' } }] },
    ],
  ],
])('a sequence with a problem of tasks is refused at %s', async (path, steps) => {
  const refused = await ask('POST', '/v2/campaigns', { name: 'Refused', steps })
  expect(refused.status).toBe(400)
  expect(refused.body.error.details.issues.map((issue: AnswerBody) => issue.path)).toContain(path)
})
