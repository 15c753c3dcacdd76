import { describe, expect, test } from 'vitest'
import type { SendingWindow } from '@overture/ground/time/sending-window.ts'
import { forecastInSteps, runForecast, type ForecastState } from './forecast-run.ts'
import { makeEmail, makeCampaign, makeLead, makeSender, simulate } from '@overture/testing/delivery/plan-fixtures.ts'

const friday = new Date('2026-11-20T10:00:00.000Z')
const until = new Date(friday.getTime() + 60 * 86_400_000)
const days = (...names: SendingWindow['days']): SendingWindow[] => [{ days: names, from: '00:00', to: '09:00' }]

function worldOf(fields: {
  windows: SendingWindow[]
  useLeadTimezone?: boolean
  domainCap?: number
  steps: number
  leads: { timezone?: string; domain?: string; at?: string }[]
}): ForecastState {
  const schedule = { useLeadTimezone: fields.useLeadTimezone ?? false, windows: fields.windows }
  const campaign = makeCampaign({
    id: 'cmp_0',
    schedule: { timezone: 'UTC', startDate: null, endDate: null, blackoutDates: [], ...schedule },
    caps: { dailyLimit: null, dailyNewLeadLimit: null, maxPerRecipientDomainPerDay: fields.domainCap ?? null },
    sendingAccountIds: ['snd_0'],
    steps: Array.from({ length: fields.steps }, (_, index) =>
      makeEmail({ id: `stp_${index}`, position: index + 1, waitBefore: { value: 0, unit: 'hours' } }),
    ),
  })
  const gap = { minGapSeconds: 600, maxGapSeconds: 600 }
  const sender = makeSender({ id: 'snd_0', timezone: 'UTC', dailyLimit: 2, rampStartedAt: friday, ...gap })
  const leads = fields.leads.map((lead, index) =>
    makeLead({
      id: `led_${index}`,
      campaignId: 'cmp_0',
      timezone: lead.timezone ?? null,
      emailDomain: lead.domain ?? 'a.test',
      dueAt: new Date(lead.at ?? friday),
    }),
  )
  return { now: friday, campaigns: [campaign], senders: [sender], leads }
}

function sentByDay(state: ForecastState): [string, number][] {
  const byDay = new Map<string, number>()
  for (const { counted } of simulate(state, until).sends)
    byDay.set(counted.campaignDay, (byDay.get(counted.campaignDay) ?? 0) + 1)
  return [...byDay].sort(([a], [b]) => (a < b ? -1 : 1))
}

function forecastByDay(state: ForecastState): [string, number][] {
  return runForecast(state, { until, maxSends: 1000 }).days.map((day) => [day.date, day.first + day.followUp])
}

describe('a forecast equals the real run, although each plan reads only some of the leads', () => {
  test('a lead far back in the queue is sent earlier because its own time zone opens earlier', () => {
    const state = worldOf({
      windows: days('fri', 'sun'),
      useLeadTimezone: true,
      steps: 1,
      leads: [{ timezone: 'Asia/Tokyo', at: '2026-11-22T00:00:00.000Z' }, {}, {}, {}],
    })
    // Friday in Tokyo begins on Thursday in UTC.
    expect(sentByDay(state)).toEqual([
      ['2026-11-22', 2],
      ['2026-11-26', 1],
      ['2026-11-27', 1],
    ])
    expect(forecastByDay(state)).toEqual(sentByDay(state))
  })

  test('a full recipient domain has more leads than one plan reads', () => {
    const domains = ['b', 'a', 'a', 'b', 'b', 'b', 'c']
    const leads = domains.map((name, index) => ({
      domain: `${name}.test`,
      at: index === 2 ? '2026-11-20T10:00:01.000Z' : friday.toISOString(),
    }))
    const state = worldOf({ windows: days('sat', 'sun'), domainCap: 1, steps: 2, leads })
    expect(forecastByDay(state)).toEqual(sentByDay(state))
    expect(sentByDay(state).reduce((sum, [, count]) => sum + count, 0)).toBe(14)
  })

  test('a scheduled campaign starts on its start date, and a paused one never starts', () => {
    const state = worldOf({ windows: days('tue'), steps: 1, leads: [{}] })
    const outcomeFor = (status: 'scheduled' | 'paused', startDate: string | null) => {
      const campaigns = state.campaigns.map((one) => ({ ...one, status, schedule: { ...one.schedule, startDate } }))
      return runForecast({ ...state, campaigns }, { until, maxSends: 1000 })
    }
    expect(outcomeFor('scheduled', '2026-12-03')).toMatchObject({ finishesOn: '2026-12-08', unscheduled: [] })
    expect(outcomeFor('scheduled', null)).toMatchObject({ finishesOn: '2026-11-24', unscheduled: [] })
    expect(outcomeFor('paused', null)).toMatchObject({
      days: [],
      unscheduled: [{ reason: 'campaign_not_active', count: 1 }],
    })
  })

  test('leads left at the end of the schedule are held by the schedule, not by the busy sender', () => {
    const state = worldOf({ windows: days('sat'), steps: 2, leads: [{}, {}, {}, {}] })
    const campaigns = state.campaigns.map((one) => ({
      ...one,
      schedule: { ...one.schedule, endDate: '2026-11-21' },
      steps: one.steps.map((step) => ({ ...step, waitBefore: { value: 12, unit: 'hours' as const } })),
    }))
    const leads = state.leads.map((lead) => ({ ...lead, sendingAccountId: 'snd_0' }))
    const forecast = runForecast({ ...state, campaigns, leads }, { until, maxSends: 1000 })
    expect(forecast.days.map(({ first, followUp }) => first + followUp)).toEqual([2])
    expect(forecast.unscheduled).toEqual([{ reason: 'outside_window', count: 4 }])
  })

  test('leads that wait for a full recipient domain cost no planning time', () => {
    const domains = Array.from({ length: 3000 }, (_, index) => ({ domain: `d${index % 10}.test` }))
    const state = worldOf({
      windows: days('mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'),
      domainCap: 1,
      steps: 1,
      leads: domains,
    })
    const senders = state.senders.map((sender) => ({ ...sender, dailyLimit: 100, rampStartedAt: null }))
    // The forecast sends the same 600 messages, whether 100 or 2,400 leads remain.
    const pauses = [700, 3000].map((count) => {
      const leads = state.leads.slice(0, count)
      const steps = forecastInSteps({ ...state, senders, leads }, { until, maxSends: 10_000 })
      let turns = 0
      let step = steps.next()
      for (; step.done !== true; step = steps.next()) turns++
      expect(step.value.days.map((day) => day.first)).toEqual(Array.from({ length: 60 }, () => 10))
      expect(step.value.unscheduled.reduce((sum, one) => sum + one.count, 0)).toBe(count - 600)
      return turns
    })
    expect(pauses[1]).toBe(pauses[0])
  })

  test('a forecast in steps gives the same result, and pauses more than once per day', () => {
    const leads = Array.from({ length: 300 }, () => ({}))
    const state = worldOf({ windows: days('sat', 'sun'), domainCap: 1, steps: 1, leads })
    const steps = forecastInSteps(state, { until, maxSends: 1000 })
    let pauses = 0
    let step = steps.next()
    for (; step.done !== true; step = steps.next()) pauses++
    expect(step.value).toEqual(runForecast(state, { until, maxSends: 1000 }))
    expect(pauses).toBeGreaterThan(step.value.days.length)
  })
})

test('a later message for which a lead has no value is not sent, and holds the lead', () => {
  const state = worldOf({ windows: days('mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'), steps: 3, leads: [{}, {}] })
  const [complete, lacking] = state.leads
  const missingLater = new Map([['stp_2', ['plan']]])
  const left: [string, string][] = []
  const forecast = runForecast(
    { ...state, leads: [complete!, { ...lacking!, missingLater }] },
    { until, maxSends: 1000, onLeft: ({ id }, gate) => left.push([id, gate]) },
  )
  expect(forecast.days.reduce((sum, day) => sum + day.first + day.followUp, 0)).toBe(5)
  expect(forecast.unscheduled).toEqual([{ reason: 'missing_variable', count: 1 }])
  expect(left).toEqual([['led_1', 'missing_variable']])
})
