import { dueAfter } from '@overture/ground/time/sending-window.ts'
import type { Run } from './forecast-state.ts'
import { isFirst } from './plan-state.ts'
import type { PlanCampaign, PlanLead } from './plan.types.ts'

export interface LeavingLead {
  lead: PlanLead
  toCampaignId: string
}

/**
 * Returns the leads that branches move to other campaigns, as they begin there, in the order in which that will happen. A
 * lead moves once, and never to a campaign that has its address. A lead whose target is not in this forecast is only removed.
 */
export function handOverAhead(run: Run, leaving: readonly LeavingLead[]): PlanLead[] {
  return leaving.toSorted(byOrderOfLocks).flatMap(({ lead, toCampaignId }) => {
    if (!takes(run, lead, toCampaignId)) return []
    count(run.handedOver.leftCounts, lead.campaignId)
    count(run.handedOver.came, toCampaignId)
    const target = run.campaigns.get(toCampaignId)?.plan
    return (target && arrivedLead(run, lead, target)) ?? []
  })
}

function byOrderOfLocks(a: LeavingLead, b: LeavingLead): number {
  return (
    compare(a.toCampaignId, b.toCampaignId) ||
    compare(a.lead.campaignId, b.lead.campaignId) ||
    compare(a.lead.id, b.lead.id)
  )
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** Returns whether the campaign has not had the address yet, and adds it. */
function takes({ handedOver }: Run, lead: PlanLead, campaignId: string): boolean {
  const address = lead.facts?.fields['email']
  if (typeof address !== 'string' || lead.notTakenBy?.has(campaignId)) return false
  const known = (id: string) => {
    const addresses = handedOver.addresses.get(id) ?? new Set<string>()
    handedOver.addresses.set(id, addresses)
    return addresses
  }
  known(lead.campaignId).add(address)
  if (known(campaignId).has(address)) return false
  known(campaignId).add(address)
  return true
}

function count(counts: Map<string, number>, id: string): void {
  counts.set(id, (counts.get(id) ?? 0) + 1)
}

// Ids of stored leads begin with a digit or a letter after the prefix. The tilde makes the new ids younger than all of them, in the order
// of the moves.
const arrivalId = (number: number) => `led_~${String(number).padStart(9, '0')}`

/**
 * Returns the lead as it begins in the target campaign: with the known facts about the person, and without any activity. Returns undefined
 * if the target has no steps.
 */
function arrivedLead(run: Run, from: PlanLead, target: PlanCampaign): PlanLead | undefined {
  const [first] = target.steps
  if (first === undefined) return undefined
  const now = new Date(run.nowMs)
  const due = dueAfter(now, first.waitBefore, target.schedule, from)
  const dueAt = due > now ? due : now
  const bound = target.answersOrigin === true && (!isFirst(from) || from.bound === true)
  const id = arrivalId(++run.handedOver.count)
  return {
    ...from,
    id,
    campaignId: target.id,
    sendingAccountId: bound ? from.sendingAccountId : null,
    bound,
    nextStepPosition: 1,
    untouched: false,
    dueAt,
    attemptAt: dueAt,
    retry: false,
    missingVariables: [],
    missingLater: undefined,
    awaitingApproval: false,
    uncertain: false,
    decided: undefined,
    tasks: undefined,
    sentBefore: undefined,
    facts: from.facts && { ...from.facts, leadId: id, interest: null, intent: null, acts: [], sends: [] },
  }
}

/** Returns how many leads left and entered the campaign. Without a campaign it returns the counts of all campaigns. */
export function countHandOvers({ handedOver }: Run, campaignId: string | undefined) {
  const countArrivals = (counts: ReadonlyMap<string, number>) =>
    campaignId === undefined ? [...counts.values()].reduce((sum, one) => sum + one, 0) : (counts.get(campaignId) ?? 0)
  return { handedOver: countArrivals(handedOver.leftCounts), arrivals: countArrivals(handedOver.came) }
}
