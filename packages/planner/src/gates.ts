import { pathEnd } from '@overture/contract/vocabularies.ts'
import { judgeBranches } from '@overture/ground/paths/decision.ts'
import { stepAfter } from '@overture/ground/paths/path.ts'
import { holidayAt, resolveLocalDays, nextOpeningMs, type LocalDays } from '@overture/ground/time/sending-window.ts'
import { describeState } from './deliverability/pace.ts'
import { describeBudget, roomMs } from './deliverability/recipient-budget.ts'
import { judgeContact, type ContactBook, type ContactGate } from './contact-policy.ts'
import { open, shut, wallTime, type Judgement } from './gate-judgement.ts'
import { judgeProvider, pickSender, type ChosenSender } from './matching/chosen-sender.ts'
import { isInboxUnread, ownDailyLimit, presentMs } from './pacing.ts'
import { judgeAtTask } from './tasks/task-gates.ts'
import { domainClaims, isNewLead, newLeadLimitReached, openCampaign, toDate } from './plan-state.ts'
import {
  gateOrder,
  type GateName,
  type PlanCampaign,
  type PlanLead,
  type PlanSender,
  type PlanStep,
} from './plan.types.ts'

interface GateInput {
  now: Date
  lead: PlanLead
  campaign: PlanCampaign
  /** The campaign's senders, and the sender that the lead stays with. */
  senders: readonly PlanSender[]
  /** Null: the account has no contact policy. */
  contacts?: ContactBook | null
}

interface Gate extends Judgement {
  gate: GateName
}

interface Explanation {
  /** The first closed gate in the contract's order. Null if no gate holds the lead. */
  blockedReason: GateName | null
  /** Every gate, in the contract's order. */
  gates: Gate[]
  /** Null if no step is left. `at` is null if the step only follows after a change. */
  next: {
    stepId: string
    type: PlanStep['type']
    position: number
    at: Date | null
    sendingAccountId: string | null
    decision: ExplainedDecision | null
  } | null
}

/** The position of a lead that gets no more messages. No step has this position, so no gate reports a wait that ended long ago. */
export const noStepPosition = 0

/** Every gate between a lead and its next message, open or closed, with its numbers (docs/contract.md, "Leads", explain). Pure. */
export function explainGates(input: GateInput): Explanation {
  const facts = gather(input)
  const gates = gateOrder.map((gate) => ({ gate, ...judgeGate(gate, facts) }))
  const closed = gates.filter((gate) => !gate.passed)
  return { blockedReason: closed[0]?.gate ?? null, gates, next: facts.step && explainNext(facts, facts.step, closed) }
}

function explainNext(facts: Facts, step: PlanStep, closed: readonly Gate[]): Explanation['next'] {
  const never = closed.some((gate) => gate.until === null)
  const common = { stepId: step.id, type: step.type, position: step.position }
  if (step.type === 'email') {
    const at = never ? null : firstOpening(facts, closed)
    return { ...common, at, sendingAccountId: facts.sender?.sender.id ?? null, decision: null }
  }
  const atMs = Math.max(facts.nowMs, ...closed.map((gate) => gate.until?.getTime() ?? facts.nowMs))
  const decidesAt = never ? null : new Date(atMs)
  if (step.type === 'task') return { ...common, at: decidesAt, sendingAccountId: null, decision: null }
  const { campaign, lead, nowMs } = facts
  const branches = lead.facts === undefined ? [] : judgeBranches(step, lead.facts, new Date(nowMs))
  const otherwise = stepAfter(campaign.steps, step)?.id ?? pathEnd
  return { ...common, at: decidesAt, sendingAccountId: null, decision: { decidesAt, branches, otherwise } }
}

// A branch depends only on its time, on a running campaign and on a decision about a returned message. The gates that hold messages do not
// hold it.
function judgeGate(gate: GateName, facts: Facts): Judgement {
  const { step } = facts
  if (step?.type === 'task') return judgeAtTask(gate, { ...facts, step }, judges[gate])
  if (step?.type !== 'branch') return judges[gate](facts)
  if (gate === 'returned' || gate === 'campaign_not_active' || gate === 'wait_not_over') return judges[gate](facts)
  return open('The next step is a branch, which sends nothing.')
}

/** The decision that a branch would make at this moment. */
interface ExplainedDecision {
  decidesAt: Date | null
  branches: { branchId: string; label: string; holds: boolean; detail: string }[]
  otherwise: string
}

interface Facts extends ChosenSender {
  nowMs: number
  lead: PlanLead
  campaign: PlanCampaign
  budget: ReturnType<typeof openCampaign>
  step: PlanStep | null
  days: LocalDays
  contacts: ContactBook | null
}

function gather({ now, lead, campaign, senders, contacts = null }: GateInput): Facts {
  const nowMs = now.getTime()
  const budget = openCampaign(campaign, nowMs)
  return {
    nowMs,
    lead,
    campaign,
    budget,
    step: budget.steps.get(lead.nextStepPosition) ?? null,
    days: resolveLocalDays(campaign.schedule, lead),
    ...pickSender({ lead, campaign, senders }, nowMs),
    contacts,
  }
}

function firstOpening(facts: Facts, closed: readonly Gate[]): Date | null {
  const atMs = Math.max(facts.nowMs, ...closed.map((gate) => gate.until?.getTime() ?? facts.nowMs))
  return toDate(nextOpeningMs(facts.campaign.schedule, facts.days, atMs))
}

const judges: Record<GateName, (facts: Facts) => Judgement> = {
  suppressed: ({ lead }) =>
    lead.suppressed
      ? shut('The address or its domain is on the suppression list.')
      : open('Not on the suppression list.'),
  delivery_uncertain: ({ lead }) =>
    lead.uncertain
      ? shut('It is uncertain whether the last message was sent. Resolve it first.')
      : open('No delivery is in doubt.'),
  returned: ({ lead }) =>
    lead.returned === true
      ? shut('The last message was returned because of its sender. Choose whether to send it again.')
      : open('No message was returned because of its sender.'),
  in_conversation: (facts) => judgePolicy('in_conversation', facts),
  missing_variable: ({ lead }) =>
    lead.missingVariables.length > 0
      ? shut(`The lead has no value for ${lead.missingVariables.join(', ')}, and there is no default.`)
      : open('Every variable of the message has a value.'),
  address_check: ({ lead: { address } }) =>
    address?.passed === false
      ? shut(address.detail)
      : open(address?.detail ?? 'The campaign requires no verified addresses.'),
  awaiting_approval: ({ lead }) =>
    lead.awaitingApproval
      ? shut(
          lead.unwritten === true
            ? 'AI writes the text shortly before it is due.'
            : 'The text is waiting for approval.',
        )
      : open('No approval is needed.'),
  waiting_for_task: () => open('The next step is no task.'),
  campaign_not_active: judgeCampaign,
  sender_unavailable: judgeSender,
  inbox_not_read: judgeInbox,
  provider_mismatch: judgeProvider,
  wait_not_over: judgeWait,
  outside_window: judgeWindow,
  other_campaign: (facts) => judgePolicy('other_campaign', facts),
  person_limit: (facts) => judgePolicy('person_limit', facts),
  company_limit: (facts) => judgePolicy('company_limit', facts),
  daily_limit: judgeDailyLimit,
  new_lead_limit: judgeNewLeadLimit,
  sender_daily_limit: judgeSenderDailyLimit,
  recipient_domain_limit: judgeDomainLimit,
  sender_gap: judgeGap,
}

function judgePolicy(gate: ContactGate, { contacts, lead, step, nowMs }: Facts): Judgement {
  if (!contacts) return open('The account has no such contact policy.')
  if (!step) return open('The lead has no next message.')
  const { passed, detail, untilMs } = judgeContact(gate, { book: contacts, lead, nowMs })
  return passed ? open(detail) : shut(detail, untilMs)
}

function judgeCampaign({ campaign, days, nowMs }: Facts): Judgement {
  if (campaign.status === 'active') return open('The campaign is active.')
  const startsMs = campaign.status === 'scheduled' ? nextOpeningMs(campaign.schedule, days, nowMs) : Infinity
  return shut(`The campaign is ${campaign.status}.`, startsMs)
}

function judgeSender({ sender, nowMs }: Facts): Judgement {
  if (!sender) return shut('The campaign has no sending account for this lead.')
  const { id, status } = sender.sender
  const presentAtMs = presentMs(sender.sender)
  if (presentAtMs <= nowMs) return open(`${id} is ${status}.`)
  const held = sender.sender.heldUntil !== null && sender.sender.heldUntil.getTime() > nowMs
  const why = held && status === 'active' ? 'at the sending limit of its provider' : status
  return shut(`${id} is ${why}.`, presentAtMs)
}

function judgeInbox({ sender, nowMs }: Facts): Judgement {
  if (!sender) return open('There is no sending account whose mailbox could be read.')
  const { id, inboxReadAt } = sender.sender
  if (inboxReadAt === null) return open(`${id} has no mailbox to read.`)
  const detail = `The mailbox of ${id} was read at ${inboxReadAt.toISOString()}.`
  return isInboxUnread(sender.sender, nowMs) ? shut(detail) : open(detail)
}

function judgeWait({ lead, step, nowMs }: Facts): Judgement {
  if (!step) return open('The lead has no next message.')
  const dueMs = Math.max(lead.dueAt.getTime(), lead.retry ? lead.attemptAt.getTime() : -Infinity)
  const { value, unit } = step.waitBefore
  const wait = lead.retry ? 'a retry' : `a wait of ${value} ${unit.replace('_', ' ')}`
  const detail = `Step ${step.position}: ${wait}, over at ${new Date(dueMs).toISOString()}.`
  return dueMs > nowMs ? shut(detail, dueMs) : open(detail)
}

function judgeWindow({ campaign, days, nowMs }: Facts): Judgement {
  const { zone, calendar } = days
  const opensMs = nextOpeningMs(campaign.schedule, days, nowMs)
  const clock = `${wallTime(zone, nowMs)} in ${zone}`
  if (opensMs === nowMs) return open(`Open. It is ${clock}.`)
  const holiday = holidayAt(campaign.schedule, days, nowMs)
  const closed = holiday === null ? 'Closed' : `Closed: ${holiday} in ${calendar}`
  if (opensMs === Infinity) return shut(`${closed}. It is ${clock}, and the schedule has no window in the future.`)
  return shut(`${closed}. It is ${clock}, and the window opens at ${wallTime(zone, opensMs)}.`, opensMs)
}

function judgeDailyLimit({ campaign, budget }: Facts): Judgement {
  const limit = campaign.caps.dailyLimit
  if (limit === null) return open(`${budget.claimed} today, no limit.`)
  const detail = `${budget.claimed} of ${limit} messages of the campaign on ${budget.day}.`
  return budget.claimed < limit ? open(detail) : shut(detail, limit > 0 ? budget.nextDayMs : Infinity)
}

function judgeNewLeadLimit({ lead, campaign, budget }: Facts): Judgement {
  const limit = campaign.caps.dailyNewLeadLimit
  if (!isNewLead(lead)) return open('Not a new lead.')
  if (limit === null) return open(`${budget.claimedFirst} new leads today, no limit.`)
  const detail = `${budget.claimedFirst} of ${limit} new leads on ${budget.day}.`
  return newLeadLimitReached(budget) ? shut(detail, limit > 0 ? budget.nextDayMs : Infinity) : open(detail)
}

function judgeSenderDailyLimit({ sender, nowMs }: Facts): Judgement {
  if (!sender) return open('There is no sending account to count for.')
  const limit = ownDailyLimit(sender.sender)
  const { reservedPerDay } = sender.sender
  const notes = [
    ...(sender.allowance < limit ? [`ramp-up to ${limit}`] : []),
    ...describeState(sender.pace, sender.sender.timezone),
    ...(reservedPerDay > 0 ? [`${reservedPerDay} reserved for another tool`] : []),
  ]
  const note = notes.length === 0 ? '' : ` (${notes.join(', ')})`
  const detail = `${sender.claimed} of ${sender.allowance}${note} messages of ${sender.sender.id} on ${sender.day}.`
  if (sender.claimed >= sender.allowance) return shut(detail, limit > 0 ? sender.nextDayMs : Infinity)
  const full = sender.shared.find(({ budget, claimed }) => claimed >= budget.limit)
  if (full !== undefined) return shut(`${describeBudget(full)}.`, roomMs(sender.shared, nowMs))
  return open([detail, ...sender.shared.map((one) => `${describeBudget(one)}.`)].join(' '))
}

function judgeDomainLimit({ lead, campaign, budget }: Facts): Judgement {
  const limit = campaign.caps.maxPerRecipientDomainPerDay
  if (limit === null) return open('No limit per recipient domain.')
  const claimed = domainClaims(budget, lead)
  const detail = `${claimed} of ${limit} messages to ${lead.emailDomain} on ${budget.day}.`
  return claimed < limit ? open(detail) : shut(detail, limit > 0 ? budget.nextDayMs : Infinity)
}

function judgeGap({ sender, nowMs }: Facts): Judgement {
  if (!sender) return open('There is no sending account to wait for.')
  const { id, minGapSeconds, maxGapSeconds } = sender.sender
  const gap = `gap of ${minGapSeconds} to ${maxGapSeconds} s`
  if (sender.nextSendMs <= nowMs) return open(`${id} can send now (${gap}).`)
  return shut(`${id} sends next at ${new Date(sender.nextSendMs).toISOString()} (${gap}).`, sender.nextSendMs)
}
