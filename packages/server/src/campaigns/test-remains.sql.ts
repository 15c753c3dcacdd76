import type { Executor } from '../platform/db/database.ts'
import type { Tenant } from '../platform/tenant.ts'

/** Deletes a batch of what was forwarded from the conversations of a deleted campaign. Returns 0 when nothing is left. */
export async function deleteForwardRemains(
  db: Executor,
  tenant: Tenant,
  campaignId: string,
  limit: number,
): Promise<number> {
  return db.execute(
    `with batch as (
       select f.id from threads h join forwards f on f.account_id = $1 and f.environment = $2 and f.thread_id = h.id
       where h.account_id = $1 and h.environment = $2 and h.campaign_id = $3 order by f.id limit $4 for update of f),
     ended as (delete from claims c using batch s where c.account_id = $1 and c.environment = $2 and c.message_id = s.id),
     emptied as (delete from message_contents k using batch s where k.account_id = $1 and k.environment = $2 and k.message_id = s.id),
     gone as (delete from message_heads m using batch s where m.account_id = $1 and m.environment = $2 and m.id = s.id)
     delete from forwards f using batch s where f.account_id = $1 and f.environment = $2 and f.id = s.id`,
    [tenant.accountId, tenant.environment, campaignId, limit],
    'delete_forward_remains',
  )
}

/** Deletes a batch of the test messages that users sent themselves from a deleted campaign. Returns 0 when nothing is left. */
export async function deleteTestRemains(
  db: Executor,
  tenant: Tenant,
  campaignId: string,
  limit: number,
): Promise<number> {
  return db.execute(
    `with batch as (
       select id from test_messages where account_id = $1 and environment = $2 and campaign_id = $3 order by id limit $4 for update),
     ended as (delete from claims c using batch s where c.account_id = $1 and c.environment = $2 and c.message_id = s.id),
     emptied as (delete from message_contents k using batch s where k.account_id = $1 and k.environment = $2 and k.message_id = s.id),
     gone as (delete from message_heads m using batch s where m.account_id = $1 and m.environment = $2 and m.id = s.id)
     delete from test_messages t using batch s where t.account_id = $1 and t.environment = $2 and t.id = s.id`,
    [tenant.accountId, tenant.environment, campaignId, limit],
    'delete_test_remains',
  )
}
