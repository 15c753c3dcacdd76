import { later, putBack } from '../forecast-decisions.ts'
import { endLead, type Run } from '../forecast-state.ts'
import { taskEndsMs } from './plan-tasks.ts'
import type { LeadTask, PlanLead, PlanResult } from '../plan.types.ts'

/** Opens tasks and moves leads behind them. A forecast closes each task when it is due, without an outcome. */
export function applyTasks(run: Run, { tasks }: PlanResult): void {
  for (const { leadId, stepId, opens, move } of tasks) {
    const lead = run.open.get(leadId)
    if (!lead) continue
    if (move === null) {
      if (opens !== null) putBack(run, waitingLead(lead, stepId, openedTask(opens, run.nowMs)))
    } else if (move.next === null || move.dueAt === null) endLead(run, lead)
    else putBack(run, later(lead, { stepId: move.next.id, position: move.next.position, dueAt: move.dueAt }))
  }
}

function openedTask(opens: { dueAt: Date; expiresAt: Date | null; blocks: boolean }, nowMs: number): LeadTask {
  // The channel has no effect on the plan.
  return { ...opens, status: 'open', channel: 'other', openedAt: new Date(nowMs), closedAt: null }
}

function waitingLead(lead: PlanLead, stepId: string, task: LeadTask): PlanLead {
  const waiting = { ...task, closesAt: task.dueAt }
  return { ...lead, tasks: new Map(lead.tasks).set(stepId, waiting), attemptAt: new Date(taskEndsMs(waiting)) }
}

/** The lead whose open tasks will be closed when they are due. An overdue task is closed at the beginning of the forecast. */
export function withTasksClosed(lead: PlanLead, nowMs: number): PlanLead {
  if (lead.tasks === undefined) return lead
  const tasks = new Map(
    [...lead.tasks].map(([stepId, task]) => {
      const closesAt = new Date(Math.max(task.dueAt.getTime(), nowMs))
      return [stepId, task.status === 'open' ? { ...task, closesAt } : task] as const
    }),
  )
  return { ...lead, tasks, attemptAt: lead.dueAt }
}

/** Whether the lead waits for a task at the end of the forecast. */
export function waitsForTask(lead: PlanLead): boolean {
  return [...(lead.tasks?.values() ?? [])].some(({ status, blocks }) => status === 'open' && blocks)
}
