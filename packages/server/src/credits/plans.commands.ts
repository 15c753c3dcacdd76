import { dayMs } from '../ground/time/spans.ts'
import { plans, testEnvironmentCredits, type PlanId } from '@overture/contract/accounts/credits.ts'
import type { Executor } from '../platform/db/database.ts'
import type { Tenant } from '../platform/tenant.ts'
import { monthAfter } from './balance.ts'
import { expire, grantCredits, lockedBalance } from './credits.commands.ts'
import { insertBalance, updatePeriod } from './credits.sql.ts'

/**
 * Balances and first grants of a new account, both environments; once, however often it is called. Source:
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
 * Moves the live balance to another plan: what the old one gave and was not spent ends, what was bought stays, the new
 * one's credits are added. The account's own `plan` is the caller's to write, in the same transaction.
 */
export async function changePlan(tx: Executor, accountId: string, plan: PlanId, now: Date): Promise<void> {
  const live: Tenant = { accountId, environment: 'live' }
  const state = await lockedBalance(tx, live)
  await expire(tx, live, { amount: state.expiring, reason: 'Plan changed', expiring: true, now })
  await startPlan(tx, live, plan, now)
}

/** At the end of a period: unspent plan credits end, a monthly plan's are granted again, a trial's are not. */
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

/** A plan that is no longer paid for: its unspent credits end and are not renewed; what was bought stays. */
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

// Counted from the period's own start, so that a server that slept for months lands on the same day of the month.
function periodAt(anchor: Date, now: Date): { start: Date; end: Date } {
  let months = 1
  while (monthAfter(anchor, months + 1) <= now) months += 1
  return { start: monthAfter(anchor, months), end: monthAfter(anchor, months + 1) }
}
