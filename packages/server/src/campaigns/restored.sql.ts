import type { Executor } from '../platform/db/database.ts'

/** Live campaigns that are sending or scheduled to start. */
export async function listLiveRunningCampaignsAcrossAccounts(
  db: Executor,
  campaignsMax: number,
): Promise<{ accountId: string; id: string }[]> {
  return db.query(
    `select account_id, id from campaigns
     where environment = 'live' and status in ('active', 'scheduled') and deleted_at is null
     order by account_id, id limit $1`,
    [campaignsMax],
  )
}
