import type { LedgerEntryType } from '@overture/contract/accounts/credits.ts'
import { AppError } from '@overture/contract/errors.ts'
import type { Executor } from '../platform/db/database.ts'
import { appendEvents } from '../platform/events/events.sql.ts'
import { newId } from '../platform/ids.ts'
import type { Tenant } from '../platform/tenant.ts'
import {
  adjust,
  decideCharge,
  decideReservation,
  lowThreshold,
  release,
  settle,
  balanceSignals,
  signedAmount,
  type Balance,
} from './balance.ts'
import {
  deleteReservation,
  findPurchase,
  insertLedgerEntry,
  insertReservation,
  lockBalance,
  updateBalance,
  type BalanceRow,
} from './credits.sql.ts'

/** A reservation that is not settled is released after this time. No provider call may last longer. */
const reservationSeconds = 300

export interface ChargeInput {
  amount: number
  reason: string
  reference?: string | null
  /** Counts towards the trial's cap on lead search and reveal. */
  leadCredits?: boolean
  /** The tenant's time for the events. The time of the entry if omitted. */
  now?: Date
}

/**
 * Charges credits inside the caller's transaction, so that ledger entry and balance commit together with the paid work or not
 * at all. An amount of 0 writes nothing. Throws INSUFFICIENT_CREDITS. Source: docs/contract.md, "AI and credits".
 */
export async function charge(
  tx: Executor,
  tenant: Tenant,
  input: ChargeInput,
): Promise<{ charged: number; balance: number }> {
  const state = await lockedBalance(tx, tenant)
  if (input.amount === 0) return { charged: 0, balance: state.balance }
  const decision = decideCharge(state, state.plan, { amount: input.amount, leadCredits: input.leadCredits ?? false })
  if (decision.outcome === 'refused') throw insufficient(decision.because)
  await record(tx, tenant, { ...input, state, next: decision.next, type: 'charge' })
  return { charged: input.amount, balance: decision.next.balance }
}

/** Throws INSUFFICIENT_CREDITS if `charge` would throw it now. Changes nothing. */
export async function assertCanCharge(db: Executor, tenant: Tenant, input: ChargeInput): Promise<void> {
  const state = await lockedBalance(db, tenant)
  const decision = decideCharge(state, state.plan, { amount: input.amount, leadCredits: input.leadCredits ?? false })
  if (decision.outcome === 'refused') throw insufficient(decision.because)
}

/** Reserves credits for a call that must not run inside a transaction. Returns the reservation's id. Throws INSUFFICIENT_CREDITS. */
export async function reserve(tx: Executor, tenant: Tenant, input: ChargeInput): Promise<string> {
  const state = await lockedBalance(tx, tenant)
  const spending = { amount: input.amount, leadCredits: input.leadCredits ?? false }
  const decision = decideReservation(state, state.plan, spending)
  if (decision.outcome === 'refused') throw insufficient(decision.because)
  const id = newId('crd')
  await updateBalance(tx, tenant, decision.next)
  await insertReservation(tx, tenant, {
    ...spending,
    id,
    reason: input.reason,
    reference: input.reference ?? null,
    ttlSeconds: reservationSeconds,
  })
  return id
}

/**
 * Charges the cost of the call, at most the reserved amount, and releases the rest, with one ledger entry. If the reservation
 * has expired, the cost is charged like a new charge, which can be refused.
 */
export async function settleReservation(
  tx: Executor,
  tenant: Tenant,
  id: string,
  input: ChargeInput,
): Promise<{ charged: number; balance: number }> {
  const state = await lockedBalance(tx, tenant)
  const reservation = await deleteReservation(tx, tenant, id)
  if (!reservation) return charge(tx, tenant, input)
  const { next, charged } = settle(state, reservation, input.amount)
  if (charged === 0) await updateBalance(tx, tenant, next)
  else {
    await record(tx, tenant, {
      ...input,
      amount: charged,
      leadCredits: reservation.leadCredits,
      state,
      next,
      type: 'charge',
    })
  }
  return { charged, balance: next.balance }
}

/** Releases a reservation without a charge. Returns false if it did not exist any more. */
export async function releaseReservation(tx: Executor, tenant: Tenant, id: string): Promise<boolean> {
  const state = await lockedBalance(tx, tenant)
  const reservation = await deleteReservation(tx, tenant, id)
  if (reservation) await updateBalance(tx, tenant, release(state, reservation))
  return reservation !== null
}

interface GrantInput {
  amount: number
  reason: string
  reference?: string | null
  type?: 'grant' | 'purchase' | 'refund'
  /** Whether the credits expire with the plan's period. */
  expiring?: boolean
  now?: Date
}

/** Adds credits. A purchase whose reference was booked before adds nothing. Returns the balance. */
export async function grantCredits(tx: Executor, tenant: Tenant, input: GrantInput): Promise<{ balance: number }> {
  const state = await lockedBalance(tx, tenant)
  if (input.type === 'purchase' && (await findPurchase(tx, tenant, input.reference ?? ''))) {
    return { balance: state.balance }
  }
  const next = adjust(state, { amount: input.amount, expiring: input.expiring })
  await record(tx, tenant, { ...input, state, next, type: input.type ?? 'grant' })
  return { balance: next.balance }
}

/** Writes the ledger entry that brings the balance to `balance` (docs/contract.md, "Accounts and keys", `credits set`). */
export async function setBalance(
  tx: Executor,
  tenant: Tenant,
  input: { balance: number; reason?: string; now?: Date },
): Promise<{ balance: number }> {
  const state = await lockedBalance(tx, tenant)
  const difference = input.balance - state.balance
  const reason = input.reason ?? 'Set by the operator'
  if (difference > 0) return grantCredits(tx, tenant, { amount: difference, reason, now: input.now })
  if (difference < 0) await expire(tx, tenant, { amount: -difference, reason, now: input.now })
  return { balance: input.balance }
}

/** Removes unspent credits, at most the balance. */
export async function expire(
  tx: Executor,
  tenant: Tenant,
  input: { amount: number; reason: string; expiring?: boolean; now?: Date },
): Promise<void> {
  const state = await lockedBalance(tx, tenant)
  const amount = Math.min(input.amount, state.balance)
  if (amount === 0) return
  const next = adjust(state, { amount: -amount, expiring: input.expiring })
  await record(tx, tenant, { ...input, amount, state, next, type: 'expiry' })
}

/** Locks the balance row until the end of the transaction, so that the changes of one account run one after the other. */
export async function lockedBalance(tx: Executor, tenant: Tenant): Promise<BalanceRow> {
  const state = await lockBalance(tx, tenant)
  if (!state) throw new Error(`no credit balance for ${tenant.accountId} ${tenant.environment}`)
  return state
}

interface Movement {
  state: BalanceRow
  next: Balance
  type: LedgerEntryType
  amount: number
  reason: string
  reference?: string | null
  leadCredits?: boolean
  now?: Date
}

async function record(tx: Executor, tenant: Tenant, movement: Movement): Promise<void> {
  const { state, next } = movement
  await updateBalance(tx, tenant, next)
  const createdAt = await insertLedgerEntry(tx, tenant, {
    id: newId('crd'),
    type: movement.type,
    amount: signedAmount(movement.type, movement.amount),
    balanceAfter: next.balance,
    reason: movement.reason,
    reference: movement.reference ?? null,
    leadCredits: movement.leadCredits ?? false,
  })
  const lowAt = lowThreshold(state.plan, tenant.environment)
  const signals = balanceSignals(state.balance, next.balance, lowAt)
  await appendEvents(
    tx,
    tenant,
    signals.map((type) => ({
      type,
      occurredAt: movement.now ?? createdAt,
      data: { balance: next.balance, threshold: lowAt },
    })),
  )
}

function insufficient(because: 'balance' | 'lead_credit_cap'): AppError {
  const message =
    because === 'balance' ? 'There are not enough credits.' : 'The trial has used all of its lead credits.'
  return new AppError('INSUFFICIENT_CREDITS', message, { reason: because })
}
