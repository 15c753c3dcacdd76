import { openList } from '@overture/ground/lead-statuses.ts'
import type { LeadStatus } from '@overture/contract/campaigns/leads.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'

interface UncontactedLead {
  id: string
  status: LeadStatus
  currentStep: number
  dueAt: Date | null
}

/** Leads that got no step yet: a sample, and the count of all. */
export async function listUncontacted(
  db: Executor,
  tenant: Tenant,
  of: { campaignId: string; limit: number },
): Promise<{ leads: UncontactedLead[]; count: number }> {
  const rows = await db.query<UncontactedLead & { count: number }>(
    `select lead_id as id, status, current_step, due_at, (count(*) over ())::int as count from lead_progress
     where account_id = $1 and environment = $2 and campaign_id = $3 and current_step = 0
       and status in ${openList} order by lead_id limit $4`,
    [tenant.accountId, tenant.environment, of.campaignId, of.limit],
    'list_uncontacted',
  )
  return { leads: rows.map(({ count: _count, ...lead }) => lead), count: rows[0]?.count ?? 0 }
}
