import { isFinishedReason } from '@overture/ground/lead-statuses.ts'
import { isPlain } from '@overture/ground/paths/path.ts'
import { openCampaign } from '@overture/planner/plan-state.ts'
import { openSender } from '@overture/planner/pacing.ts'
import type {
  LeadHold,
  PaceMark,
  PlanCampaign,
  PlannedSend,
  PlanResult,
  PlanSender,
  SenderUpdate,
} from '@overture/planner/plan.types.ts'
import type { AccountFooter } from '../write/compose.ts'
import { LeadQueue, type QueuedLead } from './lead-queue.ts'

/** The row types of the code that fills the memory, which have more fields than plans need. */
interface MemoryRows {
  campaign: unknown
  step: unknown
  variant: { ai: unknown; variantSelection: string }
  sender: PlanSender & { holdCount: number }
}

interface MemoryInput<Rows extends MemoryRows> {
  running: readonly Rows['campaign'][]
  /** The active campaigns, with their usage of the day. */
  campaigns: readonly PlanCampaign[]
  steps: readonly Rows['step'][]
  variants: readonly Rows['variant'][]
  senders: readonly Rows['sender'][]
  /** The first leads of each queue, in order. */
  queued: readonly QueuedLead[]
  /** The largest number of leads that were read per queue. */
  queueMax: number
  /** The due time of the next message that bypasses the planner. */
  directAt: Date | null
  footer: AccountFooter
  now: Date
}

/** The input of a tenant's plans, read once and updated as messages are sent. It does no I/O: its owner reads and writes. */
export class PlannerMemory<Rows extends MemoryRows> {
  readonly running: readonly Rows['campaign'][]
  readonly steps: readonly Rows['step'][]
  directAt: Date | null
  readonly footer: AccountFooter
  campaigns: PlanCampaign[] = []
  senders: Rows['sender'][] = []
  variants: readonly Rows['variant'][]
  readonly queueMax: number
  /** When the day of some campaign or sender ends, so that its counters must be read again. */
  dayEndsMs = Infinity
  readonly #queues = new Map<string, LeadQueue>()
  /** By the sender's id: the pace that is stored, as far as plans depend on it. */
  readonly #paced = new Map<string, PaceMark | undefined>()

  constructor(input: MemoryInput<Rows>) {
    this.running = input.running
    this.steps = input.steps
    this.variants = input.variants
    this.directAt = input.directAt
    this.footer = input.footer
    this.queueMax = input.queueMax
    for (const campaign of input.campaigns)
      this.#queues.set(
        queueKey({ campaignId: campaign.id, sendingAccountId: null }),
        new LeadQueue([], { whole: true }),
      )
    this.#setLines(input.queued)
    this.beginDay(input)
  }

  /** The pairs of campaign and sender with waiting leads, now or earlier. */
  get lines(): { campaignId: string; senderId: string }[] {
    return [...this.#queues.keys()].flatMap((key) => {
      const [campaignId = '', senderId = ''] = key.split(' ')
      return key.endsWith(poolEnd) ? [] : [{ campaignId, senderId }]
    })
  }

  /** Replaces the queues with leads that were read again from the front of each queue. */
  readAgain({ queued, directAt }: Pick<MemoryInput<Rows>, 'queued' | 'directAt'>): void {
    this.directAt = directAt
    this.#setLines(queued)
  }

  #setLines(queued: readonly QueuedLead[]): void {
    const byQueue = new Map<string, QueuedLead[]>([...this.#queues.keys()].map((key) => [key, []]))
    for (const lead of queued) {
      const leads = byQueue.get(queueKey(lead)) ?? []
      byQueue.set(queueKey(lead), leads)
      leads.push(lead)
    }
    for (const [key, leads] of byQueue)
      this.#queues.set(key, new LeadQueue(leads, { whole: leads.length < this.queueMax }))
  }

  /** Replaces the counters at the start of a day. */
  beginDay({ campaigns, senders, now }: Pick<MemoryInput<Rows>, 'campaigns' | 'senders' | 'now'>): void {
    const nowMs = now.getTime()
    this.campaigns = campaigns.map((campaign) => ({ ...campaign, usage: { ...campaign.usage } }))
    this.senders = senders.map((sender) => ({ ...sender }))
    this.dayEndsMs = Math.min(
      ...this.campaigns.map((campaign) => openCampaign(campaign, nowMs).nextDayMs),
      ...this.senders.map((sender) => openSender(sender, nowMs).nextDayMs),
    )
  }

  /**
   * Whether all plans can be made from memory: no model writes texts, no sequence branches, no campaign matches providers, and no
   * sender has a problem or shares a budget.
   */
  get isPlain(): boolean {
    const isWell = ({ status, holdCount, budgets }: Rows['sender']) =>
      status !== 'connection_error' && holdCount === 0 && budgets === undefined
    return (
      this.variants.every((variant) => variant.ai === null) &&
      this.senders.every(isWell) &&
      this.campaigns.every(({ steps, providerMatching }) => isPlain(steps) && providerMatching === 'off')
    )
  }

  /** Whether variants are chosen by the results so far, which change with each message. */
  get choosesByReplies(): boolean {
    return this.variants.some((variant) => variant.variantSelection === 'auto')
  }

  /** The number of queues that a plan reads: those of senders with waiting leads, and each campaign's pool. */
  get groups(): number {
    return this.#filled().length
  }

  runsShort(needed: number): boolean {
    return [...this.#queues.values()].some((queue) => queue.runsShort(needed))
  }

  /** The due leads of a plan at `nowMs`. `cut` means that some queue has as many due leads as one plan reads, or more. */
  due(nowMs: number, perGroupMax: number): { leads: QueuedLead[]; cut: boolean } {
    const groups = this.#filled().map((queue) => queue.due(nowMs, perGroupMax))
    return { leads: groups.flat(), cut: groups.some((leads) => leads.length >= perGroupMax) }
  }

  /** The next leads of each queue, whose data is read before they are due. */
  soon(untilMs: number, perGroupMax: number): QueuedLead[] {
    return this.#filled().flatMap((queue) => queue.due(untilMs, perGroupMax))
  }

  nextAttemptMs(nowMs: number): number {
    return Math.min(Infinity, ...this.#filled().map((queue) => queue.nextMs(nowMs)))
  }

  leads(): QueuedLead[] {
    return this.#filled().flatMap((queue) => [...queue.leads])
  }

  hasOpenLeads(campaignId: string): boolean {
    return [...this.#queues].some(
      ([key, queue]) =>
        key.startsWith(`${campaignId} `) &&
        (queue.runsShort(Infinity) || queue.leads.some((lead) => !isFinishedReason(lead.blockedReason))),
    )
  }

  /** Applies a plan's changes of senders and the counts of its sends. */
  count({ senderUpdates, sends }: Pick<PlanResult, 'senderUpdates' | 'sends'>): void {
    for (const { id, paceRead, ...update } of senderUpdates) {
      const sender = this.senders.find((one) => one.id === id)
      if (sender) Object.assign(sender, update)
      if (!this.#paced.has(id)) this.#paced.set(id, paceRead)
    }
    for (const { campaignId, counted } of sends) {
      const campaign = this.campaigns.find((one) => one.id === campaignId)
      if (!campaign) continue
      const { claimed, claimedFirst, byDomain } = campaign.usage
      campaign.usage = {
        claimed: claimed + 1,
        claimedFirst: claimedFirst + (counted.first ? 1 : 0),
        byDomain: campaign.caps.maxPerRecipientDomainPerDay === null ? byDomain : withOneMore(byDomain, counted.domain),
      }
    }
  }

  /** Returns what plans changed about senders since they were read or since the last call. */
  takePacing(): Omit<SenderUpdate, 'claimedToday'>[] {
    const changed = this.senders.flatMap(({ id, nextSendAt, sendSequence, pace }) => {
      if (!this.#paced.has(id)) return []
      const paceRead = this.#paced.get(id)
      return [{ id, nextSendAt, sendSequence, ...(pace !== null && paceRead !== undefined && { pace, paceRead }) }]
    })
    this.#paced.clear()
    return changed
  }

  /** Holds a lead. Returns the lead with its new place, or null if it left the queues. */
  hold(lead: QueuedLead, { reason, attemptAt }: Pick<LeadHold, 'reason' | 'attemptAt'>): QueuedLead | null {
    this.#queues.get(queueKey(lead))?.remove(lead)
    if (attemptAt === null) return null
    return this.#add({ ...lead, blockedReason: reason, attemptAt })
  }

  /** Moves a lead behind the step that was sent to it. Its next step is due at `dueAt`; null means that this was the last step. */
  moveOn(lead: QueuedLead, { send, dueAt }: { send: PlannedSend; dueAt: Date | null }): QueuedLead | null {
    this.#queues.get(queueKey(lead))?.remove(lead)
    if (dueAt === null) return null
    const at = lead.oooUntil !== null && lead.oooUntil > dueAt ? lead.oooUntil : dueAt
    return this.#add({
      ...lead,
      sendingAccountId: send.sendingAccountId,
      status: 'active',
      blockedReason: null,
      currentStep: lead.currentStep + 1,
      dueAt: at,
      attemptAt: at,
    })
  }

  #add(lead: QueuedLead): QueuedLead {
    const queue = this.#queues.get(queueKey(lead)) ?? new LeadQueue([], { whole: true })
    this.#queues.set(queueKey(lead), queue)
    queue.add(lead)
    return lead
  }

  #filled(): LeadQueue[] {
    return [...this.#queues].flatMap(([key, queue]) => (queue.leads.length > 0 || key.endsWith(poolEnd) ? [queue] : []))
  }
}

const poolEnd = ' null'

function queueKey({ campaignId, sendingAccountId }: Pick<QueuedLead, 'campaignId' | 'sendingAccountId'>): string {
  return `${campaignId} ${sendingAccountId}`
}

function withOneMore(byDomain: Readonly<Record<string, number>>, domain: string): Record<string, number> {
  return { ...byDomain, [domain]: (byDomain[domain] ?? 0) + 1 }
}
