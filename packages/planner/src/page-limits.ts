import { differsByLead } from '@overture/ground/time/sending-window.ts'
import { groupKey, type OfGroup } from './cut-groups.ts'
import { roomIn } from './deliverability/recipient-budget.ts'
import { isReady, openSenders, type SenderBudget } from './pacing.ts'
import { gateOfLead } from './plan-state.ts'
import type { PlanCampaign, PlanLead, PlanSender } from './plan.types.ts'

/** The largest number of messages that one plan sends. */
export const sendsMax = 200
const candidatesMax = 600
const candidatesPerGroupMin = 20

/** Leads that are read beyond those that can be sent, since gates may hold some of them. */
const spareLeads = 4

/** The largest number of due leads that one plan reads per group. */
function candidatesPerGroup(groups: number): number {
  return Math.min(sendsMax, Math.max(candidatesPerGroupMin, Math.floor(candidatesMax / Math.max(1, groups))))
}

interface PageInput {
  now: Date
  campaigns: readonly PlanCampaign[]
  senders: readonly PlanSender[]
  /** The largest number of leads of one group. */
  pageMax: number
}

/** The number of due leads that a plan reads of each group, and the number that its senders can send now. */
export interface PageLimits {
  getLimit: (group: OfGroup) => number
  countSendable: (group: OfGroup) => number
}

interface GroupsInput extends Omit<PageInput, 'pageMax'> {
  /** The pairs of campaign and sender, and the campaigns whose leads without a sender are read. */
  groups: { campaignIds: readonly unknown[]; poolCampaignIds: readonly unknown[] }
}

/** The limits of a plan that reads all of these groups. */
export function limitGroups({ groups, ...input }: GroupsInput): PageLimits & { pageMax: number } {
  const pageMax = candidatesPerGroup(groups.campaignIds.length + groups.poolCampaignIds.length)
  return { pageMax, ...pageLimits({ ...input, pageMax }) }
}

/**
 * Limits the leads that a plan reads to those that the senders of a group can send now, and a few more. It reads the whole page
 * if leads further back may differ. Each may wait for its own window, its domain's limit, its text or its provider. Retries may
 * pass new leads. Leads may move away from a sender that can't send.
 */
export function pageLimits({ now, campaigns, senders, pageMax }: PageInput): PageLimits {
  const nowMs = now.getTime()
  const budgets = new Map(openSenders(senders, nowMs).map((budget) => [budget.sender.id, budget]))
  const byId = new Map(campaigns.map((campaign) => [campaign.id, campaign]))
  const sendableBy = (id: string) => sendableNow(budgets.get(id), { nowMs, pageMax })
  const ofPool = new Map(
    campaigns.map(({ id, sendingAccountIds }) => [
      id,
      sendingAccountIds.reduce((sum, senderId) => sum + sendableBy(senderId), 0),
    ]),
  )
  const sendableLeads = ({ campaignId, sendingAccountId }: OfGroup) =>
    Math.min(pageMax, sendingAccountId === null ? (ofPool.get(campaignId) ?? 0) : sendableBy(sendingAccountId))
  return {
    countSendable: sendableLeads,
    getLimit(group) {
      const campaign = byId.get(group.campaignId)
      const own = group.sendingAccountId === null ? null : budgets.get(group.sendingAccountId)
      const isLeft = own === undefined || (own !== null && own.availableMs > nowMs)
      if (campaign === undefined || isLeft || readsBehind(campaign, ofPool.get(campaign.id) ?? 0)) return pageMax
      return Math.min(pageMax, sendableLeads(group) + spareLeads)
    },
  }
}

function sendableNow(budget: SenderBudget | undefined, { nowMs, pageMax }: { nowMs: number; pageMax: number }): number {
  if (budget === undefined || !isReady(budget, nowMs)) return 0
  const { sender } = budget
  if (sender.status === 'connection_error' || sender.minGapSeconds > 0) return 1
  return Math.min(pageMax, budget.allowance - budget.claimed, roomIn(budget.shared))
}

function readsBehind({ schedule, caps, usage, providerMatching = 'off' }: PlanCampaign, sendable: number): boolean {
  const { dailyNewLeadLimit, maxPerRecipientDomainPerDay } = caps
  if (differsByLead(schedule) || providerMatching !== 'off' || maxPerRecipientDomainPerDay !== null) return true
  return dailyNewLeadLimit !== null && usage.claimedFirst + sendable >= dailyNewLeadLimit
}

/**
 * Returns the groups of which too few leads were read, because more are due. Either fewer of the read leads may be sent than the senders
 * can send, or their texts are still being written and leads further back need texts too.
 */
export function shortGroups(
  limits: PageLimits,
  read: { cutGroups: ReadonlyMap<string, OfGroup>; leads: readonly PlanLead[]; writing: ReadonlySet<string> },
): OfGroup[] {
  const free = new Map<string, number>()
  for (const lead of read.leads)
    if (gateOfLead(lead) === null) free.set(groupKey(lead), (free.get(groupKey(lead)) ?? 0) + 1)
  return [...read.cutGroups].flatMap(([key, group]) =>
    read.writing.has(group.campaignId) || (free.get(key) ?? 0) < Math.max(1, limits.countSendable(group))
      ? [group]
      : [],
  )
}
