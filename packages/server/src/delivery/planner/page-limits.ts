import { groupKey, type OfGroup } from './cut-groups.ts'
import { budgetOf, isReady, type SenderBudget } from './pacing.ts'
import { gateOfLead } from './plan-state.ts'
import type { PlanCampaign, PlanLead, PlanSender } from './plan.types.ts'

/** Behind those that can be sent: some may be held for themselves. */
const spareLeads = 4

interface PageInput {
  now: Date
  campaigns: readonly PlanCampaign[]
  senders: readonly PlanSender[]
  /** Of one group at most. */
  pageMax: number
}

/** How many due leads a plan reads of each group, and how many of them its senders can send now. */
export interface PageLimits {
  limitOf: (group: OfGroup) => number
  sendableOf: (group: OfGroup) => number
}

/**
 * What the senders of a group can send now and a few more, and not the whole page that one plan may read of it. The whole page
 * where it decides what happens to leads further back: each waits for a window, a domain's or a text's turn of its own, may pass others
 * that are new, or leaves a sender that is not there.
 */
export function pageLimits({ now, campaigns, senders, pageMax }: PageInput): PageLimits {
  const nowMs = now.getTime()
  const budgets = new Map(senders.map((sender) => [sender.id, budgetOf(sender, nowMs)]))
  const byId = new Map(campaigns.map((campaign) => [campaign.id, campaign]))
  const sendableBy = (id: string) => sendableNow(budgets.get(id), { nowMs, pageMax })
  const ofPool = new Map(
    campaigns.map(({ id, sendingAccountIds }) => [
      id,
      sendingAccountIds.reduce((sum, senderId) => sum + sendableBy(senderId), 0),
    ]),
  )
  const sendableOf = ({ campaignId, sendingAccountId }: OfGroup) =>
    Math.min(pageMax, sendingAccountId === null ? (ofPool.get(campaignId) ?? 0) : sendableBy(sendingAccountId))
  return {
    sendableOf,
    limitOf(group) {
      const campaign = byId.get(group.campaignId)
      const own = group.sendingAccountId === null ? null : budgets.get(group.sendingAccountId)
      const isLeft = own === undefined || (own !== null && own.availableMs > nowMs)
      if (campaign === undefined || isLeft || readsBehind(campaign, ofPool.get(campaign.id) ?? 0)) return pageMax
      return Math.min(pageMax, sendableOf(group) + spareLeads)
    },
  }
}

function sendableNow(budget: SenderBudget | undefined, { nowMs, pageMax }: { nowMs: number; pageMax: number }): number {
  if (budget === undefined || !isReady(budget, nowMs)) return 0
  const { sender } = budget
  if (sender.status === 'connection_error' || sender.minGapSeconds > 0) return 1
  return Math.min(pageMax, budget.allowance - budget.claimed)
}

function readsBehind({ schedule, caps, usage }: PlanCampaign, sendable: number): boolean {
  const { dailyNewLeadLimit, maxPerRecipientDomainPerDay } = caps
  if (schedule.useLeadTimezone || maxPerRecipientDomainPerDay !== null) return true
  return dailyNewLeadLimit !== null && usage.claimedFirst + sendable >= dailyNewLeadLimit
}

/**
 * Groups of which too little was read: more is due, and of those that were read fewer may go than can be sent; or their texts are
 * written, for which leads further back are asked about.
 */
export function shortGroups(
  limits: PageLimits,
  read: { cutGroups: ReadonlyMap<string, OfGroup>; leads: readonly PlanLead[]; writing: ReadonlySet<string> },
): OfGroup[] {
  const free = new Map<string, number>()
  for (const lead of read.leads)
    if (gateOfLead(lead) === null) free.set(groupKey(lead), (free.get(groupKey(lead)) ?? 0) + 1)
  return [...read.cutGroups].flatMap(([key, group]) =>
    read.writing.has(group.campaignId) || (free.get(key) ?? 0) < Math.max(1, limits.sendableOf(group)) ? [group] : [],
  )
}
