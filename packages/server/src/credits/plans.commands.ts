import { dayMs } from '@overture/ground/time/spans.ts'
import { plans, testEnvironmentCredits, type PlanId } from '@overture/contract/accounts/credits.ts'
import type { Executor } from '../platform/db/database.ts'
import type { Tenant } from '../platform/tenant.ts'
import { monthAfter } from './balance.ts'
import { expire, grantCredits, lockedBalance } from './credits.commands.ts'
import { insertBalance, updatePeriod } from './credits.sql.ts'

/**
 * Makes the balances and first grants of a new account in both environments. Repeated calls have no effect. Source:
 * docs/contract.md, "AI and credits".
 */
export async function initialiseCredits(tx: Executor, accountId: string, plan: PlanId, now: Date): Promise<void> {
  const live: Tenant = { accountId, environment: 'live' }
  const test: Tenant = { accountId, environment: 'test' }
  if (await insertBalance(tx, live)) await startPlan(tx, live, plan, now)
  if (await insertBalance(tx, test)) {
    await grantCredits(tx, test, {
      amount: testEnvironmentCredits,
      reason: 'Play credits of the test environment',
      now,
    })
  }
}

/**
 * Moves the live balance to another plan: unspent credits of the old plan expire, bought credits stay, and the credits of the
 * new plan are added. The caller writes the account's own `plan` in the same transaction.
 */
export async function changePlan(tx: Executor, accountId: string, plan: PlanId, now: Date): Promise<void> {
  const live: Tenant = { accountId, environment: 'live' }
  const state = await lockedBalance(tx, live)
  await expire(tx, live, { amount: state.expiring, reason: 'Plan changed', expiring: true, now })
  await startPlan(tx, live, plan, now)
}

/** Ends a period: unspent plan credits expire. A monthly plan's credits are granted again, a trial's are not. */
export async function renewPlan(tx: Executor, tenant: Tenant, now: Date): Promise<void> {
  const state = await lockedBalance(tx, tenant)
  if (!state.periodStart || !state.periodEnd || state.periodEnd > now) return
  const plan = plans[state.plan]
  await expire(tx, tenant, {
    amount: state.expiring,
    reason: plan.interval === 'month' ? 'Unspent credits of the month' : 'End of the trial',
    expiring: true,
    now,
  })
  if (plan.interval !== 'month') return updatePeriod(tx, tenant, { start: null, end: null })
  const period = periodAt(state.periodStart, now)
  await updatePeriod(tx, tenant, period)
  await grantCredits(tx, tenant, {
    amount: plan.credits,
    reason: `Monthly credits (${state.plan})`,
    expiring: true,
    now,
  })
}

/** Ends a plan that is no longer paid for: its unspent credits expire and are not renewed, and bought credits stay. */
export async function endPlan(tx: Executor, accountId: string, now: Date): Promise<void> {
  const live: Tenant = { accountId, environment: 'live' }
  const state = await lockedBalance(tx, live)
  await expire(tx, live, { amount: state.expiring, reason: 'Subscription ended', expiring: true, now })
  await updatePeriod(tx, live, { start: null, end: null })
}

async function startPlan(tx: Executor, tenant: Tenant, plan: PlanId, now: Date): Promise<void> {
  const facts = plans[plan]
  const end =
    facts.trialDays !== null
      ? new Date(now.getTime() + facts.trialDays * dayMs)
      : facts.interval === 'month'
        ? monthAfter(now, 1)
        : null
  await updatePeriod(tx, tenant, { start: end ? now : null, end })
  await grantCredits(tx, tenant, {
    amount: facts.credits,
    reason: `Credits of the plan ${plan}`,
    expiring: end !== null,
    now,
  })
}

// Counted from the start of the stored period, so that a server that was stopped for months gets the same day of the month.
function periodAt(anchor: Date, now: Date): { start: Date; end: Date } {
  let months = 1
  while (monthAfter(anchor, months + 1) <= now) months += 1
  return { start: monthAfter(anchor, months), end: monthAfter(anchor, months + 1) }
}
