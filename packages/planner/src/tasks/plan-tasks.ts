import { sendsNothing, stepAfter } from '@overture/ground/paths/path.ts'
import { dueAfter, resolveLocalDays, nextOpenDayMs } from '@overture/ground/time/sending-window.ts'
import { runsFromMs } from '../plan-decisions.ts'
import { gateOfDelivery, holdCampaign, holdLead, type PlanState } from '../plan-state.ts'
import type { LeadTask, PlanCampaign, PlanLead, PlannedTask, PlanStep } from '../plan.types.ts'

interface AtTask {
  campaign: PlanCampaign
  step: PlanStep
  lead: PlanLead
}

/**
 * Opens the task of a lead once: when its wait is over, its campaign runs and the day has a window. A lead whose task is closed, or
 * never blocked, continues. A lead that waits for its task is held.
 */
export function planTask(state: PlanState, at: AtTask): void {
  const { campaign, step, lead } = at
  const delivery = gateOfDelivery(lead)
  if (delivery !== null) return holdLead(state, lead, delivery, Infinity)
  const task = lead.tasks?.get(step.id)
  if (task !== undefined) return waitFor(state, at, task)
  const runsMs = runsFromMs(campaign, lead, state.nowMs)
  if (runsMs > state.nowMs)
    return holdCampaign(state, {
      campaignId: campaign.id,
      senderId: null,
      reason: 'campaign_not_active',
      untilMs: runsMs,
    })
  const dueMs = lead.dueAt.getTime()
  if (dueMs > state.nowMs) return holdLead(state, lead, 'wait_not_over', dueMs)
  const opensMs = nextOpenDayMs(campaign.schedule, resolveLocalDays(campaign.schedule, lead), state.nowMs)
  if (opensMs > state.nowMs) return holdLead(state, lead, 'outside_window', opensMs)
  openTask(state, at)
}

/** The time when an open task ends without a person: it expires, or a forecast closes it. Infinity if a person must close it. */
export function taskEndsMs({ expiresAt, closesAt }: LeadTask): number {
  return Math.min(expiresAt?.getTime() ?? Infinity, closesAt?.getTime() ?? Infinity)
}

function waitFor(state: PlanState, at: AtTask, task: LeadTask): void {
  const { lead } = at
  const waits = task.status === 'open' && task.blocks
  const endsMs = taskEndsMs(task)
  if (waits && endsMs > state.nowMs) return holdLead(state, lead, 'waiting_for_task', endsMs)
  const since = waits ? new Date(state.nowMs) : (task.closedAt ?? task.openedAt)
  const expires = waits && (task.expiresAt?.getTime() ?? Infinity) <= state.nowMs
  push(state, at, { opens: null, expires, move: moveFrom(at, since) })
}

function openTask(state: PlanState, at: AtTask): void {
  const { campaign, step, lead } = at
  const { task } = step
  if (task === undefined) return
  const now = new Date(state.nowMs)
  const { blocks, dueIn, expiresIn } = task
  const dueAt = dueAfter(now, dueIn, campaign.schedule, lead)
  const expiresAt = expiresIn === null ? null : dueAfter(now, expiresIn, campaign.schedule, lead)
  push(state, at, {
    opens: { dueAt, expiresAt, blocks },
    expires: false,
    move: blocks ? null : moveFrom(at, now),
  })
}

function moveFrom({ campaign, step, lead }: AtTask, since: Date): NonNullable<PlannedTask['move']> {
  const next = stepAfter(campaign.steps, step)
  if (next === null) return { next: null, dueAt: null }
  return {
    next: { id: next.id, position: next.position, deciding: sendsNothing(next) },
    dueAt: dueAfter(since, next.waitBefore, campaign.schedule, lead),
  }
}

function push(
  state: PlanState,
  { campaign, step, lead }: AtTask,
  planned: Pick<PlannedTask, 'opens' | 'expires' | 'move'>,
): void {
  const { id: stepId, position } = step
  state.tasks.push({ leadId: lead.id, campaignId: campaign.id, stepId, position, ...planned })
  const lookAtMs = planned.move === null ? (planned.opens?.expiresAt?.getTime() ?? Infinity) : state.nowMs
  state.nextPlanMs = Math.min(state.nextPlanMs, lookAtMs)
}
