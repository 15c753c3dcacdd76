import { dayMs } from '@overture/ground/time/spans.ts'
import {
  plans,
  testEnvironmentCredits,
  type LedgerEntryType,
  type PlanId,
} from '@overture/contract/accounts/credits.ts'
import type { Environment } from '@overture/contract/endpoint.ts'

/** The balance row of one (account, environment), in credits. */
export interface Balance {
  balance: number
  /** The part of the balance that expires with the plan's period. It is spent first. */
  expiring: number
  reserved: number
  leadUsed: number
  leadReserved: number
}

interface SpendRequest {
  amount: number
  /** Counts towards the trial's cap on lead search and reveal. */
  leadCredits: boolean
}

type SpendDecision =
  | { outcome: 'granted'; next: Balance }
  | { outcome: 'refused'; because: 'balance' | 'lead_credit_cap' }

type BalanceSignal = 'credits.low' | 'credits.exhausted'

/** Decides whether an amount can be spent now. Reserved credits are not available. Source: docs/contract.md, "AI and credits". */
export function decideCharge(state: Balance, plan: PlanId, spending: SpendRequest): SpendDecision {
  const refusal = refuse(state, plan, spending)
  if (refusal) return { outcome: 'refused', because: refusal }
  return { outcome: 'granted', next: spend(state, spending) }
}

/** Sets an amount aside for a later settlement. */
export function decideReservation(state: Balance, plan: PlanId, spending: SpendRequest): SpendDecision {
  const refusal = refuse(state, plan, spending)
  if (refusal) return { outcome: 'refused', because: refusal }
  return {
    outcome: 'granted',
    next: {
      ...state,
      reserved: state.reserved + spending.amount,
      leadReserved: state.leadReserved + (spending.leadCredits ? spending.amount : 0),
    },
  }
}

/** Releases a reservation. */
export function release(state: Balance, reservation: SpendRequest): Balance {
  return {
    ...state,
    reserved: Math.max(0, state.reserved - reservation.amount),
    leadReserved: Math.max(0, state.leadReserved - (reservation.leadCredits ? reservation.amount : 0)),
  }
}

/** Turns a reservation into a charge of at most the reserved amount, and at most the balance, which an operator may have reduced. */
export function settle(state: Balance, reservation: SpendRequest, amount: number): { next: Balance; charged: number } {
  const freed = release(state, reservation)
  const charged = Math.min(amount, reservation.amount, freed.balance)
  return { next: spend(freed, { amount: charged, leadCredits: reservation.leadCredits }), charged }
}

/** Adds credits outside of spending, or removes them if the amount is negative. The result is never below zero. */
export function adjust(state: Balance, change: { amount: number; expiring?: boolean }): Balance {
  const balance = Math.max(0, state.balance + change.amount)
  const expiring = state.expiring + (change.expiring ? change.amount : 0)
  return { ...state, balance, expiring: Math.min(balance, Math.max(0, expiring)) }
}

/** The signals for a fall from one balance to another. Each is sent once per fall below its threshold. */
export function balanceSignals(before: number, after: number, lowAt: number): BalanceSignal[] {
  const signals: BalanceSignal[] = []
  if (before >= lowAt && after < lowAt) signals.push('credits.low')
  if (before > 0 && after === 0) signals.push('credits.exhausted')
  return signals
}

/** A tenth of the credits that the plan or the test environment gives. */
export function lowThreshold(plan: PlanId, environment: Environment): number {
  const given = environment === 'test' ? testEnvironmentCredits : plans[plan].credits
  return Math.ceil(given / 10)
}

/** The date `months` months after `anchor`. If that month is too short for the day, its last day is used. */
export function monthAfter(anchor: Date, months: number): Date {
  const first = new Date(Date.UTC(anchor.getUTCFullYear(), anchor.getUTCMonth() + months, 1))
  const daysInMonth = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  const day = Math.min(anchor.getUTCDate(), daysInMonth)
  return new Date(first.getTime() + (day - 1) * dayMs + (anchor.getTime() % dayMs))
}

export function signedAmount(type: LedgerEntryType, amount: number): number {
  return type === 'charge' || type === 'expiry' ? -amount : amount
}

function refuse(state: Balance, plan: PlanId, spending: SpendRequest): 'balance' | 'lead_credit_cap' | null {
  if (state.balance - state.reserved < spending.amount) return 'balance'
  const cap = plans[plan].leadCreditCap
  if (spending.leadCredits && cap !== null && state.leadUsed + state.leadReserved + spending.amount > cap) {
    return 'lead_credit_cap'
  }
  return null
}

function spend(state: Balance, spending: SpendRequest): Balance {
  const balance = state.balance - spending.amount
  return {
    ...state,
    balance,
    expiring: Math.min(balance, Math.max(0, state.expiring - spending.amount)),
    leadUsed: state.leadUsed + (spending.leadCredits ? spending.amount : 0),
  }
}
