import { dayNumberAt } from '@overture/ground/time/time-zone.ts'
import { countDay, buildForecast, type Day, type Forecast } from './forecast-days.ts'
import type { ContactBook } from './contact-policy.ts'
import { MinHeap } from './forecast-queue.ts'
import { copyCampaign, ReadyGroup } from './forecast-lines.ts'
import { hasFreeSender, rememberHolds, wakeMs, type Offer, type Run } from './forecast-state.ts'
import { readOn } from './pacing.ts'
import { applyDecisions, decidedBy, isAtSilentStep } from './forecast-decisions.ts'
import { countHandOvers } from './forecast-hand-overs.ts'
import { applySends, letGo, withBudgets } from './forecast-moves.ts'
import { applyTasks, waitsForTask } from './tasks/forecast-tasks.ts'
import { isNewLead } from './plan-state.ts'
import { leadPool } from './matching/provider-matching.ts'
import { plan } from './plan.ts'
import type {
  CampaignUsage,
  GateName,
  PlanCampaign,
  PlanLead,
  PlannedSend,
  PlanResult,
  PlanSender,
} from './plan.types.ts'

/** A copy of what the planner would load, with every lead that has a step left, due now or later. */
export interface ForecastState {
  now: Date
  campaigns: readonly PlanCampaign[]
  senders: readonly PlanSender[]
  leads: readonly PlanLead[]
  /** Messages in flight of these leads. Their day already counts them. */
  leaving?: readonly PlannedSend[]
  contacts?: ContactBook | null
}

export type OnSend = (send: PlannedSend, atMs: number) => void
export type OnLeft = (lead: PlanLead, reason: GateName) => void

interface ForecastOptions {
  /** The end of the forecast: nothing is planned at or after this time. */
  until: Date
  /** The largest number of messages. */
  maxSends: number
  /** Counts only this campaign. The other campaigns still use their share of the senders. */
  campaignId?: string
  /** Called for every message, also of other campaigns. */
  onSend?: OnSend | undefined
  /** Called at the end for every lead that does not get all its messages, with the gate that holds it. */
  onLeft?: OnLeft | undefined
}

/** Runs the planner ahead in virtual time, for leads that do nothing (docs/contract.md, "Campaigns"). Pure. */
export function runForecast(state: ForecastState, options: ForecastOptions): Forecast {
  const steps = forecastInSteps(state, options)
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

/** The same run, with a pause after each plan, so that a long forecast does not block the event loop. */
export function* forecastInSteps(state: ForecastState, options: ForecastOptions): Generator<void, Forecast, void> {
  const days = new Map<string, Day>()
  const run = openRun(state)
  const count = (send: PlannedSend): void => {
    options.onSend?.(send, run.nowMs)
    if (options.campaignId === undefined || send.campaignId === options.campaignId) countDay(days, send)
  }
  for (const send of letGo(run, state)) count(send)
  // A message that was sent before is not sent again: its lead only moves to the next step.
  const sentBefore = new Map(state.leads.map((lead) => [lead.id, lead.sentBefore]))
  let sent = 0
  while (sent < options.maxSends && run.nowMs < options.until.getTime()) {
    const result = planOnce(run, options.maxSends - sent)
    for (const send of result.sends) {
      sent++
      if (sentBefore.get(send.leadId)?.has(send.stepId)) continue
      count(send)
    }
    if (!advance(run, result)) break
    yield
  }
  const { campaignId } = options
  return {
    ...buildForecast(days, leftReasons(run, options), decidedBy(run, campaignId)),
    ...countHandOvers(run, campaignId),
  }
}

// A sender with a gap sends one message per plan. A sender without a gap needs this many candidates, which are still planned in
// microseconds.
const batchWithoutGap = 50

function openRun(state: ForecastState): Run {
  const nowMs = state.now.getTime()
  const run: Run = {
    nowMs,
    campaigns: new Map(state.campaigns.map((campaign) => [campaign.id, copyCampaign(campaign, nowMs)])),
    senders: new Map(
      state.senders.map((sender) => [
        sender.id,
        { plan: { ...sender, ...readOn(sender, nowMs) }, dayNumber: dayNumberAt(sender.timezone, nowMs) },
      ]),
    ),
    future: new MinHeap((a, b) => wakeMs(a) < wakeMs(b)),
    ready: new Map(),
    asides: new MinHeap((a, b) => a.atMs < b.atMs),
    open: new Map(),
    stuck: new Map(),
    lastHold: new Map(),
    batchFactor: 1,
    deciding: [],
    decided: new Map(),
    handedOver: { leftCounts: new Map(), came: new Map(), addresses: new Map(), count: 0 },
    contacts: state.contacts?.fork() ?? null,
    budgets: new Map(),
    waiting: new Map(),
  }
  // The provider of such a lead is still being looked up, and a forecast does not guess it.
  for (const lead of state.leads)
    run.open.set(lead.id, lead.recipientProvider === null ? { ...lead, recipientProvider: 'unknown' } : lead)
  return run
}

function planOnce(run: Run, maxSends: number): PlanResult {
  rollDays(run)
  wake(run)
  for (;;) {
    const offers = takeOffers(run)
    const result = plan({
      now: new Date(run.nowMs),
      campaigns: [...run.campaigns.values()].map((campaign) => campaign.plan),
      senders: [...run.senders.values()].map((sender) => withBudgets(run, sender.plan)),
      candidates: [...offers.flatMap((offer) => offer.leads), ...run.deciding],
      contacts: run.contacts,
      maxSends,
    })
    const settled = new Set([...result.sends, ...result.leadHolds].map(({ leadId }) => leadId))
    const emptied = offers.filter((offer) => offer.cut && offer.leads.every((lead) => settled.has(lead.id)))
    const ranOut = emptied.some((offer) => offer.group.wouldGoOn(countClaims(offer, result)))
    run.batchFactor = ranOut ? run.batchFactor * 2 : 1
    // The turns of the senders depend on the groups that have leads. So if a group ran out of leads, a plan with more leads may differ.
    const counts = !ranOut || result.sends.length === 0
    for (const { leads, group } of offers) {
      for (const lead of leads) if (!counts || !settled.has(lead.id)) group.push(lead)
    }
    if (!counts) continue
    run.deciding = []
    applySends(run, result)
    applyDecisions(run, result)
    applyTasks(run, result)
    applyHolds(run, result)
    for (const { group } of emptied) group.rest(run.nowMs)
    return ranOut ? { ...result, nextPlanAt: new Date(run.nowMs) } : result
  }
}

// The other leads of the group are younger than the offered leads. So only the claims of the offered leads certainly come first.
function countClaims({ group, leads }: Offer, { sends }: PlanResult): Map<string, number> {
  const claims = new Map<string, number>()
  if (!group.countsDomains) return claims
  const sent = new Set(sends.map(({ leadId }) => leadId))
  for (const lead of leads) {
    if (sent.has(lead.id)) claims.set(lead.emailDomain, (claims.get(lead.emailDomain) ?? 0) + 1)
  }
  return claims
}

function rollDays(run: Run): void {
  for (const campaign of run.campaigns.values()) {
    const day = dayNumberAt(campaign.plan.schedule.timezone, run.nowMs)
    if (day === campaign.dayNumber) continue
    campaign.dayNumber = day
    campaign.usage = { claimed: 0, claimedFirst: 0, byDomain: {} }
    campaign.plan = { ...campaign.plan, usage: campaign.usage satisfies CampaignUsage }
  }
  for (const sender of run.senders.values()) {
    const day = dayNumberAt(sender.plan.timezone, run.nowMs)
    if (day === sender.dayNumber) continue
    sender.dayNumber = day
    sender.plan = { ...sender.plan, claimedToday: 0 }
  }
}

function wake(run: Run): void {
  for (let aside = run.asides.peek(); aside && aside.atMs <= run.nowMs; aside = run.asides.peek()) {
    run.asides.pop()
    aside.end()
  }
  for (let lead = run.future.peek(); lead && wakeMs(lead) <= run.nowMs; lead = run.future.peek()) {
    run.future.pop()
    if (isAtSilentStep(run, lead)) run.deciding.push(lead)
    else findGroup(run, lead)?.push(lead)
  }
}

function findGroup(run: Run, lead: PlanLead): ReadyGroup | undefined {
  const senderId = lead.sendingAccountId
  const campaign = run.campaigns.get(lead.campaignId)
  const pool = campaign === undefined ? '' : leadPool(campaign.plan, lead)
  const key = `${lead.campaignId} ${senderId ?? ''} ${isNewLead(lead)} ${pool}`
  const known = run.ready.get(key)
  if (known !== undefined || campaign === undefined) return known
  const group = new ReadyGroup({ campaign, senderId, asides: run.asides })
  run.ready.set(key, group)
  return group
}

function takeOffers(run: Run): Offer[] {
  const poolSize = (run.senders.size + 1 + (hasFreeSender(run) ? batchWithoutGap : 0)) * run.batchFactor
  return [...run.ready.values()].map((group) => {
    const sender = group.senderId === null ? undefined : run.senders.get(group.senderId)?.plan
    const ownSize = (sender?.minGapSeconds === 0 ? batchWithoutGap : 2) * run.batchFactor
    return { group, ...group.take(group.senderId === null ? poolSize : ownSize, run.nowMs) }
  })
}

function applyHolds(run: Run, result: PlanResult): void {
  const resting = new Set<ReadyGroup>()
  for (const hold of result.leadHolds) {
    const lead = run.open.get(hold.leadId)
    if (!lead) continue
    const group = hold.reason === 'recipient_domain_limit' ? findGroup(run, lead) : undefined
    if (group !== undefined) {
      group.push(lead)
      resting.add(group)
      continue
    }
    if (hold.reason === 'other_campaign') {
      run.stuck.set(lead.id, hold.reason)
      const key = lead.person ?? ''
      run.waiting.set(key, [...(run.waiting.get(key) ?? []), lead])
      continue
    }
    if (!hold.attemptAt) {
      run.stuck.set(lead.id, hold.reason)
      continue
    }
    const held = { ...lead, attemptAt: hold.attemptAt }
    run.open.set(lead.id, held)
    run.future.push(held)
  }
  for (const group of resting) group.rest(run.nowMs)
  rememberHolds(run, result.campaignHolds)
}

/** Moves the clock to the next time at which something can happen. Returns false if nothing can happen any more. */
function advance(run: Run, result: PlanResult): boolean {
  const due = run.future.peek()
  const nextMs = Math.min(
    result.nextPlanAt?.getTime() ?? Infinity,
    due ? wakeMs(due) : Infinity,
    run.asides.peek()?.atMs ?? Infinity,
  )
  const idle = result.sends.length + result.leadHolds.length + result.decisions.length + result.tasks.length === 0
  if (nextMs === Infinity || (idle && nextMs <= run.nowMs)) return false
  run.nowMs = Math.max(run.nowMs, nextMs)
  return true
}

function leftReasons(
  run: Run,
  { campaignId, onLeft }: Pick<ForecastOptions, 'campaignId' | 'onLeft'>,
): Map<GateName, number> {
  const reasons = new Map<GateName, number>()
  for (const lead of run.open.values()) {
    if (campaignId !== undefined && lead.campaignId !== campaignId) continue
    const reason = waitingReason(run, lead)
    onLeft?.(lead, reason)
    reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
  }
  return reasons
}

function waitingReason(run: Run, lead: PlanLead): GateName {
  const stuck = run.stuck.get(lead.id)
  if (stuck) return stuck
  if (isAtSilentStep(run, lead) && waitsForTask(lead)) return 'waiting_for_task'
  if (wakeMs(lead) > run.nowMs) return 'wait_not_over'
  return (
    findGroup(run, lead)?.heldBy(lead) ??
    run.lastHold.get(`${lead.campaignId} ${lead.sendingAccountId ?? ''}`) ??
    run.lastHold.get(lead.campaignId) ??
    'wait_not_over'
  )
}
