import { campaignHold } from '@overture/planner/campaign-outcome.ts'
import { groupKey, type OfGroup } from '@overture/planner/cut-groups.ts'
import { openSender } from '@overture/planner/pacing.ts'
import { limitGroups, shortGroups } from '@overture/planner/page-limits.ts'
import { openCampaign } from '@overture/planner/plan-state.ts'
import type { GateName, PlanCampaign, PlanLead, PlanResult, PlanSender } from '@overture/planner/plan.types.ts'
import { isPlain } from '@overture/ground/paths/path.ts'

interface MemorySettings {
  running: readonly { id: string; status: string; holdReason: GateName | null; holdUntil: Date | null }[]
  campaigns: readonly PlanCampaign[]
  senders: readonly (PlanSender & { holdCount: number })[]
  groups: { campaignIds: readonly unknown[]; poolCampaignIds: readonly unknown[] }
}

/** The leads that were read at once, for all plans until some of them have to be read again. */
interface MemoryLeads {
  read: {
    leads: readonly PlanLead[]
    rows: ReadonlyMap<string, OfGroup & { attemptAt: Date }>
    /** Leads after their last step. */
    finished: readonly { attemptAt: Date }[]
    variants: readonly { ai: unknown; variantSelection: string }[]
  }
  /** Groups with more leads before `until` than were read. */
  cutGroups: ReadonlyMap<string, OfGroup>
  until: Date
  /** The first attempt after `until`. */
  nextAttemptAt: Date | null
}

/** Plans from memory wait for no text. */
export const noTexts: ReadonlySet<string> = new Set()

/** The input of a tenant's plans, read once. Plans remove leads and raise its counters. It does no I/O. */
export class PlanMemory {
  readonly #settings: MemorySettings
  /** When the day of some campaign or sender ends, so that its counters must be read again. */
  readonly dayEndsMs: number
  readonly #ahead: MemoryLeads
  readonly #leads: Map<string, PlanLead>
  /** The last attempt that was read, for each cut group. */
  readonly #lastMs = new Map<string, number>()
  /** When the first of the removed leads is due again. */
  #againMs = Infinity
  /** No plan was made since the leads were read. */
  #isUnused = true

  constructor(settings: MemorySettings, { ahead, now }: { ahead: MemoryLeads; now: Date }) {
    this.#settings = settings
    this.dayEndsMs = Math.min(
      ...settings.campaigns.map((campaign) => openCampaign(campaign, now.getTime()).nextDayMs),
      ...settings.senders.map((sender) => openSender(sender, now.getTime()).nextDayMs),
    )
    this.#ahead = ahead
    this.#leads = new Map(ahead.read.leads.map((lead) => [lead.id, lead]))
    for (const { attemptAt, ...group } of ahead.read.rows.values()) {
      const key = groupKey(group)
      if (ahead.cutGroups.has(key)) this.#lastMs.set(key, Math.max(this.#lastMs.get(key) ?? 0, attemptAt.getTime()))
    }
  }

  /**
   * Whether all plans can be made from memory: no model writes texts, no sequence branches, no campaign matches providers, and no
   * sender has a problem or shares a budget.
   */
  get isPlain(): boolean {
    const { campaigns, senders } = this.#settings
    return (
      this.#ahead.read.variants.every((variant) => variant.ai === null) &&
      senders.every((sender) => sender.status !== 'connection_error' && sender.holdCount === 0 && !sender.budgets) &&
      campaigns.every(({ steps, providerMatching }) => isPlain(steps) && providerMatching === 'off')
    )
  }

  /** Whether variants are chosen by the results so far, which change with each message. */
  get choosesByReplies(): boolean {
    return this.#ahead.read.variants.some((variant) => variant.variantSelection === 'auto')
  }

  /** The due leads of a plan, and the groups that may have more. Null if leads must be read first. */
  due(now: Date): { candidates: PlanLead[]; cutGroups: ReadonlyMap<string, OfGroup> } | null {
    const nowMs = now.getTime()
    const candidates = [...this.#leads.values()].filter((lead) => lead.attemptAt.getTime() <= nowMs)
    const cut = [...this.#ahead.cutGroups].filter(([key]) => (this.#lastMs.get(key) ?? 0) <= nowMs)
    const due = { candidates, cutGroups: new Map(cut) }
    return nowMs >= Math.min(this.#againMs, this.#ahead.until.getTime()) || this.#runsShort(now, due) ? null : due
  }

  /** Whether fewer leads of a cut group are left than a plan reads. */
  #runsShort(now: Date, { candidates, cutGroups }: NonNullable<ReturnType<PlanMemory['due']>>): boolean {
    if (cutGroups.size === 0 || this.#isUnused) return false
    const { campaigns, senders, groups } = this.#settings
    const limits = limitGroups({ now, campaigns, senders, groups })
    const counts = new Map<string, number>()
    for (const lead of candidates) counts.set(groupKey(lead), (counts.get(groupKey(lead)) ?? 0) + 1)
    return (
      [...cutGroups].some(([key, group]) => (counts.get(key) ?? 0) < limits.getLimit(group)) ||
      shortGroups(limits, { cutGroups, leads: candidates, writing: noTexts }).length > 0
    )
  }

  /** Whether a lead after its last step is due. */
  hasFinished(now: Date): boolean {
    return this.#ahead.read.finished.some(({ attemptAt }) => attemptAt <= now)
  }

  /** The next attempt after `now` that is known; Infinity if there is none. */
  nextAttemptMs(now: Date): number {
    const ahead = [...this.#leads.values(), ...this.#ahead.read.finished].map(({ attemptAt }) => attemptAt.getTime())
    const nextMs = Math.min(this.#againMs, this.#ahead.nextAttemptAt?.getTime() ?? Infinity)
    return ahead.reduce((first, ms) => (ms > now.getTime() && ms < first ? ms : first), nextMs)
  }

  /** Removes a lead until `nextAt`, when leads are read again. Null: it is not due again. */
  remove(leadId: string, nextAt: Date | null): void {
    this.#leads.delete(leadId)
    if (nextAt !== null) this.#againMs = Math.min(this.#againMs, nextAt.getTime())
  }

  /** Counts the sends of a plan, and applies its changes of senders. Returns the holds of campaigns that changed. */
  apply({ senderUpdates, sends, campaignHolds }: PlanResult): ReturnType<typeof campaignHold>[] {
    this.#isUnused = false
    const { senders, campaigns, running } = this.#settings
    for (const { paceRead: _, ...update } of senderUpdates) {
      const sender = senders.find((one) => one.id === update.id)
      if (sender) Object.assign(sender, update)
    }
    for (const { campaignId, counted } of sends) {
      const campaign = campaigns.find((one) => one.id === campaignId)
      if (!campaign) continue
      const { claimed, claimedFirst, byDomain } = campaign.usage
      campaign.usage = {
        claimed: claimed + 1,
        claimedFirst: claimedFirst + (counted.first ? 1 : 0),
        byDomain: { ...byDomain, [counted.domain]: (byDomain[counted.domain] ?? 0) + 1 },
      }
    }
    return running.flatMap((row) => {
      const hold = campaignHold(row.id, campaignHolds, noTexts)
      const isSame = hold.reason === row.holdReason && hold.until?.getTime() === row.holdUntil?.getTime()
      if (row.status !== 'active' || isSame) return []
      Object.assign(row, { holdReason: hold.reason, holdUntil: hold.until })
      return [hold]
    })
  }
}
