import { hourMs } from '@overture/ground/time/spans.ts'
import { randomUUID } from 'node:crypto'
import { completeFinishedCampaigns, dueAfter, holdLeads } from '../../campaigns/index.ts'
import { appendEvents } from '../../platform/events/events.sql.ts'
import { newId } from '../../platform/ids.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { storePacing } from '../../sending-accounts/index.ts'
import { claimDueDirect } from '../plan/claim-direct.commands.ts'
import { leaseMs } from '../plan/claims.sql.ts'
import { possiblyFinished, campaignHold } from '@overture/planner/campaign-outcome.ts'
import type { PlanningTools } from '../plan/lead-facts.shell.ts'
import { candidatesPerGroup, sendsMax } from '@overture/planner/page-limits.ts'
import { earliest } from '@overture/ground/time/earliest.ts'
import { loadSenders } from '../plan/senders.sql.ts'
import { listRunningCampaigns, splitRunning, withUsage } from '../plan/campaigns.sql.ts'
import { plan } from '@overture/planner/plan.ts'
import { toDate } from '@overture/planner/plan-state.ts'
import type { LeadHold, PlannedSend, PlanResult } from '@overture/planner/plan.types.ts'
import { claimPlanning, releasePlanning } from '../plan/lease.sql.ts'
import { listVariants } from '../plan/texts.sql.ts'
import { CampaignHolds } from './campaign-holds.shell.ts'
import { writeDepartures, type Departure } from './departures.shell.ts'
import { storeRecoveries } from './recoveries.shell.ts'
import { KnownLeads } from './known-leads.shell.ts'
import type { QueuedLead } from './lead-queue.ts'
import { plansAhead, readLines, readMemory, type TenantMemory } from './read-memory.shell.ts'
import type { SimulatedMailboxes, SimulatedSending } from './simulated.ts'

const departuresMax = 100
const eventsMax = 1000
/** Leads that become due within this time are read together with those that are due. */
const learnAheadMs = 12 * hourMs
const learnAheadMax = 200
const noTexts: ReadonlySet<string> = new Set()

interface VirtualPlanning {
  leaseToken: string
  mailboxes: SimulatedMailboxes
  /** Delivers the claims that a token has in the database. */
  deliver(claim: { now: Date; token: string }): Promise<unknown>
}

/** An instance belongs to one transaction, which locks its senders and the rows it wrote until the end. */
export class VirtualPlanner implements SimulatedSending {
  readonly #tools: PlanningTools
  readonly #tenant: Tenant
  readonly #options: VirtualPlanning
  readonly #known: KnownLeads
  readonly #departures = new Map<string, Departure>()
  readonly #holds = new Map<string, LeadHold>()
  readonly #campaignHolds: CampaignHolds
  #memory: TenantMemory | null = null
  tookTurns = false
  #now = new Date(0)
  #stale: 'nothing' | 'leads' | 'everything' = 'everything'
  #nextMs = Infinity

  constructor(tools: PlanningTools, tenant: Tenant, options: VirtualPlanning) {
    this.#tools = tools
    this.#tenant = tenant
    this.#options = options
    this.#known = new KnownLeads(tools, tenant)
    this.#campaignHolds = new CampaignHolds(tools.app.db, tenant)
  }

  get nextMs(): number {
    return this.#nextMs
  }

  get isPlain(): boolean {
    return this.#memory?.isPlain !== false
  }

  async takeWake(at: Date): Promise<void> {
    const lease = { token: this.#options.leaseToken, leaseMs, held: true }
    if (!(await claimPlanning(this.#tools.app.db, this.#tenant, lease)))
      throw new Error('Another process holds the planning lease for this account.')
    this.#nextMs = Math.min(this.#nextMs, at.getTime())
  }

  async plan(now: Date): Promise<number | null> {
    this.tookTurns = false
    this.#now = now
    const memory = await this.#upToDate(now)
    if (!memory.isPlain) return null
    const { leads, cut } = memory.due(now.getTime(), candidatesPerGroup(memory.groups))
    if (!(await this.#learn(memory, leads, now))) return null
    const { campaigns, senders } = memory
    const candidates = leads.flatMap((lead) => this.#known.find(lead.id)?.plan ?? [])
    const result = plan({ now, campaigns, senders, candidates, maxSends: sendsMax })
    if (result.sends.some(({ leadId }) => this.#known.find(leadId)?.hasMessage !== false)) return null
    if (this.#isUnderWay(result)) await this.flush()
    const aheadAt = findNext(memory, { result, now, cut })
    await storeRecoveries(this.#tools.app.db, this.#tenant, { result, now, before: () => this.#write() })
    const dueTimes = this.#apply(memory, result, now)
    this.#nextMs = Math.min(aheadAt?.getTime() ?? Infinity, ...dueTimes)
    await this.#completeFinished(memory, { leads, result, now })
    if (this.#departures.size >= departuresMax || memory.choosesByReplies) await this.flush()
    if (memory.choosesByReplies && result.sends.length > 0) await this.#chooseAnew(memory)
    return result.sends.length + (await this.#sendDirect(memory, now))
  }

  async flush(): Promise<void> {
    const { db } = this.#tools.app
    await holdLeads(db, this.#tenant, [...this.#holds.values()])
    this.#holds.clear()
    const written = await this.#writeDepartures()
    const lookEvents = await this.#options.mailboxes.store(written.arrived)
    // Events at the same moment are stored in causal order: a message is sent before a person reads it.
    const events = [...written.events, ...lookEvents].sort((a, b) => a.occurredAt.getTime() - b.occurredAt.getTime())
    for (let from = 0; from < events.length; from += eventsMax)
      await appendEvents(db, this.#tenant, events.slice(from, from + eventsMax))
    await this.#campaignHolds.write()
  }

  async settle(): Promise<void> {
    await this.#write()
    const release = { token: this.#options.leaseToken, nextPlanAt: toDate(this.#nextMs), keep: true }
    await releasePlanning(this.#tools.app.db, this.#tenant, release)
    this.#nextMs = Infinity
  }

  forget(what: 'leads' | 'everything'): void {
    if (what === 'everything') this.#campaignHolds.forget()
    if (this.#stale !== 'everything') this.#stale = what
  }

  async #writeDepartures(): ReturnType<typeof writeDepartures> {
    const memory = this.#memory
    if (memory === null) return { arrived: [], events: [] }
    const { hashes } = this.#known
    const written = await writeDepartures(this.#tools, this.#tenant, [...this.#departures.values()], { memory, hashes })
    this.#departures.clear()
    return written
  }

  /** Sends the due messages that bypass the planner. They are claimed and sent from the database, after the planned messages. */
  async #sendDirect(memory: TenantMemory, now: Date): Promise<number> {
    if (memory.directAt === null || memory.directAt > now) return 0
    await this.#write()
    const { db, secrets } = this.#tools.app
    const lease = { token: randomUUID(), leaseMs }
    const { claimed, nextAt } = await db.transaction((tx) => claimDueDirect(tx, this.#tenant, { lease, secrets, now }))
    if (claimed > 0) await this.#options.deliver({ now, token: lease.token })
    this.#nextMs = Math.min(this.#nextMs, nextAt?.getTime() ?? Infinity)
    this.forget('everything')
    this.tookTurns = true
    return claimed
  }

  async #write(): Promise<void> {
    await this.flush()
    await storePacing(this.#tools.app.db, this.#tenant, this.#memory?.takePacing() ?? [], this.#now)
  }

  async #upToDate(now: Date): Promise<TenantMemory> {
    const earlier = this.#memory
    const runsShort = earlier?.runsShort(candidatesPerGroup(earlier.groups)) ?? true
    if (this.#stale === 'leads' && earlier !== null && !runsShort && (await this.#readLeads(earlier))) {
      this.#stale = 'nothing'
    } else if (earlier === null || this.#stale !== 'nothing' || runsShort) {
      await this.#write()
      const memory = await readMemory(this.#tools, this.#tenant, { now, earlier })
      this.#memory = memory
      this.#stale = 'nothing'
      if (memory.choosesByReplies) await this.#chooseAnew(memory)
      else await this.#known.compare(memory.leads())
      return memory
    }
    if (now.getTime() >= earlier.dayEndsMs) {
      await this.#write()
      const { db } = this.#tools.app
      const senderIds = earlier.senders.map((sender) => sender.id)
      earlier.beginDay({
        campaigns: await withUsage(db, this.#tenant, earlier.campaigns, now),
        senders: await loadSenders(db, this.#tenant, senderIds, now),
        now,
      })
    }
    return earlier
  }

  /** Returns false if the changes of leads may affect more than the leads: a campaign without open leads may be complete. */
  async #readLeads(memory: TenantMemory): Promise<boolean> {
    await this.flush()
    if (memory.choosesByReplies) return false
    await readLines(this.#tools, this.#tenant, memory)
    if (memory.campaigns.some(({ id }) => !memory.hasOpenLeads(id))) return false
    await this.#known.compare(memory.leads())
    return true
  }

  async #chooseAnew(memory: TenantMemory): Promise<void> {
    memory.variants = await listVariants(this.#tools.app.db, this.#tenant, {
      campaignIds: memory.campaigns.map((campaign) => campaign.id),
      stepIds: memory.steps.map((step) => step.id),
    })
    this.#known.forgetAll()
  }

  /** Returns false if some lead is after its last step. */
  async #learn(memory: TenantMemory, leads: readonly QueuedLead[], now: Date): Promise<boolean> {
    const isUnknown = (lead: QueuedLead) => this.#known.find(lead.id) === undefined
    if (!leads.some(isUnknown)) return true
    // Reads more leads than one plan needs. Otherwise each sent message would bring up one lead that has to be read separately.
    const ahead = memory
      .soon(now.getTime() + learnAheadMs, plansAhead * candidatesPerGroup(memory.groups))
      .filter(isUnknown)
      .sort((a, b) => a.attemptAt.getTime() - b.attemptAt.getTime())
      .slice(0, learnAheadMax)
    const unknown = [...new Set([...leads.filter(isUnknown), ...ahead])]
    await this.#known.learn(memory, unknown)
    await this.#options.mailboxes.expect(unknown.map(({ id }) => ({ id, email: this.#known.profile(id).email })))
    return !leads.some(isUnknown)
  }

  /** Whether the plan concerns a lead with unwritten changes. Those must be written before the next ones. */
  #isUnderWay({ sends, leadHolds }: PlanResult): boolean {
    return (
      sends.some(({ leadId }) => this.#departures.has(leadId)) ||
      leadHolds.some(({ leadId }) => this.#departures.has(leadId) || this.#holds.has(leadId))
    )
  }

  /** Applies a plan. Returns when the contacted leads are due again, in milliseconds. */
  #apply(memory: TenantMemory, result: PlanResult, now: Date): number[] {
    for (const hold of result.leadHolds) {
      const known = this.#known.find(hold.leadId)
      if (!known) continue
      this.#holds.set(hold.leadId, hold)
      const lead = memory.hold(known.queued, hold)
      if (lead === null) this.#known.forget(hold.leadId)
      else this.#known.hold(lead)
    }
    const dueTimes = result.sends.map((send) => this.#depart(memory, send, now))
    memory.count(result)
    for (const { id } of memory.campaigns) this.#campaignHolds.note(campaignHold(id, result.campaignHolds, noTexts))
    return dueTimes
  }

  #depart(memory: TenantMemory, send: PlannedSend, now: Date): number {
    const { queued } = this.#known.find(send.leadId) ?? {}
    const sender = memory.senders.find((one) => one.id === send.sendingAccountId)
    const schedule = memory.running.find((campaign) => campaign.id === send.campaignId)?.schedule
    if (!queued || !sender || !schedule) throw new Error('A plan names a lead that is not in its memory.')
    const profile = this.#known.profile(send.leadId)
    const nextStep = memory.steps.find(
      (step) => step.campaignId === send.campaignId && step.position === queued.currentStep + 2,
    )
    const wait = nextStep && { value: nextStep.waitValue, unit: nextStep.waitUnit }
    const dueAt = wait ? dueAfter(now, wait, schedule, profile) : null
    const messageId = newId('msg')
    const answer = this.#options.mailboxes.accept({ messageId, leadId: send.leadId, to: profile.email, at: now })
    const next = memory.moveOn(queued, { send, dueAt })
    this.#departures.set(send.leadId, {
      messageId,
      send,
      at: now,
      lead: queued,
      next,
      profile,
      sender: { ...sender },
      answer,
    })
    this.#known.forget(send.leadId)
    return dueAt?.getTime() ?? Infinity
  }

  /** Asks the database about other leads only for campaigns that have no open lead in memory. */
  async #completeFinished(
    memory: TenantMemory,
    { leads, result, now }: { leads: readonly QueuedLead[]; result: PlanResult; now: Date },
  ): Promise<void> {
    const loaded = { campaigns: memory.campaigns, waitingForTexts: noTexts, leads }
    const ended = result.sends.filter(({ leadId }) => this.#departures.get(leadId)?.next === null)
    const campaignIds = new Set([...possiblyFinished(loaded, result), ...ended.map((send) => send.campaignId)])
    const ids = [...campaignIds].filter((id) => !memory.hasOpenLeads(id))
    if (ids.length === 0) return
    await this.flush()
    const { db } = this.#tools.app
    await db.transaction((tx) => completeFinishedCampaigns(tx, this.#tenant, ids, now))
    const running = new Set((await listRunningCampaigns(db, this.#tenant)).map((campaign) => campaign.id))
    if (ids.some((id) => !running.has(id))) this.forget('everything')
  }
}

function findNext(
  memory: TenantMemory,
  { result, now, cut }: { result: PlanResult; now: Date; cut: boolean },
): Date | null {
  const busy = cut && (result.sends.length > 0 || result.leadHolds.length > 0)
  return earliest([
    result.nextPlanAt,
    toDate(memory.nextAttemptMs(now.getTime())),
    splitRunning(memory.running, now).nextStartAt,
    memory.directAt,
    ...result.leadHolds.map((hold) => hold.attemptAt),
    busy ? now : null,
  ])
}
