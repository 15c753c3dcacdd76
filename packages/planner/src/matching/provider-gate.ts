import { awaitsLookup, lookupWaitMs, mismatchEndMs, leadPool, findTakers } from './provider-matching.ts'
import { movesFreely, campaignSenders, type CampaignBudget, type PlanState } from '../plan-state.ts'
import type { PlanLead } from '../plan.types.ts'

/** Whether a lead without a sender waits for a sender at its recipient's provider, and until when. */
export function providerGate(
  state: PlanState,
  budget: CampaignBudget,
  lead: PlanLead,
): { gate: 'provider_mismatch'; untilMs: number } | null {
  const { campaign } = budget
  const { nowMs } = state
  if ((campaign.providerMatching ?? 'off') === 'off') return null
  if (!movesFreely(lead, state.senders.get(lead.sendingAccountId ?? ''), nowMs)) return null
  if (awaitsLookup(campaign, lead)) return { gate: 'provider_mismatch', untilMs: nowMs + lookupWaitMs }
  const takers = findTakers(campaign, leadPool(campaign, lead), { senders: campaignSenders(state, budget), nowMs })
  return takers.isMismatch ? { gate: 'provider_mismatch', untilMs: mismatchEndMs(takers, nowMs) } : null
}
