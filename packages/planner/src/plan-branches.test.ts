import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { makeCampaign, makeEmail, makeLead, makeSender, simulate } from '@overture/testing/delivery/plan-fixtures.ts'
import type { Condition, LeadFacts } from '@overture/ground/paths/condition.ts'
import { runForecast, type ForecastState } from './forecast-run.ts'
import { explainGates } from './gates.ts'
import type { PlanLead, PlanStep } from './plan.types.ts'

const monday = new Date('2027-02-01T08:00:00.000Z')
const until = new Date(monday.getTime() + 400 * 86_400_000)

const conditions = fc.constantFrom<Condition>(
  { chance: 30 },
  { chance: 70 },
  { did: 'opened' },
  { not: { did: 'opened' } },
  { interest: ['interested'] },
  { field: 'country', is: 'equals', value: 'de' },
  { signal: 'crm.demo', withinDays: 3 },
)

interface StepSeed {
  branch: boolean
  wait: number
  ways: { when: Condition; to: number }[]
  then: number
}

/** Up to eight steps, each leading to a later one, to the end, or to the next. */
const sequences = fc
  .array(
    fc.record<StepSeed>({
      branch: fc.boolean(),
      wait: fc.integer({ min: 0, max: 4 }),
      ways: fc.array(fc.record({ when: conditions, to: fc.integer({ min: 0, max: 9 }) }), {
        minLength: 1,
        maxLength: 3,
      }),
      then: fc.integer({ min: 0, max: 9 }),
    }),
    { minLength: 1, maxLength: 8 },
  )
  .map((seeds) => seeds.map((seed, index) => stepOf(seed, index, seeds.length)))

function stepOf(seed: StepSeed, index: number, count: number): PlanStep {
  const target = (to: number) => (to === 0 ? null : to === 9 ? 'end' : index + to < count ? `stp_${index + to}` : null)
  return {
    ...makeEmail({
      id: `stp_${index}`,
      position: index + 1,
      waitBefore: { value: index === 0 ? 0 : seed.wait, unit: 'days' },
    }),
    type: seed.branch ? 'branch' : 'email',
    // oxlint-disable-next-line unicorn/no-thenable
    then: target(seed.then),
    branches: seed.branch
      ? seed.ways.map(({ when, to }, way) => ({
          id: `brn_${index}_${way}`,
          label: `${way}`,
          when,
          goTo: target(to),
          immediately: false,
        }))
      : [],
  }
}

function factsOf(leadId: string, seed: number): LeadFacts {
  return {
    leadId,
    fields: { country: seed % 2 === 0 ? 'DE' : null },
    interest: seed % 3 === 0 ? 'interested' : null,
    intent: null,
    sends: [],
    acts: seed % 4 === 0 ? [{ did: 'opened', at: monday, stepId: null, url: null }] : [],
    signals: seed % 5 === 0 ? [{ name: 'crm.demo', at: monday }] : [],
  }
}

const worlds = fc
  .record({
    steps: sequences,
    leads: fc.integer({ min: 1, max: 12 }),
    dailyLimit: fc.integer({ min: 1, max: 8 }),
    newLeads: fc.option(fc.integer({ min: 1, max: 3 })),
  })
  .map(({ steps, leads, dailyLimit, newLeads }): ForecastState => ({
    now: monday,
    campaigns: [
      makeCampaign({
        steps,
        caps: { dailyLimit: null, dailyNewLeadLimit: newLeads, maxPerRecipientDomainPerDay: null },
      }),
    ],
    senders: [makeSender({ dailyLimit })],
    leads: Array.from({ length: leads }, (_, index) =>
      makeLead({ id: `led_${index}`, dueAt: monday, facts: factsOf(`led_${index}`, index) }),
    ),
  }))

describe('a sequence with branches', () => {
  test('sends no step twice, always ends, and matches the forecast', () => {
    fc.assert(
      fc.property(worlds, (state) => {
        const run = simulate(state, until)
        const keys = run.sends.map((send) => `${send.leadId} ${send.stepId}`)
        expect(new Set(keys).size).toBe(keys.length)
        expect(run.open).toEqual([])
        const decided = run.decisions.map((one) => `${one.leadId} ${one.stepId}`)
        expect(new Set(decided).size).toBe(decided.length)
        const forecast = runForecast(state, { until, maxSends: 100_000 })
        expect(forecast.unscheduled).toEqual([])
        const days = new Map<string, number>()
        for (const send of run.sends) days.set(send.counted.campaignDay, (days.get(send.counted.campaignDay) ?? 0) + 1)
        expect(forecast.days.map((day) => [day.date, day.first + day.followUp])).toEqual(
          [...days].sort(([a], [b]) => (a < b ? -1 : 1)),
        )
        expect(forecast.byBranch.reduce((sum, { count }) => sum + count, 0)).toBe(run.decisions.length)
        for (const { stepId, branchId, count } of forecast.byBranch)
          expect(count).toBe(run.decisions.filter((one) => one.stepId === stepId && one.branchId === branchId).length)
      }),
      { numRuns: 150 },
    )
  })

  test('counts each lead as new once, at its first message', () => {
    fc.assert(
      fc.property(worlds, (state) => {
        const run = simulate(state, until)
        const firsts = run.sends.filter((send) => send.counted.first)
        expect(new Set(firsts.map((send) => send.leadId)).size).toBe(firsts.length)
        const written = new Set(run.sends.map((send) => send.leadId))
        expect(firsts.length).toBe(written.size)
        for (const send of firsts) expect(run.sends.find((one) => one.leadId === send.leadId)).toBe(send)
      }),
      { numRuns: 80 },
    )
  })
})

describe('a lead before a branch', () => {
  const steps = [
    makeEmail({ id: 'stp_1', position: 1, waitBefore: { value: 0, unit: 'days' } }),
    {
      ...makeEmail({ id: 'stp_2', position: 2, waitBefore: { value: 2, unit: 'days' } }),
      type: 'branch' as const,
      branches: [{ id: 'brn_1', label: 'Opened', when: { did: 'opened' as const }, goTo: 'end', immediately: false }],
    },
    makeEmail({ id: 'stp_3', position: 3, waitBefore: { value: 1, unit: 'days' } }),
  ]

  test('explain shows the coming decision and its time, and no gate of a message blocks it', () => {
    const dueAt = new Date(monday.getTime() + 3_600_000)
    const explanation = explainGates({
      now: monday,
      lead: makeLead({ nextStepPosition: 2, dueAt, facts: factsOf('led_1', 4), suppressed: true }),
      campaign: makeCampaign({ steps }),
      senders: [makeSender({ status: 'paused' })],
    })
    expect(explanation.blockedReason).toBe('wait_not_over')
    expect(explanation.next).toMatchObject({
      type: 'branch',
      at: dueAt,
      decision: { decidesAt: dueAt, otherwise: 'stp_3', branches: [{ branchId: 'brn_1', holds: true }] },
    })
  })
})

test('the forecast keeps a stored decision when its branch comes again after a change of the sequence', () => {
  const branch = (id: string, position: number) => ({
    ...makeEmail({ id, position, waitBefore: { value: 1, unit: 'days' } }),
    type: 'branch' as const,
    branches: [{ id: `brn_${id}`, label: 'Opened', when: { did: 'opened' as const }, goTo: 'end', immediately: false }],
  })
  const first = makeEmail({ id: 'stp_1', position: 1, waitBefore: { value: 0, unit: 'days' } })
  const last = makeEmail({ id: 'stp_4', position: 4, waitBefore: { value: 1, unit: 'days' } })
  const campaign = makeCampaign({ steps: [first, branch('stp_2', 2), branch('stp_3', 3), last] })
  const decided = new Map([['stp_3', { goesTo: 'end', branchId: null }]])
  const forecastWith = (fields: Partial<PlanLead>) => {
    const lead = makeLead({ dueAt: monday, facts: factsOf('led_1', 1), ...fields })
    const state = { now: monday, campaigns: [campaign], senders: [makeSender({})], leads: [lead] }
    const { days, byBranch } = runForecast(state, { until, maxSends: 10 })
    return [days.reduce((sum, day) => sum + day.first + day.followUp, 0), byBranch.map(({ stepId }) => stepId)]
  }
  for (const [nextStepPosition, sent] of [
    [1, 1],
    [2, 0],
    [3, 0],
  ] as const) {
    const behind = nextStepPosition < 3 ? ['stp_2'] : []
    expect(forecastWith({ nextStepPosition, decided })).toEqual([sent, behind])
    expect(forecastWith({ nextStepPosition })).toEqual([sent + 1, [...behind, 'stp_3']])
  }
})

test("a step that was sent before uses none of the sender's day in a forecast", () => {
  const steps = [1, 2].map((position) =>
    makeEmail({ id: `stp_${position}`, position, waitBefore: { value: 0, unit: 'days' } }),
  )
  const sentBefore = new Map([['stp_1', new Date(monday.getTime() - 86_400_000)]])
  const leads = Array.from({ length: 6 }, (_, index) =>
    makeLead({ id: `led_${index}`, dueAt: monday, sendingAccountId: 'snd_1', sentBefore }),
  )
  const senders = [makeSender({ id: 'snd_1', dailyLimit: 2, minGapSeconds: 0, maxGapSeconds: 0 })]
  const campaigns = [makeCampaign({ steps, sendingAccountIds: ['snd_1'] })]
  const forecast = runForecast({ now: monday, campaigns, senders, leads }, { until, maxSends: 100 })
  expect(forecast.days.map((day) => [day.date, day.first + day.followUp])).toEqual([
    ['2027-02-01', 2],
    ['2027-02-02', 2],
    ['2027-02-03', 2],
  ])
})
