import { dayMs } from '@overture/ground/time/spans.ts'
import { AppError, invalid, notFound } from '@overture/contract/errors.ts'
import { creditPrices } from '@overture/contract/accounts/credits.ts'
import type { RevealField } from '@overture/contract/lead-finder/lead-finder.ts'
import { assertCanCharge, readBalance, charge, holdCredits, whileHeld, type HeldCredits } from '../credits/index.ts'
import type { Executor, Transaction } from '../platform/db/database.ts'
import type { App } from '../platform/app.ts'
import type { Tenant } from '../platform/tenant.ts'
import { findContacts, type Dataset } from './store/finder-store.sql.ts'
import { notConfigured, withinBudget, type LeadFinder } from './finder.shell.ts'
import { findReveals, insertReveal, type RevealRow } from './lead-finder.sql.ts'
import { providerId, type LeadProvider, type ProviderReveal } from './providers/provider.ts'

/** A provider that had nothing is not asked again for this long. Such an answer is free for the caller, but not for the operator. */
const missKeptMs = 30 * dayMs

interface RevealRequest {
  personId: string
  field: RevealField
  /** The tenant's time. */
  now: Date
}

interface RevealedValue {
  personId: string
  field: RevealField
  found: boolean
  value: string | null
  creditsCharged: number
  alreadyRevealed: boolean
}

interface RevealOutcome {
  revealed: RevealedValue
  balance: number
}

type InTransaction<Result> = (run: (tx: Transaction) => Promise<RevealOutcome>) => Promise<Result>

/**
 * Reveals one value of one person. Charge and response commit together in the transaction that `inTransaction` opens. Throws 404
 * for an unknown person, 402 or 503. Source: docs/contract.md, "AI and credits".
 */
export async function reveal<Result>(
  finder: LeadFinder,
  tenant: Tenant,
  request: RevealRequest,
  inTransaction: InTransaction<Result>,
): Promise<Result> {
  const source = await finder.source(tenant)
  switch (source.kind) {
    case 'local':
      return inTransaction((tx) =>
        revealLocal(tx, tenant, { ...request, dataset: source.dataset, at: finder.app.clock.now() }),
      )
    case 'remote':
      return revealRemote(finder.app, tenant, { ...request, provider: source.provider }, inTransaction)
    case 'none':
      await assertCanCharge(finder.app.db, tenant, revealPrice(request))
      throw notConfigured()
    default:
      return source satisfies never
  }
}

interface LeadReveals {
  /** The address by person id, or null if there is none. People without an entry were not revealed. */
  emails: Map<string, string | null>
  creditsCharged: number
  /** Why the others were not revealed: the ceiling or the balance was reached, the person is unknown, or the provider failed. */
  refused: Map<string, 'max_credits' | 'insufficient_credits' | 'not_found' | 'unavailable'>
}

/**
 * Reveals emails before people are added to a campaign. Each reveal commits separately and stays paid for, so adding them again
 * is free. Never spends more than `maxCredits`.
 */
export async function revealForLeads(
  finder: LeadFinder,
  tenant: Tenant,
  input: { personIds: readonly string[]; maxCredits?: number; now: Date },
): Promise<LeadReveals> {
  const result: LeadReveals = { emails: new Map(), creditsCharged: 0, refused: new Map() }
  const priced = await findUnpaid(finder, tenant, input.personIds)
  for (const personId of new Set(input.personIds)) {
    const price = priced.has(personId) ? creditPrices.revealEmail : 0
    if (result.creditsCharged + price > (input.maxCredits ?? Infinity)) {
      result.refused.set(personId, 'max_credits')
      continue
    }
    try {
      const request = { personId, field: 'email', now: input.now } as const
      const { revealed } = await reveal(finder, tenant, request, (run) => finder.app.db.transaction(run))
      result.emails.set(personId, revealed.value)
      result.creditsCharged += revealed.creditsCharged
    } catch (error) {
      result.refused.set(personId, toRefusal(error))
    }
  }
  return result
}

/** The highest cost of revealing these people's emails. Nothing is charged. */
export async function estimateReveal(
  finder: LeadFinder,
  tenant: Tenant,
  personIds: readonly string[],
): Promise<{ estimatedCredits: number }> {
  const unpaid = await findUnpaid(finder, tenant, personIds)
  return { estimatedCredits: unpaid.size * creditPrices.revealEmail }
}

async function findUnpaid(finder: LeadFinder, tenant: Tenant, personIds: readonly string[]): Promise<Set<string>> {
  const source = await finder.source(tenant)
  const { db } = finder.app
  const known = await findReveals(db, tenant, { personIds, field: 'email' })
  const now = finder.app.clock.now()
  const paid = new Set(
    known.filter((row) => row.creditsCharged > 0 || isRecentMiss(row, now)).map((row) => row.personId),
  )
  switch (source.kind) {
    case 'local': {
      const contacts = await findContacts(db, source.dataset, personIds)
      return new Set(
        contacts.filter((person) => person.email !== null && !paid.has(person.id)).map((person) => person.id),
      )
    }
    case 'remote':
      return new Set(personIds.filter((id) => !paid.has(id) && providerId(source.provider.name, id) !== null))
    case 'none':
      throw notConfigured()
    default:
      return source satisfies never
  }
}

async function revealLocal(
  tx: Transaction,
  tenant: Tenant,
  request: RevealRequest & { dataset: Dataset; at: Date },
): Promise<RevealOutcome> {
  const [person] = await findContacts(tx, request.dataset, [request.personId])
  if (!person) throw notFound()
  const value = person[request.field]
  if (value === null) return free(tx, tenant, { ...request, value: null, alreadyRevealed: false })
  const price = revealPrice(request)
  const isNew = await insertReveal(tx, tenant, { ...request, value: null, credits: price.amount, now: request.at })
  if (!isNew) return free(tx, tenant, { ...request, value, alreadyRevealed: true })
  const cost = await charge(tx, tenant, { ...price, now: request.now })
  return outcome(request, { value, charged: cost.charged, alreadyRevealed: false, balance: cost.balance })
}

/** The context with which a revealed value is sealed, so that it can be opened only for its account, person and field. */
export function revealContext(tenant: Tenant, personId: string, field: string): string {
  return `finder_reveals ${tenant.accountId} ${personId} ${field}`
}

async function revealRemote<Result>(
  app: App,
  tenant: Tenant,
  request: RevealRequest & { provider: LeadProvider },
  inTransaction: InTransaction<Result>,
): Promise<Result> {
  const { provider, field, personId } = request
  const theirId = providerId(provider.name, personId)
  if (theirId === null) throw notFound()
  const context = revealContext(tenant, personId, field)
  const [known] = await findReveals(app.db, tenant, { personIds: [personId], field })
  if (known?.value) {
    const value = app.secrets.decrypt(known.value, context)
    return inTransaction((tx) => free(tx, tenant, { ...request, value, alreadyRevealed: true }))
  }
  if (known && isRecentMiss(known, app.clock.now())) {
    return inTransaction((tx) => free(tx, tenant, { ...request, value: null, alreadyRevealed: false }))
  }
  if (provider.cannotReveal.includes(field)) throw cannotReveal(field)
  const price = revealPrice(request)
  const held = await holdCredits(app.db, tenant, price)
  const use = {
    provider,
    call: field === 'email' ? ('reveal_email' as const) : ('reveal_mobile' as const),
    isUncharged: ({ outcome }: ProviderReveal) => outcome === 'unknown_person',
  }
  return whileHeld(app.db, held, async () => {
    const answer = await withinBudget(app, use, () => provider.reveal(theirId, field))
    if (answer.outcome === 'unknown_person') throw notFound()
    return inTransaction((tx) => settleReveal(app, tx, tenant, { request, answer, held, context }))
  })
}

function cannotReveal(field: RevealField): AppError {
  const message = `The configured people database does not reveal this value: ${field}.`
  return invalid({ path: 'field', rule: 'unsupported', message })
}

interface Settlement {
  request: RevealRequest
  answer: Exclude<ProviderReveal, { outcome: 'unknown_person' }>
  held: HeldCredits
  context: string
}

/** Stores the provider's answer sealed, and turns the reserved credits into a charge or releases them. */
async function settleReveal(app: App, tx: Transaction, tenant: Tenant, settlement: Settlement): Promise<RevealOutcome> {
  const { request, answer, held } = settlement
  const price = revealPrice(request)
  const value = answer.outcome === 'found' ? answer.value : null
  const isNew = await insertReveal(tx, tenant, {
    ...request,
    value: value === null ? null : app.secrets.encrypt(value, settlement.context),
    credits: value === null ? 0 : price.amount,
    now: app.clock.now(),
  })
  if (value === null || !isNew) {
    await held.release(tx)
    return free(tx, tenant, { ...request, value, alreadyRevealed: value !== null })
  }
  const cost = await held.settle(tx, request.now)
  return outcome(request, { value, charged: cost.charged, alreadyRevealed: false, balance: cost.balance })
}

function isRecentMiss(row: RevealRow, now: Date): boolean {
  return row.creditsCharged === 0 && now.getTime() - row.revealedAt.getTime() < missKeptMs
}

async function free(
  tx: Executor,
  tenant: Tenant,
  found: RevealRequest & { value: string | null; alreadyRevealed: boolean },
): Promise<RevealOutcome> {
  const balance = await readBalance(tx, tenant)
  return outcome(found, { value: found.value, charged: 0, alreadyRevealed: found.alreadyRevealed, balance })
}

function outcome(
  request: RevealRequest,
  found: { value: string | null; charged: number; alreadyRevealed: boolean; balance: number },
): RevealOutcome {
  return {
    balance: found.balance,
    revealed: {
      personId: request.personId,
      field: request.field,
      found: found.value !== null,
      value: found.value,
      creditsCharged: found.charged,
      alreadyRevealed: found.alreadyRevealed,
    },
  }
}

function revealPrice(request: { personId: string; field: RevealField }) {
  return {
    amount: request.field === 'email' ? creditPrices.revealEmail : creditPrices.revealMobile,
    reason: request.field === 'email' ? 'E-mail revealed' : 'Mobile revealed',
    reference: request.personId,
    leadCredits: true,
  }
}

function toRefusal(error: unknown) {
  if (!(error instanceof AppError)) throw error
  if (error.code === 'INSUFFICIENT_CREDITS') return 'insufficient_credits' as const
  if (error.code === 'NOT_FOUND') return 'not_found' as const
  if (error.code === 'SERVICE_UNAVAILABLE') return 'unavailable' as const
  throw error
}
