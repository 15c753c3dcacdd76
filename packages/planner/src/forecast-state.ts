import type { ContactBook } from './contact-policy.ts'
import type { LineAside, ReadyGroup, RunCampaign } from './forecast-lines.ts'
import type { RecipientBudget } from './deliverability/recipient-budget.ts'
import type { MinHeap } from './forecast-queue.ts'
import type { CampaignHold, GateName, PlanLead, PlanSender } from './plan.types.ts'

interface RunSender {
  plan: PlanSender
  dayNumber: number
}

/** The leads of a group that one plan may claim. `cut` is true if more leads of the group are due. */
export interface Offer {
  group: ReadyGroup
  leads: PlanLead[]
  cut: boolean
}

export interface Run {
  nowMs: number
  campaigns: Map<string, RunCampaign>
  senders: Map<string, RunSender>
  /** Leads that are not due yet, ordered by the time when they are due. */
  future: MinHeap<PlanLead>
  /** Due leads by campaign, sender and whether they are new, oldest first. */
  ready: Map<string, ReadyGroup>
  /** Lines of due leads that are set aside together, ordered by the end of their wait. */
  asides: MinHeap<LineAside>
  open: Map<string, PlanLead>
  /** The gate of each lead that waits for a change which time alone does not bring. */
  stuck: Map<string, GateName>
  lastHold: Map<string, GateName>
  batchFactor: number
  /** Leads that are due at a branch. */
  deciding: PlanLead[]
  /** Counts by campaign, step and branch. */
  decided: Map<string, DecidedCount>
  handedOver: HandedOver
  contacts: ContactBook | null
  /** The budgets that senders share, as they are now, by id. */
  budgets: Map<string, RecipientBudget>
  /** Leads that wait until the lead of another campaign ends, by person. */
  waiting: Map<string, PlanLead[]>
}

/** The leads that moved to another campaign. */
interface HandedOver {
  /** The numbers of leads that left and that entered a campaign, by its id. */
  leftCounts: Map<string, number>
  came: Map<string, number>
  /** The addresses in a campaign, those that entered it included. */
  addresses: Map<string, Set<string>>
  /** The number of all moves so far. It makes the ids of the leads that moved, and their order in the queue. */
  count: number
}

export interface DecidedCount {
  campaignId: string
  stepId: string
  /** Null: none of the branches was true. */
  branchId: string | null
  count: number
}

/** Removes a lead that gets no more messages from the run, and wakes the leads that waited for its end. */
export function endLead(run: Run, lead: PlanLead): void {
  run.open.delete(lead.id)
  run.contacts?.end(lead)
  const { person } = lead
  const waiting = person === undefined ? undefined : run.waiting.get(person)
  if (person === undefined || waiting === undefined) return
  run.waiting.delete(person)
  for (const held of waiting) {
    run.stuck.delete(held.id)
    run.future.push({ ...held, attemptAt: new Date(run.nowMs) })
  }
}

export function wakeMs(lead: PlanLead): number {
  return Math.max(lead.dueAt.getTime(), lead.attemptAt.getTime())
}

/** Remembers the last hold of a campaign, for the leads that remain at the end. */
export function rememberHolds(run: Run, holds: readonly CampaignHold[]): void {
  for (const { campaignId, senderId, reason } of holds) {
    // After the window has closed, the senders no longer hold the remaining leads.
    if (reason === 'outside_window') {
      for (const key of run.lastHold.keys()) if (key.startsWith(`${campaignId} `)) run.lastHold.delete(key)
    }
    run.lastHold.set(`${campaignId} ${senderId ?? ''}`, reason)
    run.lastHold.set(campaignId, reason)
  }
}

// A forecast assumes that servers respond, so the trial message of a failing sender succeeds.
export function recovered(sender: PlanSender): PlanSender['status'] {
  return sender.status === 'connection_error' ? 'active' : sender.status
}

export function hasFreeSender(run: Run): boolean {
  for (const { plan: sender } of run.senders.values()) {
    if (sender.minGapSeconds === 0 && (sender.nextSendAt?.getTime() ?? 0) <= run.nowMs) return true
  }
  return false
}
