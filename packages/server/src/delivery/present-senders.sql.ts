import type { Executor } from '../platform/db/database.ts'
import type { Tenant } from '../platform/tenant.ts'

/** Those of the senders that are still there, and stay until the transaction ends; waits for one that is being deleted. */
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
