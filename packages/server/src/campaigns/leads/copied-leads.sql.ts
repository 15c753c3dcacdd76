import type { CustomVariables, LeadProfile } from '@overture/contract/campaigns/lead-fields.ts'
import { selectProfile } from '@overture/ground/lead-profile.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'

export interface LeadToCopy extends LeadProfile {
  id: string
  /** The address as it was given. */
  emailGiven: string
  customVariables: CustomVariables
  extra: Record<string, unknown> | null
}

/** A page of a campaign's leads that existed before `until`. Empty if the campaign is deleted. */
export async function listLeadsToCopy(
  db: Executor,
  tenant: Tenant,
  page: { campaignId: string; after: string; until: string; limit: number },
): Promise<LeadToCopy[]> {
  return db.query<LeadToCopy>(
    `select l.id, l.email_given, ${selectProfile('l')}, l.custom_variables, l.extra
     from lead_profiles l
     where l.account_id = $1 and l.environment = $2 and l.campaign_id = $3 and l.id > $4 and l.id < $5
       and exists (select 1 from campaigns c where c.account_id = $1 and c.environment = $2 and c.id = $3 and c.deleted_at is null)
     order by l.id limit $6`,
    [tenant.accountId, tenant.environment, page.campaignId, page.after, page.until, page.limit],
    'list_leads_to_copy',
  )
}
