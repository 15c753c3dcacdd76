import { waitingList } from '@overture/ground/lead-statuses.ts'
import type { LeadFacts } from '@overture/contract/ai/ai.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'

/** The facts of some leads that a model may use: the same fields that a text is made from. */
export async function listLeadFacts(
  db: Executor,
  tenant: Tenant,
  leadIds: readonly string[],
): Promise<(LeadFacts & { id: string })[]> {
  return db.query(
    `select id, first_name, last_name, job_title, company, company_domain, linkedin_url, country, city, custom_variables
     from lead_profiles where account_id = $1 and environment = $2 and id = any($3)`,
    [tenant.accountId, tenant.environment, leadIds],
    'list_lead_facts',
  )
}

export interface AheadRow {
  id: string
  email: string
  emailDomain: string
  currentStep: number
  nextStep: number | null
}

interface AheadFilter {
  campaignId: string
  /** Follow-ups that are due by then. */
  until: Date
  /** First steps are read from the head of the queue, no matter when they are due. */
  firstMax: number
  followUpsMax: number
}

/** Leads with an upcoming step, the soonest first, and leads that wait for a text. */
export async function listLeadsAhead(db: Executor, tenant: Tenant, filter: AheadFilter): Promise<AheadRow[]> {
  const ours = `account_id = $1 and environment = $2 and campaign_id = $3 and status in ${waitingList}`
  return db.query<AheadRow>(
    `(select id, email, email_domain, current_step, next_step from leads where ${ours} and attempt_at is not null and current_step = 0
      order by attempt_at, id limit $5)
     union all
     (select id, email, email_domain, current_step, next_step from leads where ${ours} and attempt_at <= $4 and current_step > 0
      order by attempt_at, id limit $6)
     union all
     (select id, email, email_domain, current_step, next_step from leads where ${ours} and attempt_at is null
        and blocked_reason = 'awaiting_approval'
      order by id limit $6)`,
    [tenant.accountId, tenant.environment, filter.campaignId, filter.until, filter.firstMax, filter.followUpsMax],
    'list_leads_ahead',
  )
}

export interface UnsentTextRow {
  campaignId: string
  leadId: string
  emailDomain: string
  status: 'requested' | 'waiting' | 'approved'
  attemptAt: Date | null
}

/**
 * Leads that were never contacted, whose text is requested, waiting or approved, and that wait only for a text or their turn.
 * `stepIds` are the campaigns' first steps. The oldest first.
 */
export async function listUnsentTexts(
  db: Executor,
  tenant: Tenant,
  of: { campaignIds: readonly string[]; stepIds: readonly string[] },
): Promise<UnsentTextRow[]> {
  return db.query<UnsentTextRow>(
    `select d.campaign_id, d.lead_id, l.email_domain, d.status, l.attempt_at
     from step_drafts d join leads l on l.account_id = $1 and l.environment = $2
       and l.campaign_id = d.campaign_id and l.id = d.lead_id
     where d.account_id = $1 and d.environment = $2 and d.campaign_id = any($3) and d.step_id = any($4) and not d.spent
       and d.status in ('requested', 'waiting', 'approved') and l.status in ${waitingList} and l.current_step = 0
       and (l.attempt_at is not null or coalesce(l.blocked_reason, 'awaiting_approval') = 'awaiting_approval')
     order by l.attempt_at, l.id`,
    [tenant.accountId, tenant.environment, of.campaignIds, of.stepIds],
    'list_unsent_texts',
  )
}
