import { openStatuses, waitingStatuses } from '@overture/ground/lead-statuses.ts'
import { isStorable, type LeadRefusal, listRefusals, unstorableEmail } from './lead-refusals.ts'
import { copyProfile } from '@overture/ground/lead-profile.ts'
import type { CampaignStatus } from '@overture/contract/campaigns/campaigns.ts'
import {
  customVariables,
  leadInput,
  type AddLeadResult,
  type CustomVariables,
  type LeadInput,
  type LeadProfile,
} from '@overture/contract/campaigns/lead-fields.ts'
import type { RecipientProvider } from '@overture/contract/deliverability/recipient-provider.ts'
import type { Environment } from '@overture/contract/endpoint.ts'
import { knownProvider } from '@overture/ground/recipient-provider.ts'
import type { LeadVerification } from '@overture/contract/verification/verification-settings.ts'
import type { BlockedReason, Interest, Lead, LeadStatus, StoppedBy } from '@overture/contract/campaigns/leads.ts'
import { normalizeDomain, normalizeEmail } from '@overture/contract/addresses.ts'
import { resolveLocalDays, nextOpening, type SendingSchedule } from '@overture/ground/time/sending-window.ts'

export interface LeadRow extends LeadProfile {
  id: string
  campaignId: string
  email: string
  emailGiven: string
  emailDomain: string
  extra: Record<string, unknown> | null
  customVariables: CustomVariables
  status: LeadStatus
  blockedReason: BlockedReason | null
  interest: Interest | null
  interestSource: 'person' | 'machine' | 'system' | null
  machineInterest: Interest | null
  currentStep: number
  currentStepId: string | null
  /** The position of the next step, if it is not the one after the last sent step. */
  nextStep: number | null
  /** Whether the lead waits before a branch. */
  deciding: boolean
  dueAt: Date | null
  attemptAt: Date | null
  nextSendAt: Date | null
  resumeAt: Date | null
  lastContactedAt: Date | null
  sendingAccountId: string | null
  threadId: string | null
  openCount: number
  clickCount: number
  replyCount: number
  stoppedBy: StoppedBy
  originLeadId: string | null
  /** As it is stored: the time is a text of any form. */
  verification: LeadVerification | null
  /** As it is stored. Null if nothing is stored. */
  recipientProvider: RecipientProvider | null
  environment: Environment
  createdAt: Date
  updatedAt: Date
}

/** The fields of the campaign that the view of a lead needs. */
export interface LeadSurroundings {
  status: CampaignStatus
  holdReason: BlockedReason | null
  holdUntil: Date | null
  schedule: SendingSchedule
  now: Date
}

export function presentLead(row: LeadRow, around: LeadSurroundings): Lead {
  const blockedReason = findBlockedReason(row, around)
  return {
    id: row.id,
    campaignId: row.campaignId,
    email: row.email,
    ...copyProfile(row),
    customVariables: row.customVariables,
    status: row.status,
    blockedReason,
    interest: row.interest,
    currentStep: row.currentStep,
    nextSendAt: iso(findNextSendAt(row, around, blockedReason)),
    resumeAt: row.status === 'paused' ? iso(row.resumeAt) : null,
    lastContactedAt: iso(row.lastContactedAt),
    sendingAccountId: row.sendingAccountId,
    openCount: row.openCount,
    clickCount: row.clickCount,
    replyCount: row.replyCount,
    stoppedBy: row.stoppedBy,
    originLeadId: row.originLeadId,
    verification: row.verification && {
      ...row.verification,
      checkedAt: new Date(row.verification.checkedAt).toISOString(),
    },
    recipientProvider: row.recipientProvider ?? knownProvider(row.environment, row.emailDomain),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

const ownReasons: readonly (BlockedReason | null)[] = [
  'suppressed',
  'delivery_uncertain',
  'returned',
  'missing_variable',
  'address_check',
  'awaiting_approval',
  'waiting_for_task',
]

// The planner writes only the reasons of the lead's own gates on the lead. The reasons of the campaign's gates come from the
// campaign's row.
function findBlockedReason(row: LeadRow, around: LeadSurroundings): BlockedReason | null {
  if (!isOpen(row.status)) return null
  if (ownReasons.includes(row.blockedReason)) return row.blockedReason
  const waits = row.attemptAt !== null && row.attemptAt > around.now
  if (row.blockedReason === 'in_conversation' && waits) return 'in_conversation'
  if (around.status !== 'active') return 'campaign_not_active'
  if (row.currentStep > 0 && row.dueAt !== null && row.dueAt > around.now) return 'wait_not_over'
  if (row.blockedReason !== null) return row.blockedReason
  // A retry waits as well.
  if (waits) return 'wait_not_over'
  const held = around.holdReason !== null && (around.holdUntil === null || around.holdUntil > around.now)
  return held && row.attemptAt !== null ? around.holdReason : null
}

// Returns null if nothing is sent before something changes. A time at which the schedule is closed moves to its next opening.
// If the time is over, returns the end of the campaign's hold.
function findNextSendAt(row: LeadRow, around: LeadSurroundings, reason: BlockedReason | null): Date | null {
  if (row.deciding || !isOpen(row.status) || reason === 'campaign_not_active' || ownReasons.includes(reason))
    return null
  const at = row.nextSendAt ?? (row.currentStep > 0 ? row.dueAt : null)
  if (at !== null && at > around.now) return nextOpening(around.schedule, resolveLocalDays(around.schedule, row), at)
  if (at === null || reason === null) return at
  return reason === around.holdReason ? around.holdUntil : null
}

function isOpen(status: LeadStatus): boolean {
  return status === 'pending' || status === 'active'
}

function iso(time: Date | null): string | null {
  return time === null ? null : time.toISOString()
}

/** A lead that can be stored, or the reason why it can't. */
export type ReadLead =
  | { kind: 'lead'; index: number; lead: NewLead }
  /** `others` has the errors of further fields, which a list of results does not name. */
  | { kind: 'invalid'; result: AddLeadResult; others: readonly LeadRefusal[] }

export interface NewLead {
  email: string
  emailGiven: string
  emailDomain: string
  fields: LeadFields
}

/** An update leaves absent fields unchanged. */
type LeadFields = Omit<LeadInput, 'email' | 'emailMasked' | 'mobileMasked' | 'seniority' | 'companyInfo'> & {
  extra?: Record<string, unknown>
}

/** Checks one item of a list on its own, so that one bad item never fails the call. Source: docs/contract.md, "Conventions" and "Leads". */
export function readLead(item: unknown, index: number): ReadLead {
  const parsed = leadInput.safeParse(item)
  if (parsed.success && isStorable(item)) return { kind: 'lead', index, lead: toNewLead(parsed.data) }
  const given = (item as { email?: unknown } | null)?.email
  const [refusal = {}, ...others] = isStorable(given)
    ? listRefusals(parsed.error?.issues ?? [], item)
    : [unstorableEmail]
  return {
    kind: 'invalid',
    result: {
      index,
      email: typeof given === 'string' && isStorable(given) ? given.slice(0, 320) : null,
      outcome: 'invalid',
      reason: refusal.field === 'email' ? 'invalid_email' : 'invalid_field',
      leadId: null,
      ...refusal,
    },
    others,
  }
}

/** The names of the custom variables that people have, by lead id or address. */
export type VariableNames = Map<string, readonly string[]>

/**
 * Adds the names of an item's variables to those of its person. If the person would have too many, it adds none and returns the result
 * that an item with all of them has.
 */
export function refuseMerge(
  names: VariableNames,
  key: string,
  { index, lead }: { index: number; lead: NewLead },
): AddLeadResult | null {
  const before = names.get(key) ?? []
  const given = lead.fields.customVariables
  const message = findMergeFault(before, given)
  if (message === null) {
    if (given !== undefined) names.set(key, [...new Set([...before, ...Object.keys(given)])])
    return null
  }
  const refusal = { field: 'customVariables', message }
  return { index, email: lead.email, outcome: 'invalid', reason: 'invalid_field', leadId: null, ...refusal }
}

/** Returns the message of the contract if a merge of the given variables makes them too many, or null. Any value stands for the known. */
export function findMergeFault(before: readonly string[], given: CustomVariables | undefined): string | null {
  if (given === undefined) return null
  const named = Object.fromEntries(before.map((name) => [name, true]))
  return customVariables.safeParse({ ...named, ...given }).error?.issues[0]?.message ?? null
}

function toNewLead(input: LeadInput): NewLead {
  const { email, emailMasked: _emailMasked, mobileMasked: _mobileMasked, seniority, companyInfo, ...fields } = input
  const normalized = normalizeEmail(email)
  const companyDomain = fields.companyDomain ?? companyInfo?.domain ?? undefined
  const extra = { ...(seniority ? { seniority } : {}), ...(companyInfo ? { companyInfo } : {}) }
  return {
    email: normalized.email,
    emailGiven: email,
    emailDomain: normalized.domain,
    fields: {
      ...fields,
      ...(companyDomain ? { companyDomain: normalizeDomain(companyDomain) } : {}),
      ...(Object.keys(extra).length > 0 ? { extra } : {}),
    },
  }
}

/** The statuses from which a lead may be stopped, by its new status. A stronger fact may follow a weaker one. */
export const stoppableFrom: Record<
  'replied' | 'bounced' | 'unsubscribed' | 'stopped' | 'failed',
  readonly LeadStatus[]
> = {
  replied: [...openStatuses, 'completed', 'failed'],
  bounced: [...openStatuses, 'completed'],
  unsubscribed: [...openStatuses, 'completed', 'replied', 'stopped', 'failed'],
  stopped: openStatuses,
  failed: waitingStatuses,
}
