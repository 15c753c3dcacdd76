import type { Executor } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'
import type { LeadKey } from '../leads/leads.sql.ts'

// Reads by the index `lead_profiles_company`, and each lead's status by its key.
const ofCompany = `from lead_profiles l
  join lead_progress p on p.account_id = $1 and p.environment = $2 and p.campaign_id = l.campaign_id and p.lead_id = l.id
  join campaigns c on c.account_id = $1 and c.environment = $2 and c.id = l.campaign_id and c.deleted_at is null
  where l.account_id = $1 and l.environment = $2 and coalesce(l.company_domain, l.email_domain) = $3`

/** The first leads of a company in undeleted campaigns with one of the statuses, ordered by campaign and id. */
export async function listCompanyLeads(
  db: Executor,
  tenant: Tenant,
  { domain, from, limit }: { domain: string; from: readonly string[]; limit: number },
): Promise<LeadKey[]> {
  return db.query<LeadKey>(
    `select l.campaign_id, l.id as lead_id ${ofCompany} and p.status = any($4) order by l.campaign_id, l.id limit $5`,
    [tenant.accountId, tenant.environment, domain, from, limit],
    'list_company_leads',
  )
}

/** Counts the leads of a company in undeleted campaigns by status. */
export async function countCompanyLeads(
  db: Executor,
  tenant: Tenant,
  domain: string,
): Promise<{ status: string; count: number }[]> {
  return db.query(
    `select p.status, count(*)::int as count ${ofCompany} group by p.status`,
    [tenant.accountId, tenant.environment, domain],
    'count_company_leads',
  )
}
