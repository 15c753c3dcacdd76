import type { PlanCampaign } from '@overture/planner/plan.types.ts'

const daysAhead = 2
const textsMin = 20

type Limits = Pick<PlanCampaign['caps'], 'dailyLimit' | 'dailyNewLeadLimit'>

/**
 * The largest number of first-step texts of a campaign that are written but unsent: what the campaign can send in two days. Later
 * texts may become outdated before they are sent, and cost credits.
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
  /** New places are given only when at least this share of them is free. If absent, as soon as one is free. */
  freeShare?: number
  /** Null if there is no limit per recipient domain. */
  maxPerRecipientDomainPerDay: number | null
}

interface TextSlots {
  /** Takes a place for a lead's text. Also returns true if the lead already has one. */
  take(lead: TextHolder): boolean
}

/** The free places for a campaign's first-step texts, after subtracting those in use (`unsent`). */
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
  // Leads of one domain, of which only a few are sent to per day, must not use up all places.
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
