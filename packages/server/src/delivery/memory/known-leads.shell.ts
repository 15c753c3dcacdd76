import type { Secrets } from '../../platform/crypto/secrets.shell.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { findSuppressed, type AddressHashes } from '../../suppressions/index.ts'
import { findAddressVerdicts } from '../../verification/index.ts'
import { listStepMessages } from '../plan/claims.sql.ts'
import type { PlanningTools } from '../plan/lead-facts.shell.ts'
import { toPlanLeads } from '../plan/plan-leads.shell.ts'
import type { PlanLead } from '@overture/planner/plan.types.ts'
import { variantFor } from '../plan/written-texts.shell.ts'
import type { QueuedLead } from './lead-queue.ts'
import { listProfiles, type ProfileRow } from './memory.sql.ts'
import type { TenantMemory } from './read-memory.shell.ts'

/** A lead in the planner's form, with the data for its next message. */
interface KnownLead {
  queued: QueuedLead
  plan: PlanLead
  /** Whether its next step already has a message. */
  hasMessage: boolean
}

/** Data of the leads in memory besides their places, read once for many leads. */
export class KnownLeads {
  readonly hashes: AddressHashes
  readonly #tools: PlanningTools
  readonly #tenant: Tenant
  readonly #profiles = new Map<string, ProfileRow>()
  readonly #known = new Map<string, KnownLead>()

  constructor(tools: PlanningTools, tenant: Tenant) {
    this.#tools = tools
    this.#tenant = tenant
    this.hashes = rememberHashes(tools.app.secrets)
  }

  find(leadId: string): KnownLead | undefined {
    return this.#known.get(leadId)
  }

  profile(leadId: string): ProfileRow {
    const profile = this.#profiles.get(leadId)
    if (profile === undefined) throw new Error('The profile of a lead was not read.')
    return profile
  }

  forget(leadId: string): void {
    this.#known.delete(leadId)
  }

  forgetAll(): void {
    this.#known.clear()
  }

  /** Stores when a lead is tried again. Everything else that is known about the lead stays. */
  hold(queued: QueuedLead): void {
    const known = this.#known.get(queued.id)
    if (known) this.#known.set(queued.id, { ...known, queued, plan: { ...known.plan, attemptAt: queued.attemptAt } })
  }

  /** After other processes have written: keeps the leads whose place is unchanged, and asks again whether each may be written to. */
  async compare(leads: readonly QueuedLead[]): Promise<void> {
    const kept = leads.flatMap((queued) => {
      const known = this.#known.get(queued.id)
      return known !== undefined && samePlace(known.queued, queued) ? [{ ...known, queued }] : []
    })
    this.#known.clear()
    const { suppressed, addresses } = await this.#readAddressFacts(kept.map(({ queued }) => queued))
    for (const known of kept) {
      const { id } = known.queued
      const plan = { ...known.plan, suppressed: suppressed.has(this.profile(id).email), address: addresses.get(id) }
      this.#known.set(id, { ...known, plan })
    }
  }

  /** A lead after its last step is not added. */
  async learn(memory: TenantMemory, unknown: readonly QueuedLead[]): Promise<void> {
    await this.#readProfiles(unknown)
    const next = unknown.flatMap((queued) => {
      const step = memory.steps.find(
        (one) => one.campaignId === queued.campaignId && one.position === queued.currentStep + 1,
      )
      return step === undefined ? [] : [{ queued, step }]
    })
    const { suppressed, addresses } = await this.#readAddressFacts(next.map(({ queued }) => queued))
    const messages = await listStepMessages(this.#tools.app.db, this.#tenant, {
      campaignIds: next.map(({ queued }) => queued.campaignId),
      leadIds: next.map(({ queued }) => queued.id),
      stepIds: next.map(({ step }) => step.id),
    })
    const existing = new Map(messages.map((row) => [row.leadId, row]))
    const facts = next.map(({ queued, step }) => ({
      row: { ...this.profile(queued.id), ...queued, nextStep: null, untouched: false, bound: false },
      step,
      variant: variantFor(memory.variants, [], { leadId: queued.id, stepId: step.id }),
      existing: existing.get(queued.id),
      suppressed: suppressed.has(this.profile(queued.id).email),
      address: addresses.get(queued.id),
      meetingUrl: this.#tools.meetingUrl?.(this.#tenant, { campaignId: queued.campaignId, leadId: queued.id }) ?? null,
    }))
    const plans = await toPlanLeads(this.#tools.renderer, this.#tenant, facts)
    next.forEach(({ queued }, at) => {
      const plan = plans[at]
      if (plan) this.#known.set(queued.id, { queued, plan, hasMessage: existing.has(queued.id) })
    })
  }

  async #readProfiles(leads: readonly QueuedLead[]): Promise<void> {
    const missing = leads.filter((lead) => !this.#profiles.has(lead.id))
    if (missing.length === 0) return
    const rows = await listProfiles(this.#tools.app.db, this.#tenant, {
      campaignIds: missing.map((lead) => lead.campaignId),
      leadIds: missing.map((lead) => lead.id),
    })
    for (const row of rows) this.#profiles.set(row.id, row)
  }

  async #readAddressFacts(leads: readonly QueuedLead[]) {
    const { db } = this.#tools.app
    const leadEmails = leads.map(({ id, campaignId }) => ({ id, campaignId, email: this.profile(id).email }))
    const emails = leadEmails.map(({ email }) => email)
    const found = await findSuppressed(db, this.#tenant, { secrets: this.hashes, emails })
    const addresses = await findAddressVerdicts(db, this.#tenant, leadEmails)
    return { suppressed: new Set(found.keys()), addresses }
  }
}

function samePlace(a: QueuedLead, b: QueuedLead): boolean {
  return (
    a.currentStep === b.currentStep &&
    a.sendingAccountId === b.sendingAccountId &&
    a.attemptAt.getTime() === b.attemptAt.getTime() &&
    a.dueAt?.getTime() === b.dueAt?.getTime()
  )
}

function rememberHashes(secrets: Pick<Secrets, 'addressHash'>): AddressHashes {
  const hashes = new Map<string, Buffer>()
  return {
    addressHash(email) {
      const known = hashes.get(email)
      if (known) return known
      const hash = secrets.addressHash(email)
      hashes.set(email, hash)
      return hash
    },
  }
}
