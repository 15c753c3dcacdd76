import { nextOpenDayMs, type LocalDays } from '@overture/ground/time/sending-window.ts'
import { open, shut, wallTime, type Judgement } from '../gate-judgement.ts'
import { taskEndsMs } from './plan-tasks.ts'
import type { GateName, LeadTask, PlanCampaign, PlanLead, PlanStep } from '../plan.types.ts'

interface AtTask {
  step: PlanStep
  lead: PlanLead
  campaign: PlanCampaign
  days: LocalDays
  nowMs: number
}

const delivery: readonly GateName[] = ['suppressed', 'delivery_uncertain', 'returned']

/** The gates before a task: those of the last message, then its time and its day. An open task holds only its lead. */
export function judgeAtTask<Facts extends AtTask>(
  gate: GateName,
  facts: Facts,
  judge: (facts: Facts) => Judgement,
): Judgement {
  const { lead, step, days } = facts
  if (delivery.includes(gate)) return judge(facts)
  const task = lead.tasks?.get(step.id)
  if (gate === 'waiting_for_task') return judgeOpenTask(task, days.zone)
  if (task === undefined && (gate === 'campaign_not_active' || gate === 'wait_not_over')) return judge(facts)
  if (task === undefined && gate === 'outside_window') return judgeDay(facts)
  return open('The next step is a task, which sends nothing.')
}

function judgeOpenTask(task: LeadTask | undefined, zone: string): Judgement {
  if (task === undefined) return open('The task is not open yet.')
  const { status, blocks, channel, assignee = null, openedAt, dueAt } = task
  if (status !== 'open') return open(`The task is ${status}.`)
  const name = channel.replace('_', ' ')
  const times = `open since ${wallTime(zone, openedAt.getTime())}`
  const person = assignee === null ? 'not assigned' : `assigned to ${assignee}`
  const detail = `Task (${name}): ${times}, ${person}, due ${wallTime(zone, dueAt.getTime())} in ${zone}.`
  return blocks ? shut(detail, taskEndsMs(task)) : open(detail)
}

function judgeDay({ campaign, days, nowMs }: AtTask): Judgement {
  const opensMs = nextOpenDayMs(campaign.schedule, days, nowMs)
  const clock = `${wallTime(days.zone, nowMs)} in ${days.zone}`
  if (opensMs === nowMs) return open(`A day with a window. It is ${clock}.`)
  if (opensMs === Infinity) return shut(`It is ${clock}, and the schedule has no window in the future.`)
  return shut(`A day without a window. It is ${clock}, and the task opens at ${wallTime(days.zone, opensMs)}.`, opensMs)
}
