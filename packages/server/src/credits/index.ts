import { plans, type PlanId } from '@overture/contract/accounts/credits.ts'
import type { Executor } from '../platform/db/database.ts'
import type { Tenant } from '../platform/tenant.ts'
import { findBalance } from './credits.sql.ts'

export { assertCanCharge, charge, grantCredits, setBalance, type ChargeInput } from './credits.commands.ts'
export { holdCredits, nothingHeld, whileHeld, type HeldCredits } from './held-credits.commands.ts'
export { creditsPeriodic } from './credits.jobs.ts'
export { changePlan, endPlan, initialiseCredits } from './plans.commands.ts'
export { countLedger, findDisagreementsAcrossAccounts, listLedger, type LedgerRow } from './credits.sql.ts'

/** The balance, including reserved credits. 0 for an account without a balance. */
export async function readBalance(db: Executor, tenant: Tenant): Promise<number> {
  return (await findBalance(db, tenant))?.balance ?? 0
}

export interface CreditSummary {
  plan: PlanId
  balance: number
  /** The credits that can be spent now: the balance without reserved credits. */
  available: number
  leadCreditsUsed: number
  leadCreditCap: number | null
  period: { start: Date; end: Date } | null
}

/** The credit figures that accounts and billing show. */
export async function creditSummary(db: Executor, tenant: Tenant): Promise<CreditSummary> {
  const row = await findBalance(db, tenant)
  if (!row) throw new Error(`no credit balance for ${tenant.accountId} ${tenant.environment}`)
  return {
    plan: row.plan,
    balance: row.balance,
    available: row.balance - row.reserved,
    leadCreditsUsed: row.leadUsed,
    leadCreditCap: plans[row.plan].leadCreditCap,
    period: row.periodStart && row.periodEnd ? { start: row.periodStart, end: row.periodEnd } : null,
  }
}
