import type { PlanCampaign } from '../planner/plan.types.ts'

const daysAhead = 2
const textsMin = 20

type Limits = Pick<PlanCampaign['caps'], 'dailyLimit' | 'dailyNewLeadLimit'>

/**
 * How many first-step texts of a campaign may be written and not yet sent: what it can send in two days. What lies
 * further ahead may change before its time, and costs credits.
 */
export function unsentTextsMax(senderLimits: readonly number[], { dailyLimit, dailyNewLeadLimit }: Limits): number {
  const sendable = senderLimits.reduce((sum, limit) => sum + limit, 0)
  return Math.max(textsMin, daysAhead * Math.min(sendable, dailyLimit ?? Infinity, dailyNewLeadLimit ?? Infinity))
}

interface TextHolder {
  leadId: string
  emailDomain: string
}

interface TextLimits {
  max: number
  /** Places are given from the time on when this part of them is free; absent: as soon as one is. */
  freeShare?: number
  /** Null: as many of one recipient domain as of all. */
  maxPerRecipientDomainPerDay: number | null
}

interface TextSlots {
  /** Takes a place for a lead's text; true, too, where the lead has one already. */
  take(lead: TextHolder): boolean
}

/** The places for a campaign's first-step texts, those that are taken (`unsent`) subtracted. */
export function openSlots(
  { max, freeShare = 0, maxPerRecipientDomainPerDay }: TextLimits,
  unsent: readonly TextHolder[],
): TextSlots {
  const taken = new Set<string>()
  const ofDomain = new Map<string, number>()
  const add = ({ leadId, emailDomain }: TextHolder): void => {
    taken.add(leadId)
    ofDomain.set(emailDomain, (ofDomain.get(emailDomain) ?? 0) + 1)
  }
  for (const holder of unsent) if (!taken.has(holder.leadId)) add(holder)
  const isOpen = max - taken.size >= max * freeShare
  // Leads of one domain, a few of which go out per day, must not take all places from the others.
  const domainMax =
    maxPerRecipientDomainPerDay === null ? Infinity : Math.max(1, daysAhead * maxPerRecipientDomainPerDay)
  return {
    take(lead) {
      if (taken.has(lead.leadId)) return true
      if (!isOpen || taken.size >= max || (ofDomain.get(lead.emailDomain) ?? 0) >= domainMax) return false
      add(lead)
      return true
    },
  }
}
