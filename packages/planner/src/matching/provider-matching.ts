import type { RecipientProvider } from '@overture/contract/deliverability/recipient-provider.ts'
import { minuteMs } from '@overture/ground/time/spans.ts'
import { hasRoom, isInboxUnread, presentMs, readyMs, type SenderBudget } from '../pacing.ts'
import { isFirst } from '../plan-state.ts'
import type { PlanCampaign, PlanLead } from '../plan.types.ts'

/** The pool of leads that any sender of the campaign may take. The other pools are named by a provider. */
export const anyPool = ''
/** A lead waits this long while its provider is being looked up. */
export const lookupWaitMs = minuteMs
const unreadWaitMs = 15 * minuteMs

/** Providers that no sending account can use, or whose name is unknown. They match every sender. */
const matchingAll: ReadonlySet<RecipientProvider> = new Set(['gateway', 'other', 'unknown'])

/** Whether a first message waits for the name servers, because its campaign chooses the sender by the recipient's provider. */
export function awaitsLookup({ providerMatching = 'off' }: PlanCampaign, lead: PlanLead): boolean {
  return providerMatching !== 'off' && isFirst(lead) && lead.recipientProvider === null
}

/** The pool from which senders take a lead. Source: docs/contract.md, "Deliverability". */
export function leadPool({ providerMatching = 'off' }: PlanCampaign, lead: PlanLead): string {
  const provider = lead.recipientProvider ?? 'unknown'
  if (providerMatching === 'off' || !isFirst(lead) || matchingAll.has(provider)) return anyPool
  return provider
}

export interface PoolTakers {
  /** The senders that may take a lead of the pool now. */
  senders: readonly SenderBudget[]
  /** Whether the pool waits because no sender at its provider can send today. */
  isMismatch: boolean
}

/**
 * The senders of a campaign that may take the leads of a pool. Leads of a provider wait for its senders as long as one of them can send
 * today. After that `prefer` takes any sender, and `strict` waits.
 */
export function findTakers(
  { providerMatching = 'off' }: PlanCampaign,
  pool: string,
  { senders, nowMs }: { senders: readonly SenderBudget[]; nowMs: number },
): PoolTakers {
  if (pool === anyPool) return { senders, isMismatch: false }
  const matching = senders.filter(({ sender }) => sender.mailProvider === pool)
  if (matching.some((budget) => canSendToday(budget, nowMs))) return { senders: matching, isMismatch: false }
  // If no sender is available, the gate of the senders holds the lead, and not the rule about providers.
  const isMismatch = providerMatching === 'strict' && senders.some(({ availableMs }) => availableMs <= nowMs)
  return isMismatch ? { senders: matching, isMismatch } : { senders, isMismatch }
}

/** The time when a sender of the pool's provider can send again. Infinity: only after something changes. */
export function mismatchEndMs({ senders }: PoolTakers, nowMs: number): number {
  return Math.min(Infinity, ...senders.map((budget) => Math.min(readyMs(budget, nowMs), unreadEndMs(budget, nowMs))))
}

/** The planner is not notified when a mailbox is read again, so it checks after a pause. In a forecast an unread mailbox stays unread. */
function unreadEndMs({ sender }: SenderBudget, nowMs: number): number {
  const isUnread = isInboxUnread(sender, nowMs) && sender.inboxReadAt?.getTime() !== 0
  return isUnread && presentMs(sender) <= nowMs ? nowMs + unreadWaitMs : Infinity
}

function canSendToday(budget: SenderBudget, nowMs: number): boolean {
  return budget.availableMs <= nowMs && hasRoom(budget)
}
