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
    count(run.handedOver.left, lead.campaignId)
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

/** Whether a campaign has not had the address yet, which it has from now on. */
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

// Younger than every lead that is stored, and in the order in which they came: ids of rows begin with digits or letters.
const idOf = (number: number) => `led_~${String(number).padStart(9, '0')}`

/** A lead that did nothing in this campaign, with what is known of the person; undefined: it has no steps. */
function arrivedLead(run: Run, from: PlanLead, target: PlanCampaign): PlanLead | undefined {
  const [first] = target.steps
  if (first === undefined) return undefined
  const now = new Date(run.nowMs)
  const due = dueAfter(now, first.waitBefore, target.schedule, from)
  const dueAt = due > now ? due : now
  const bound = target.answersOrigin === true && (!isFirst(from) || from.bound === true)
  const id = idOf(++run.handedOver.count)
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

/** How many left a campaign, and how many came; of none that is named: of all. */
export function countHandOvers({ handedOver }: Run, campaignId: string | undefined) {
  const countOf = (counts: ReadonlyMap<string, number>) =>
    campaignId === undefined ? [...counts.values()].reduce((sum, one) => sum + one, 0) : (counts.get(campaignId) ?? 0)
  return { handedOver: countOf(handedOver.left), arrivals: countOf(handedOver.came) }
}
