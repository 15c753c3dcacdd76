import { differsByLead, resolveLocalDays, nextOpeningMs, type LocalDays } from '@overture/ground/time/sending-window.ts'
import { secondMs } from '@overture/ground/time/spans.ts'
import { mismatchEndMs, findTakers } from './matching/provider-matching.ts'
import { hasRoom, isInboxUnread, presentMs, readyMs, type SenderBudget } from './pacing.ts'
import {
  holdCampaign,
  holdLead,
  isNewLead,
  newLeadLimitReached,
  campaignSenders,
  type CampaignBudget,
  type PlanState,
  type Queue,
} from './plan-state.ts'
import type { GateName } from './plan.types.ts'

/** Records the gate that holds each remaining candidate, and finds the earliest time at which one of them can be sent. */
export function collectHolds(state: PlanState): void {
  for (const budget of state.campaigns.values()) {
    for (const [senderId, queue] of budget.bySender) {
      const sender = state.senders.get(senderId)
      holdRest(state, budget, { queue, senders: sender ? [sender] : [], senderId })
    }
    for (const [pool, queue] of budget.pools) holdPool(state, budget, { pool, queue })
  }
}

/** Holds the leads of a pool. Leads of a provider whose senders can't send today are held one by one, because other leads may be sent. */
function holdPool(state: PlanState, budget: CampaignBudget, { pool, queue }: { pool: string; queue: Queue }): void {
  const { nowMs } = state
  const senders = campaignSenders(state, budget)
  const takers = findTakers(budget.campaign, pool, { senders, nowMs })
  if (takers.isMismatch) {
    const endMs = mismatchEndMs(takers, nowMs)
    for (const lead of queue.leads.splice(queue.position)) holdLead(state, lead, 'provider_mismatch', endMs)
    return
  }
  if (state.cutPools.has(budget.campaign.id) && takers.senders.length < senders.length)
    stepAside(state, queue, takers.senders)
  holdRest(state, budget, { queue, senders: takers.senders, senderId: null })
}

/**
 * A plan reads only the oldest leads. Those that wait for the gaps of few senders would hide younger ones for other senders, so each of
 * them is held until its earliest possible turn.
 */
function stepAside(state: PlanState, queue: Queue, senders: readonly SenderBudget[]): void {
  const readyAtMs = Math.min(Infinity, ...senders.map((budget) => readyMs(budget, state.nowMs)))
  const gapMs = Math.min(Infinity, ...senders.map(({ sender }) => sender.minGapSeconds)) * secondMs
  if (gapMs === 0 || !Number.isFinite(readyAtMs + gapMs)) return
  const kept = queue.position + senders.length
  for (const [at, lead] of queue.leads.splice(kept).entries()) {
    const turns = Math.floor(at / senders.length) + 1
    holdLead(state, lead, 'sender_gap', Math.max(state.nowMs + gapMs, readyAtMs) + (turns - 1) * gapMs)
  }
}

interface WaitingQueue {
  queue: Queue
  senders: readonly SenderBudget[]
  senderId: string | null
}

interface HeldLead {
  reason: GateName
  atMs: number
}

function holdRest(state: PlanState, budget: CampaignBudget, waiting: WaitingQueue): void {
  const { queue } = waiting
  if (queue.position >= queue.leads.length) return
  const bySender = earliestSender(waiting.senders, state.nowMs)
  const held = new Map<string, { days: LocalDays; held: HeldLead }>()
  for (let index = queue.position; index < queue.leads.length; index++) {
    const lead = queue.leads[index]
    if (!lead) continue
    const days = resolveLocalDays(budget.campaign.schedule, lead)
    const isNew = isNewLead(lead)
    const key = `${days.zone} ${days.calendar} ${isNew}`
    if (!held.has(key)) held.set(key, { days, held: strongest(budget, isNew, bySender, state.nowMs) })
  }
  for (const { days, held: hold } of held.values()) {
    const { id, schedule } = budget.campaign
    const liftedMs = Math.max(hold.atMs, state.nowMs)
    const untilMs = nextOpeningMs(schedule, days, liftedMs)
    const senderId = ofSender.includes(hold.reason) ? waiting.senderId : null
    // Younger leads in other zones or countries may have an open window earlier.
    const lookAtMs = differsByLead(schedule) ? liftedMs : untilMs
    holdCampaign(state, { campaignId: id, senderId, reason: hold.reason, untilMs }, lookAtMs)
  }
}

/** The gates of a sender. The gates of `beforeCampaign` come before those of the campaign. */
const beforeCampaign: readonly GateName[] = ['sender_unavailable', 'inbox_not_read']
const ofSender: readonly GateName[] = [...beforeCampaign, 'sender_daily_limit', 'sender_gap']

// The first closed gate in the contract's order gives the reason. The time is the one at which all of them are open.
function strongest(budget: CampaignBudget, isNew: boolean, bySender: HeldLead, nowMs: number): HeldLead {
  const campaign = campaignCap(budget, isNew)
  if (!campaign) return { reason: bySender.reason, atMs: Math.max(bySender.atMs, nowMs) }
  const atMs = Math.max(campaign.atMs, bySender.atMs)
  return { reason: beforeCampaign.includes(bySender.reason) ? bySender.reason : campaign.reason, atMs }
}

function campaignCap(budget: CampaignBudget, isNew: boolean): HeldLead | null {
  const { dailyLimit, dailyNewLeadLimit } = budget.campaign.caps
  if (dailyLimit !== null && budget.claimed >= dailyLimit) {
    return { reason: 'daily_limit', atMs: dailyLimit > 0 ? budget.nextDayMs : Infinity }
  }
  if (isNew && newLeadLimitReached(budget)) {
    return { reason: 'new_lead_limit', atMs: (dailyNewLeadLimit ?? 0) > 0 ? budget.nextDayMs : Infinity }
  }
  return null
}

function earliestSender(senders: readonly SenderBudget[], nowMs: number): HeldLead {
  let atMs = Infinity
  let reason: GateName = 'sender_unavailable'
  for (const budget of senders) {
    atMs = Math.min(atMs, readyMs(budget, nowMs))
    reason = weaker(reason, budgetReason(budget, nowMs))
  }
  return { reason, atMs }
}

/** The gate that holds a sender. `maxSends` alone stopped a sender without a gate, so its next turn is now. */
function budgetReason(budget: SenderBudget, nowMs: number): GateName {
  if (budget.availableMs > nowMs)
    return presentMs(budget.sender) <= nowMs && isInboxUnread(budget.sender, nowMs)
      ? 'inbox_not_read'
      : 'sender_unavailable'
  return hasRoom(budget) ? 'sender_gap' : 'sender_daily_limit'
}

const strength: readonly GateName[] = ['sender_gap', 'sender_daily_limit', 'inbox_not_read', 'sender_unavailable']

// If a campaign has several senders, the reason of the sender that can send soonest is reported.
function weaker(a: GateName, b: GateName): GateName {
  return strength.indexOf(a) <= strength.indexOf(b) ? a : b
}
