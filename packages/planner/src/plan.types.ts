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
  /** The time when a forecast closes the open task. */
  closesAt?: Date
}

/** The limits of a campaign, per day of the schedule's zone. Null means no limit. */
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
  /** Steps in the order of their positions. */
  steps: readonly PlanStep[]
  usage: CampaignUsage
  sendingAccountIds: readonly string[]
  /** How the recipient's provider chooses the sender of a first message. Absent: it has no influence. */
  providerMatching?: ProviderMatching | undefined
  /** In a forecast: whether the first message to a lead that moved here replies in the thread of its former campaign. */
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
  /** Claims on the day of `now` in the sender's zone. */
  claimedToday: number
  /** The budgets that it shares with other senders. Absent: none. */
  budgets?: readonly RecipientBudget[] | undefined
  minGapSeconds: number
  maxGapSeconds: number
  /** The sender sends nothing before this time. Null: it may send at once. */
  nextSendAt: Date | null
  /** Grows by one per message. Together with the id it seeds the jitter of the next gap. */
  sendSequence: number
  /** The provider's own limit holds the mailbox until then. */
  heldUntil: Date | null
  /** For `connection_error`: the time of the next try. After it, one message may be sent as a trial. */
  retryAt: Date | null
  /** The time when the mailbox was last read. Null: the sender has no mailbox to read. */
  inboxReadAt: Date | null
}

/** A lead whose `attempt_at` has come (or, for explain and forecast, any lead). */
export interface PlanLead {
  id: string
  campaignId: string
  /** The sender that the lead stays with. Null before its first message, or if that message was never sent. */
  sendingAccountId: string | null
  /** Valid IANA name or null. */
  timezone: string | null
  /** The country as stored with the lead: a name or a code. */
  country: string | null
  /** Lower case. */
  emailDomain: string
  /** The provider of the recipient. Null while it is looked up; absent if the campaign matches no providers. */
  recipientProvider?: RecipientProvider | null | undefined
  /** The normalised address, by which the contact policy knows the person. Needed only with a policy. */
  person?: string | undefined
  /** The domain that the person's colleagues share. Null if the domain does not identify a company. */
  company?: string | null
  /** 1 means that no message was sent yet. */
  nextStepPosition: number
  /**
   * The time when the wait ends. For a lead without a message it is the time when the lead was added. It orders leads of a kind, oldest
   * first.
   */
  dueAt: Date
  /** A retry after a 4xx at `attemptAt`. If the lead is new, it was counted before. */
  retry: boolean
  attemptAt: Date
  suppressed: boolean
  /** Names of the variables that the next message needs and the lead lacks; empty: none. */
  missingVariables: readonly string[]
  /** In a forecast: the missing variables of the messages after the next one, by step. Steps without a missing variable are left out. */
  missingLater?: ReadonlyMap<string, readonly string[]> | undefined
  /** Whether the campaign may write to the address. Absent if the campaign has no rules for addresses. */
  address?: AddressVerdict | undefined
  awaitingApproval: boolean
  /** The text was not requested yet. */
  unwritten?: boolean
  /** The outcome of the last delivery is unknown. */
  uncertain: boolean
  /** The last message was returned because of its sender, and a person must decide. */
  returned?: boolean
  /** Whether no message was sent to the lead, although it has completed steps that send nothing. */
  untouched?: boolean
  /** Its first message replies in a thread of its sender. */
  bound?: boolean
  /** In a forecast: the steps that were sent before, with their times. A changed order of the sequence may put them ahead again. */
  sentBefore?: ReadonlyMap<string, Date> | undefined
  /** In a forecast: campaigns to which the lead can't move, because they have its address or it was there before. */
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
  /** The largest number of claims in this call. */
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
  /** The position of the branch and of the next step. Null: no step follows. */
  position: number
  next: { id: string; position: number; deciding: boolean } | null
  /** The time when the wait before the next step ends. */
  dueAt: Date | null
  /** The decision was made earlier, and only the lead's position changes. */
  again: boolean
}

/** A task that opens, or a lead that continues after its task step. */
export interface PlannedTask {
  leadId: string
  campaignId: string
  stepId: string
  position: number
  /** The task to open. Null: the task is open or closed already. */
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
  /** The pace of the day. Absent: the sender has no pace. */
  pace?: StoredPace
  /** The pace that the plan read. A pace that changed since then is kept. */
  paceRead?: PaceMark
}

/**
 * A gate that holds one lead. It must be stored as the lead's `attempt_at`. If `attemptAt` is null, the lead waits until something
 * changes.
 */
export interface LeadHold {
  leadId: string
  campaignId: string
  reason: GateName
  attemptAt: Date | null
}

/** A gate that holds candidates of a campaign. If `senderId` is not null, it only holds those of this sender. */
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
   * The earliest time at which a candidate that was neither sent nor held separately can be sent. It is `now` if `maxSends` ended the call
   * early, and null if no remaining candidate can be sent later. The caller adds leads of the future.
   */
  nextPlanAt: Date | null
  /** Whether more leads of a cut group may be sent now. Then the caller calls again. */
  hasMore: boolean
}
