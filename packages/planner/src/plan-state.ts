import { dayName, dayNumberAt, startOfDayMs } from '@overture/ground/time/time-zone.ts'
import { closedContactGate, judgeContact, otherCampaignRecheckMs, type ContactBook } from './contact-policy.ts'
import type { SenderBudget } from './pacing.ts'
import type {
  GateName,
  LeadHold,
  PlanCampaign,
  PlanLead,
  PlannedDecision,
  PlannedSend,
  PlannedTask,
  PlanStep,
} from './plan.types.ts'

/** A campaign's counters, counted up as sends are planned. */
export interface CampaignBudget {
  campaign: PlanCampaign
  steps: ReadonlyMap<number, PlanStep>
  /** `YYYY-MM-DD` of the schedule's zone. */
  day: string
  nextDayMs: number
  claimed: number
  claimedFirst: number
  /** The claims of domains in this call. Earlier claims are in the campaign's usage. */
  domains: Map<string, number>
  /** Due leads that can be sent, oldest first, by the sender that they stay with. */
  bySender: Map<string, Queue>
  /** Leads without a sender, by the pool of `provider-matching.ts`. */
  pools: Map<string, Queue>
}

export interface Queue {
  leads: PlanLead[]
  /** The leads before this position are sent or held. */
  position: number
}

/** The working state of one call. Times are in ms. */
export interface PlanState {
  nowMs: number
  maxSends: number
  campaigns: Map<string, CampaignBudget>
  senders: Map<string, SenderBudget>
  /** Null: the account has no contact policy. */
  contacts: ContactBook | null
  /** Campaigns that have more due leads without a sender than the candidates contain. */
  cutPools: ReadonlySet<string>
  sends: PlannedSend[]
  decisions: PlannedDecision[]
  tasks: PlannedTask[]
  leadHolds: LeadHold[]
  /** Holds by campaign, sender and reason. */
  holds: Map<string, { campaignId: string; senderId: string | null; reason: GateName; untilMs: number }>
  nextPlanMs: number
}

/** Reads a campaign's counters for the day of `nowMs`. */
export function openCampaign(campaign: PlanCampaign, nowMs: number): CampaignBudget {
  const { timezone } = campaign.schedule
  const day = dayNumberAt(timezone, nowMs)
  return {
    campaign,
    steps: new Map(campaign.steps.map((step) => [step.position, step])),
    day: dayName(day),
    nextDayMs: startOfDayMs(timezone, day + 1),
    claimed: campaign.usage.claimed,
    claimedFirst: campaign.usage.claimedFirst,
    domains: new Map(),
    bySender: new Map(),
    pools: new Map(),
  }
}

/** The gates that only a change of the lead itself can open. */
export function gateOfLead(lead: PlanLead): GateName | null {
  return gateOfDelivery(lead) ?? gateOfText(lead)
}

/** The gates of the last message and of the recipient's address. They also hold steps that send nothing. */
export function gateOfDelivery(lead: PlanLead): GateName | null {
  if (lead.suppressed) return 'suppressed'
  if (lead.uncertain) return 'delivery_uncertain'
  return lead.returned === true ? 'returned' : null
}

function gateOfText(lead: PlanLead): GateName | null {
  if (lead.missingVariables.length > 0) return 'missing_variable'
  if (lead.address?.passed === false) return 'address_check'
  return lead.awaitingApproval ? 'awaiting_approval' : null
}

interface ClosedGate {
  gate: GateName
  untilMs: number
}

/** The first closed gate of the lead, among the gates that come before those of its campaign. */
export function ownGate({ contacts, nowMs }: PlanState, lead: PlanLead): ClosedGate | null {
  const delivery = gateOfDelivery(lead)
  if (delivery !== null) return { gate: delivery, untilMs: Infinity }
  const conversation = contacts && judgeContact('in_conversation', { book: contacts, lead, nowMs })
  if (conversation?.passed === false) return { gate: 'in_conversation', untilMs: conversation.untilMs }
  const text = gateOfText(lead)
  return text && { gate: text, untilMs: Infinity }
}

/** The first closed gate of the contact policy among those after the sending window, and the time of the next check. */
export function contactGate({ contacts, nowMs }: PlanState, lead: PlanLead): ClosedGate | null {
  const closed = contacts && closedContactGate(contacts, lead, nowMs)
  return closed && { gate: closed.gate, untilMs: Math.min(closed.untilMs, recheckMs(closed.gate, nowMs)) }
}

function recheckMs(gate: GateName, nowMs: number): number {
  return gate === 'other_campaign' ? nowMs + otherCampaignRecheckMs : Infinity
}

/**
 * Returns whether any sender may send to the lead. This is so if the lead has no sender, if its sender was deleted, or if its sender can't
 * send and has no thread with the lead.
 */
export function movesFreely(lead: PlanLead, sender: SenderBudget | undefined, nowMs: number): boolean {
  if (lead.sendingAccountId === null || sender === undefined) return true
  return isFirst(lead) && lead.bound !== true && sender.availableMs > nowMs
}

/** Oldest first, then by id. */
export function byAge(a: PlanLead, b: PlanLead): number {
  return a.dueAt.getTime() - b.dueAt.getTime() || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
}

/** Whether the message counts towards the new-lead limit: it is a first message and no retry. */
export function isNewLead(lead: PlanLead): boolean {
  return isFirst(lead) && !lead.retry
}

/** Whether no message was sent to the lead yet. */
export function isFirst(lead: PlanLead): boolean {
  return lead.nextStepPosition === 1 || lead.untouched === true
}

export function newLeadLimitReached(budget: CampaignBudget): boolean {
  const limit = budget.campaign.caps.dailyNewLeadLimit
  return limit !== null && budget.claimedFirst >= limit
}

export function domainClaims(budget: CampaignBudget, lead: PlanLead): number {
  return budget.domains.get(lead.emailDomain) ?? budget.campaign.usage.byDomain[lead.emailDomain] ?? 0
}

/** The senders of a campaign that exist. */
export function campaignSenders({ senders }: PlanState, { campaign }: CampaignBudget): SenderBudget[] {
  return campaign.sendingAccountIds.flatMap((id) => senders.get(id) ?? [])
}

export function holdLead(state: PlanState, lead: PlanLead, reason: GateName, untilMs: number): void {
  state.leadHolds.push({ leadId: lead.id, campaignId: lead.campaignId, reason, attemptAt: toDate(untilMs) })
}

/**
 * Keeps the earliest end of each hold, and the earliest time of the next plan. That time is the end of the hold unless `lookAtMs` is
 * given.
 */
export function holdCampaign(
  state: PlanState,
  hold: { campaignId: string; senderId: string | null; reason: GateName; untilMs: number },
  lookAtMs: number = hold.untilMs,
): void {
  const key = `${hold.campaignId} ${hold.senderId ?? ''} ${hold.reason}`
  const known = state.holds.get(key)
  if (known) known.untilMs = Math.min(known.untilMs, hold.untilMs)
  else state.holds.set(key, hold)
  state.nextPlanMs = Math.min(state.nextPlanMs, lookAtMs)
}

export function toDate(atMs: number): Date | null {
  return Number.isFinite(atMs) ? new Date(atMs) : null
}
