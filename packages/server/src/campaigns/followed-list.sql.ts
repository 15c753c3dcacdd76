import type { Executor } from '../platform/db/database.ts'
import type { Tenant } from '../platform/tenant.ts'

/** Returns false if there is no such list. */
export async function lockFollowedList(tx: Executor, tenant: Tenant, id: string): Promise<boolean> {
  const rows = await tx.query(
    'select id from lists where account_id = $1 and environment = $2 and id = $3 for key share',
    [tenant.accountId, tenant.environment, id],
    'lock_followed_list',
  )
  return rows.length > 0
}
