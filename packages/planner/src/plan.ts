import { differsByLead, resolveLocalDays, nextOpeningMs } from '@overture/ground/time/sending-window.ts'
import { hasMore } from './cut-groups.ts'
import { paceMark } from './deliverability/pace.ts'
import { toBudget } from './deliverability/recipient-budget.ts'
import { budgetCount, countSend, isReady, openSenders, prefersNewLead, type SenderBudget } from './pacing.ts'
import { decideFor } from './plan-decisions.ts'
import { collectHolds } from './plan-holds.ts'
import { anyPool, leadPool, findTakers } from './matching/provider-matching.ts'
import { providerGate } from './matching/provider-gate.ts'
import {
  byAge,
  contactGate,
  domainClaims,
  holdCampaign,
  holdLead,
  isNewLead,
  movesFreely,
  newLeadLimitReached,
  openCampaign,
  ownGate,
  campaignSenders,
  toDate,
  type CampaignBudget,
  type PlanState,
  type Queue,
} from './plan-state.ts'
import { planTask } from './tasks/plan-tasks.ts'
import type { PlanInput, PlanLead, PlanResult, SenderUpdate } from './plan.types.ts'

/**
 * Decides which messages are sent now, from which sender, and which gate holds each of the others. Pure and deterministic; the
 * order of the candidates does not matter. Candidates may be cut to the oldest of each group (campaign and sender, or no
 * sender yet). `cutGroups` names such groups; then call again at the same `now` while `hasMore` is true.
 */
export function plan(input: PlanInput): PlanResult {
  const state = openState(input)
  for (const lead of input.candidates) admit(state, lead)
  for (const campaign of state.campaigns.values()) sortQueues(campaign)
  sendInRounds(state)
  collectHolds(state)
  return {
    sends: state.sends,
    decisions: state.decisions,
    tasks: state.tasks,
    budgets: [...new Set([...state.senders.values()].flatMap(({ shared }) => shared))].map(toBudget),
    senderUpdates: [...state.senders.values()].filter((budget) => budget.changed).map(toSenderUpdate),
    leadHolds: state.leadHolds,
    campaignHolds: [...state.holds.values()].map(({ untilMs, ...hold }) => ({ ...hold, until: toDate(untilMs) })),
    nextPlanAt: toDate(state.nextPlanMs),
    hasMore: hasMore(state, input),
  }
}

function openState(input: PlanInput): PlanState {
  const nowMs = input.now.getTime()
  return {
    nowMs,
    maxSends: input.maxSends,
    campaigns: new Map(input.campaigns.map((campaign) => [campaign.id, openCampaign(campaign, nowMs)])),
    senders: new Map(openSenders(input.senders, nowMs).map((budget) => [budget.sender.id, budget])),
    contacts: input.contacts?.fork() ?? null,
    cutPools: findCutPools(input),
    sends: [],
    decisions: [],
    tasks: [],
    leadHolds: [],
    holds: new Map(),
    nextPlanMs: Infinity,
  }
}

function findCutPools({ cutGroups }: PlanInput): Set<string> {
  const pools = [...(cutGroups?.values() ?? [])].filter(({ sendingAccountId }) => sendingAccountId === null)
  return new Set(pools.map(({ campaignId }) => campaignId))
}

/** Puts a candidate into the queue of its sender, or records the gate that holds it. */
function admit(state: PlanState, lead: PlanLead): void {
  const budget = state.campaigns.get(lead.campaignId)
  const step = budget?.steps.get(lead.nextStepPosition)
  if (!budget || !step) return
  if (step.type === 'branch' && lead.returned !== true)
    return decideFor(state, { campaign: budget.campaign, step, lead })
  if (step.type === 'task') return planTask(state, { campaign: budget.campaign, step, lead })
  const own = ownGate(state, lead)
  if (own) return holdLead(state, lead, own.gate, own.untilMs)
  const { campaign } = budget
  const days = resolveLocalDays(campaign.schedule, lead)
  if (campaign.status !== 'active') {
    const opens = campaign.status === 'scheduled' ? nextOpeningMs(campaign.schedule, days, state.nowMs) : Infinity
    return holdCampaign(state, {
      campaignId: campaign.id,
      senderId: null,
      reason: 'campaign_not_active',
      untilMs: opens,
    })
  }
  const provider = providerGate(state, budget, lead)
  if (provider) return holdLead(state, lead, provider.gate, provider.untilMs)
  const dueMs = Math.max(lead.dueAt.getTime(), lead.attemptAt.getTime())
  if (dueMs > state.nowMs) return holdLead(state, lead, 'wait_not_over', dueMs)
  const opensMs = nextOpeningMs(campaign.schedule, days, state.nowMs)
  if (opensMs > state.nowMs) {
    // If a campaign has leads in many zones or countries, each lead is held separately. Otherwise leads outside their window would block
    // leads inside it.
    if (differsByLead(campaign.schedule)) return holdLead(state, lead, 'outside_window', opensMs)
    return holdCampaign(state, { campaignId: campaign.id, senderId: null, reason: 'outside_window', untilMs: opensMs })
  }
  const contact = contactGate(state, lead)
  if (contact) return holdLead(state, lead, contact.gate, contact.untilMs)
  queueFor(state, budget, lead).leads.push(lead)
}

function queueFor(state: PlanState, budget: CampaignBudget, lead: PlanLead): Queue {
  const senderId = lead.sendingAccountId
  if (senderId === null || movesFreely(lead, state.senders.get(senderId), state.nowMs)) {
    const key = leadPool(budget.campaign, lead)
    const pool = budget.pools.get(key) ?? { leads: [], position: 0 }
    budget.pools.set(key, pool)
    return pool
  }
  const queue = budget.bySender.get(senderId) ?? { leads: [], position: 0 }
  budget.bySender.set(senderId, queue)
  return queue
}

function sortQueues(budget: CampaignBudget): void {
  for (const pool of budget.pools.values()) pool.leads.sort(byAge)
  for (const queue of budget.bySender.values()) queue.leads.sort(byAge)
}

// Each sender sends one message per round, so that new leads spread evenly even without gaps. The sender with the fewest
// messages today comes first.
function sendInRounds(state: PlanState): void {
  const senders = [...state.senders.values()].sort(
    (a, b) => a.claimed - b.claimed || (a.sender.id < b.sender.id ? -1 : 1),
  )
  for (let progress = true; progress;) {
    progress = false
    for (const budget of senders) {
      if (state.sends.length >= state.maxSends) return
      if (isReady(budget, state.nowMs) && sendOne(state, budget)) progress = true
    }
  }
}

/** Campaigns take turns on a sender by its send number. */
function sendOne(state: PlanState, sender: SenderBudget): boolean {
  const competing: { budget: CampaignBudget; own: Queue | null; fresh: Queue | null }[] = []
  for (const budget of state.campaigns.values()) {
    const queues = openQueues(state, budget, sender.sender.id)
    if (queues.own || queues.fresh) competing.push({ budget, ...queues })
  }
  if (competing.length === 0) return false
  competing.sort((a, b) => (a.budget.campaign.id < b.budget.campaign.id ? -1 : 1))
  const turn = competing[sender.sequence % competing.length]
  if (!turn) return false
  const newFirst = prefersNewLead(sender.sender.id, sender.sequence)
  const queue = newFirst ? (turn.fresh ?? turn.own) : (turn.own ?? turn.fresh)
  if (queue) claim(state, turn.budget, sender, queue)
  return true
}

function openQueues(
  state: PlanState,
  budget: CampaignBudget,
  senderId: string,
): { own: Queue | null; fresh: Queue | null } {
  const { caps } = budget.campaign
  if (caps.dailyLimit !== null && budget.claimed >= caps.dailyLimit) return { own: null, fresh: null }
  const own = budget.bySender.get(senderId)
  return {
    own: own && hasHead(state, budget, own) ? own : null,
    fresh: budget.campaign.sendingAccountIds.includes(senderId) ? oldestPool(state, budget, senderId) : null,
  }
}

/** The pool with the oldest lead that the sender may take. */
function oldestPool(state: PlanState, budget: CampaignBudget, senderId: string): Queue | null {
  let oldest: { queue: Queue; head: PlanLead } | null = null
  for (const [pool, queue] of budget.pools) {
    if (!mayTake(state, budget, { pool, senderId }) || !hasHead(state, budget, queue)) continue
    const head = queue.leads[queue.position]
    if (head && (oldest === null || byAge(head, oldest.head) < 0)) oldest = { queue, head }
  }
  return oldest?.queue ?? null
}

function mayTake(
  state: PlanState,
  budget: CampaignBudget,
  { pool, senderId }: { pool: string; senderId: string },
): boolean {
  if (pool === anyPool || state.senders.get(senderId)?.sender.mailProvider === pool) return true
  const takers = findTakers(budget.campaign, pool, { senders: campaignSenders(state, budget), nowMs: state.nowMs })
  return takers.senders.some(({ sender }) => sender.id === senderId)
}

/**
 * Skips leads to which messages of this call closed a gate. That is a gate of the contact policy, or the limit of the recipient domain,
 * which opens on the campaign's next day.
 */
function hasHead(state: PlanState, budget: CampaignBudget, queue: Queue): boolean {
  const { caps, schedule } = budget.campaign
  for (;;) {
    const lead = queue.leads[queue.position]
    if (!lead) return false
    if (isNewLead(lead) && newLeadLimitReached(budget)) {
      // Retries of a first message are in the same queue, and do not count as new.
      const retry = queue.leads.findIndex((other, index) => index > queue.position && !isNewLead(other))
      if (retry === -1) return false
      queue.leads.splice(queue.position, 0, ...queue.leads.splice(retry, 1))
      continue
    }
    const contact = contactGate(state, lead)
    if (contact) {
      holdLead(state, lead, contact.gate, contact.untilMs)
      queue.position++
      continue
    }
    if (caps.maxPerRecipientDomainPerDay === null || domainClaims(budget, lead) < caps.maxPerRecipientDomainPerDay)
      return true
    const opensMs = nextOpeningMs(schedule, resolveLocalDays(schedule, lead), budget.nextDayMs)
    holdLead(state, lead, 'recipient_domain_limit', caps.maxPerRecipientDomainPerDay > 0 ? opensMs : Infinity)
    queue.position++
  }
}

function claim(state: PlanState, budget: CampaignBudget, sender: SenderBudget, queue: Queue): void {
  const lead = queue.leads[queue.position]
  const step = lead && budget.steps.get(lead.nextStepPosition)
  if (!lead || !step) return
  queue.position++
  const first = isNewLead(lead)
  budget.claimed++
  if (first) budget.claimedFirst++
  budget.domains.set(lead.emailDomain, domainClaims(budget, lead) + 1)
  countSend(sender, state.nowMs)
  state.contacts?.record(lead, state.nowMs)
  state.sends.push({
    leadId: lead.id,
    campaignId: lead.campaignId,
    stepId: step.id,
    sendingAccountId: sender.sender.id,
    counted: {
      senderDay: sender.day,
      campaignDay: budget.day,
      first,
      domain: lead.emailDomain,
      ...budgetCount(sender, 1),
    },
  })
}

function toSenderUpdate(budget: SenderBudget): SenderUpdate {
  return {
    id: budget.sender.id,
    nextSendAt: toDate(budget.nextSendMs),
    sendSequence: budget.sequence,
    claimedToday: budget.claimed,
    ...(budget.pace !== null && {
      pace: { ...budget.pace, used: budget.claimed },
      paceRead: paceMark(budget.sender.pace),
    }),
  }
}
