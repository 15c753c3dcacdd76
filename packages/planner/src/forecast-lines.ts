import { differsByLead, resolveLocalDays, nextOpeningMs, type LocalDays } from '@overture/ground/time/sending-window.ts'
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

/** Due leads of a group that wait for the same things, oldest first. They have one recipient domain, one zone and one country. */
interface Line {
  domain: string
  days: LocalDays
  leads: MinHeap<PlanLead>
  /** The lead by which the line is in the order of the lines. Null: the line is not in the order. */
  standsAs: PlanLead | null
  /** The gate because of which the line is set aside. */
  heldBy: GateName | null
}

/** A line that is set aside, and the time until which it is. */
export interface LineAside {
  atMs: number
  /** Puts the line back into the order of the lines. */
  end(): void
}

/**
 * Due leads of one campaign and sender, oldest first. If a recipient domain is full for the day, or a zone is outside its window, the
 * whole line is set aside at once. The cost of a day then depends on the messages that are sent, not on the leads that wait.
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

  /** Takes the oldest leads whose line is not set aside. `cut` is true if there are more of them. */
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

  /** Returns whether a lead would remain to be taken if each domain had this many more claims. */
  wouldGoOn(claims: ReadonlyMap<string, number>): boolean {
    const limit = this.#campaign.plan.caps.maxPerRecipientDomainPerDay ?? Infinity
    for (const line of this.#lines.values()) {
      const claimed = (this.#campaign.usage.byDomain[line.domain] ?? 0) + (claims.get(line.domain) ?? 0)
      if (line.standsAs !== null && claimed < limit) return true
    }
    return false
  }

  /** Sets aside every line that has to wait. */
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
      // The line got another head after this place was stored, so the place is obsolete.
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
    const days = resolveLocalDays(this.#campaign.plan.schedule, lead)
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
    const hold = findHold(this.#campaign, line, nowMs)
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

/** The planner's gates that depend only on the line. Returns the time until which the gate holds each lead of it. */
function findHold({ plan, usage, dayNumber }: RunCampaign, line: Line, nowMs: number) {
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
