import { dueAfter } from '@overture/ground/time/sending-window.ts'
import { stepAfter } from '@overture/ground/paths/path.ts'
import { putBack } from './forecast-decisions.ts'
import { withTasksClosed } from './tasks/forecast-tasks.ts'
import { endLead, recovered, type Run } from './forecast-state.ts'
import type { PlanCampaign, PlanLead, PlannedSend, PlanResult, PlanSender } from './plan.types.ts'

/** Moves leads past the step whose message is in flight, and opens all other leads where they are. Returns the messages in flight. */
export function letGo(
  run: Run,
  { leads, leaving = [] }: { leads: readonly PlanLead[]; leaving?: readonly PlannedSend[] | undefined },
): PlannedSend[] {
  const onTheirWay = new Map(leaving.map((send) => [send.leadId, send]))
  const gone: PlannedSend[] = []
  for (const lead of leads) {
    const send = onTheirWay.get(lead.id)
    const campaign = run.campaigns.get(lead.campaignId)?.plan
    if (send === undefined || campaign?.steps.some(({ id }) => id === send.stepId) !== true) {
      putBack(run, withTasksClosed(lead, run.nowMs))
      continue
    }
    gone.push(send)
    moveOn(run, lead, campaign, send)
  }
  return gone
}

/** A sender with the budgets that it shares as they are now. */
export function withBudgets({ budgets }: Run, sender: PlanSender): PlanSender {
  if (sender.budgets === undefined) return sender
  return { ...sender, budgets: sender.budgets.map((budget) => budgets.get(budget.id) ?? budget) }
}

export function applySends(run: Run, result: PlanResult): void {
  for (const budget of result.budgets) run.budgets.set(budget.id, budget)
  // Messages that were sent before the forecast, by sender. Each uses a turn of its sender, but does not count for the day.
  const leftBefore = new Map<string, number>()
  for (const send of result.sends) {
    const lead = run.open.get(send.leadId)
    const campaign = run.campaigns.get(send.campaignId)
    if (!lead || !campaign) continue
    const isNew = lead.sentBefore?.has(send.stepId) !== true
    if (!isNew) {
      leftBefore.set(send.sendingAccountId, (leftBefore.get(send.sendingAccountId) ?? 0) + 1)
      giveBack(run, send)
    }
    if (isNew) campaign.usage.claimed++
    if (isNew && send.counted.first) campaign.usage.claimedFirst++
    if (isNew && campaign.plan.caps.maxPerRecipientDomainPerDay !== null) {
      campaign.usage.byDomain[lead.emailDomain] = (campaign.usage.byDomain[lead.emailDomain] ?? 0) + 1
    }
    if (isNew) run.contacts?.record(lead, run.nowMs)
    moveOn(run, lead, campaign.plan, send)
  }
  for (const update of result.senderUpdates) {
    const sender = run.senders.get(update.id)
    if (!sender) continue
    const claimedToday = update.claimedToday - (leftBefore.get(update.id) ?? 0)
    sender.plan = { ...sender.plan, ...update, claimedToday, status: recovered(sender.plan) }
  }
}

/** A message that left before takes nothing of a budget. */
function giveBack({ budgets }: Run, { counted }: PlannedSend): void {
  for (const id of counted.budgets ?? []) {
    const budget = budgets.get(id)
    if (budget) budgets.set(id, { ...budget, claimed: budget.claimed - 1 })
  }
}

function moveOn(run: Run, lead: PlanLead, campaign: PlanCampaign, send: PlannedSend): void {
  const step = campaign.steps.find(({ id }) => id === send.stepId)
  const next = step === undefined ? null : stepAfter(campaign.steps, step)
  if (!next) return endLead(run, lead)
  const leftAt = lead.sentBefore?.get(send.stepId) ?? new Date(run.nowMs)
  const dueAt = dueAfter(leftAt, next.waitBefore, campaign.schedule, lead)
  const later: PlanLead = {
    ...lead,
    missingVariables: lead.missingLater?.get(next.id) ?? [],
    sendingAccountId: send.sendingAccountId,
    nextStepPosition: next.position,
    untouched: false,
    dueAt,
    attemptAt: dueAt,
    retry: false,
  }
  putBack(run, later)
}
