import { gateOrder, type CampaignHold, type PlanResult } from './plan.types.ts'

/**
 * The hold that a campaign shows: the first gate in the contract's order. If no gate holds it, its leads may be waiting for their
 * texts.
 */
export function campaignHold(campaignId: string, holds: readonly CampaignHold[], waitingForTexts: ReadonlySet<string>) {
  const own = holds.filter((hold) => hold.campaignId === campaignId)
  own.sort((a, b) => gateOrder.indexOf(a.reason) - gateOrder.indexOf(b.reason))
  const otherwise = waitingForTexts.has(campaignId) ? ('awaiting_approval' as const) : null
  return { campaignId, reason: own[0]?.reason ?? otherwise, until: own[0]?.until ?? null }
}

/** Campaigns that may be complete: the plan had no due lead of them, or a gate holds one of their leads until something changes. */
export function possiblyFinished(
  input: {
    campaigns: readonly { id: string }[]
    waitingForTexts: ReadonlySet<string>
    leads: readonly { campaignId: string }[]
  },
  result: Pick<PlanResult, 'leadHolds'>,
): string[] {
  const busy = new Set([...input.leads.map((lead) => lead.campaignId), ...input.waitingForTexts])
  const held = new Set(result.leadHolds.filter((hold) => hold.attemptAt === null).map((hold) => hold.campaignId))
  return input.campaigns
    .filter((campaign) => !busy.has(campaign.id) || held.has(campaign.id))
    .map((campaign) => campaign.id)
}
