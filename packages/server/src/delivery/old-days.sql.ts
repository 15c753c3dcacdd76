import type { Executor } from '../platform/db/database.ts'

/** What was claimed on days that no limit looks at any more. */
export async function deleteOldDaysAcrossAccounts(db: Executor, before: Date, limit: number): Promise<number> {
  const senders = await db.execute(
    `delete from sender_days where ctid = any (array(select ctid from sender_days where day < $1::date limit $2 for update skip locked))`,
    [before, limit],
    'delete_old_sender_days',
  )
  const campaigns = await db.execute(
    `delete from campaign_days where ctid = any (array(
       select ctid from campaign_days where day < $1::date limit $2 for update skip locked))`,
    [before, limit],
    'delete_old_campaign_days',
  )
  const domains = await db.execute(
    `delete from campaign_domain_days where ctid = any (array(
       select ctid from campaign_domain_days where day < $1::date limit $2 for update skip locked))`,
    [before, limit],
    'delete_old_campaign_domain_days',
  )
  return Math.max(senders, campaigns, domains)
}
