import type { Executor } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'

/** Returns the senders that still exist, and locks them until the transaction ends. Waits for a sender that is being deleted. */
export async function lockPresentSenders(
  db: Executor,
  tenant: Tenant,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db.query<{ id: string }>(
    `select id from sending_accounts where account_id = $1 and environment = $2 and id = any($3) order by id for key share`,
    [tenant.accountId, tenant.environment, ids],
    'lock_present_senders',
  )
  return new Set(rows.map((row) => row.id))
}
