import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { makeCampaign, makeLead, makeSender } from '@overture/testing/delivery/plan-fixtures.ts'
import { findCutGroups, groupKey, type OfGroup } from './cut-groups.ts'
import { pageLimits, shortGroups } from './page-limits.ts'
import { plan } from './plan.ts'
import type { PlanCampaign, PlanLead, PlanResult, PlanSender } from './plan.types.ts'

const now = new Date('2026-11-20T10:00:00.000Z')
const minute = 60_000

interface World {
  campaigns: PlanCampaign[]
  senders: PlanSender[]
  leads: PlanLead[]
  /** The number of leads per group that one call reads. */
  limit: number
}

type Reading = (world: World) => { candidates: PlanLead[]; cutGroups: ReadonlyMap<string, OfGroup> }

const readPages: Reading = ({ leads, limit }) => {
  const candidates = oldestOfEach(leads, () => limit)
  return { candidates, cutGroups: findCutGroups(candidates, () => limit) }
}

/** Reads leads as `readDue` of the planner's shell does. */
const readSendable: Reading = ({ campaigns, senders, leads, limit }) => {
  const limits = pageLimits({ now, campaigns, senders, pageMax: limit })
  const first = oldestOfEach(leads, limits.getLimit)
  const cut = findCutGroups(first, limits.getLimit)
  const cutShort = new Map([...cut].filter(([, group]) => limits.getLimit(group) < limit))
  const short = shortGroups(limits, { cutGroups: cutShort, leads: first, writing: new Set() })
  const whole = new Set(short.map(groupKey))
  const getLimit = (group: OfGroup) => (whole.has(groupKey(group)) ? limit : limits.getLimit(group))
  const candidates = oldestOfEach(leads, getLimit)
  return { candidates, cutGroups: findCutGroups(candidates, getLimit) }
}

/** Plans as the planner's shell does: each call reads the oldest leads of each group, until `hasMore` is false. */
function settle(world: World, again: (result: PlanResult) => boolean, read: Reading = readPages) {
  let { campaigns, senders, leads } = world
  let looked = 0
  const sent: string[] = []
  const nextPlans: number[] = []
  for (let calls = 1; calls < 1_000; calls++) {
    const { candidates, cutGroups } = read({ campaigns, senders, leads, limit: world.limit })
    looked += candidates.length
    const result = plan({ now, campaigns, senders, candidates, maxSends: 3, cutGroups })
    for (const { leadId, sendingAccountId } of result.sends) sent.push(`${leadId} ${sendingAccountId}`)
    const settled = new Set([...result.sends, ...result.leadHolds].map(({ leadId }) => leadId))
    nextPlans.push(...result.leadHolds.flatMap(({ attemptAt }) => attemptAt?.getTime() ?? []))
    leads = leads.filter(({ id }) => !settled.has(id))
    senders = senders.map((sender) => ({ ...sender, ...result.senderUpdates.find(({ id }) => id === sender.id) }))
    campaigns = campaigns.map((campaign) => counted(campaign, result))
    if (!again(result) && result.nextPlanAt?.getTime() !== now.getTime())
      return {
        sent: sent.sort(),
        next: Math.min(...nextPlans, result.nextPlanAt?.getTime() ?? Infinity),
        calls,
        looked,
      }
  }
  throw new Error('It never ends.')
}

function oldestOfEach(leads: readonly PlanLead[], getLimit: (group: OfGroup) => number): PlanLead[] {
  const counts = new Map<string, number>()
  return leads.filter((lead) => {
    const count = (counts.get(groupKey(lead)) ?? 0) + 1
    counts.set(groupKey(lead), count)
    return count <= getLimit(lead)
  })
}

function counted(campaign: PlanCampaign, { sends }: PlanResult): PlanCampaign {
  const own = sends.filter(({ campaignId }) => campaignId === campaign.id)
  const byDomain = { ...campaign.usage.byDomain }
  for (const { counted: count } of own) byDomain[count.domain] = (byDomain[count.domain] ?? 0) + 1
  const claimedFirst = campaign.usage.claimedFirst + own.filter(({ counted: count }) => count.first).length
  return { ...campaign, usage: { claimed: campaign.usage.claimed + own.length, claimedFirst, byDomain } }
}

const untilNothing = ({ sends, leadHolds }: PlanResult) => sends.length + leadHolds.length > 0
const limits = fc.option(fc.integer({ min: 0, max: 6 }), { nil: null })

const worlds: fc.Arbitrary<World> = fc
  .record({
    campaigns: fc.array(
      fc.record({
        dailyLimit: limits,
        dailyNewLeadLimit: limits,
        maxPerRecipientDomainPerDay: limits,
        pool: fc.subarray([0, 1, 2], { minLength: 1 }),
        matching: fc.constantFrom('off', 'off', 'prefer', 'strict'),
      }),
      { minLength: 1, maxLength: 2 },
    ),
    senders: fc.array(
      fc.record({
        gap: fc.constantFrom(0, 60, 90),
        status: fc.constantFrom('active' as const, 'active' as const, 'paused' as const, 'connection_error' as const),
        dailyLimit: fc.integer({ min: 0, max: 8 }),
        waitsMinutes: fc.constantFrom(-1, 0, 2),
        provider: fc.constantFrom('google', 'microsoft'),
      }),
      { minLength: 3, maxLength: 3 },
    ),
    leads: fc.array(
      fc.record({
        campaign: fc.nat(1),
        sender: fc.constantFrom(null, null, 'snd_0', 'snd_1', 'snd_2'),
        position: fc.constantFrom(1, 2),
        retry: fc.boolean(),
        suppressed: fc.constantFrom(false, false, false, true),
        domain: fc.constantFrom('a.test', 'b.test'),
        provider: fc.constantFrom('google', 'microsoft', 'other', null),
      }),
      { maxLength: 30 },
    ),
    limit: fc.integer({ min: 1, max: 4 }),
  })
  .map((world) => ({
    limit: world.limit,
    campaigns: world.campaigns.map(({ pool, matching: providerMatching, ...caps }, index) =>
      makeCampaign({ id: `cmp_${index}`, caps, providerMatching, sendingAccountIds: pool.map((at) => `snd_${at}`) }),
    ),
    senders: world.senders.map(({ gap, status, dailyLimit, waitsMinutes, provider }, index) =>
      makeSender({
        id: `snd_${index}`,
        status,
        mailProvider: provider,
        dailyLimit,
        minGapSeconds: gap,
        maxGapSeconds: gap,
        nextSendAt: new Date(now.getTime() + waitsMinutes * minute),
        retryAt: status === 'connection_error' ? new Date(now.getTime() + 5 * minute) : null,
      }),
    ),
    leads: world.leads.map(({ campaign, sender, position, retry, suppressed, domain, provider }, index) =>
      makeLead({
        id: `led_${String(index).padStart(2, '0')}`,
        campaignId: `cmp_${campaign % world.campaigns.length}`,
        sendingAccountId: position === 1 ? (retry ? sender : null) : (sender ?? 'snd_0'),
        nextStepPosition: position,
        retry: position === 1 && retry,
        suppressed,
        emailDomain: domain,
        recipientProvider: provider,
        dueAt: new Date(now.getTime() - minute + index),
        attemptAt: new Date(now.getTime() - minute),
      }),
    ),
  }))

describe('planning with the oldest leads of each group', () => {
  test('sends the same, and as early, as planning until nothing is sent or held', () => {
    fc.assert(
      fc.property(worlds, (world) => {
        const eager = settle(world, untilNothing)
        const planned = settle(world, ({ hasMore }) => hasMore)
        expect(planned.sent).toEqual(eager.sent)
        expect(planned.next).toBeLessThanOrEqual(eager.next)
        expect(planned.calls).toBeLessThanOrEqual(eager.calls)
      }),
      { numRuns: 5_000 },
    )
  })

  test('reading only the leads that can be sent sends the same as reading whole pages', () => {
    fc.assert(
      fc.property(worlds, fc.integer({ min: 1, max: 12 }), (world, limit) => {
        const whole = settle({ ...world, limit }, ({ hasMore }) => hasMore)
        const few = settle({ ...world, limit }, ({ hasMore }) => hasMore, readSendable)
        expect(few.sent).toEqual(whole.sent)
        expect(few.next).toBeLessThanOrEqual(whole.next)
      }),
      { numRuns: 5_000 },
    )
  })

  test('needs one call when sender gaps hold the leads, however many leads wait', () => {
    const senders = ['snd_0', 'snd_1'].map((id) => makeSender({ id, minGapSeconds: 60, maxGapSeconds: 60 }))
    const campaigns = [makeCampaign({ id: 'cmp_0', sendingAccountIds: ['snd_0', 'snd_1'] })]
    const leads = Array.from({ length: 50 }, (_, index) =>
      makeLead({ id: `led_${index}`, campaignId: 'cmp_0', dueAt: new Date(now.getTime() - minute + index) }),
    )
    const run = settle({ campaigns, senders, leads, limit: 20 }, ({ hasMore }) => hasMore, readSendable)
    expect(run).toEqual({ sent: ['led_0 snd_0', 'led_1 snd_1'], next: now.getTime() + minute, calls: 1, looked: 6 })
  })
})
