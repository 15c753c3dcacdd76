import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  makeCampaign,
  makeEmail,
  makeLead,
  makeSender,
  simulate,
  makeTask,
} from '@overture/testing/delivery/plan-fixtures.ts'
import { runForecast, type ForecastState } from '../forecast-run.ts'
import { explainGates } from '../gates.ts'
import { plan } from '../plan.ts'
import type { LeadTask, PlanLead, PlanStep } from '../plan.types.ts'

const monday = new Date('2027-02-01T08:00:00.000Z')
const saturday = new Date('2027-02-06T08:00:00.000Z')
const hourMs = 3_600_000
const until = new Date(monday.getTime() + 600 * 86_400_000)
const days = (value: number) => ({ value, unit: 'days' as const })

interface StepSeed {
  kind: 'email' | 'branch' | 'task'
  wait: number
  due: number
  blocks: boolean
  expires: number | null
  then: number
  asks: number
}

const sequences = fc
  .array(
    fc.record<StepSeed>({
      kind: fc.constantFrom('email', 'branch', 'task', 'task'),
      wait: fc.integer({ min: 0, max: 3 }),
      due: fc.integer({ min: 0, max: 3 }),
      blocks: fc.boolean(),
      expires: fc.option(fc.integer({ min: 0, max: 4 })),
      then: fc.integer({ min: 0, max: 9 }),
      asks: fc.integer({ min: 0, max: 7 }),
    }),
    { minLength: 1, maxLength: 8 },
  )
  .map((seeds) => seeds.map((seed, index) => stepOf(seed, index, seeds.length)))

function stepOf(seed: StepSeed, index: number, count: number): PlanStep {
  const target = (to: number) => (to === 0 ? null : to === 9 ? 'end' : index + to < count ? `stp_${index + to}` : null)
  const place = { id: `stp_${index}`, position: index + 1, waitBefore: days(index === 0 ? 0 : seed.wait) }
  // oxlint-disable-next-line unicorn/no-thenable
  const path = { then: target(seed.then) }
  if (seed.kind === 'email') return { ...makeEmail(place), ...path }
  if (seed.kind === 'task') {
    const expiresIn = seed.expires === null ? null : days(seed.expires)
    return { ...makeTask(place, { dueIn: days(seed.due), blocks: seed.blocks, expiresIn }), ...path }
  }
  const when = { task: `stp_${seed.asks}`, outcome: ['no_answer' as const] }
  const branch = { id: `brn_${index}`, label: 'No answer', when, goTo: target(seed.asks + 1), immediately: false }
  return { ...makeEmail(place), ...path, type: 'branch', branches: [branch] }
}

const worlds = fc
  .record({
    steps: sequences,
    leads: fc.integer({ min: 1, max: 12 }),
    dailyLimit: fc.integer({ min: 1, max: 8 }),
  })
  .map(({ steps, leads, dailyLimit }): ForecastState => ({
    now: monday,
    campaigns: [makeCampaign({ steps })],
    senders: [makeSender({ dailyLimit })],
    leads: Array.from({ length: leads }, (_, index) =>
      makeLead({ id: `led_${index}`, dueAt: monday, facts: facts(index) }),
    ),
  }))

function facts(index: number) {
  return { leadId: `led_${index}`, fields: {}, interest: null, intent: null, acts: [], sends: [], signals: [] }
}

describe('a sequence with tasks', () => {
  test('opens no task twice, always ends, and matches the forecast', () => {
    fc.assert(
      fc.property(worlds, (state) => {
        const run = simulate(state, until)
        const opened = run.tasks.filter(({ opens }) => opens !== null).map((one) => `${one.leadId} ${one.stepId}`)
        expect(new Set(opened).size).toBe(opened.length)
        expect(run.open).toEqual([])
        const sent = run.sends.map((send) => `${send.leadId} ${send.stepId}`)
        expect(new Set(sent).size).toBe(sent.length)
        const forecast = runForecast(state, { until, maxSends: 100_000 })
        expect(forecast.unscheduled).toEqual([])
        const byDay = new Map<string, number>()
        for (const { counted } of run.sends) byDay.set(counted.campaignDay, (byDay.get(counted.campaignDay) ?? 0) + 1)
        expect(forecast.days.map((day) => [day.date, day.first + day.followUp])).toEqual(
          [...byDay].sort(([a], [b]) => (a < b ? -1 : 1)),
        )
      }),
      { numRuns: 150 },
    )
  })
})

const call = makeTask({ id: 'stp_1', position: 1, waitBefore: days(0) }, { expiresIn: days(3) })
const mail = makeEmail({ id: 'stp_2', position: 2, waitBefore: days(2) })

function planFor(lead: Partial<PlanLead>, now = monday, step: PlanStep = call) {
  const candidates = [makeLead({ dueAt: monday, ...lead })]
  return plan({
    now,
    campaigns: [makeCampaign({ steps: [step, mail] })],
    senders: [makeSender()],
    candidates,
    maxSends: 10,
  })
}

function openCall(fields: Partial<LeadTask> = {}): Pick<PlanLead, 'tasks'> {
  const task = { status: 'open', channel: 'call', blocks: true, openedAt: monday, closedAt: null } as const
  const dueAt = new Date(monday.getTime() + 24 * hourMs)
  const expiresAt = new Date(monday.getTime() + 72 * hourMs)
  return { tasks: new Map([['stp_1', { ...task, dueAt, expiresAt, ...fields }]]) }
}

describe('a lead before a task', () => {
  test('gets the task with its due time, and waits for it', () => {
    const { tasks, sends } = planFor({})
    expect(sends).toEqual([])
    expect(tasks).toEqual([
      {
        leadId: 'led_1',
        campaignId: 'cmp_1',
        stepId: 'stp_1',
        position: 1,
        opens: {
          dueAt: new Date('2027-02-02T08:00:00.000Z'),
          expiresAt: new Date('2027-02-04T08:00:00.000Z'),
          blocks: true,
        },
        expires: false,
        move: null,
      },
    ])
    expect(planFor(openCall()).leadHolds).toEqual([
      {
        leadId: 'led_1',
        campaignId: 'cmp_1',
        reason: 'waiting_for_task',
        attemptAt: new Date('2027-02-04T08:00:00.000Z'),
      },
    ])
  })

  test('gets it outside of the window on an open day, and not on a closed day', () => {
    expect(planFor({}, new Date('2027-02-01T21:00:00.000Z')).tasks).toHaveLength(1)
    const closed = planFor({}, saturday)
    expect(closed.tasks).toEqual([])
    expect(closed.leadHolds).toMatchObject([
      { reason: 'outside_window', attemptAt: new Date('2027-02-08T08:00:00.000Z') },
    ])
  })

  test('continues at once if the task does not block, and its wait counts from the opening', () => {
    const { tasks } = planFor({}, monday, makeTask(call, { blocks: false }))
    expect(tasks[0]?.move).toEqual({
      next: { id: 'stp_2', position: 2, deciding: false },
      dueAt: new Date('2027-02-03T08:00:00.000Z'),
    })
  })

  test('continues behind a closed task, and its wait counts from the closing', () => {
    const closedAt = new Date('2027-02-02T11:00:00.000Z')
    const { tasks } = planFor(openCall({ status: 'done', closedAt }), new Date('2027-02-02T12:00:00.000Z'))
    expect(tasks[0]).toMatchObject({
      opens: null,
      expires: false,
      move: { dueAt: new Date('2027-02-04T11:00:00.000Z') },
    })
  })

  test('continues when its task expires', () => {
    const at = new Date('2027-02-04T08:00:00.000Z')
    expect(planFor(openCall(), at).tasks[0]).toMatchObject({
      opens: null,
      expires: true,
      move: { dueAt: new Date('2027-02-06T08:00:00.000Z') },
    })
  })

  test.each(['suppressed', 'returned'] as const)('gets no task while it is %s', (gate) => {
    const { tasks, leadHolds } = planFor({ [gate]: true })
    expect(tasks).toEqual([])
    expect(leadHolds).toMatchObject([{ reason: gate, attemptAt: null }])
  })

  test('is explained by its open task, with the person and the time', () => {
    const lead = makeLead({ dueAt: monday, ...openCall({ assignee: 'Ada' }) })
    const campaign = makeCampaign({ steps: [call, mail], status: 'paused' })
    const explained = explainGates({ now: monday, lead, campaign, senders: [makeSender({ status: 'paused' })] })
    expect(explained.blockedReason).toBe('waiting_for_task')
    expect(explained.gates.find(({ gate }) => gate === 'waiting_for_task')?.detail).toBe(
      'Task (call): open since Mon 2027-02-01 09:00, assigned to Ada, due Tue 2027-02-02 09:00 in Europe/Berlin.',
    )
  })
})
