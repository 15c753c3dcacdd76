import type { Executor } from '../platform/db/database.ts'

/** Stripe repeats an event for three days, and never again. */
export async function deleteOldStripeEvents(db: Executor, before: Date, limit: number): Promise<number> {
  return db.execute(
    `delete from stripe_events where ctid = any (array(select ctid from stripe_events where received_at < $1 limit $2))`,
    [before, limit],
    'delete_old_stripe_events',
  )
}
