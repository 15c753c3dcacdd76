import { blockedReasons } from '@overture/contract/campaigns/leads.ts'
import type { RecipientProvider } from '@overture/contract/deliverability/recipient-provider.ts'
import type { providerMatchings } from '@overture/contract/vocabularies.ts'
import type { TaskChannel, TaskStatus } from '@overture/contract/tasks/tasks.ts'
import type { LeadFacts } from '@overture/ground/paths/condition.ts'
import type { Decision, DecidingStep } from '@overture/ground/paths/decision.ts'
import type { AddressVerdict } from './address-check.ts'
import type { ContactBook } from './contact-policy.ts'
import type { PaceMark, RampUp, StoredPace } from './deliverability/pace.ts'
import type { RecipientBudget } from './deliverability/recipient-budget.ts'
import type { SendingSchedule, Wait } from '@overture/ground/time/sending-window.ts'

export type { PaceMark, RampUp } from './deliverability/pace.ts'
export type { SendingSchedule, SendingWindow, Wait, WaitUnit } from '@overture/ground/time/sending-window.ts'

/**
 * The planner's types. Input: campaigns, senders' budgets, due leads and `now`. Output: the next messages with their senders
 * and times, and the gate that holds each other lead. Sender, forecast, explain, followup-status and the test environment use it.
 */

/** Every gate, in the order in which `blockedReason` names the first that holds. Source: docs/contract.md, "Leads". */
export const gateOrder = blockedReasons
export type GateName = (typeof gateOrder)[number]

export type ProviderMatching = (typeof providerMatchings)[number]

export interface PlanStep extends DecidingStep {
  waitBefore: Wait
  /** Present for a task step. */
  task?: PlanTaskStep | undefined
}

interface PlanTaskStep {
  channel: TaskChannel
  dueIn: Wait
  /** The lead waits until the task is closed. */
  blocks: boolean
  /** Null: an open task never expires. */
  expiresIn: Wait | null
}

/** The task of a lead at a step. */
export interface LeadTask {
  status: TaskStatus
  channel: TaskChannel
  blocks: boolean
  openedAt: Date
  dueAt: Date
  /** When an open task is skipped. Null: never. */
  expiresAt: Date | null
  closedAt: Date | null
  /** The name of the user who does it, for explanations. */
  assignee?: string | null
  /** In a forecast: when the open task is closed. */
  closesAt?: Date
}

/** Null: no such limit. Counted by days of the schedule's zone. */
interface PlanCaps {
  dailyLimit: number | null
  dailyNewLeadLimit: number | null
  maxPerRecipientDomainPerDay: number | null
}

/** The claims of today, which is the day of `now` in the zone of the schedule. */
export interface CampaignUsage {
  claimed: number
  claimedFirst: number
  /** Claims per lower-case recipient domain; needed only where `maxPerRecipientDomainPerDay` is set. */
  byDomain: Readonly<Record<string, number>>
}

export interface PlanCampaign {
  id: string
  status: 'draft' | 'scheduled' | 'active' | 'paused' | 'completed'
  schedule: SendingSchedule
  caps: PlanCaps
  /** By position. */
  steps: readonly PlanStep[]
  usage: CampaignUsage
  sendingAccountIds: readonly string[]
  /** How the sender of a first message is chosen by the provider of the recipient. Absent: it is not. */
  providerMatching?: ProviderMatching | undefined
  /** In a forecast: the first message to a lead that moved here answers in the thread of its former campaign. */
  answersOrigin?: boolean
}

export interface PlanSender {
  id: string
  /** Needed only by campaigns that match providers. */
  mailProvider?: RecipientProvider | undefined
  status: 'active' | 'paused' | 'connection_error' | 'auth_required' | 'blocked'
  timezone: string
  dailyLimit: number
  /** Messages per day that another tool sends from the mailbox. */
  reservedPerDay: number
  rampUp: RampUp | null
  rampStartedAt: Date | null
  /** Null: no bad signal came, and no message was sent under an adaptive ramp. */
  pace: StoredPace | null
  /** Claims of the sender's zone's day of `now`. */
  claimedToday: number
  /** The budgets that it shares with other senders. Absent: none. */
  budgets?: readonly RecipientBudget[] | undefined
  minGapSeconds: number
  maxGapSeconds: number
  /** Nothing leaves earlier than this; null: at once. */
  nextSendAt: Date | null
  /** Grows by one per send; with the id it seeds the next gap's jitter. */
  sendSequence: number
  /** The provider's own limit holds the mailbox until then. */
  heldUntil: Date | null
  /** `connection_error`: when to try again. Past: one message may go, as the trial. */
  retryAt: Date | null
  /** When its mailbox was last read; null: it has none to read. */
  inboxReadAt: Date | null
}

/** A lead whose `attempt_at` has come (or, for explain and forecast, any lead). */
export interface PlanLead {
  id: string
  campaignId: string
  /** The sender that it stays with; null before its first message, or when that message never left. */
  sendingAccountId: string | null
  /** Valid IANA name or null. */
  timezone: string | null
  /** As the lead has it: a name or a code. */
  country: string | null
  /** Lower case. */
  emailDomain: string
  /** The provider of the recipient. Null while it is looked up; absent if the campaign matches no providers. */
  recipientProvider?: RecipientProvider | null | undefined
  /** The normalised address, by which the contact policy knows the person. Needed only with a policy. */
  person?: string | undefined
  /** The domain that the person's colleagues share. Null if the domain does not identify a company. */
  company?: string | null
  /** 1: never written to. */
  nextStepPosition: number
  /** When the wait is over. For a lead never written to: when it was added. Orders leads of a kind, oldest first. */
  dueAt: Date
  /** A try after a 4xx, at `attemptAt`; already counted as a new lead if it was one. */
  retry: boolean
  attemptAt: Date
  suppressed: boolean
  /** Names of the variables that the next message needs and the lead lacks; empty: none. */
  missingVariables: readonly string[]
  /** In a forecast: the same for messages after the next one, by step. Steps without a missing variable are left out. */
  missingLater?: ReadonlyMap<string, readonly string[]> | undefined
  /** Whether the campaign may write to the address. Absent if the campaign has no rules for addresses. */
  address?: AddressVerdict | undefined
  awaitingApproval: boolean
  /** Its text is not even asked for yet. */
  unwritten?: boolean
  /** The last delivery's outcome is not known. */
  uncertain: boolean
  /** The last message came back because of its sender, and a person must decide. */
  returned?: boolean
  /** Never written to, though steps that send nothing lie behind it. */
  untouched?: boolean
  /** Its first message answers in a thread of its sender. */
  bound?: boolean
  /** In a forecast: steps that were sent before, and when. A changed order of the sequence may put them ahead again. */
  sentBefore?: ReadonlyMap<string, Date> | undefined
  /** In a forecast: campaigns to which it can't move, since they have its address or it was there before. */
  notTakenBy?: ReadonlySet<string> | undefined
  /** The facts about a lead that its branches use; present if a branch is ahead. */
  facts?: LeadFacts | undefined
  /** The decisions of branches by step, also from before the sequence was changed: each branch decides once. */
  decided?: ReadonlyMap<string, { goesTo: string | null; branchId: string | null }> | undefined
  /** Its tasks by step; present if its next step is a task. */
  tasks?: ReadonlyMap<string, LeadTask> | undefined
}

export interface PlanInput {
  /** The tenant's time. */
  now: Date
  campaigns: readonly PlanCampaign[]
  senders: readonly PlanSender[]
  candidates: readonly PlanLead[]
  /** The limits of the contact policy and their counts. Null: the account has no policy. */
  contacts?: ContactBook | null
  /** Claims at most in this call. */
  maxSends: number
  /** Groups (`campaign sender`) that have more due leads than the candidates contain. */
  cutGroups?: ReadonlyMap<string, { campaignId: string; sendingAccountId: string | null }>
}

/** The counters that a claim raised, with their days. They are lowered again when the claim is released. */
export interface ClaimCount {
  /** The sender's day. */
  senderDay: string
  /** The campaign's day (the schedule's zone). */
  campaignDay: string
  /** Counts towards the new-lead limit. */
  first: boolean
  domain: string
  /** The ids of the sender's shared budgets. Absent: none. */
  budgets?: readonly string[] | undefined
  /** The day in UTC on which budgets count the claim. */
  budgetDay?: string | undefined
}

export interface PlannedSend {
  leadId: string
  campaignId: string
  stepId: string
  sendingAccountId: string
  counted: ClaimCount
}

/** The step at which a lead continues after a branch. */
export interface PlannedDecision extends Decision {
  leadId: string
  campaignId: string
  stepId: string
  /** The place of the branch, and of the step that comes next; null: nothing comes. */
  position: number
  next: { id: string; position: number; deciding: boolean } | null
  /** When the wait before that one is over. */
  dueAt: Date | null
  /** It was decided before, and only the lead's place moves. */
  again: boolean
}

/** A task that opens, or a lead that continues behind its task step. */
export interface PlannedTask {
  leadId: string
  campaignId: string
  stepId: string
  position: number
  /** Null: the task is open or closed already. */
  opens: { dueAt: Date; expiresAt: Date | null; blocks: boolean } | null
  /** The open task is skipped, because its time is over. */
  expires: boolean
  /** The step with which the lead continues. Null: it waits for the task. */
  move: { next: PlannedDecision['next']; dueAt: Date | null } | null
}

export interface SenderUpdate {
  id: string
  nextSendAt: Date | null
  sendSequence: number
  claimedToday: number
  /** The pace of the day. Absent: nothing depends on it. */
  pace?: StoredPace
  /** The pace that the plan read. A pace that changed since then is kept. */
  paceRead?: PaceMark
}

/** A gate of the lead's own; `attemptAt` null: not before something changes. Write it to the lead's attempt_at. */
export interface LeadHold {
  leadId: string
  campaignId: string
  reason: GateName
  attemptAt: Date | null
}

/** A gate that holds candidates of a campaign (`senderId` null) or those of one sender of it. */
export interface CampaignHold {
  campaignId: string
  senderId: string | null
  reason: GateName
  until: Date | null
}

export interface PlanResult {
  sends: PlannedSend[]
  decisions: PlannedDecision[]
  tasks: PlannedTask[]
  senderUpdates: SenderUpdate[]
  /** The shared budgets after the sends. */
  budgets: RecipientBudget[]
  leadHolds: LeadHold[]
  campaignHolds: CampaignHold[]
  /**
   * The earliest moment at which a candidate that was neither sent nor held for itself can go; `now` when `maxSends`
   * cut the call short; null when no candidate is left that waiting would help. Future leads are the caller's to add.
   */
  nextPlanAt: Date | null
  /** Whether more leads of a cut group may be sent now: then call again. */
  goesOn: boolean
}
