import { describe, expect, test } from 'vitest'
import { makeCampaign, makeLead, makeSender } from '@overture/testing/delivery/plan-fixtures.ts'
import { explainGates } from '../gates.ts'
import { runForecast } from '../forecast-run.ts'
import { plan } from '../plan.ts'
import type { PlanCampaign, PlanLead, PlanSender, ProviderMatching } from '../plan.types.ts'

const friday = new Date('2026-11-20T10:00:00.000Z')
const google = makeSender({ id: 'snd_google', mailProvider: 'google' })
const microsoft = makeSender({ id: 'snd_microsoft', mailProvider: 'microsoft' })
const campaign = (providerMatching: ProviderMatching, fields: Partial<PlanCampaign> = {}) =>
  makeCampaign({ providerMatching, sendingAccountIds: ['snd_google', 'snd_microsoft'], ...fields })
const lead = (id: string, recipientProvider: PlanLead['recipientProvider'], fields: Partial<PlanLead> = {}) =>
  makeLead({ id, dueAt: new Date(friday.getTime() - 60_000), recipientProvider, ...fields })

interface World {
  mode: ProviderMatching
  leads: PlanLead[]
  senders?: PlanSender[]
  maxSends?: number
}

function planned({ mode, leads, senders = [google, microsoft], maxSends = 100 }: World) {
  return plan({ now: friday, campaigns: [campaign(mode)], senders, candidates: leads, maxSends })
}

const takenBy = (world: World) =>
  Object.fromEntries(planned(world).sends.map(({ leadId, sendingAccountId }) => [leadId, sendingAccountId]))

function explained({ mode, leads, senders = [google, microsoft] }: World) {
  const { gates, blockedReason, next } = explainGates({
    now: friday,
    lead: leads[0]!,
    campaign: campaign(mode),
    senders,
  })
  return { gate: gates.find(({ gate }) => gate === 'provider_mismatch')!, blockedReason, next }
}

describe.each(['prefer', 'strict'] as const)('a campaign with the mode %s', (mode) => {
  test('sends to each provider from a sender there', () => {
    const leads = ['a', 'b', 'c', 'd'].map((id, at) => lead(id, at % 2 === 0 ? 'microsoft' : 'google'))
    const expected = { a: 'snd_microsoft', b: 'snd_google', c: 'snd_microsoft', d: 'snd_google' }
    expect(takenBy({ mode, leads })).toEqual(expected)
    for (const one of leads)
      expect(explained({ mode, leads: [one] }).next?.sendingAccountId).toBe(expected[one.id as 'a'])
  })

  test.each(['other', 'unknown', 'gateway', undefined] as const)('sends to %s from any sender', (provider) => {
    expect(Object.keys(takenBy({ mode, leads: [lead('a', provider)], senders: [microsoft] }))).toEqual(['a'])
    expect(explained({ mode, leads: [lead('a', provider)], senders: [microsoft] }).gate.passed).toBe(true)
  })

  test('waits for the gap of the matching sender', () => {
    const busy = { ...google, nextSendAt: new Date(friday.getTime() + 300_000), minGapSeconds: 300, maxGapSeconds: 300 }
    const world = { mode, leads: [lead('a', 'google')], senders: [busy, microsoft] }
    expect(planned(world)).toMatchObject({ sends: [], nextPlanAt: busy.nextSendAt })
    expect(explained(world).blockedReason).toBe('sender_gap')
  })

  test('waits a minute for a provider that is looked up', () => {
    const world = { mode, leads: [lead('a', null)] }
    const attemptAt = new Date(friday.getTime() + 60_000)
    expect(planned(world).leadHolds).toEqual([
      { leadId: 'a', campaignId: 'cmp_1', reason: 'provider_mismatch', attemptAt },
    ])
    expect(explained(world)).toMatchObject({ blockedReason: 'provider_mismatch', gate: { until: attemptAt } })
  })

  test('matches first messages alone', () => {
    const later = { nextStepPosition: 2, sendingAccountId: 'snd_microsoft' }
    expect(takenBy({ mode, leads: [lead('a', 'google', later)] })).toEqual({ a: 'snd_microsoft' })
    const retry = { retry: true, sendingAccountId: 'snd_microsoft' }
    expect(takenBy({ mode, leads: [lead('a', 'google', retry)] })).toEqual({ a: 'snd_microsoft' })
  })
})

test('a campaign without matching sends from any sender', () => {
  const leads = [lead('a', 'google')]
  expect(takenBy({ mode: 'off', leads, senders: [microsoft] })).toEqual({ a: 'snd_microsoft' })
  expect(explained({ mode: 'off', leads, senders: [microsoft] }).gate.passed).toBe(true)
})

const absent: [string, PlanSender, string | null][] = [
  ['is paused', { ...google, status: 'paused' }, null],
  ['has reached its limit', { ...google, dailyLimit: 5, claimedToday: 5 }, '2026-11-20T23:00:00.000Z'],
  ['is at another provider', { ...google, mailProvider: 'other' }, null],
]

describe.each(absent)('if the matching sender %s', (_, sender, until) => {
  const senders = [sender, { ...microsoft }]
  const leads = [lead('a', 'google'), lead('b', 'microsoft')]

  test('prefer sends from another', () => {
    const taken = takenBy({ mode: 'prefer', leads, senders: [{ ...sender, status: sender.status }, microsoft] })
    expect(taken).toMatchObject({ b: 'snd_microsoft' })
    expect(Object.keys(taken)).toHaveLength(2)
    expect(explained({ mode: 'prefer', leads, senders }).gate.passed).toBe(true)
  })

  test('strict holds the lead until it can send, and sends to others', () => {
    const attemptAt = until === null ? null : new Date(until)
    const result = planned({ mode: 'strict', leads, senders })
    expect(result.sends.map(({ leadId }) => leadId)).toEqual(['b'])
    expect(result.leadHolds).toEqual([{ leadId: 'a', campaignId: 'cmp_1', reason: 'provider_mismatch', attemptAt }])
    expect(explained({ mode: 'strict', leads, senders })).toMatchObject({
      blockedReason: 'provider_mismatch',
      gate: { passed: false, until: attemptAt },
    })
  })
})

test('strict holds the rest when the matching sender reaches its limit within a plan', () => {
  const leads = ['a', 'b', 'c'].map((id) => lead(id, 'google'))
  const result = planned({ mode: 'strict', leads, senders: [{ ...google, dailyLimit: 1 }, microsoft] })
  expect(result.sends).toHaveLength(1)
  expect(result.leadHolds.map(({ leadId, reason }) => [leadId, reason])).toEqual([
    ['b', 'provider_mismatch'],
    ['c', 'provider_mismatch'],
  ])
})

test('older leads of one provider do not hide younger ones of another in a cut page', () => {
  const slow = { ...google, minGapSeconds: 600, maxGapSeconds: 600, nextSendAt: new Date(friday.getTime() + 600_000) }
  const page = Array.from({ length: 20 }, (_none, at) => lead(`g${String(at).padStart(2, '0')}`, 'google'))
  const cutGroups = new Map([['cmp_1 null', { campaignId: 'cmp_1', sendingAccountId: null }]])
  const read = (candidates: PlanLead[]) =>
    plan({
      now: friday,
      campaigns: [campaign('strict')],
      senders: [slow, microsoft],
      candidates,
      maxSends: 100,
      cutGroups,
    })
  const first = read(page)
  expect(first.hasMore).toBe(true)
  expect(first.leadHolds).toHaveLength(19)
  const attempts = first.leadHolds.map(({ attemptAt }) => attemptAt!.getTime() - friday.getTime())
  expect(attempts.slice(0, 3)).toEqual([600_000, 1_200_000, 1_800_000])
  const held = new Set(first.leadHolds.map(({ leadId }) => leadId))
  const next = read([...page.filter(({ id }) => !held.has(id)), lead('m', 'microsoft')])
  expect(next.sends.map(({ leadId, sendingAccountId }) => [leadId, sendingAccountId])).toEqual([['m', 'snd_microsoft']])
})

test('the forecast sends on the days on which the matching sender can', () => {
  const leads = [
    ...Array.from({ length: 6 }, (_none, at) => lead(`g${at}`, 'google')),
    ...Array.from({ length: 3 }, (_none, at) => lead(`m${at}`, 'microsoft')),
  ]
  const steps = makeCampaign().steps.slice(0, 1)
  const forecast = (mode: ProviderMatching) =>
    runForecast(
      {
        now: friday,
        campaigns: [campaign(mode, { steps })],
        senders: [{ ...google, dailyLimit: 2 }, microsoft],
        leads,
      },
      { until: new Date(friday.getTime() + 30 * 86_400_000), maxSends: 1_000 },
    ).days.map(({ date, first }) => [date, first])
  expect(forecast('strict')).toEqual([
    ['2026-11-20', 5],
    ['2026-11-23', 2],
    ['2026-11-24', 2],
  ])
  expect(forecast('prefer')).toEqual([['2026-11-20', 9]])
  expect(forecast('off')).toEqual([['2026-11-20', 9]])
})
