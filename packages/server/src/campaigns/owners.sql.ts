import type { Executor } from '../platform/db/database.ts'

/** Whether the user is an active user of the account. Locks the row, so that the user can't be deactivated before the commit. */
export async function hasActiveUser(db: Executor, accountId: string, userId: string): Promise<boolean> {
  const rows = await db.query(
    `select 1 from users where account_id = $1 and id = $2 and status = 'active' for share`,
    [accountId, userId],
    'has_active_user',
  )
  return rows.length > 0
}

/** Clears the owner of a leaving user's campaigns, in both environments. */
export async function updateCampaignsOfNobody(db: Executor, accountId: string, ownerId: string): Promise<void> {
  await db.execute(
    `update campaigns set owner_id = null where account_id = $1 and owner_id = $2`,
    [accountId, ownerId],
    'update_campaigns_of_nobody',
  )
}
