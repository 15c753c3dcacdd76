import { open, shut, type Judgement } from '../gate-judgement.ts'
import { openSenders, readyMs, type SenderBudget } from '../pacing.ts'
import { isFirst, movesFreely } from '../plan-state.ts'
import type { PlanCampaign, PlanLead, PlanSender } from '../plan.types.ts'
import {
  anyPool,
  awaitsLookup,
  lookupWaitMs,
  mismatchEndMs,
  leadPool,
  findTakers,
  type PoolTakers,
} from './provider-matching.ts'

export interface ChosenSender {
  /** The lead's own sender, or the sender that would take the lead. */
  sender: SenderBudget | null
  /** The senders that may take a lead without a sender. Null if the lead stays with its sender. */
  takers: PoolTakers | null
}

/** The sender of a lead's next message, as `plan` chooses it. */
export function pickSender(
  { lead, campaign, senders }: { lead: PlanLead; campaign: PlanCampaign; senders: readonly PlanSender[] },
  nowMs: number,
): ChosenSender {
  const budgets = openSenders(senders, nowMs)
  const own = budgets.find((budget) => budget.sender.id === lead.sendingAccountId)
  if (!movesFreely(lead, own, nowMs)) return { sender: own ?? null, takers: null }
  const free = budgets.filter((budget) => campaign.sendingAccountIds.includes(budget.sender.id))
  const takers = findTakers(campaign, leadPool(campaign, lead), { senders: free, nowMs })
  // If the provider holds the lead, the other gates describe the sender that would be next without the rule about providers.
  const [first] = (takers.isMismatch ? free : takers.senders).toSorted(
    (a, b) => readyMs(a, nowMs) - readyMs(b, nowMs) || a.claimed - b.claimed || (a.sender.id < b.sender.id ? -1 : 1),
  )
  return { sender: first ?? null, takers }
}

/** Whether the campaign's rule about the recipient's provider lets the message go now. */
export function judgeProvider({
  lead,
  campaign,
  takers,
  nowMs,
}: Pick<ChosenSender, 'takers'> & { lead: PlanLead; campaign: PlanCampaign; nowMs: number }): Judgement {
  const { providerMatching = 'off' } = campaign
  if (providerMatching === 'off') return open('The campaign does not choose senders by the provider of the recipient.')
  if (!takers || !isFirst(lead)) return open('Only the sender of a first message is chosen by the provider.')
  if (awaitsLookup(campaign, lead))
    return shut('The mail provider of the recipient is being looked up.', nowMs + lookupWaitMs)
  const provider = lead.recipientProvider ?? 'unknown'
  if (leadPool(campaign, lead) === anyPool)
    return open(`The recipient's provider is ${provider}. Every sender matches.`)
  if (takers.isMismatch) {
    const detail = `No sending account at ${provider} can send today, and the campaign uses no other for this lead.`
    return shut(detail, mismatchEndMs(takers, nowMs))
  }
  const isMatched = takers.senders.every(({ sender }) => sender.mailProvider === provider)
  const any = `No sending account at ${provider} can send today, so any other may.`
  return open(isMatched ? `A sending account at ${provider} sends.` : any)
}
