import { dueAfter, resolveLocalDays, nextOpeningMs } from '@overture/ground/time/sending-window.ts'
import { parseDayNumber, startOfDayMs } from '@overture/ground/time/time-zone.ts'
import { decide, type Decision } from '@overture/ground/paths/decision.ts'
import { sendsNothing } from '@overture/ground/paths/path.ts'
import { leadsOn } from '@overture/ground/paths/place.ts'
import { holdCampaign, holdLead, type PlanState } from './plan-state.ts'
import type { PlanCampaign, PlanLead, PlannedDecision, PlanStep } from './plan.types.ts'

interface AtBranch {
  campaign: PlanCampaign
  step: PlanStep
  lead: PlanLead
}

/**
 * A decision waits only for its time and for its campaign to run. Before its time, only the branches that decide immediately are
 * evaluated. The lead was then offered because an event happened.
 */
export function decideFor(state: PlanState, at: AtBranch): void {
  const { campaign, lead } = at
  const untilMs = runsFromMs(campaign, lead, state.nowMs)
  if (untilMs > state.nowMs)
    return holdCampaign(state, { campaignId: campaign.id, senderId: null, reason: 'campaign_not_active', untilMs })
  const dueMs = lead.dueAt.getTime()
  const decided = decidedBefore(at) ?? decideNow(at, state.nowMs)
  if (decided === null) return holdLead(state, lead, 'wait_not_over', dueMs)
  state.decisions.push(toPlannedDecision(at, decided, state.nowMs))
  // The step after the branch may be due at once.
  state.nextPlanMs = state.nowMs
}

/** Returns the time from which the campaign runs. In a forecast, a campaign that waits for its first day counts as active from that day. */
export function runsFromMs({ status, schedule }: PlanCampaign, lead: PlanLead, nowMs: number): number {
  const { startDate, timezone } = schedule
  if (status === 'active') return startDate === null ? nowMs : startOfDayMs(timezone, parseDayNumber(startDate))
  return status === 'scheduled' ? nextOpeningMs(schedule, resolveLocalDays(schedule, lead), nowMs) : Infinity
}

function decideNow({ campaign, step, lead }: AtBranch, nowMs: number): (Decision & { again: false }) | null {
  if (lead.facts === undefined) return null
  const early = lead.dueAt.getTime() > nowMs
  const decision = decide({ steps: campaign.steps, step, facts: lead.facts }, { now: new Date(nowMs), early })
  return decision === null ? null : { ...decision, again: false }
}

function decidedBefore({ lead, step }: AtBranch): (Decision & { again: true }) | null {
  const decided = lead.decided?.get(step.id)
  return decided === undefined ? null : { ...decided, label: null, evidence: '', immediate: false, again: true }
}

function toPlannedDecision({ campaign, step, lead }: AtBranch, decided: Decision & { again: boolean }, nowMs: number) {
  const { next } = leadsOn(decided, step, campaign.steps)
  const dueAt = next === null ? null : dueAfter(new Date(nowMs), next.waitBefore, campaign.schedule, lead)
  return {
    ...decided,
    leadId: lead.id,
    campaignId: campaign.id,
    stepId: step.id,
    position: step.position,
    next: next === null ? null : { id: next.id, position: next.position, deciding: sendsNothing(next) },
    dueAt,
  } satisfies PlannedDecision
}
