import type { LeadFacts } from '@overture/contract/ai.ts'
import type { Executor } from '../platform/db/database.ts'
import type { Tenant } from '../platform/tenant.ts'

/** What a model may know of some leads: the same fields that a text is made from. */
export async function listLeadFacts(
  db: Executor,
  tenant: Tenant,
  leadIds: readonly string[],
): Promise<(LeadFacts & { id: string })[]> {
  return db.query(
    `select id, first_name, last_name, job_title, company, company_domain, linkedin_url, country, city, custom_variables
     from leads where account_id = $1 and environment = $2 and id = any($3)`,
    [tenant.accountId, tenant.environment, leadIds],
    'list_lead_facts',
  )
}

export interface AheadRow {
  id: string
  email: string
  currentStep: number
}

export interface AheadFilter {
  campaignId: string
  /** Follow-ups that fall due by then. */
  until: Date
  /** First steps are taken from the head of the queue, however far ahead they are due. */
  firstMax: number
  followUpsMax: number
}

/** Leads whose next step comes up, the soonest first, and those that wait for a text. */
export async function listLeadsAhead(db: Executor, tenant: Tenant, filter: AheadFilter): Promise<AheadRow[]> {
  const ours = `account_id = $1 and environment = $2 and campaign_id = $3 and status in ('pending', 'active')`
  return db.query<AheadRow>(
    `(select id, email, current_step from leads where ${ours} and attempt_at is not null and current_step = 0
      order by attempt_at, id limit $5)
     union all
     (select id, email, current_step from leads where ${ours} and attempt_at <= $4 and current_step > 0
      order by attempt_at, id limit $6)
     union all
     (select id, email, current_step from leads where ${ours} and attempt_at is null and blocked_reason = 'awaiting_approval'
      order by id limit $6)`,
    [tenant.accountId, tenant.environment, filter.campaignId, filter.until, filter.firstMax, filter.followUpsMax],
    'list_leads_ahead',
  )
}
