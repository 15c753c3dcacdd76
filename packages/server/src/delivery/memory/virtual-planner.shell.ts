import { isFinishedReason } from '@overture/ground/lead-statuses.ts'
import { stepAfter } from '@overture/ground/paths/path.ts'
import { earliest } from '@overture/ground/time/earliest.ts'
import { hourMs } from '@overture/ground/time/spans.ts'
import { campaignHold, possiblyFinished } from '@overture/planner/campaign-outcome.ts'
import { recovers } from '@overture/planner/deliverability/pace.ts'
import { sendsMax } from '@overture/planner/page-limits.ts'
import { plan } from '@overture/planner/plan.ts'
import { toDate } from '@overture/planner/plan-state.ts'
import type { LeadHold, PlanLead, PlannedSend, PlanResult, SenderUpdate } from '@overture/planner/plan.types.ts'
import { completeFinishedCampaigns, dueAfter, holdLeads, updateCampaignHolds } from '../../campaigns/index.ts'
import { appendEvents } from '../../platform/events/events.sql.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { storePacing } from '../../sending-accounts/index.ts'
import { splitRunning } from '../plan/campaigns.sql.ts'
import { leaseMs, lockPresentSenders } from '../plan/claims.sql.ts'
import { findNextDirect } from '../plan/direct.sql.ts'
import { stepKey, type PlanningTools, type ReadLeads } from '../plan/lead-facts.shell.ts'
import { claimPlanning, releasePlanning } from '../plan/lease.sql.ts'
import { loadDueLeads, loadLeadGroups, loadPlanSettings, type PlanSettings } from '../plan/load-plan-input.shell.ts'
import { toClaim } from '../plan/write-plan.commands.ts'
import { departuresMax, writeDepartures, type Departure, type PlannedFrom } from './departures.shell.ts'
import { listOpenCampaigns } from './memory.sql.ts'
import { noTexts, PlanMemory } from './plan-memory.ts'
import type { SimulatedMailboxes, SimulatedSending } from './simulated.ts'

const eventsMax = 1000
/** Leads that become due within this time are read together with the due ones. */
const aheadMs = 12 * hourMs
/** How many more leads of a group are read than one plan needs. */
const aheadMax = 25

interface VirtualPlanning {
  leaseToken: string
  mailboxes: SimulatedMailboxes
  /** Whether plans are made from memory as long as that is possible. */
  fromMemory: boolean
  /** Plans from the database and sends. Returns the number of messages sent and decisions made. */
  send(at: { now: Date; leaseToken: string }): Promise<number>
}

interface LoadedInput extends PlannedFrom {
  memory: PlanMemory
}

/** An instance belongs to one transaction, which locks its senders and the rows it wrote until the end. */
export class VirtualPlanner implements SimulatedSending {
  fromMemory: boolean
  usedDatabase = false
  nextMs = Infinity
  readonly #tools: PlanningTools
  readonly #tenant: Tenant
  readonly #options: VirtualPlanning
  #loaded: LoadedInput | null = null
  #directAt: Date | null = null
  #stale: 'nothing' | 'leads' | 'everything' = 'everything'
  #now = new Date(0)
  /** Changes by plans that are not written yet. */
  readonly #departures: Departure[] = []
  readonly #holds: LeadHold[] = []
  readonly #pacing = new Map<string, SenderUpdate>()
  readonly #campaignHolds = new Map<string, ReturnType<typeof campaignHold>>()
  /** Campaigns to check for completion. */
  readonly #toCheck = new Set<string>()

  constructor(tools: PlanningTools, tenant: Tenant, options: VirtualPlanning) {
    this.#tools = tools
    this.#tenant = tenant
    this.#options = options
    this.fromMemory = options.fromMemory
  }

  async takeWake(at: Date): Promise<void> {
    const lease = { token: this.#options.leaseToken, leaseMs, held: true }
    if (!(await claimPlanning(this.#tools.app.db, this.#tenant, lease)))
      throw new Error('Another process holds the planning lease for this account.')
    this.nextMs = Math.min(this.nextMs, at.getTime())
  }

  async plan(now: Date): Promise<number> {
    this.#now = now
    this.usedDatabase = false
    const input = this.fromMemory ? await this.#read(now) : null
    if (input === null) return this.#sendFromDatabase(now)
    const { loaded, candidates, cutGroups } = input
    const { memory, settings, read } = loaded
    const { campaigns, senders } = settings
    const result = plan({ now, campaigns, senders, candidates, maxSends: sendsMax, cutGroups })
    if (result.sends.some((send) => !isPlainSend(send, read))) return this.#sendFromDatabase(now)
    await this.#apply(loaded, result)
    this.nextMs = Math.min(memory.nextAttemptMs(now), this.#findNext(settings, result)?.getTime() ?? Infinity)
    await this.#completeFinished(campaigns, { candidates, result })
    if (this.#departures.length >= departuresMax || memory.choosesByReplies) await this.flush()
    if (memory.choosesByReplies && result.sends.length > 0) this.forget('leads')
    return result.sends.length
  }

  async flush(): Promise<void> {
    const { db } = this.#tools.app
    await holdLeads(db, this.#tenant, this.#holds.splice(0))
    const departures = this.#departures.splice(0)
    const { arrived, events } =
      this.#loaded === null || departures.length === 0
        ? { arrived: [], events: [] }
        : await writeDepartures(this.#tools, this.#tenant, departures, this.#loaded)
    const hitEvents = await this.#options.mailboxes.store(arrived)
    // Events at the same moment are stored in causal order: a message is sent before a person reads it.
    const ordered = [...events, ...hitEvents].sort((a, b) => a.occurredAt.getTime() - b.occurredAt.getTime())
    for (let from = 0; from < ordered.length; from += eventsMax)
      await appendEvents(db, this.#tenant, ordered.slice(from, from + eventsMax))
    await storePacing(db, this.#tenant, [...this.#pacing.values()], this.#now)
    this.#pacing.clear()
    await updateCampaignHolds(db, this.#tenant, [...this.#campaignHolds.values()])
    this.#campaignHolds.clear()
  }

  async settle(): Promise<void> {
    await this.flush()
    const release = { token: this.#options.leaseToken, nextPlanAt: toDate(this.nextMs), keep: true }
    await releasePlanning(this.#tools.app.db, this.#tenant, release)
    this.nextMs = Infinity
  }

  forget(what: 'leads' | 'everything'): void {
    if (this.#stale !== 'everything') this.#stale = what
  }

  async #sendFromDatabase(now: Date): Promise<number> {
    await this.settle()
    const done = await this.#options.send({ now, leaseToken: this.#options.leaseToken })
    this.forget('everything')
    this.usedDatabase = true
    return done
  }

  /** Returns the input of a plan, or null if the plan can't be made from memory. */
  async #read(now: Date) {
    const loaded = await this.#upToDate(now)
    const { memory } = loaded
    this.fromMemory = memory.isPlain
    const hasDirect = this.#directAt !== null && this.#directAt <= now
    const due = memory.due(now)
    return due === null || !memory.isPlain || memory.hasFinished(now) || hasDirect ? null : { loaded, ...due }
  }

  async #upToDate(now: Date): Promise<LoadedInput> {
    const { db } = this.#tools.app
    const earlier = this.#loaded
    const isKept = earlier !== null && this.#stale !== 'everything' && now.getTime() < earlier.memory.dayEndsMs
    if (isKept && this.#stale === 'nothing' && earlier.memory.due(now) !== null) return earlier
    await this.flush()
    const settings = isKept
      ? { ...earlier.settings, groups: await loadLeadGroups(db, this.#tenant, earlier.settings.campaigns) }
      : await this.#loadSettings(now)
    const until = new Date(now.getTime() + aheadMs)
    const leads = await loadDueLeads(this.#tools, this.#tenant, { settings, now, ahead: { until, leads: aheadMax } })
    this.#directAt = await findNextDirect(db, this.#tenant)
    const { read } = leads
    const memory = new PlanMemory(settings, { ahead: { ...leads, until }, now })
    this.#stale = 'nothing'
    for (const { id } of settings.campaigns) this.#toCheck.add(id)
    await this.#options.mailboxes.expect([...read.rows.values()])
    this.#loaded = { settings, read, memory }
    return this.#loaded
  }

  /** Locks the senders, so that they can't be deleted before the end of the transaction. */
  async #loadSettings(now: Date): Promise<PlanSettings> {
    const settings = await loadPlanSettings(this.#tools, this.#tenant, now)
    const ids = settings.senders.map((sender) => sender.id)
    const present = await lockPresentSenders(this.#tools.app.db, this.#tenant, ids)
    return { ...settings, senders: settings.senders.filter((sender) => present.has(sender.id)) }
  }

  async #apply(loaded: LoadedInput, result: PlanResult): Promise<void> {
    for (const update of result.senderUpdates)
      this.#pacing.set(update.id, { ...update, ...firstRead(this.#pacing.get(update.id)) })
    // The event of a sender that became healthy comes before those of the plan's messages.
    if (result.senderUpdates.some(recovers)) await this.flush()
    for (const hold of result.leadHolds) {
      this.#holds.push(hold)
      loaded.memory.remove(hold.leadId, hold.attemptAt)
      if (isFinishedReason(hold.reason)) this.#toCheck.add(hold.campaignId)
    }
    for (const send of result.sends) this.#depart(loaded, send)
    for (const hold of loaded.memory.apply(result)) this.#campaignHolds.set(hold.campaignId, hold)
  }

  #depart({ settings, read, memory }: LoadedInput, send: PlannedSend): void {
    const at = this.#now
    const row = read.rows.get(send.leadId)
    const campaign = settings.campaigns.find(({ id }) => id === send.campaignId)
    const step = campaign?.steps.find(({ id }) => id === send.stepId)
    if (!row || !campaign || !step) throw new Error('A plan names a lead that is not in its memory.')
    const next = stepAfter(campaign.steps, step)
    const dueAt = next && dueAfter(at, next.waitBefore, campaign.schedule, row)
    const claim = toClaim(send, { rows: read.rows, secrets: this.#tools.app.secrets, now: at })
    const accepted = this.#options.mailboxes.accept({ leadId: row.id, to: row.email, at })
    this.#departures.push({ claim, row, isLast: dueAt === null, ...accepted })
    memory.remove(row.id, dueAt)
    if (dueAt === null) this.#toCheck.add(campaign.id)
  }

  #findNext({ running }: PlanSettings, { nextPlanAt, hasMore }: PlanResult): Date | null {
    return earliest([
      nextPlanAt,
      splitRunning(running, this.#now).nextStartAt,
      this.#directAt,
      hasMore ? this.#now : null,
    ])
  }

  /** Checks for other open leads without writing first. Writes only before it completes a campaign. */
  async #completeFinished(
    campaigns: PlanSettings['campaigns'],
    { candidates, result }: { candidates: readonly PlanLead[]; result: PlanResult },
  ): Promise<void> {
    const { db } = this.#tools.app
    const unplanned = possiblyFinished({ campaigns, waitingForTexts: noTexts, leads: candidates }, result)
    const possible = new Set([...unplanned, ...result.sends.map((send) => send.campaignId)])
    const campaignIds = [...this.#toCheck].filter((id) => possible.has(id))
    if (campaignIds.length === 0) return
    for (const id of campaignIds) this.#toCheck.delete(id)
    const ended = this.#departures.flatMap(({ isLast, claim }) => (isLast ? [claim.leadId] : []))
    const held = this.#holds.flatMap(({ reason, leadId }) => (isFinishedReason(reason) ? [leadId] : []))
    const open = await listOpenCampaigns(db, this.#tenant, { campaignIds, exceptLeadIds: [...ended, ...held] })
    const finished = campaignIds.filter((id) => !open.includes(id))
    if (finished.length === 0) return
    await this.flush()
    const count = await db.transaction((tx) => completeFinishedCampaigns(tx, this.#tenant, finished, this.#now))
    if (count > 0) this.forget('everything')
  }
}

/** Whether no message exists for the step, and the lead did not reach it by a branch that was deleted since. */
function isPlainSend({ leadId, stepId }: PlannedSend, { existing, rows }: ReadLeads): boolean {
  return !existing.has(stepKey(leadId, stepId)) && (rows.get(leadId)?.nextStep ?? null) === null
}

/** The pace that the first of a sender's unwritten changes read. Later changes keep it. */
function firstRead(earlier: SenderUpdate | undefined): Pick<SenderUpdate, 'paceRead'> {
  return earlier?.paceRead === undefined ? {} : { paceRead: earlier.paceRead }
}
