import { finishedReasonList, waitingList } from '@overture/ground/lead-statuses.ts'
import { blockedReasonExpression } from '../../campaigns/index.ts'
import type { BlockedReason } from '@overture/contract/campaigns/leads.ts'
import type { AuditActor } from '@overture/contract/team/audit.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'
import type { LeadsOfCountry } from './privacy-warnings.ts'
import type { CandidateRow, LeadRecords } from '../plan/leads.sql.ts'

const candidateFields = `id, campaign_id, status, sending_account_id, email, email_domain, first_name, last_name, job_title, company,
  company_domain, linkedin_url, mobile, country, city, timezone, custom_variables, current_step,
  next_step, current_step > 0 and last_contacted_at is null as untouched, last_contacted_at is null and thread_id is not null as bound,
  case when status = 'paused' then greatest(due_at, resume_at) else due_at end as due_at,
  case when status = 'paused' and resume_at is not null then greatest(due_at, resume_at)
    else coalesce(attempt_at, due_at, created_at) end as attempt_at, created_at, blocked_reason = 'returned' as returned`

export type PlanLeadRow = CandidateRow & LeadRecords

/** A lead in the form that the planner reads, in any status. */
export async function findPlanLead(
  db: Executor,
  tenant: Tenant,
  key: { campaignId: string; leadId: string },
): Promise<PlanLeadRow | undefined> {
  const rows = await db.query<PlanLeadRow>(
    `select ${candidateFields}, tracking_consent, data_source, lawful_basis from leads
     where account_id = $1 and environment = $2 and campaign_id = $3 and id = $4`,
    [tenant.accountId, tenant.environment, key.campaignId, key.leadId],
    'find_plan_lead',
  )
  return rows[0]
}

/**
 * Leads with a remaining step, due now or later, including paused leads that resume automatically. The first `limit` of each
 * campaign.
 */
export async function listForecastLeads(
  db: Executor,
  tenant: Tenant,
  of: { campaignIds: readonly string[]; limit: number },
): Promise<CandidateRow[]> {
  return db.query<CandidateRow>(
    `select l.* from unnest($3::text[]) c (id) cross join lateral (
       select ${candidateFields} from leads
       where account_id = $1 and environment = $2 and campaign_id = c.id
         and (status in ${waitingList} or (status = 'paused' and resume_at is not null)) order by id limit $4) l`,
    [tenant.accountId, tenant.environment, of.campaignIds, of.limit],
    'list_forecast_leads',
  )
}

/** Active and scheduled campaigns that also send from any of these senders. */
export async function listSharingCampaignIds(
  db: Executor,
  tenant: Tenant,
  of: { senderIds: readonly string[]; exceptIds: readonly string[]; limit: number },
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `select id from campaigns where account_id = $1 and environment = $2 and status in ('active', 'scheduled') and deleted_at is null
       and sending_account_ids && $3::text[] and id <> all($4) order by id limit $5`,
    [tenant.accountId, tenant.environment, of.senderIds, of.exceptIds, of.limit],
  )
  return rows.map((row) => row.id)
}

/** Active and scheduled campaigns with a branch that hands over to one of these. */
export async function listHandingIds(
  db: Executor,
  tenant: Tenant,
  of: { toIds: readonly string[]; exceptIds: readonly string[]; limit: number },
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `select c.id from campaigns c
     where c.account_id = $1 and c.environment = $2 and c.status in ('active', 'scheduled') and c.deleted_at is null and c.id <> all($4)
       and exists (select 1 from steps s cross join lateral jsonb_array_elements(s.branches) b (branch)
         where s.account_id = $1 and s.environment = $2 and s.campaign_id = c.id and s.branches is not null
           and b.branch->>'goTo' = any($3))
     order by c.id limit $5`,
    [tenant.accountId, tenant.environment, of.toIds, of.exceptIds, of.limit],
    'list_handing_ids',
  )
  return rows.map((row) => row.id)
}

/** Pairs of a lead and a campaign that would not take it over, because the campaign has the address or took the lead over before. */
export async function listNotTaken(
  db: Executor,
  tenant: Tenant,
  { leads, toIds }: { leads: readonly { campaignId: string; leadId: string }[]; toIds: readonly string[] },
): Promise<{ leadId: string; campaignId: string }[]> {
  if (leads.length === 0) return []
  return db.query(
    `with t as materialized (
       select l.id, l.email, p.handed_to_lead_id is not null as handed
       from unnest($3::text[], $4::text[]) t (campaign_id, lead_id)
       join lead_profiles l on l.account_id = $1 and l.environment = $2 and l.campaign_id = t.campaign_id and l.id = t.lead_id
       join lead_progress p on p.account_id = $1 and p.environment = $2 and p.campaign_id = t.campaign_id and p.lead_id = t.lead_id)
     select t.id as lead_id, g.id as campaign_id from t cross join unnest($5::text[]) g (id)
     where t.handed or exists (select 1 from lead_profiles o where o.account_id = $1 and o.environment = $2 and o.email = t.email
       and o.campaign_id = g.id)`,
    [
      tenant.accountId,
      tenant.environment,
      leads.map((lead) => lead.campaignId),
      leads.map((lead) => lead.leadId),
      toIds,
    ],
    'list_not_taken',
  )
}

interface StepCounts {
  position: number
  waiting: number
  due: number
}

/** Counts open leads by their next step, except those that get no message until something is changed. */
export async function countByNextStep(
  db: Executor,
  tenant: Tenant,
  of: { campaignId: string; now: Date },
): Promise<StepCounts[]> {
  return db.query<StepCounts>(
    `select coalesce(next_step, current_step + 1) as position, count(*) filter (where due_at > $4)::int as waiting,
       count(*) filter (where due_at is null or due_at <= $4)::int as due
     from lead_progress where account_id = $1 and environment = $2 and campaign_id = $3 and status in ${waitingList}
       and coalesce(blocked_reason, '') not in ${finishedReasonList}
     group by 1`,
    [tenant.accountId, tenant.environment, of.campaignId, of.now],
    'count_by_next_step',
  )
}

interface BlockedCount {
  reason: BlockedReason | null
  count: number
}

/** Counts the reasons why open leads are held, by the same rules as the view of a lead. */
export async function countBlocked(
  db: Executor,
  tenant: Tenant,
  of: { campaignId: string; now: Date },
): Promise<BlockedCount[]> {
  return db.query<BlockedCount>(
    `select ${blockedReasonExpression('$4::timestamptz')} as reason, count(*)::int as count
     from lead_progress l join campaigns c on c.account_id = $1 and c.environment = $2 and c.id = l.campaign_id
     where l.account_id = $1 and l.environment = $2 and l.campaign_id = $3 and l.status in ${waitingList}
     group by 1 order by 2 desc`,
    [tenant.accountId, tenant.environment, of.campaignId, of.now],
    'count_blocked',
  )
}

interface SentCounts {
  stepId: string
  sent: number
  lastSentAt: Date | null
}

export async function countSentByStep(db: Executor, tenant: Tenant, campaignId: string): Promise<SentCounts[]> {
  return db.query<SentCounts>(
    `select step_id, count(*)::int as sent, max(sent_at) as last_sent_at from message_heads
     where account_id = $1 and environment = $2 and campaign_id = $3 and kind = 'campaign' and direction = 'outbound'
       and status in ('sent', 'bounced', 'returned') group by step_id`,
    [tenant.accountId, tenant.environment, campaignId],
    'count_sent_by_step',
  )
}

/** The leads that a campaign's planner reads first: the next ones of each sender, and the next ones without a sender. */
export async function listNextLeads(
  db: Executor,
  tenant: Tenant,
  of: { campaignId: string; limitPerSender: number },
): Promise<CandidateRow[]> {
  return db.query<CandidateRow>(
    `select * from (
       select ${candidateFields}, row_number() over (partition by sending_account_id order by leads.attempt_at, leads.id) as place
       from leads where account_id = $1 and environment = $2 and campaign_id = $3 and status in ${waitingList}
         and leads.attempt_at is not null) l
     where place <= $4`,
    [tenant.accountId, tenant.environment, of.campaignId, of.limitPerSender],
    'list_next_leads',
  )
}

const countriesMax = 1_000

/** Counts the leads of a campaign that may get a message, by the text of their country. */
export async function listLeadsByCountry(db: Executor, tenant: Tenant, campaignId: string): Promise<LeadsOfCountry[]> {
  return db.query<LeadsOfCountry>(
    `select country, count(*) filter (where tracking_consent is not true)::int as unasked,
       count(*) filter (where data_source is null and last_contacted_at is null)::int as unsourced
     from leads where account_id = $1 and environment = $2 and campaign_id = $3 and status in ${waitingList}
     group by country order by count(*) desc limit $4`,
    [tenant.accountId, tenant.environment, campaignId, countriesMax],
    'list_leads_by_country',
  )
}

export interface HistoryRow {
  at: Date
  type: string
  messageId: string | null
  data: Record<string, unknown>
  actorType: AuditActor['type'] | null
  actorId: string | null
  actorName: string | null
}

/** The history of a lead, newest last. */
export async function listLeadHistory(
  db: Executor,
  tenant: Tenant,
  of: { campaignId: string; leadId: string; limit: number },
): Promise<HistoryRow[]> {
  return db.query<HistoryRow>(
    `select * from (
       select occurred_at as at, type, message_id, data, actor_type, actor_id, actor_name, position from events
       where account_id = $1 and environment = $2 and lead_id = $3 and campaign_id = $4 order by position desc limit $5) recent
     order by position`,
    [tenant.accountId, tenant.environment, of.leadId, of.campaignId, of.limit],
    'list_lead_history',
  )
}

interface Overlap {
  campaignId: string
  name: string
  count: number
}

/** Other campaigns that write to leads of this one, matched by address, those with the most first. */
export async function listOverlaps(
  db: Executor,
  tenant: Tenant,
  of: { campaignId: string; limit: number },
): Promise<Overlap[]> {
  return db.query<Overlap>(
    `select o.campaign_id, c.name, count(*)::int as count
     from leads l
       join leads o on o.account_id = $1 and o.environment = $2 and o.email = l.email and o.campaign_id <> $3
         and o.status in ${waitingList}
       join campaigns c on c.account_id = $1 and c.environment = $2 and c.id = o.campaign_id
         and c.status in ('active', 'scheduled') and c.deleted_at is null
     where l.account_id = $1 and l.environment = $2 and l.campaign_id = $3 and l.status in ${waitingList}
     group by o.campaign_id, c.name order by count desc, o.campaign_id limit $4`,
    [tenant.accountId, tenant.environment, of.campaignId, of.limit],
    'list_overlaps',
  )
}

/** An active sender that is not one of these. */
export async function findSpareSenderId(
  db: Executor,
  tenant: Tenant,
  { exceptIds }: { exceptIds: readonly string[] },
): Promise<string | undefined> {
  const rows = await db.query<{ id: string }>(
    `select id from sending_accounts where account_id = $1 and environment = $2 and status = 'active' and id <> all($3::text[])
     order by id limit 1`,
    [tenant.accountId, tenant.environment, exceptIds],
    'find_spare_sender_id',
  )
  return rows[0]?.id
}

/** Active and scheduled campaigns, newest first. */
export async function listRunningIds(db: Executor, tenant: Tenant, { limit }: { limit: number }): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `select id from campaigns where account_id = $1 and environment = $2 and status in ('active', 'scheduled')
       and deleted_at is null order by created_at desc, id desc limit $3`,
    [tenant.accountId, tenant.environment, limit],
    'list_running_ids',
  )
  return rows.map((row) => row.id)
}
