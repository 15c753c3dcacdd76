import { ownDailyLimit } from '@overture/planner/pacing.ts'
import { hourMs } from '@overture/ground/time/spans.ts'
import { groupKey } from '@overture/planner/cut-groups.ts'
import { gateOfLead } from '@overture/planner/plan-state.ts'
import type { LeadHold, PlanCampaign, PlanLead, PlanSender } from '@overture/planner/plan.types.ts'
import { openSlots, unsentTextsMax } from './text-slots.ts'

/** How long a lead without a text steps aside if it would block others: a quarter of the two days of texts that may be written ahead. */
const asideMs = 12 * hourMs
const unreadMax = 200
/** Texts are requested in groups, because each request makes the planner run once, and once more when the text arrives. */
const freeShare = 0.25

export interface UnsentTextRow {
  campaignId: string
  leadId: string
  emailDomain: string
  status: 'requested' | 'waiting' | 'approved'
  attemptAt: Date | null
}

interface FirstLeads<Request> {
  campaigns: readonly PlanCampaign[]
  leads: readonly PlanLead[]
  /** The requests for texts that leads lack. */
  missingTexts: readonly Request[]
}

interface TextBoundInput<Request> extends FirstLeads<Request> {
  now: Date
  senders: readonly PlanSender[]
  variants: readonly { stepId: string; ai: unknown }[]
  /** The unsent texts of `stepsToBound`. */
  unsent: readonly UnsentTextRow[]
  /** Groups (`campaign sender`) with more due leads than were read. */
  cutGroups: ReadonlyMap<string, unknown>
}

interface BoundTexts<Request> {
  /** All leads except those whose text is requested later. */
  leads: PlanLead[]
  /** The missing texts that are requested now. */
  missingTexts: Request[]
  /** Campaigns with leads whose text is requested later. */
  waiting: ReadonlySet<string>
  /** Leads that step aside, so that the leads behind them can be read. */
  asides: LeadHold[]
  /** Due leads that have their text and are behind those that were read. */
  unread: string[]
}

/** The first steps with due leads that lack a text. */
export function stepsToBound<Request extends { leadId: string }>(read: FirstLeads<Request>) {
  const ids = new Set(firstLeads(read, missingByLead(read)).map((lead) => lead.campaignId))
  const steps = read.campaigns
    .filter((campaign) => ids.has(campaign.id))
    .flatMap((campaign) => campaign.steps.filter((step) => step.position === 1))
  return { campaignIds: [...ids], stepIds: steps.map((step) => step.id) }
}

/**
 * Leaves out leads whose first text would exceed the limit of unsent texts. They stay in the queue, and their texts are requested
 * as earlier ones are sent.
 */
export function boundFirstTexts<Request extends { leadId: string }>(
  input: TextBoundInput<Request>,
): BoundTexts<Request> {
  const missing = missingByLead(input)
  const leads = [...input.leads]
  const missingLeads = [...missing.values()]
  const first = firstLeads(input, missing)
  if (first.length === 0) return { leads, missingTexts: missingLeads, waiting: new Set(), asides: [], unread: [] }
  const withheld = findWithheld(input, first)
  const waiting = new Set([...withheld.values()].map((lead) => lead.campaignId))
  const read = new Set(leads.map((lead) => lead.id))
  return {
    leads: leads.filter((lead) => !withheld.has(lead.id)),
    missingTexts: missingLeads.filter((request) => !withheld.has(request.leadId)),
    waiting,
    asides: holdAside(input, [...withheld.values()]),
    unread: input.unsent
      .filter((row) => waiting.has(row.campaignId) && isReadable(row, input.now))
      .flatMap(({ leadId }) => (read.has(leadId) ? [] : [leadId]))
      .slice(0, unreadMax),
  }
}

// No text is requested for a lead that another gate holds as well.
function missingByLead<Request extends { leadId: string }>(read: FirstLeads<Request>): Map<string, Request> {
  const waiting = new Set(read.leads.filter((lead) => gateOfLead(lead) === 'awaiting_approval').map((lead) => lead.id))
  return new Map(
    read.missingTexts.filter((request) => waiting.has(request.leadId)).map((request) => [request.leadId, request]),
  )
}

/** The leads that lack the text of their first step. */
function firstLeads({ leads }: { leads: readonly PlanLead[] }, missing: ReadonlyMap<string, unknown>): PlanLead[] {
  return leads.filter((lead) => lead.nextStepPosition === 1 && missing.has(lead.id))
}

function findWithheld(
  { campaigns, senders, unsent }: TextBoundInput<unknown>,
  first: readonly PlanLead[],
): Map<string, PlanLead> {
  const withheld = new Map<string, PlanLead>()
  for (const { id, caps, sendingAccountIds } of campaigns) {
    const limits = senders.filter((sender) => sendingAccountIds.includes(sender.id)).map(ownDailyLimit)
    const slots = openSlots(
      { max: unsentTextsMax(limits, caps), freeShare, maxPerRecipientDomainPerDay: caps.maxPerRecipientDomainPerDay },
      unsent.filter((row) => row.campaignId === id),
    )
    for (const lead of first) {
      if (lead.campaignId !== id) continue
      if (!slots.take({ leadId: lead.id, emailDomain: lead.emailDomain })) withheld.set(lead.id, lead)
    }
  }
  return withheld
}

/** Leads step aside only if leads with a text may be behind them; otherwise they keep their place. */
function holdAside(input: TextBoundInput<unknown>, withheld: readonly PlanLead[]): LeadHold[] {
  const attemptAt = new Date(input.now.getTime() + asideMs)
  const mixed = new Set(input.campaigns.filter((campaign) => isMixed(campaign, input.variants)).map(({ id }) => id))
  return withheld
    .filter((lead) => input.cutGroups.has(groupKey(lead)))
    .filter((lead) => lead.sendingAccountId !== null || mixed.has(lead.campaignId))
    .map((lead) => ({ leadId: lead.id, campaignId: lead.campaignId, reason: 'awaiting_approval', attemptAt }))
}

function isMixed({ steps, caps }: PlanCampaign, variants: TextBoundInput<unknown>['variants']): boolean {
  const first = steps.find((step) => step.position === 1)
  const ofStep = variants.filter((variant) => variant.stepId === first?.id)
  return caps.maxPerRecipientDomainPerDay !== null || ofStep.some((variant) => variant.ai === null)
}

function isReadable(row: UnsentTextRow, now: Date): boolean {
  return row.status === 'approved' && row.attemptAt !== null && row.attemptAt <= now
}
