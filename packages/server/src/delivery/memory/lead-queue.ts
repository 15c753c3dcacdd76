/** An open lead's place in its sequence. */
export interface QueuedLead {
  id: string
  campaignId: string
  sendingAccountId: string | null
  status: 'pending' | 'active'
  blockedReason: string | null
  currentStep: number
  dueAt: Date | null
  attemptAt: Date
  oooUntil: Date | null
  threadId: string | null
}

/**
 * The front of a queue of leads that wait for one sender of a campaign, or for any of them. Plans read it in the order of the
 * next attempt. `whole` means that the queue contains all such leads.
 */
export class LeadQueue {
  readonly #leads: QueuedLead[]
  readonly #whole: boolean

  /** `leads` must be in order. */
  constructor(leads: readonly QueuedLead[], { whole }: { whole: boolean }) {
    this.#leads = [...leads]
    this.#whole = whole
  }

  get leads(): readonly QueuedLead[] {
    return this.#leads
  }

  /** Whether fewer than `needed` of the leads that were read are left although more exist. */
  runsShort(needed: number): boolean {
    return !this.#whole && this.#leads.length < needed
  }

  /** The leads whose attempt is due by `nowMs`, from the front, at most `max`. */
  due(nowMs: number, max: number): QueuedLead[] {
    let count = 0
    while (count < max && attemptMs(this.#leads[count]) <= nowMs) count++
    return this.#leads.slice(0, count)
  }

  /** The first attempt after `nowMs` among the leads that were read; Infinity if there is none. */
  nextMs(nowMs: number): number {
    let low = 0
    let high = this.#leads.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (attemptMs(this.#leads[middle]) <= nowMs) low = middle + 1
      else high = middle
    }
    return attemptMs(this.#leads[low])
  }

  remove(lead: QueuedLead): void {
    const at = this.#leads.indexOf(lead)
    if (at !== -1) this.#leads.splice(at, 1)
  }

  /** Inserts a lead into its place. A lead behind the last one that was read is dropped; it is found when the queue is read on. */
  add(lead: QueuedLead): void {
    let at = this.#leads.length
    while (at > 0 && isBefore(lead, this.#leads[at - 1])) at--
    if (at === this.#leads.length && !this.#whole) return
    this.#leads.splice(at, 0, lead)
  }
}

function attemptMs(lead: QueuedLead | undefined): number {
  return lead?.attemptAt.getTime() ?? Infinity
}

function isBefore(lead: QueuedLead, other: QueuedLead | undefined): boolean {
  const difference = attemptMs(lead) - attemptMs(other)
  return difference < 0 || (difference === 0 && other !== undefined && lead.id < other.id)
}
