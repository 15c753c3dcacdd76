import { makeCampaign, makeLead, makeSender } from '@overture/testing/delivery/plan-fixtures.ts'
import { groupKey } from '@overture/planner/cut-groups.ts'
import { sendsMax } from '@overture/planner/page-limits.ts'
import { plan } from '@overture/planner/plan.ts'
import type { PlanCampaign, PlanLead, PlanSender } from '@overture/planner/plan.types.ts'
import { describe, expect, test } from 'vitest'
import { PlanMemory } from './plan-memory.ts'

const now = new Date('2026-11-20T10:00:00.000Z')
const inMinutes = (minutes: number) => new Date(now.getTime() + minutes * 60_000)

interface World {
  campaign?: Partial<PlanCampaign>
  sender?: Partial<PlanSender & { holdCount: number }>
  variant?: { ai: unknown; variantSelection: string }
  /** More leads exist than were read. */
  isCut?: boolean
  attempts?: readonly Date[]
}

function remember({ campaign, sender, variant, isCut = false, attempts = [now] }: World) {
  const senders = [{ ...makeSender({ minGapSeconds: 60, maxGapSeconds: 60 }), holdCount: 0, ...sender }]
  const campaigns = [makeCampaign({ providerMatching: 'off', ...campaign })]
  const leads: PlanLead[] = attempts.map((attemptAt, at) => makeLead({ id: `lead_${at}`, dueAt: attemptAt, attemptAt }))
  const running = campaigns.map(({ id, status }) => ({ id, status, holdReason: null, holdUntil: null }))
  const read = {
    leads,
    rows: new Map(leads.map((lead) => [lead.id, lead])),
    finished: [],
    variants: [variant ?? { ai: null, variantSelection: 'weighted' }],
  }
  const cutGroups = new Map(isCut ? leads.map((lead) => [groupKey(lead), lead]) : [])
  const ahead = { read, cutGroups, until: inMinutes(720), nextAttemptAt: inMinutes(900) }
  const groups = { campaignIds: [], poolCampaignIds: campaigns.map(({ id }) => id) }
  return { memory: new PlanMemory({ running, campaigns, senders, groups }, { ahead, now }), campaigns, senders }
}

const dueIds = (memory: PlanMemory, at: Date) => memory.due(at)?.candidates.map(({ id }) => id)

describe('leads', () => {
  test('are due from the time of their attempt', () => {
    const { memory } = remember({ attempts: [now, inMinutes(5), inMinutes(9)] })
    expect([dueIds(memory, now), dueIds(memory, inMinutes(5))]).toEqual([['lead_0'], ['lead_0', 'lead_1']])
    expect([memory.nextAttemptMs(now), memory.nextAttemptMs(inMinutes(9))]).toEqual(
      [inMinutes(5), inMinutes(900)].map((at) => at.getTime()),
    )
  })

  test('are read again after the time up to which they were read', () => {
    const { memory } = remember({})
    expect([memory.due(inMinutes(719)), memory.due(inMinutes(720))]).toEqual([expect.anything(), null])
  })

  test('are read again when a removed one is due again', () => {
    const { memory } = remember({ attempts: [now, now] })
    memory.remove('lead_0', inMinutes(30))
    memory.remove('lead_1', null)
    expect([dueIds(memory, inMinutes(29)), memory.due(inMinutes(30))]).toEqual([[], null])
    expect(memory.nextAttemptMs(inMinutes(5))).toBe(inMinutes(30).getTime())
  })

  test('of a group with more leads are read again as soon as fewer are left than a plan reads', () => {
    const { memory, campaigns, senders } = remember({ isCut: true, attempts: Array.from({ length: 6 }, () => now) })
    for (const minutes of [0, 2]) {
      const due = memory.due(inMinutes(minutes))
      expect(due?.cutGroups.size).toBe(1)
      const input = { campaigns, senders, maxSends: sendsMax, now: inMinutes(minutes) }
      const result = plan({ ...input, candidates: due?.candidates ?? [] })
      expect(result.sends).toHaveLength(1)
      memory.apply(result)
      for (const { leadId } of result.sends) memory.remove(leadId, null)
    }
    expect(memory.due(inMinutes(4))).toBeNull()
  })

  test('of a cut group are read again only when its last read lead is due', () => {
    const { memory } = remember({ isCut: true, attempts: [now, inMinutes(5)] })
    memory.remove('lead_0', null)
    expect(memory.due(inMinutes(4))?.cutGroups.size).toBe(0)
    expect(memory.due(inMinutes(5))?.cutGroups.size).toBe(1)
  })
})

test('a plan is counted, and a hold is returned when it changes', () => {
  const { memory, campaigns, senders } = remember({ attempts: [now, now] })
  const candidates = memory.due(now)?.candidates ?? []
  const result = plan({ campaigns, senders, candidates, maxSends: sendsMax, now })
  const campaignHolds = [
    { campaignId: campaigns[0]!.id, senderId: null, reason: 'outside_window', until: null } as const,
  ]
  expect(memory.apply({ ...result, campaignHolds }).map(({ reason }) => reason)).toEqual(['outside_window'])
  expect(memory.apply({ ...result, sends: [], senderUpdates: [], campaignHolds })).toEqual([])
  expect(campaigns[0]!.usage.claimed).toBe(result.sends.length)
  expect(senders[0]!.claimedToday).toBe(result.sends.length)
})

test.each<[string, World, boolean]>([
  ['a plain campaign', {}, true],
  ['a text by a model', { variant: { ai: {}, variantSelection: 'weighted' } }, false],
  ['matched providers', { campaign: { providerMatching: 'prefer' } }, false],
  ['a sender with a hold', { sender: { holdCount: 1 } }, false],
  ['a sender without connection', { sender: { status: 'connection_error' } }, false],
  ['a shared budget', { sender: { budgets: [] } }, false],
])('plans with %s', (_, world, expected) => expect(remember(world).memory.isPlain).toBe(expected))
