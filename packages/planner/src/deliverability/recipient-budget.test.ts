import { describe, expect, test } from 'vitest'
import { makeCampaign, makeLead, makeSender, simulate } from '@overture/testing/delivery/plan-fixtures.ts'
import { campaignCapacity } from '../capacity.ts'
import { runForecast, type ForecastState } from '../forecast-run.ts'
import { explainGates } from '../gates.ts'
import { plan } from '../plan.ts'
import type { PlanSender } from '../plan.types.ts'
import { budgetsFullUntil, openBudgets, type RecipientBudget } from './recipient-budget.ts'

const friday = new Date('2026-11-20T10:00:00.000Z')
const until = new Date('2027-01-20T10:00:00.000Z')
const tenant: RecipientBudget = {
  id: 'organization:contoso',
  name: 'contoso.test',
  limit: 7,
  day: '2026-11-20',
  claimed: 0,
}

function sendersOf(count: number, fields: (index: number) => Partial<PlanSender>): PlanSender[] {
  return Array.from({ length: count }, (_, index) =>
    makeSender({ id: `snd_${index}`, budgets: [tenant], ...fields(index) }),
  )
}

function stateOf(senders: readonly PlanSender[], leads = 40): ForecastState {
  const sendingAccountIds = senders.map(({ id }) => id)
  const candidates = Array.from({ length: leads }, (_, index) =>
    makeLead({ id: `led_${String(index).padStart(3, '0')}`, dueAt: new Date(friday.getTime() - 60_000 + index) }),
  )
  return { now: friday, campaigns: [makeCampaign({ sendingAccountIds })], senders, leads: candidates }
}

describe('a shared budget of recipients', () => {
  test('is never exceeded by its senders together, and opens at midnight in UTC', () => {
    const state = stateOf(sendersOf(20, () => ({})))
    const result = plan({ ...state, candidates: state.leads, maxSends: 100 })
    expect(result.sends).toHaveLength(7)
    expect(result.budgets).toEqual([{ ...tenant, claimed: 7 }])
    expect(result.sends[0]?.counted).toMatchObject({ budgets: [tenant.id], budgetDay: '2026-11-20' })
    // The window opens again on Monday.
    expect(result.campaignHolds).toEqual([
      {
        campaignId: 'cmp_1',
        senderId: null,
        reason: 'sender_daily_limit',
        until: new Date('2026-11-23T08:00:00.000Z'),
      },
    ])
  })

  test('does not hold the senders that are outside of it', () => {
    const state = stateOf(sendersOf(3, (index) => (index === 0 ? { budgets: undefined } : {})))
    const result = plan({ ...state, candidates: state.leads, maxSends: 100 })
    const byFree = result.sends.filter(({ sendingAccountId }) => sendingAccountId === 'snd_0')
    expect([result.sends.length - byFree.length, byFree.length]).toEqual([7, 33])
  })

  test('holds a sender as soon as one of its budgets is full', () => {
    const domain = { ...tenant, id: 'domain:contoso.test', limit: 3 }
    const state = stateOf(sendersOf(2, (index) => ({ budgets: index === 0 ? [tenant, domain] : [tenant] })))
    const { sends } = plan({ ...state, candidates: state.leads, maxSends: 100 })
    const of = (id: string) => sends.filter(({ sendingAccountId }) => sendingAccountId === id).length
    expect([of('snd_0'), of('snd_1')]).toEqual([3, 4])
  })

  test('counts from the start on another day', () => {
    const used = { ...tenant, claimed: 7 }
    const yesterday = { ...used, day: '2026-11-19' }
    const countOf = (budget: RecipientBudget) => {
      const state = stateOf(sendersOf(2, () => ({ budgets: [budget] })))
      return plan({ ...state, candidates: state.leads, maxSends: 100 }).sends.length
    }
    expect([countOf(used), countOf(yesterday)]).toEqual([0, 7])
  })

  test('is followed by the forecast, which equals the sending of each day', () => {
    const zones = ['UTC', 'America/New_York', 'Asia/Tokyo']
    const state = stateOf(sendersOf(5, (index) => ({ timezone: zones[index % 3] as string, dailyLimit: 4 })))
    const sent = new Map<string, number>()
    for (const { at } of simulate(state, until).sends) {
      const day = at.toISOString().slice(0, 10)
      sent.set(day, (sent.get(day) ?? 0) + 1)
    }
    const foreseen = runForecast(state, { until, maxSends: 1000 }).days
    expect(foreseen.map(({ date, first, followUp }) => [date, first + followUp])).toEqual([...sent])
    expect(Math.max(...sent.values())).toBe(7)
    expect([...sent.values()].reduce((sum, count) => sum + count, 0)).toBe(80)
  })

  test('is explained with its numbers, and bounds the capacity of a campaign', () => {
    const senders = sendersOf(2, () => ({ budgets: [{ ...tenant, claimed: 7 }] }))
    const state = stateOf(senders)
    const [lead] = state.leads
    const [campaign] = state.campaigns
    if (!lead || !campaign) throw new Error('no lead')
    const { blockedReason, gates } = explainGates({ now: friday, lead, campaign, senders })
    expect(blockedReason).toBe('sender_daily_limit')
    expect(gates.find(({ gate }) => gate === 'sender_daily_limit')).toEqual({
      gate: 'sender_daily_limit',
      passed: false,
      detail: '7 of 7 recipients of all senders of contoso.test on 2026-11-20 (UTC).',
      until: new Date('2026-11-21T00:00:00.000Z'),
    })
    expect(campaignCapacity(campaign, senders, friday.getTime())).toBe(7)
  })

  test('sends a message with more recipients than the limit on a day without others', () => {
    const open = (claimed: number) => openBudgets([{ ...tenant, claimed }], friday.getTime(), new Map())
    expect(budgetsFullUntil(open(0), 9)).toBeNull()
    expect(budgetsFullUntil(open(1), 9)).toBe(Date.UTC(2026, 10, 21))
    expect(budgetsFullUntil(open(4), 3)).toBeNull()
  })
})
