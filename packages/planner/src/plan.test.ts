import { describe, expect, test } from 'vitest'
import { dailyAllowance } from './pacing.ts'
import { makeCampaign, makeLead, officeHours, makeSender } from '@overture/testing/delivery/plan-fixtures.ts'
import { plan } from './plan.ts'
import type { PlanCampaign, PlanLead, PlanSender } from './plan.types.ts'

const friday = new Date('2026-11-20T10:00:00.000Z')
const days = (count: number) => new Date(friday.getTime() + count * 86_400_000)

function leads(count: number, fields: Partial<PlanLead> = {}): PlanLead[] {
  return Array.from({ length: count }, (_, index) =>
    makeLead({
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
  return plan({ now: friday, campaigns: [makeCampaign()], senders: [makeSender()], maxSends: 100, ...fields })
}

const caps = { dailyLimit: null, dailyNewLeadLimit: null, maxPerRecipientDomainPerDay: null }

describe('plan', () => {
  test('sends at most maxSends due leads, oldest first, and returns the time of the next plan', () => {
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

  test('a sender gap lets one message through and holds the others', () => {
    const result = planNow({ senders: [makeSender({ minGapSeconds: 60, maxGapSeconds: 60 })], candidates: leads(5) })
    expect(result.sends).toHaveLength(1)
    expect(result.nextPlanAt).toEqual(new Date(friday.getTime() + 60_000))
    expect(result.campaignHolds).toEqual([
      { campaignId: 'cmp_1', senderId: null, reason: 'sender_gap', until: result.nextPlanAt },
    ])
  })

  test('a closed window holds the campaign until it opens', () => {
    const now = new Date('2026-11-21T10:00:00.000Z')
    const result = plan({
      now,
      campaigns: [makeCampaign()],
      senders: [makeSender()],
      candidates: leads(2),
      maxSends: 9,
    })
    expect(result.sends).toEqual([])
    expect(result.nextPlanAt?.toISOString()).toBe('2026-11-23T08:00:00.000Z')
    expect(result.campaignHolds[0]?.reason).toBe('outside_window')
  })

  test('with useLeadTimezone each lead waits for the window in its own time zone', () => {
    const campaign = makeCampaign({ schedule: { ...officeHours, useLeadTimezone: true } })
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
  ] as const)('%s holds the campaign until the next day with a window', (reason, limit, until) => {
    const result = planNow({ campaigns: [makeCampaign({ caps: limit })], candidates: leads(5) })
    expect(result.sends).toHaveLength(3)
    expect(result.campaignHolds).toEqual([{ campaignId: 'cmp_1', senderId: null, reason, until: new Date(until) }])
  })

  test('a reached new-lead limit lets follow-ups and retries through', () => {
    const campaign = makeCampaign({ caps: { ...caps, dailyNewLeadLimit: 0 } })
    const followUp = makeLead({ id: 'led_f', dueAt: friday, nextStepPosition: 2, sendingAccountId: 'snd_1' })
    const retry = makeLead({ id: 'led_r', dueAt: friday, retry: true })
    const result = planNow({ campaigns: [campaign], candidates: [...leads(3), followUp, retry] })
    expect(result.sends.map((send) => send.leadId).sort()).toEqual(['led_f', 'led_r'])
    expect(result.nextPlanAt).toBeNull()
  })

  test('a reached new-lead limit is reported instead of a full recipient domain', () => {
    const campaign = makeCampaign({ caps: { ...caps, dailyNewLeadLimit: 1, maxPerRecipientDomainPerDay: 1 } })
    const result = planNow({ campaigns: [campaign], candidates: leads(3) })
    expect(result.sends).toHaveLength(1)
    expect(result.leadHolds).toEqual([])
    expect(result.campaignHolds.map((hold) => hold.reason)).toEqual(['new_lead_limit'])
  })

  test('a recipient domain at its cap holds its leads until the next day, and others are sent', () => {
    const campaign = makeCampaign({ caps: { ...caps, maxPerRecipientDomainPerDay: 1 } })
    const result = planNow({
      campaigns: [campaign],
      candidates: [...leads(3), makeLead({ id: 'led_z', dueAt: friday, emailDomain: 'other.test' })],
    })
    expect(result.sends.map((send) => send.leadId)).toEqual(['led_000', 'led_z'])
    expect(result.leadHolds.map((hold) => [hold.reason, hold.attemptAt?.toISOString()])).toEqual([
      ['recipient_domain_limit', '2026-11-23T08:00:00.000Z'],
      ['recipient_domain_limit', '2026-11-23T08:00:00.000Z'],
    ])
  })

  test('new leads spread evenly over available senders', () => {
    const senders = ['snd_1', 'snd_2', 'snd_3'].map((id) => makeSender({ id }))
    const campaign = makeCampaign({ sendingAccountIds: ['snd_1', 'snd_2', 'snd_3'] })
    const counts = planNow({ campaigns: [campaign], senders, candidates: leads(30) }).senderUpdates
    expect(counts.map((update) => update.claimedToday)).toEqual([10, 10, 10])
  })

  test('a failing sender keeps its follow-ups, and its new leads move to another sender', () => {
    const senders = [makeSender({ status: 'auth_required' }), makeSender({ id: 'snd_2' })]
    const campaign = makeCampaign({ sendingAccountIds: ['snd_1', 'snd_2'] })
    const stays = makeLead({ id: 'led_s', dueAt: friday, nextStepPosition: 2, sendingAccountId: 'snd_1' })
    const moves = makeLead({ id: 'led_m', dueAt: friday, sendingAccountId: 'snd_1' })
    const result = planNow({ campaigns: [campaign], senders, candidates: [stays, moves] })
    expect(result.sends.map((send) => [send.leadId, send.sendingAccountId])).toEqual([['led_m', 'snd_2']])
    expect(result.campaignHolds).toEqual([
      { campaignId: 'cmp_1', senderId: 'snd_1', reason: 'sender_unavailable', until: null },
    ])
  })

  test('a failing sender whose retry time has come gets one message as a trial', () => {
    const sender = makeSender({ status: 'connection_error', retryAt: friday })
    const result = planNow({ senders: [sender], candidates: leads(5) })
    expect(result.sends).toHaveLength(1)
    expect(result.nextPlanAt?.getTime()).toBeGreaterThan(friday.getTime())
  })

  test('two campaigns share a sender equally', () => {
    const campaigns = [makeCampaign(), makeCampaign({ id: 'cmp_2' })]
    const other = leads(50).map((lead) => ({ ...lead, id: `${lead.id}b`, campaignId: 'cmp_2' }))
    const result = planNow({ campaigns, candidates: [...leads(50), ...other], maxSends: 20 })
    expect(result.sends.filter((send) => send.campaignId === 'cmp_2')).toHaveLength(10)
  })

  test('follow-ups come before new leads, and both are sent', () => {
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

  test('leads that are blocked by themselves are held without a time', () => {
    const candidates = [
      makeLead({ id: 'led_a', dueAt: friday, suppressed: true, uncertain: true }),
      makeLead({ id: 'led_b', dueAt: friday, uncertain: true }),
      makeLead({ id: 'led_c', dueAt: friday, missingVariables: ['firstName'] }),
      makeLead({ id: 'led_d', dueAt: friday, awaitingApproval: true }),
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

  test('a ramp grows per day and ends at the daily limit', () => {
    const sender = {
      dailyLimit: 30,
      reservedPerDay: 0,
      rampUp: { enabled: true, startPerDay: 10, incrementPerDay: 5 },
      rampStartedAt: friday,
      timezone: 'Europe/Berlin',
      pace: null,
    }
    expect([0, 1, 3, 9].map((day) => dailyAllowance(sender, days(day).getTime()))).toEqual([10, 15, 25, 30])
    const reserved = { ...sender, reservedPerDay: 8 }
    expect([0, 1, 3, 9].map((day) => dailyAllowance(reserved, days(day).getTime()))).toEqual([10, 15, 22, 22])
  })
})
