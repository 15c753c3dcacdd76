import type { PlanId } from '@overture/contract/accounts/credits.ts'
import type { Executor } from '../platform/db/database.ts'

/** Returns false if the event was handled before. */
export async function insertStripeEvent(db: Executor, event: { id: string; type: string }): Promise<boolean> {
  const inserted = await db.execute(
    `insert into stripe_events (id, type) values ($1, $2) on conflict (id) do nothing`,
    [event.id, event.type],
  )
  return inserted === 1
}

/** Returns false if the purchase of this session was fulfilled before. */
export async function insertStripeSession(
  db: Executor,
  session: { id: string; accountId: string; now: Date },
): Promise<boolean> {
  const inserted = await db.execute(
    `insert into stripe_sessions (id, account_id, fulfilled_at) values ($1, $2, $3) on conflict (account_id, id) do nothing`,
    [session.id, session.accountId, session.now],
  )
  return inserted === 1
}

/**
 * Takes a lock until the end of the transaction, so that concurrent events for start and end of one subscription see each
 * other's rows.
 */
export async function lockSubscription(db: Executor, id: string): Promise<void> {
  await db.query(`select pg_advisory_xact_lock(hashtextextended('stripe ' || $1, 0)) as locked`, [id])
}

export async function insertEndedSubscription(db: Executor, id: string, now: Date): Promise<void> {
  await db.execute(
    `insert into stripe_ended_subscriptions (id, ended_at) values ($1, $2) on conflict (id) do nothing`,
    [id, now],
  )
}

export async function hasEndedSubscription(db: Executor, id: string): Promise<boolean> {
  const rows = await db.query(`select 1 as found from stripe_ended_subscriptions where id = $1`, [id])
  return rows.length > 0
}

interface BillingAccount {
  plan: PlanId
  trialEndsAt: Date | null
}

export async function findBillingAccount(db: Executor, accountId: string): Promise<BillingAccount | null> {
  const rows = await db.query<BillingAccount>(`select plan, trial_ends_at from accounts where account_id = $1`, [
    accountId,
  ])
  return rows[0] ?? null
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

/** The account of a subscription, because the payment provider's event does not name the account. */
export async function findSubscriberAcrossAccounts(db: Executor, subscriptionId: string): Promise<string | null> {
  const rows = await db.query<{ accountId: string }>(
    `select account_id from billing_customers where subscription_id = $1`,
    [subscriptionId],
  )
  return rows[0]?.accountId ?? null
}

/** Clears a subscription that ended. Returns false if the account has another or none. */
export async function clearSubscription(db: Executor, accountId: string, subscriptionId: string): Promise<boolean> {
  const cleared = await db.execute(
    `update billing_customers set subscription_id = null where account_id = $1 and subscription_id = $2`,
    [accountId, subscriptionId],
  )
  return cleared === 1
}
