import fc from 'fast-check'
import { Temporal } from 'temporal-polyfill'
import { describe, expect, test } from 'vitest'
import { isOpen, zoneFor, type SendingSchedule } from '../campaigns/sending-window.ts'
import { dayIn } from '../campaigns/time-zone.ts'
import type { ForecastState } from './forecast-run.ts'
import { runForecast } from './forecast-run.ts'
import { dailyAllowance } from './pacing.ts'
import { campaignOf, leadOf, officeHours, senderOf, simulate, type SimulatedSend } from './plan-fixtures.ts'
import { plan } from './plan.ts'
import type { PlanCampaign, PlanLead, PlanSender } from './plan.types.ts'

const friday = new Date('2026-11-20T10:00:00.000Z')
const days = (count: number) => new Date(friday.getTime() + count * 86_400_000)

function leads(count: number, fields: Partial<PlanLead> = {}): PlanLead[] {
  return Array.from({ length: count }, (_, index) =>
    leadOf({
      dueAt: new Date(friday.getTime() - 60_000 + index),
      id: `led_${String(index).padStart(3, '0')}`,
      ...fields,
    }),
  )
}

function planNow(fields: {
  campaigns?: PlanCampaign[]
  senders?: PlanSender[]
  candidates: PlanLead[]
  maxSends?: number
}) {
  return plan({ now: friday, campaigns: [campaignOf()], senders: [senderOf()], maxSends: 100, ...fields })
}

const caps = { dailyLimit: null, dailyNewLeadLimit: null, maxPerRecipientDomainPerDay: null }

describe('plan', () => {
  test('sends what is due, oldest first, at most maxSends, and says when to go on', () => {
    const result = planNow({ candidates: leads(5).reverse(), maxSends: 3 })
    expect(result.sends.map((send) => send.leadId)).toEqual(['led_000', 'led_001', 'led_002'])
    expect(result.nextPlanAt).toEqual(friday)
    expect(result.sends[0]?.counted).toEqual({
      senderDay: '2026-11-20',
      campaignDay: '2026-11-20',
      first: true,
      domain: 'acme.test',
    })
  })

  test('with a gap one message goes and the rest waits for it', () => {
    const result = planNow({ senders: [senderOf({ minGapSeconds: 60, maxGapSeconds: 60 })], candidates: leads(5) })
    expect(result.sends).toHaveLength(1)
    expect(result.nextPlanAt).toEqual(new Date(friday.getTime() + 60_000))
    expect(result.campaignHolds).toEqual([
      { campaignId: 'cmp_1', senderId: null, reason: 'sender_gap', until: result.nextPlanAt },
    ])
  })

  test('a closed window holds the campaign until it opens', () => {
    const now = new Date('2026-11-21T10:00:00.000Z')
    const result = plan({ now, campaigns: [campaignOf()], senders: [senderOf()], candidates: leads(2), maxSends: 9 })
    expect(result.sends).toEqual([])
    expect(result.nextPlanAt?.toISOString()).toBe('2026-11-23T08:00:00.000Z')
    expect(result.campaignHolds[0]?.reason).toBe('outside_window')
  })

  test("with leads' own zones each lead waits for its own morning", () => {
    const campaign = campaignOf({ schedule: { ...officeHours, useLeadTimezone: true } })
    const [awake, asleep] = leads(2)
    if (!awake || !asleep) throw new Error('no leads')
    const result = planNow({
      campaigns: [campaign],
      candidates: [awake, { ...asleep, timezone: 'America/Los_Angeles' }],
    })
    expect(result.sends.map((send) => send.leadId)).toEqual(['led_000'])
    expect(result.leadHolds).toEqual([
      {
        leadId: 'led_001',
        campaignId: 'cmp_1',
        reason: 'outside_window',
        attemptAt: new Date('2026-11-20T17:00:00.000Z'),
      },
    ])
  })

  test.each([
    ['daily_limit', { ...caps, dailyLimit: 3 }, '2026-11-23T08:00:00.000Z'],
    ['new_lead_limit', { ...caps, dailyNewLeadLimit: 3 }, '2026-11-23T08:00:00.000Z'],
  ] as const)('%s stops at the cap until the next day of the window', (reason, limit, until) => {
    const result = planNow({ campaigns: [campaignOf({ caps: limit })], candidates: leads(5) })
    expect(result.sends).toHaveLength(3)
    expect(result.campaignHolds).toEqual([{ campaignId: 'cmp_1', senderId: null, reason, until: new Date(until) }])
  })

  test('a reached new-lead limit lets follow-ups and retries go', () => {
    const campaign = campaignOf({ caps: { ...caps, dailyNewLeadLimit: 0 } })
    const followUp = leadOf({ id: 'led_f', dueAt: friday, nextStepPosition: 2, sendingAccountId: 'snd_1' })
    const retry = leadOf({ id: 'led_r', dueAt: friday, retry: true })
    const result = planNow({ campaigns: [campaign], candidates: [...leads(3), followUp, retry] })
    expect(result.sends.map((send) => send.leadId).sort()).toEqual(['led_f', 'led_r'])
    expect(result.nextPlanAt).toBeNull()
  })

  test('a recipient domain at its cap moves its leads to the next day and lets others pass', () => {
    const campaign = campaignOf({ caps: { ...caps, maxPerRecipientDomainPerDay: 1 } })
    const result = planNow({
      campaigns: [campaign],
      candidates: [...leads(3), leadOf({ id: 'led_z', dueAt: friday, emailDomain: 'other.test' })],
    })
    expect(result.sends.map((send) => send.leadId)).toEqual(['led_000', 'led_z'])
    expect(result.leadHolds.map((hold) => [hold.reason, hold.attemptAt?.toISOString()])).toEqual([
      ['recipient_domain_limit', '2026-11-23T08:00:00.000Z'],
      ['recipient_domain_limit', '2026-11-23T08:00:00.000Z'],
    ])
  })

  test('new leads spread evenly over available senders', () => {
    const senders = ['snd_1', 'snd_2', 'snd_3'].map((id) => senderOf({ id }))
    const campaign = campaignOf({ sendingAccountIds: ['snd_1', 'snd_2', 'snd_3'] })
    const counts = planNow({ campaigns: [campaign], senders, candidates: leads(30) }).senderUpdates
    expect(counts.map((update) => update.claimedToday)).toEqual([10, 10, 10])
  })

  test('a failing sender keeps its follow-ups and gives away leads that were never written to', () => {
    const senders = [senderOf({ status: 'auth_required' }), senderOf({ id: 'snd_2' })]
    const campaign = campaignOf({ sendingAccountIds: ['snd_1', 'snd_2'] })
    const stays = leadOf({ id: 'led_s', dueAt: friday, nextStepPosition: 2, sendingAccountId: 'snd_1' })
    const moves = leadOf({ id: 'led_m', dueAt: friday, sendingAccountId: 'snd_1' })
    const result = planNow({ campaigns: [campaign], senders, candidates: [stays, moves] })
    expect(result.sends.map((send) => [send.leadId, send.sendingAccountId])).toEqual([['led_m', 'snd_2']])
    expect(result.campaignHolds).toEqual([
      { campaignId: 'cmp_1', senderId: 'snd_1', reason: 'sender_unavailable', until: null },
    ])
  })

  test('a failing sender whose time to try again has come gets one message as the trial', () => {
    const sender = senderOf({ status: 'connection_error', retryAt: friday })
    const result = planNow({ senders: [sender], candidates: leads(5) })
    expect(result.sends).toHaveLength(1)
    expect(result.nextPlanAt?.getTime()).toBeGreaterThan(friday.getTime())
  })

  test('two campaigns share a sender in turn', () => {
    const campaigns = [campaignOf(), campaignOf({ id: 'cmp_2' })]
    const other = leads(50).map((lead) => ({ ...lead, id: `${lead.id}b`, campaignId: 'cmp_2' }))
    const result = planNow({ campaigns, candidates: [...leads(50), ...other], maxSends: 20 })
    expect(result.sends.filter((send) => send.campaignId === 'cmp_2')).toHaveLength(10)
  })

  test('follow-ups go before new leads, and neither starves', () => {
    const followUps = leads(80).map((lead) => ({
      ...lead,
      id: `${lead.id}f`,
      nextStepPosition: 2,
      sendingAccountId: 'snd_1',
    }))
    const result = planNow({ candidates: [...leads(80), ...followUps], maxSends: 60 })
    const first = result.sends.filter((send) => send.counted.first).length
    expect(first).toBeGreaterThan(5)
    expect(first).toBeLessThan(30)
  })

  test('gates of the lead wait for a change', () => {
    const candidates = [
      leadOf({ id: 'led_a', dueAt: friday, suppressed: true, uncertain: true }),
      leadOf({ id: 'led_b', dueAt: friday, uncertain: true }),
      leadOf({ id: 'led_c', dueAt: friday, missingVariables: ['firstName'] }),
      leadOf({ id: 'led_d', dueAt: friday, awaitingApproval: true }),
    ]
    const result = planNow({ candidates })
    expect(result.sends).toEqual([])
    expect(result.leadHolds.map((hold) => [hold.reason, hold.attemptAt])).toEqual([
      ['suppressed', null],
      ['delivery_uncertain', null],
      ['missing_variable', null],
      ['awaiting_approval', null],
    ])
    expect(result.nextPlanAt).toBeNull()
  })

  test('a hundred due leads are planned in a few milliseconds', () => {
    const senders = ['snd_1', 'snd_2', 'snd_3'].map((id) => senderOf({ id }))
    const campaign = campaignOf({ sendingAccountIds: senders.map((sender) => sender.id) })
    const run = () => planNow({ campaigns: [campaign], senders, candidates: leads(100) })
    for (let warm = 0; warm < 20; warm++) run()
    const started = performance.now()
    for (let turn = 0; turn < 20; turn++) run()
    expect((performance.now() - started) / 20).toBeLessThan(20)
  })

  test('a ramp grows by the day of the sender and ends at the daily limit', () => {
    const sender = {
      dailyLimit: 30,
      rampUp: { enabled: true, startPerDay: 10, incrementPerDay: 5 },
      rampStartedAt: friday,
      timezone: 'Europe/Berlin',
    }
    expect([0, 1, 3, 9].map((day) => dailyAllowance(sender, days(day).getTime()))).toEqual([10, 15, 25, 30])
  })
})

describe('a run through time', () => {
  test('keeps every promise and is deterministic', () => {
    fc.assert(
      fc.property(worlds, (state) => {
        const until = days(120)
        const run = simulate(state, until)
        for (const send of run.sends) expectInsideWindow(state, send)
        expectWithinCaps(state, run.sends)
        expectWaitsKept(state, run.sends)
        expectNobodyStarved(state, run.sends)
        expect(simulate({ ...state, leads: state.leads.toReversed() }, until).sends).toEqual(run.sends)
      }),
      { numRuns: 60 },
    )
  }, 60_000)

  test('is what the forecast says, for leads that do nothing', () => {
    fc.assert(
      fc.property(worlds, (state) => {
        const until = days(120)
        const run = simulate(state, until)
        const forecast = runForecast(state, { until, maxSends: 100_000 })
        const byDay = new Map<string, number>()
        for (const send of run.sends)
          byDay.set(send.counted.campaignDay, (byDay.get(send.counted.campaignDay) ?? 0) + 1)
        expect(forecast.days.map((day) => [day.date, day.first + day.followUp])).toEqual([...byDay].sort())
        expect(forecast.unscheduled.reduce((sum, { count }) => sum + count, 0)).toBe(run.open.length)
      }),
      { numRuns: 60 },
    )
  }, 60_000)
})

function campaignFor(state: ForecastState, send: SimulatedSend): PlanCampaign {
  const campaign = state.campaigns.find((one) => one.id === send.campaignId)
  if (!campaign) throw new Error('unknown campaign')
  return campaign
}

function zoneOfSend(state: ForecastState, send: SimulatedSend): string {
  return zoneFor(
    campaignFor(state, send).schedule,
    state.leads.find((lead) => lead.id === send.leadId)?.timezone ?? null,
  )
}

function expectInsideWindow(state: ForecastState, send: SimulatedSend): void {
  const { schedule } = campaignFor(state, send)
  const zone = zoneOfSend(state, send)
  expect(isOpen(schedule, zone, send.at)).toBe(true)
  const date = Temporal.Instant.fromEpochMilliseconds(send.at.getTime())
    .toZonedDateTimeISO(zone)
    .toPlainDate()
    .toString()
  expect(schedule.blackoutDates).not.toContain(date)
}

function tally(sends: readonly SimulatedSend[], key: (send: SimulatedSend) => string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const send of sends) counts.set(key(send), (counts.get(key(send)) ?? 0) + 1)
  return counts
}

function expectWithinCaps(state: ForecastState, sends: SimulatedSend[]): void {
  for (const campaign of state.campaigns) {
    const own = sends.filter((send) => send.campaignId === campaign.id)
    const day = (send: SimulatedSend) => dayIn(campaign.schedule.timezone, send.at)
    const limits: [number | null, Map<string, number>][] = [
      [campaign.caps.dailyLimit, tally(own, day)],
      [
        campaign.caps.dailyNewLeadLimit,
        tally(
          own.filter((send) => send.position === 1),
          day,
        ),
      ],
      [campaign.caps.maxPerRecipientDomainPerDay, tally(own, (send) => `${day(send)} ${send.counted.domain}`)],
    ]
    for (const [limit, counts] of limits)
      for (const count of counts.values()) expect(count).toBeLessThanOrEqual(limit ?? Infinity)
  }
  for (const sender of state.senders) {
    const own = sends.filter((send) => send.sendingAccountId === sender.id)
    const counts = tally(own, (send) => dayIn(sender.timezone, send.at))
    for (const [date, count] of counts) {
      const noon = Date.parse(`${date}T12:00:00Z`)
      expect(count).toBeLessThanOrEqual(dailyAllowance(sender, noon))
    }
    for (const [index, send] of own.entries()) {
      const before = own[index - 1]
      if (before) expect(send.at.getTime() - before.at.getTime()).toBeGreaterThanOrEqual(sender.minGapSeconds * 1000)
    }
  }
}

const unitMs = { minutes: 60_000, hours: 3_600_000, days: 86_400_000, business_days: 86_400_000 }

function expectWaitsKept(state: ForecastState, sends: SimulatedSend[]): void {
  const last = new Map<string, SimulatedSend>()
  for (const send of sends) {
    const before = last.get(send.leadId)
    last.set(send.leadId, send)
    if (!before) continue
    const wait = campaignFor(state, send).steps.find((step) => step.id === send.stepId)?.waitBefore
    if (!wait) throw new Error('unknown step')
    expect(send.sendingAccountId).toBe(before.sendingAccountId)
    expect(send.position).toBe(before.position + 1)
    expect(send.at.getTime() - before.at.getTime()).toBeGreaterThanOrEqual(wait.value * unitMs[wait.unit])
  }
}

/** Schedules of these worlds never end and every cap is at least one, so that everybody gets everything. */
function expectNobodyStarved(state: ForecastState, sends: SimulatedSend[]): void {
  const bySteps = state.leads.map((lead) => sends.filter((send) => send.leadId === lead.id).length)
  const wanted = state.leads.map((lead) => campaignOfLead(state, lead).steps.length)
  expect(bySteps).toEqual(wanted)
}

function campaignOfLead(state: ForecastState, lead: PlanLead): PlanCampaign {
  return state.campaigns.find((one) => one.id === lead.campaignId) ?? campaignOf()
}

const zones = fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Tokyo')
const cap = fc.option(fc.integer({ min: 1, max: 6 }))
const scheduleArbitrary: fc.Arbitrary<SendingSchedule> = fc.record({
  timezone: zones,
  useLeadTimezone: fc.boolean(),
  windows: fc.array(
    fc.record({
      days: fc.subarray(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const, { minLength: 2 }),
      from: fc.constantFrom('00:00', '02:00', '08:30'),
      to: fc.constantFrom('09:00', '12:15', '18:00', '00:00'),
    }),
    { minLength: 1, maxLength: 2 },
  ),
  startDate: fc.constantFrom(null, '2026-11-24'),
  endDate: fc.constant(null),
  blackoutDates: fc.constantFrom([], ['2026-11-23', '2026-11-26']),
})
const waits = fc.record({
  value: fc.integer({ min: 0, max: 3 }),
  unit: fc.constantFrom('hours', 'days', 'business_days'),
})
const worlds: fc.Arbitrary<ForecastState> = fc
  .record({
    campaigns: fc.array(
      fc.record({
        schedule: scheduleArbitrary,
        caps: fc.record({ dailyLimit: cap, dailyNewLeadLimit: cap, maxPerRecipientDomainPerDay: cap }),
        waits: fc.array(waits, { minLength: 0, maxLength: 2 }),
      }),
      { minLength: 1, maxLength: 2 },
    ),
    senders: fc.array(
      fc.record({
        timezone: zones,
        dailyLimit: fc.integer({ min: 2, max: 8 }),
        gap: fc.constantFrom([0, 0], [60, 180], [600, 600]),
        ramp: fc.option(fc.integer({ min: 1, max: 3 })),
      }),
      { minLength: 1, maxLength: 3 },
    ),
    leads: fc.array(
      fc.record({
        timezone: fc.option(zones),
        domain: fc.constantFrom('a.test', 'b.test', 'c.test'),
        late: fc.integer({ min: 0, max: 200_000 }),
      }),
      { minLength: 1, maxLength: 14 },
    ),
  })
  .map((world) => {
    const senders = world.senders.map((sender, index) =>
      senderOf({
        id: `snd_${index}`,
        timezone: sender.timezone,
        dailyLimit: sender.dailyLimit,
        minGapSeconds: sender.gap[0] ?? 0,
        maxGapSeconds: sender.gap[1] ?? 0,
        rampUp: sender.ramp === null ? null : { enabled: true, startPerDay: sender.ramp, incrementPerDay: 1 },
        rampStartedAt: friday,
      }),
    )
    const campaigns = world.campaigns.map((one, index) =>
      campaignOf({
        id: `cmp_${index}`,
        schedule: one.schedule,
        caps: one.caps,
        sendingAccountIds: senders.map((sender) => sender.id),
        steps: [{ value: 0, unit: 'days' as const }, ...one.waits].map((waitBefore, step) => ({
          id: `stp_${step}`,
          position: step + 1,
          waitBefore,
        })),
      }),
    )
    const made = world.leads.map((lead, index) =>
      leadOf({
        id: `led_${String(index).padStart(3, '0')}`,
        campaignId: campaigns[index % campaigns.length]?.id ?? '',
        timezone: lead.timezone,
        emailDomain: lead.domain,
        dueAt: new Date(friday.getTime() + lead.late * 1000),
      }),
    )
    return { now: friday, campaigns, senders, leads: made }
  })
