import fc from 'fast-check'
import { Temporal } from 'temporal-polyfill'
import { describe, expect, test } from 'vitest'
import { isOpen, resolveLocalDays, zoneFor, type SendingSchedule } from '@overture/ground/time/sending-window.ts'
import { dayIn } from '@overture/ground/time/time-zone.ts'
import { runForecast, type ForecastState } from './forecast-run.ts'
import { dailyAllowance } from './pacing.ts'
import { plan } from './plan.ts'
import {
  makeCampaign,
  makeEmail,
  makeLead,
  makeSender,
  simulate,
  type SimulatedSend,
} from '@overture/testing/delivery/plan-fixtures.ts'
import type { PlanCampaign, PlanLead } from './plan.types.ts'

// An ordinary Friday, and Fridays before a clock change in Europe and America.
const fridays = ['2026-11-20', '2026-10-23', '2027-03-12', '2027-03-26'].map(
  (date) => new Date(`${date}T10:00:00.000Z`),
)
/** The slowest world sends 72 messages on two days a week, one a day. That takes 36 weeks plus the waits. */
const endOf = ({ now }: ForecastState) => new Date(now.getTime() + 400 * 86_400_000)

describe('a simulated run', () => {
  test('keeps windows, caps, waits and fairness, and is deterministic', () => {
    fc.assert(
      fc.property(worlds, (state) => {
        const until = endOf(state)
        const run = simulate(state, until)
        for (const send of run.sends) expectInsideWindow(state, send)
        expectWithinCaps(state, run.sends)
        expectWaitsKept(state, run.sends)
        expectNobodyStarved(state, run.sends)
        expect(simulate({ ...state, leads: state.leads.toReversed() }, until).sends).toEqual(run.sends)
      }),
      { numRuns: 60 },
    )
  })

  test('matches the forecast if leads do nothing', () => {
    fc.assert(
      fc.property(worlds, (state) => {
        const until = endOf(state)
        const run = simulate(state, until)
        const forecast = runForecast(state, { until, maxSends: 100_000 })
        const byDay = new Map<string, number>()
        for (const send of run.sends)
          byDay.set(send.counted.campaignDay, (byDay.get(send.counted.campaignDay) ?? 0) + 1)
        expect(forecast.days.map((day) => [day.date, day.first + day.followUp])).toEqual(
          [...byDay].sort(([a], [b]) => (a < b ? -1 : 1)),
        )
        expect(forecast.unscheduled.reduce((sum, { count }) => sum + count, 0)).toBe(run.open.length)
      }),
      { numRuns: 150 },
    )
  })

  test('matches the forecast while messages are being sent', () => {
    fc.assert(
      fc.property(worlds, fc.integer({ min: 1, max: 6 }), (state, sends) => {
        const options = { until: endOf(state), maxSends: 100_000 }
        expect(runForecast(withLeaving(state, sends), options)).toEqual(runForecast(state, options))
      }),
      { numRuns: 150 },
    )
  })
})

/** The world after the planner has claimed some messages of this moment and none of them was sent. */
function withLeaving(state: ForecastState, maxSends: number): ForecastState {
  const due = state.leads.filter((lead) => lead.attemptAt <= state.now)
  const { sends, senderUpdates } = plan({ ...state, candidates: due, maxSends })
  const claims = (campaignId: string) => sends.filter((send) => send.campaignId === campaignId)
  return {
    ...state,
    campaigns: state.campaigns.map((campaign) => {
      const own = claims(campaign.id).map(({ counted }) => counted)
      const byDomain: Record<string, number> = {}
      for (const { domain } of own) byDomain[domain] = (byDomain[domain] ?? 0) + 1
      const claimedFirst = own.filter(({ first }) => first).length
      return { ...campaign, usage: { claimed: own.length, claimedFirst, byDomain } }
    }),
    senders: state.senders.map((sender) => ({ ...sender, ...senderUpdates.find(({ id }) => id === sender.id) })),
    leaving: sends,
  }
}

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
  const lead = state.leads.find(({ id }) => id === send.leadId) ?? null
  const days = resolveLocalDays(schedule, lead)
  expect(days.zone).toBe(zone)
  expect(isOpen(schedule, days, send.at)).toBe(true)
  const date = Temporal.Instant.fromEpochMilliseconds(send.at.getTime())
    .toZonedDateTimeISO(zone)
    .toPlainDate()
    .toString()
  expect(schedule.blackoutDates).not.toContain(date)
  const day = Date.parse(`${date}T00:00:00Z`) / 86_400_000
  if (schedule.holidays && days.calendar !== null) expect(schedule.holidays.nameOn(days.calendar, day)).toBeNull()
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

/** Schedules of these worlds never end and every cap is at least one, so every lead gets all its messages. */
function expectNobodyStarved(state: ForecastState, sends: SimulatedSend[]): void {
  const bySteps = state.leads.map((lead) => sends.filter((send) => send.leadId === lead.id).length)
  const wanted = state.leads.map((lead) => (isUnmatched(state, lead) ? 0 : campaignOfLead(state, lead).steps.length))
  expect(bySteps).toEqual(wanted)
}

/** Whether the lead's campaign is strict and has no sender at the provider of the lead. */
function isUnmatched(state: ForecastState, lead: PlanLead): boolean {
  const { providerMatching, sendingAccountIds } = campaignOfLead(state, lead)
  if (providerMatching !== 'strict' || lead.recipientProvider === 'other') return false
  const senders = state.senders.filter(({ id }) => sendingAccountIds.includes(id))
  return senders.every(({ mailProvider }) => mailProvider !== lead.recipientProvider)
}

function campaignOfLead(state: ForecastState, lead: PlanLead): PlanCampaign {
  return state.campaigns.find((one) => one.id === lead.campaignId) ?? makeCampaign()
}

const zones = fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Tokyo')
/** In Germany every fifth day is a holiday, in France another one. */
const nameOn = (calendar: string, day: number) => (day % 5 === { DE: 0, FR: 2 }[calendar] ? 'A holiday' : null)
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
  startDate: fc.constantFrom(null, '2026-11-24', '2027-03-29'),
  endDate: fc.constant(null),
  blackoutDates: fc.constantFrom([], ['2026-11-23', '2026-11-26', '2026-10-26', '2027-03-15', '2027-03-30']),
  holidays: fc.constantFrom(null, { calendar: 'DE', nameOn }, { calendar: 'lead', nameOn }),
})
const waits = fc.record({
  value: fc.integer({ min: 0, max: 3 }),
  unit: fc.constantFrom('hours', 'days', 'business_days'),
})
const worlds: fc.Arbitrary<ForecastState> = fc
  .record({
    now: fc.constantFrom(...fridays),
    campaigns: fc.array(
      fc.record({
        schedule: scheduleArbitrary,
        caps: fc.record({ dailyLimit: cap, dailyNewLeadLimit: cap, maxPerRecipientDomainPerDay: cap }),
        waits: fc.array(waits, { minLength: 0, maxLength: 2 }),
        matching: fc.constantFrom('off', 'off', 'prefer', 'strict'),
        /** The senders of each campaign. Two campaigns may share senders. */
        from: fc.subarray([0, 1, 2], { minLength: 1 }),
      }),
      { minLength: 1, maxLength: 3 },
    ),
    senders: fc.array(
      fc.record({
        timezone: zones,
        dailyLimit: fc.integer({ min: 2, max: 8 }),
        gap: fc.constantFrom([0, 0], [60, 180], [600, 600]),
        ramp: fc.option(fc.integer({ min: 1, max: 3 })),
        provider: fc.constantFrom('google', 'microsoft'),
      }),
      { minLength: 1, maxLength: 3 },
    ),
    leads: fc.array(
      fc.record({
        timezone: fc.option(zones),
        country: fc.constantFrom(null, 'Germany', 'FR', 'Atlantis'),
        domain: fc.constantFrom('a.test', 'b.test', 'c.test', 'd.test'),
        provider: fc.constantFrom('google', 'microsoft', 'other'),
        late: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 200_000 })),
      }),
      { minLength: 1, maxLength: 24 },
    ),
  })
  .map((world) => {
    const senders = world.senders.map((sender, index) =>
      makeSender({
        id: `snd_${index}`,
        timezone: sender.timezone,
        mailProvider: sender.provider,
        dailyLimit: sender.dailyLimit,
        minGapSeconds: sender.gap[0] ?? 0,
        maxGapSeconds: sender.gap[1] ?? 0,
        rampUp: sender.ramp === null ? null : { enabled: true, startPerDay: sender.ramp, incrementPerDay: 1 },
        rampStartedAt: world.now,
      }),
    )
    const campaigns = world.campaigns.map((one, index) =>
      makeCampaign({
        id: `cmp_${index}`,
        schedule: one.schedule,
        caps: one.caps,
        providerMatching: one.matching,
        sendingAccountIds: (senders.length === 3 ? one.from.flatMap((at) => senders[at] ?? []) : senders).map(
          ({ id }) => id,
        ),
        steps: [{ value: 0, unit: 'days' as const }, ...one.waits].map((waitBefore, step) =>
          makeEmail({ id: `stp_${step}`, position: step + 1, waitBefore }),
        ),
      }),
    )
    const made = world.leads.map((lead, index) =>
      makeLead({
        id: `led_${String(index).padStart(3, '0')}`,
        campaignId: campaigns[index % campaigns.length]?.id ?? '',
        timezone: lead.timezone,
        country: lead.country,
        emailDomain: lead.domain,
        recipientProvider: lead.provider,
        dueAt: new Date(world.now.getTime() + lead.late * 1000),
      }),
    )
    return { now: world.now, campaigns, senders, leads: made }
  })
