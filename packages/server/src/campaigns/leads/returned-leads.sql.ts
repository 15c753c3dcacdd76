import { listInSql, openList, openStatuses } from '@overture/ground/lead-statuses.ts'
import type { LeadStatus } from '@overture/contract/campaigns/leads.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'
import type { LeadKey } from './leads.sql.ts'

/**
 * Holds a lead whose last step came back because of its sender. A completed lead is active again while it waits. Returns
 * undefined if the lead has already got another step or has ended for another reason.
 */
export async function holdReturnedLead(
  db: Executor,
  tenant: Tenant,
  lead: LeadKey & { stepId: string; now: Date },
): Promise<{ email: string; before: LeadStatus; after: LeadStatus } | undefined> {
  const rows = await db.query<{ email: string; before: LeadStatus; after: LeadStatus }>(
    `with before as (
       select lead_id, status from lead_progress
       where account_id = $1 and environment = $2 and campaign_id = $3 and lead_id = $4 and coalesce(current_step_id, $5) = $5
         and status in ${listInSql([...openStatuses, 'completed'])} and handed_to_lead_id is null
       for update)
     update lead_progress p set status = case when p.status = 'completed' then 'active' else p.status end,
       blocked_reason = 'returned', current_step_id = $5, attempt_at = null, next_send_at = null, updated_at = $6
     from before, lead_profiles l
     where p.account_id = $1 and p.environment = $2 and p.campaign_id = $3 and p.lead_id = before.lead_id
       and l.account_id = $1 and l.environment = $2 and l.campaign_id = $3 and l.id = $4
     returning l.email, before.status as before, p.status as after`,
    [tenant.accountId, tenant.environment, lead.campaignId, lead.leadId, lead.stepId, lead.now],
    'hold_returned_lead',
  )
  return rows[0]
}

/** Reopens a lead that bounced. With `stepId` the lead waits for a decision about this step. */
export async function updateLeadRestored(
  db: Executor,
  tenant: Tenant,
  lead: LeadKey & {
    stepId: string | null
    to: LeadStatus
    nextStep: number | null
    deciding: boolean
    dueAt: Date | null
    now: Date
  },
): Promise<boolean> {
  const count = await db.execute(
    `update lead_progress set status = $5, stopped_by = null, current_step_id = coalesce($6, current_step_id),
       blocked_reason = case when $6::text is not null then 'returned' end, next_step = $7, deciding = $8, due_at = $9, attempt_at = null,
       next_send_at = null, updated_at = $10
     where account_id = $1 and environment = $2 and campaign_id = $3 and lead_id = $4 and status = 'bounced'
       and handed_to_lead_id is null`,
    [
      tenant.accountId,
      tenant.environment,
      lead.campaignId,
      lead.leadId,
      lead.to,
      lead.stepId,
      lead.nextStep,
      lead.deciding,
      lead.dueAt,
      lead.now,
    ],
    'update_lead_restored',
  )
  return count > 0
}

export interface ReturnedLead {
  id: string
  email: string
  status: LeadStatus
  currentStepId: string
  /** Whether the returned step is no longer in the sequence. */
  stepGone: boolean
  /** Null if the returned step is the lead's last one. */
  dueAt: Date | null
}

/** Locks leads that wait for a decision about a returned message, in the same order in every transaction. */
export async function lockReturnedLeads(
  db: Executor,
  tenant: Tenant,
  of: { campaignId: string; leadIds: readonly string[] | null; limit: number },
): Promise<ReturnedLead[]> {
  return db.query<ReturnedLead>(
    `select p.lead_id as id, l.email, p.status, p.current_step_id, p.due_at,
       not exists (select 1 from steps s where s.account_id = $1 and s.environment = $2 and s.campaign_id = $3
         and s.id = p.current_step_id) as step_gone
     from lead_progress p join lead_profiles l
       on l.account_id = $1 and l.environment = $2 and l.campaign_id = $3 and l.id = p.lead_id
     where p.account_id = $1 and p.environment = $2 and p.campaign_id = $3 and p.blocked_reason = 'returned'
       and p.status in ${openList} and ($4::text[] is null or p.lead_id = any($4))
     order by p.lead_id limit $5 for no key update of p`,
    [tenant.accountId, tenant.environment, of.campaignId, of.leadIds, of.limit],
    'lock_returned_leads',
  )
}

/** Makes the returned step due again. */
export async function updateLeadsSentAgain(
  db: Executor,
  tenant: Tenant,
  of: { campaignId: string; leadIds: readonly string[]; now: Date },
): Promise<void> {
  await db.execute(
    `update lead_progress set blocked_reason = null, next_step = current_step, deciding = false, due_at = $5, updated_at = $5,
       attempt_at = case when status = 'paused' then null else $5::timestamptz end,
       next_send_at = case when status = 'paused' then null else $5::timestamptz end
     where account_id = $1 and environment = $2 and campaign_id = $3 and lead_id = any($4)`,
    [tenant.accountId, tenant.environment, of.campaignId, of.leadIds, of.now],
    'update_leads_sent_again',
  )
}

/** Skips the returned step: the leads wait for their next step or are completed. */
export async function updateLeadsPastReturned(
  db: Executor,
  tenant: Tenant,
  of: { campaignId: string; leadIds: readonly string[]; now: Date },
): Promise<void> {
  await db.execute(
    `update lead_progress set blocked_reason = null, updated_at = $5,
       status = case when due_at is null and status = 'active' then 'completed' else status end,
       attempt_at = case when status = 'paused' then null else due_at end,
       next_send_at = case when status = 'paused' then null else due_at end
     where account_id = $1 and environment = $2 and campaign_id = $3 and lead_id = any($4)`,
    [tenant.accountId, tenant.environment, of.campaignId, of.leadIds, of.now],
    'update_leads_past_returned',
  )
}
