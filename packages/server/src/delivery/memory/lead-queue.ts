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
 * The front of a line of leads that wait for a campaign's sender, or for any of them, in the order in which plans read
 * them: by the time of their next attempt. Only a whole line has its end here.
 */
export class LeadQueue {
  readonly #leads: QueuedLead[]
  readonly #whole: boolean

  /** `leads` in order. */
  constructor(leads: readonly QueuedLead[], { whole }: { whole: boolean }) {
    this.#leads = [...leads]
    this.#whole = whole
  }

  get leads(): readonly QueuedLead[] {
    return this.#leads
  }

  /** Fewer than `needed` are left of those that were read, and more stand behind them. */
  runsShort(needed: number): boolean {
    return !this.#whole && this.#leads.length < needed
  }

  /** Those whose attempt has come by `nowMs`, from the front, at most so many. */
  due(nowMs: number, max: number): QueuedLead[] {
    let count = 0
    while (count < max && attemptMs(this.#leads[count]) <= nowMs) count++
    return this.#leads.slice(0, count)
  }

  /** The first attempt after `nowMs` of those that were read; Infinity: none of them. */
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

  /** Puts a lead into its place; one behind the last that was read is found again when the line is read on. */
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
