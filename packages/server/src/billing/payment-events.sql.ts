import type { Executor } from '../platform/db/database.ts'

/** Deletes old event ids. Stripe repeats an event for at most three days. */
export async function deleteOldPaymentEvents(db: Executor, before: Date, limit: number): Promise<number> {
  return db.execute(
    `delete from stripe_events where ctid = any (array(select ctid from stripe_events where received_at < $1 limit $2))`,
    [before, limit],
    'delete_old_payment_events',
  )
}
