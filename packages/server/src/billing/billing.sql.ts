import type { PlanId } from '@overture/contract/credits.ts'
import type { Executor } from '../platform/db/database.ts'

/** False when the event was handled before. */
export async function insertStripeEvent(db: Executor, event: { id: string; type: string }): Promise<boolean> {
  const inserted = await db.execute(
    `insert into stripe_events (id, type) values ($1, $2) on conflict (id) do nothing`,
    [event.id, event.type],
  )
  return inserted === 1
}

export interface BillingAccount {
  plan: PlanId
  trialEndsAt: Date | null
}

export async function findBillingAccount(db: Executor, accountId: string): Promise<BillingAccount | null> {
  const rows = await db.query<BillingAccount>(`select plan, trial_ends_at from accounts where account_id = $1`, [
    accountId,
  ])
  return rows[0] ?? null
}

/** The plan that was paid for; the credits that go with it are granted in the same transaction. */
export async function updatePaidPlan(db: Executor, accountId: string, plan: PlanId): Promise<void> {
  await db.execute(`update accounts set plan = $2, trial_ends_at = null where account_id = $1`, [accountId, plan])
}

export async function upsertBillingCustomer(
  db: Executor,
  accountId: string,
  customer: { customerId: string; subscriptionId: string | null },
): Promise<void> {
  await db.execute(
    `insert into billing_customers as b (account_id, customer_id, subscription_id) values ($1, $2, $3)
     on conflict (account_id) do update set customer_id = excluded.customer_id,
       subscription_id = coalesce(excluded.subscription_id, b.subscription_id)`,
    [accountId, customer.customerId, customer.subscriptionId],
  )
}

export async function findBillingCustomer(db: Executor, accountId: string): Promise<string | null> {
  const rows = await db.query<{ customerId: string }>(
    `select customer_id from billing_customers where account_id = $1`,
    [accountId],
  )
  return rows[0]?.customerId ?? null
}

/** Forgets a subscription that ended; answers whose it was. */
export async function clearSubscriptionAcrossAccounts(db: Executor, subscriptionId: string): Promise<string | null> {
  const rows = await db.query<{ accountId: string }>(
    `update billing_customers set subscription_id = null where subscription_id = $1 returning account_id`,
    [subscriptionId],
  )
  return rows[0]?.accountId ?? null
}
