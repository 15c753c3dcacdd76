import type { Executor } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'

/** One of the two is null. */
export interface SuppressedAddress {
  email: string | null
  domain: string | null
}

const matching = `account_id = $1 and environment = $2 and status in ('pending', 'active') and (email = $3 or email_domain = $4)`

/** Open leads of an address or a domain that may not be written to any more; the planner would find out only when they are due. */
export async function markSuppressedLeads(db: Executor, tenant: Tenant, address: SuppressedAddress): Promise<void> {
  await db.execute(
    `update leads set blocked_reason = 'suppressed', next_send_at = null where ${matching}
       and (attempt_at is not null or blocked_reason in ('missing_variable', 'awaiting_approval'))`,
    [tenant.accountId, tenant.environment, address.email, address.domain],
    'mark_suppressed_leads',
  )
}

/** Back in the planner's queue; whom something else suppresses is held again there. Answers the campaigns, in order. */
export async function clearSuppressedLeads(
  db: Executor,
  tenant: Tenant,
  address: SuppressedAddress & { now: Date },
): Promise<string[]> {
  const rows = await db.query<{ campaignId: string }>(
    `update leads set blocked_reason = null, attempt_at = coalesce(due_at, $5)
     where ${matching} and blocked_reason = 'suppressed' returning campaign_id`,
    [tenant.accountId, tenant.environment, address.email, address.domain, address.now],
    'clear_suppressed_leads',
  )
  return [...new Set(rows.map((row) => row.campaignId))].sort()
}
