import { isCampaign, sendsNothing } from '@overture/ground/paths/path.ts'
import { handOverAhead, type LeavingLead } from './forecast-hand-overs.ts'
import { endLead, type DecidedCount, type Run } from './forecast-state.ts'
import { gateOfDelivery, gateOfLead } from './plan-state.ts'
import type { GateName, PlanLead, PlannedDecision, PlanResult, PlanStep } from './plan.types.ts'

/** Whether a lead's next step sends nothing. */
export function isAtSilentStep(run: Run, lead: PlanLead): boolean {
  return sendsNothing(findNextStep(run, lead))
}

function findNextStep(run: Run, lead: PlanLead): PlanStep | undefined {
  const steps = run.campaigns.get(lead.campaignId)?.plan.steps
  return steps?.find((step) => step.position === lead.nextStepPosition)
}

/**
 * Puts a lead back into the queue. It waits for its time, or permanently if a gate holds it. A branch decides even if a gate holds the
 * lead, except that a person must first decide about a returned message. A task needs no text.
 */
export function putBack(run: Run, lead: PlanLead): void {
  run.open.set(lead.id, lead)
  const gate = gateAt(findNextStep(run, lead)?.type, lead)
  if (gate === null) run.future.push(lead)
  else run.stuck.set(lead.id, gate)
}

function gateAt(type: PlanStep['type'] | undefined, lead: PlanLead): GateName | null {
  if (type === 'task') return gateOfDelivery(lead)
  return type === 'branch' && lead.returned !== true ? null : gateOfLead(lead)
}

export function applyDecisions(run: Run, { decisions }: PlanResult): void {
  const leaving: LeavingLead[] = []
  for (const decision of decisions) {
    const lead = run.open.get(decision.leadId)
    if (!lead) continue
    if (!decision.again) count(run, decision)
    const { next, dueAt, goesTo } = decision
    if (next === null || dueAt === null) endLead(run, lead)
    else putBack(run, later(lead, { stepId: next.id, position: next.position, dueAt }))
    if (isCampaign(goesTo)) leaving.push({ lead, toCampaignId: goesTo })
  }
  for (const arrived of handOverAhead(run, leaving)) putBack(run, arrived)
}

/** The lead before its next step, when a step that sends nothing is behind it. */
export function later(lead: PlanLead, next: { stepId: string; position: number; dueAt: Date }): PlanLead {
  const { stepId, position, dueAt } = next
  const untouched = lead.nextStepPosition === 1 || lead.untouched === true
  const missingVariables = lead.missingLater?.get(stepId) ?? []
  return { ...lead, missingVariables, nextStepPosition: position, untouched, dueAt, attemptAt: dueAt, retry: false }
}

function count(run: Run, { campaignId, stepId, branchId }: PlannedDecision): void {
  const key = `${campaignId} ${stepId} ${branchId ?? ''}`
  const known = run.decided.get(key)
  if (known) known.count++
  else run.decided.set(key, { campaignId, stepId, branchId, count: 1 })
}

export function decidedBy(run: Run, campaignId: string | undefined): DecidedCount[] {
  const counts = [...run.decided.values()]
  return campaignId === undefined ? counts : counts.filter((one) => one.campaignId === campaignId)
}
