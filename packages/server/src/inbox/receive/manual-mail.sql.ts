import { openList } from '@overture/ground/lead-statuses.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'

/** The largest number of leads that one mail stops. */
const leadsMax = 200

interface WaitingLead {
  campaignId: string
  leadId: string
  email: string
}

/** The leads with these addresses that may still get messages and were added before the mail. */
export async function listWaitingLeads(
  db: Executor,
  tenant: Tenant,
  { emails, before }: { emails: readonly string[]; before: Date },
): Promise<WaitingLead[]> {
  if (emails.length === 0) return []
  return db.query<WaitingLead>(
    `select l.campaign_id, l.id as lead_id, l.email from lead_profiles l
     join lead_progress p on p.account_id = $1 and p.environment = $2 and p.campaign_id = l.campaign_id and p.lead_id = l.id
       and p.status in ${openList}
     where l.account_id = $1 and l.environment = $2 and l.email = any($3)
       -- Mail servers report the time in whole seconds.
       and date_trunc('second', l.created_at) <= $4
     order by l.campaign_id, l.id limit $5`,
    [tenant.accountId, tenant.environment, emails, before, leadsMax],
    'list_waiting_leads',
  )
}
