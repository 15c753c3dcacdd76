import { dueAfter, type SendingSchedule } from '@overture/ground/time/sending-window.ts'
import { stepAfter } from '@overture/ground/paths/path.ts'
import { dayIn } from '@overture/ground/time/time-zone.ts'
import { plan } from '@overture/planner/plan.ts'
import type { ForecastState } from '@overture/planner/forecast-run.ts'
import type {
  PlanCampaign,
  PlanLead,
  PlannedDecision,
  PlannedSend,
  PlannedTask,
  PlanSender,
  PlanStep,
} from '@overture/planner/plan.types.ts'

/** Made-up campaigns, senders and leads for tests, and the simplest simulation of the planner over time. */

export const officeHours: SendingSchedule = {
  timezone: 'Europe/Berlin',
  useLeadTimezone: false,
  windows: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '09:00', to: '17:00' }],
  startDate: null,
  endDate: null,
  blackoutDates: [],
}

export function makeCampaign(fields: Partial<PlanCampaign> = {}): PlanCampaign {
  return {
    id: 'cmp_1',
    status: 'active',
    schedule: officeHours,
    caps: { dailyLimit: null, dailyNewLeadLimit: null, maxPerRecipientDomainPerDay: null },
    steps: [
      makeEmail({ id: 'stp_1', position: 1, waitBefore: { value: 0, unit: 'days' } }),
      makeEmail({ id: 'stp_2', position: 2, waitBefore: { value: 2, unit: 'days' } }),
    ],
    usage: { claimed: 0, claimedFirst: 0, byDomain: {} },
    sendingAccountIds: ['snd_1'],
    ...fields,
  }
}

/** A task step that is due after a day and blocks. */
export function makeTask(
  step: Pick<PlanStep, 'id' | 'position' | 'waitBefore'>,
  task: Partial<NonNullable<PlanStep['task']>> = {},
): PlanStep {
  const fields = { channel: 'call' as const, dueIn: { value: 1, unit: 'days' as const }, blocks: true, expiresIn: null }
  return { then: null, branches: [], ...step, type: 'task', task: { ...fields, ...task } }
}

/** An email step that continues with the next step. */
export function makeEmail(step: Pick<PlanStep, 'id' | 'position' | 'waitBefore'>): PlanStep {
  return { type: 'email', then: null, branches: [], ...step }
}

export function makeSender(fields: Partial<PlanSender> = {}): PlanSender {
  return {
    id: 'snd_1',
    status: 'active',
    timezone: 'Europe/Berlin',
    dailyLimit: 100,
    reservedPerDay: 0,
    rampUp: null,
    rampStartedAt: null,
    pace: null,
    claimedToday: 0,
    minGapSeconds: 0,
    maxGapSeconds: 0,
    nextSendAt: null,
    sendSequence: 0,
    heldUntil: null,
    retryAt: null,
    inboxReadAt: null,
    ...fields,
  }
}

export function makeLead(fields: Partial<PlanLead> & { dueAt: Date }): PlanLead {
  return {
    id: 'led_1',
    campaignId: 'cmp_1',
    sendingAccountId: null,
    timezone: null,
    country: null,
    emailDomain: 'acme.test',
    nextStepPosition: 1,
    retry: false,
    attemptAt: fields.dueAt,
    suppressed: false,
    missingVariables: [],
    awaitingApproval: false,
    uncertain: false,
    ...fields,
  }
}

export interface SimulatedSend extends PlannedSend {
  at: Date
  dueAt: Date
  position: number
}

export interface SimulationEnd {
  sends: SimulatedSend[]
  decisions: PlannedDecision[]
  tasks: PlannedTask[]
  /** Leads that still have a step ahead. */
  open: PlanLead[]
  calls: number
}

/**
 * Runs the planner at each due time until `until`, or until nothing more will happen. It passes whole lists and recounts the counters
 * from the log of sends: no index and no shortcut. A person closes each blocking task when it is due.
 */
export function simulate(state: ForecastState, until: Date, maxSendsPerCall = 1000): SimulationEnd {
  const log: SimulatedSend[] = []
  const decisions: PlannedDecision[] = []
  const tasks: PlannedTask[] = []
  let now = state.now
  let senders = state.senders.map((sender) => ({ ...sender }))
  const open = new Map(state.leads.map((lead) => [lead.id, lead]))
  let calls = 0
  while (now < until) {
    calls++
    closeDueTasks(open, now)
    const due = [...open.values()].filter((lead) => wake(lead) <= now.getTime())
    senders = senders.map((sender) => ({ ...sender, claimedToday: claimedBySender(state, log, sender, now) }))
    const campaigns = state.campaigns.map((campaign) => ({ ...campaign, usage: sumUsage(state, log, campaign, now) }))
    const result = plan({ now, campaigns, senders, candidates: due, maxSends: maxSendsPerCall })
    for (const send of result.sends) {
      const lead = open.get(send.leadId)
      const campaign = campaigns.find((one) => one.id === send.campaignId)
      if (!lead || !campaign) throw new Error('sent a lead that was not offered')
      log.push({ ...send, at: now, dueAt: lead.dueAt, position: lead.nextStepPosition })
      moveOn(open, lead, campaign, send, now)
    }
    for (const decision of result.decisions) {
      decisions.push(decision)
      moveByDecision(open, decision)
    }
    for (const task of result.tasks) {
      tasks.push(task)
      moveByTask(open, task, now)
    }
    for (const hold of result.leadHolds) {
      const lead = open.get(hold.leadId)
      if (lead) open.set(lead.id, { ...lead, attemptAt: hold.attemptAt ?? new Date(8.64e15) })
    }
    const shared = new Map(result.budgets.map((budget) => [budget.id, budget]))
    senders = senders.map((sender) => ({
      ...sender,
      ...result.senderUpdates.find((one) => one.id === sender.id),
      budgets: sender.budgets?.map((budget) => shared.get(budget.id) ?? budget),
    }))
    const times = [...open.values()]
      .flatMap((lead) => [wake(lead), ...dueTasks(lead)])
      .filter((at) => at > now.getTime())
    if (result.nextPlanAt) times.push(result.nextPlanAt.getTime())
    // A step without a wait is due at the same moment, and a task can be.
    if (result.sends.length + result.tasks.length > 0) times.push(now.getTime())
    const next = times.length > 0 ? times.reduce((a, b) => Math.min(a, b)) : Infinity
    if (next >= 8.64e15) break
    now = new Date(Math.max(next, now.getTime()))
  }
  return { sends: log, decisions, tasks, open: [...open.values()], calls }
}

function wake(lead: PlanLead): number {
  return Math.max(lead.dueAt.getTime(), lead.attemptAt.getTime())
}

function moveOn(
  open: Map<string, PlanLead>,
  lead: PlanLead,
  campaign: PlanCampaign,
  send: PlannedSend,
  now: Date,
): void {
  const step = campaign.steps.find(({ position }) => position === lead.nextStepPosition)
  const next = step && stepAfter(campaign.steps, step)
  if (!next) {
    open.delete(lead.id)
    return
  }
  const dueAt = dueAfter(now, next.waitBefore, campaign.schedule, lead)
  const sendingAccountId = send.sendingAccountId
  open.set(lead.id, {
    ...lead,
    sendingAccountId,
    nextStepPosition: next.position,
    untouched: false,
    dueAt,
    attemptAt: dueAt,
    retry: false,
  })
}

function moveByDecision(open: Map<string, PlanLead>, { leadId, next, dueAt }: PlannedDecision): void {
  const lead = open.get(leadId)
  if (!lead) throw new Error('decided for a lead that was not offered')
  if (next === null || dueAt === null) {
    open.delete(leadId)
    return
  }
  const untouched = lead.nextStepPosition === 1 || lead.untouched === true
  open.set(leadId, { ...lead, nextStepPosition: next.position, untouched, dueAt, attemptAt: dueAt })
}

function moveByTask(open: Map<string, PlanLead>, { leadId, stepId, opens, move }: PlannedTask, now: Date): void {
  const lead = open.get(leadId)
  if (!lead) throw new Error('opened a task for a lead that was not offered')
  if (move === null && opens !== null) {
    const task = { ...opens, status: 'open', channel: 'call', openedAt: now, closedAt: null } as const
    open.set(leadId, { ...lead, tasks: new Map(lead.tasks).set(stepId, task) })
  } else if (move?.next && move.dueAt) {
    const untouched = lead.nextStepPosition === 1 || lead.untouched === true
    const { next, dueAt } = move
    open.set(leadId, { ...lead, nextStepPosition: next.position, untouched, dueAt, attemptAt: dueAt })
  } else open.delete(leadId)
}

function dueTasks(lead: PlanLead): number[] {
  return [...(lead.tasks?.values() ?? [])].flatMap((task) => (task.status === 'open' ? task.dueAt.getTime() : []))
}

function closeDueTasks(open: Map<string, PlanLead>, now: Date): void {
  for (const lead of open.values()) {
    const tasks = new Map(lead.tasks)
    for (const [stepId, task] of tasks) {
      const expired = task.expiresAt !== null && task.expiresAt <= now
      if (task.status === 'open' && task.dueAt <= now && !expired)
        tasks.set(stepId, { ...task, status: 'done', closedAt: now })
    }
    const wakes = [...tasks].some(([stepId, { status }]) => status !== lead.tasks?.get(stepId)?.status)
    if (wakes) open.set(lead.id, { ...lead, tasks, attemptAt: now })
  }
}

function claimedBySender(state: ForecastState, log: SimulatedSend[], sender: PlanSender, now: Date): number {
  const today = dayIn(sender.timezone, now)
  const before = dayIn(sender.timezone, state.now) === today ? state.senders.find((one) => one.id === sender.id) : null
  const own = log.filter((send) => send.sendingAccountId === sender.id && dayIn(sender.timezone, send.at) === today)
  return (before?.claimedToday ?? 0) + own.length
}

function sumUsage(
  state: ForecastState,
  log: SimulatedSend[],
  campaign: PlanCampaign,
  now: Date,
): PlanCampaign['usage'] {
  const zone = campaign.schedule.timezone
  const today = dayIn(zone, now)
  const before = dayIn(zone, state.now) === today ? campaign.usage : null
  const own = log.filter((send) => send.campaignId === campaign.id && dayIn(zone, send.at) === today)
  const byDomain: Record<string, number> = { ...before?.byDomain }
  for (const send of own) byDomain[send.counted.domain] = (byDomain[send.counted.domain] ?? 0) + 1
  return {
    claimed: (before?.claimed ?? 0) + own.length,
    claimedFirst: (before?.claimedFirst ?? 0) + own.filter((send) => send.counted.first).length,
    byDomain,
  }
}
