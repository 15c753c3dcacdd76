import { differsByLead, localDaysOf, nextOpeningMs, type LocalDays } from '@overture/ground/time/sending-window.ts'
import { dayNumberAt, startOfDayMs } from '@overture/ground/time/time-zone.ts'
import { MinHeap } from './forecast-queue.ts'
import { byAge } from './plan-state.ts'
import type { GateName, PlanCampaign, PlanLead } from './plan.types.ts'

export interface RunCampaign {
  plan: PlanCampaign
  dayNumber: number
  usage: { claimed: number; claimedFirst: number; byDomain: Record<string, number> }
}

export function copyCampaign(campaign: PlanCampaign, nowMs: number): RunCampaign {
  const usage = { ...campaign.usage, byDomain: { ...campaign.usage.byDomain } }
  // A scheduled campaign becomes active without a person, and its schedule opens no earlier than its first day.
  const status = campaign.status === 'scheduled' ? 'active' : campaign.status
  return { plan: { ...campaign, status, usage }, usage, dayNumber: dayNumberAt(campaign.schedule.timezone, nowMs) }
}

/** Due leads of a group to one recipient domain in one zone and country, oldest first. All wait for the same thing. */
interface Line {
  domain: string
  days: LocalDays
  leads: MinHeap<PlanLead>
  /** The head under which the line stands among the others; null: it does not. */
  standsAs: PlanLead | null
  /** Why it is set aside. */
  heldBy: GateName | null
}

/** A line that is set aside, and until when. */
export interface LineAside {
  atMs: number
  /** Puts it back among the others. */
  end(): void
}

/**
 * Due leads of one campaign and sender, oldest first. When a recipient domain is full for the day, or a zone sleeps,
 * the whole line is set aside at once: what a day costs follows what is sent, not how many wait.
 */
export class ReadyGroup {
  readonly senderId: string | null
  readonly #campaign: RunCampaign
  readonly #asides: MinHeap<LineAside>
  readonly #lines = new Map<string, Line>()
  readonly #lineOfLead = new WeakMap<PlanLead, Line>()
  readonly #places = new MinHeap<{ line: Line; head: PlanLead }>((a, b) => byAge(a.head, b.head) < 0)

  constructor(of: { campaign: RunCampaign; senderId: string | null; asides: MinHeap<LineAside> }) {
    this.#campaign = of.campaign
    this.senderId = of.senderId
    this.#asides = of.asides
  }

  get countsDomains(): boolean {
    return this.#campaign.plan.caps.maxPerRecipientDomainPerDay !== null
  }

  push(lead: PlanLead): void {
    const line = this.#lineOf(lead)
    line.leads.push(lead)
    if (line.heldBy === null) this.#stand(line)
  }

  /** The oldest leads that nothing of their line's keeps back; `cut`: there are more. */
  take(countMax: number, nowMs: number): { leads: PlanLead[]; cut: boolean } {
    const leads: PlanLead[] = []
    for (;;) {
      const lead = this.#pop(nowMs)
      if (lead === undefined) return { leads, cut: false }
      if (leads.length === countMax) {
        this.push(lead)
        return { leads, cut: true }
      }
      leads.push(lead)
    }
  }

  /** Whether a lead would be left to take, had each domain this many claims more. */
  wouldGoOn(claims: ReadonlyMap<string, number>): boolean {
    const limit = this.#campaign.plan.caps.maxPerRecipientDomainPerDay ?? Infinity
    for (const line of this.#lines.values()) {
      const claimed = (this.#campaign.usage.byDomain[line.domain] ?? 0) + (claims.get(line.domain) ?? 0)
      if (line.standsAs !== null && claimed < limit) return true
    }
    return false
  }

  /** Sets every line aside that is to wait. */
  rest(nowMs: number): void {
    for (const line of this.#lines.values()) if (line.standsAs !== null) this.#setAside(line, nowMs)
  }

  heldBy(lead: PlanLead): GateName | null {
    return this.#lineOf(lead).heldBy
  }

  #pop(nowMs: number): PlanLead | undefined {
    for (;;) {
      const place = this.#places.pop()
      if (place === undefined) return undefined
      const { line, head } = place
      // A place that another head of the line took since.
      if (line.standsAs !== head) continue
      if (this.#setAside(line, nowMs)) continue
      line.standsAs = null
      line.leads.pop()
      this.#stand(line)
      return head
    }
  }

  #lineOf(lead: PlanLead): Line {
    const own = this.#lineOfLead.get(lead)
    if (own !== undefined) return own
    const line = this.#findLine(lead)
    this.#lineOfLead.set(lead, line)
    return line
  }

  #findLine(lead: PlanLead): Line {
    const days = localDaysOf(this.#campaign.plan.schedule, lead)
    const domain = this.countsDomains ? lead.emailDomain : ''
    const key = `${days.zone} ${days.calendar} ${domain}`
    const known = this.#lines.get(key)
    if (known !== undefined) return known
    const leads = new MinHeap<PlanLead>((a, b) => byAge(a, b) < 0)
    const line: Line = { domain, days, leads, standsAs: null, heldBy: null }
    this.#lines.set(key, line)
    return line
  }

  #stand(line: Line): void {
    const head = line.leads.peek()
    if (head === undefined || line.standsAs === head) return
    line.standsAs = head
    this.#places.push({ line, head })
  }

  #setAside(line: Line, nowMs: number): boolean {
    if (line.heldBy !== null) return true
    const hold = holdOf(this.#campaign, line, nowMs)
    if (hold === null) return false
    line.heldBy = hold.reason
    line.standsAs = null
    const end = () => {
      line.heldBy = null
      this.#stand(line)
    }
    if (hold.untilMs < Infinity) this.#asides.push({ atMs: hold.untilMs, end })
    return true
  }
}

/** The planner's own gates that depend on nothing but the line, until the moment to which it would hold each lead. */
function holdOf({ plan, usage, dayNumber }: RunCampaign, line: Line, nowMs: number) {
  const { schedule, caps } = plan
  const limit = caps.maxPerRecipientDomainPerDay
  if (plan.status !== 'active') return null
  if (limit !== null && (usage.byDomain[line.domain] ?? 0) >= limit) {
    const untilMs = nextOpeningMs(schedule, line.days, startOfDayMs(schedule.timezone, dayNumber + 1))
    return { reason: 'recipient_domain_limit', untilMs: limit > 0 ? untilMs : Infinity } as const
  }
  if (!differsByLead(schedule)) return null
  const opensMs = nextOpeningMs(schedule, line.days, nowMs)
  return opensMs > nowMs ? ({ reason: 'outside_window', untilMs: opensMs } as const) : null
}
