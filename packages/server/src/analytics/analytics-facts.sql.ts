import { openList, waitingList } from '@overture/ground/lead-statuses.ts'
import type { Step } from '@overture/contract/campaigns/campaigns.ts'
import { unsentReasonExpression } from '../campaigns/index.ts'
import type { Executor } from '../platform/db/database.ts'
import type { Tenant } from '../platform/tenant.ts'
import type { Names, VariantName } from './breakdown.ts'

interface CampaignFacts {
  id: string
  status: string
  leadCount: number
  timezone: string
  createdAt: Date
  launchedAt: Date | null
}

export async function findCampaignFacts(db: Executor, tenant: Tenant, id: string): Promise<CampaignFacts | null> {
  const rows = await db.query<CampaignFacts>(
    `select id, status, lead_count, schedule->>'timezone' as timezone, created_at, launched_at from campaigns
     where account_id = $1 and environment = $2 and id = $3 and deleted_at is null`,
    [tenant.accountId, tenant.environment, id],
  )
  return rows[0] ?? null
}

export async function findSenderExists(db: Executor, tenant: Tenant, id: string): Promise<boolean> {
  const rows = await db.query(
    'select id from sending_accounts where account_id = $1 and environment = $2 and id = $3',
    [tenant.accountId, tenant.environment, id],
  )
  return rows.length > 0
}

export async function findDefaultTimezone(db: Executor, { accountId }: Tenant): Promise<string> {
  const rows = await db.query<{ defaultTimezone: string }>(
    'select default_timezone from accounts where account_id = $1',
    [accountId],
  )
  return rows[0]?.defaultTimezone ?? 'UTC'
}

interface HeldCampaign {
  campaignId: string
  name: string
  leads: number
}

// The reason is a part of the text, so that PostgreSQL can use the partial index of its leads.
function campaignsHeldBy(reason: 'returned' | 'missing_variable'): string {
  return `select c.id as campaign_id, c.name, p.leads from (
       select campaign_id, count(*)::int as leads from lead_progress
       where account_id = $1 and environment = $2 and blocked_reason = '${reason}' and status in ${openList}
       group by campaign_id) p
     join campaigns c on c.account_id = $1 and c.environment = $2 and c.id = p.campaign_id
     where c.deleted_at is null order by p.leads desc, c.id limit $3`
}

/** Campaigns with leads that wait for a decision about a returned message, those with the most leads first. */
export async function listReturnedCampaigns(db: Executor, tenant: Tenant, limit: number): Promise<HeldCampaign[]> {
  return db.query(campaignsHeldBy('returned'), [tenant.accountId, tenant.environment, limit], 'list_returned_campaigns')
}

/** Campaigns with leads that wait for the value of a variable, those with the most leads first. */
export async function listCampaignsMissingValues(db: Executor, tenant: Tenant, limit: number): Promise<HeldCampaign[]> {
  return db.query(
    campaignsHeldBy('missing_variable'),
    [tenant.accountId, tenant.environment, limit],
    'list_campaigns_missing_values',
  )
}

/** Leads without a message, by reason: the gate that holds them, or the status that ended them. */
export async function countNotSent(
  db: Executor,
  tenant: Tenant,
  of: { campaignId: string | null; now: Date },
): Promise<Record<string, number>> {
  const rows = await db.query<{ reason: string; count: number }>(
    `select case
         when l.status in ${waitingList} then coalesce(${unsentReasonExpression('$4::timestamptz')}, 'due')
         else l.status end as reason, sum(l.count)::int as count
     from (
       select campaign_id, status, blocked_reason,
         case when attempt_at > $4::timestamptz then timestamptz 'infinity' when attempt_at is not null then '-infinity' end as attempt_at,
         count(*) as count
       from lead_progress where account_id = $1 and environment = $2 and ($3::text is null or campaign_id = $3) and current_step = 0
       group by 1, 2, 3, 4) l
     join campaigns c on c.account_id = $1 and c.environment = $2 and c.id = l.campaign_id
     where c.deleted_at is null
     group by 1`,
    [tenant.accountId, tenant.environment, of.campaignId, of.now],
  )
  return Object.fromEntries(rows.map((row) => [row.reason, row.count]))
}

export async function countUncertain(db: Executor, tenant: Tenant, campaignId: string | null): Promise<number> {
  const rows = await db.query<{ count: number }>(
    `select count(*)::int as count from claims
     where account_id = $1 and environment = $2 and lease_until is null and ($3::text is null or campaign_id = $3)`,
    [tenant.accountId, tenant.environment, campaignId],
  )
  return rows[0]?.count ?? 0
}

interface CampaignNames extends Pick<Names, 'steps' | 'senders'> {
  variants: (VariantName & { variantSelection: Step['variantSelection'] })[]
}

/** The names of everything that a breakdown can contain. Removed items have no name. */
export async function listCampaignNames(db: Executor, tenant: Tenant, campaignId: string): Promise<CampaignNames> {
  const rows = await db.query<CampaignNames>(
    `select
       (select coalesce(jsonb_agg(jsonb_build_object('id', id, 'position', position, 'type', type, 'then', leads_to,
           'branches', coalesce(branches, '[]'::jsonb)) order by position), '[]') from steps
         where account_id = $1 and environment = $2 and campaign_id = $3) as steps,
       (select coalesce(jsonb_agg(jsonb_build_object('id', v.id, 'stepId', v.step_id, 'label', v.label, 'weight', v.weight,
           'enabled', v.enabled, 'variantSelection', s.variant_selection) order by v.position), '[]')
         from variants v join steps s
           on s.account_id = $1 and s.environment = $2 and s.campaign_id = $3 and s.id = v.step_id
         where v.account_id = $1 and v.environment = $2 and v.campaign_id = $3) as variants,
       (select coalesce(jsonb_agg(jsonb_build_object('id', id, 'email', email) order by id), '[]') from sending_accounts
         where account_id = $1 and environment = $2) as senders`,
    [tenant.accountId, tenant.environment, campaignId],
  )
  return rows[0]!
}

export async function countCampaignsByStatus(db: Executor, tenant: Tenant): Promise<Record<string, number>> {
  const rows = await db.query<{ status: string; count: number }>(
    `select status, count(*)::int as count from campaigns
     where account_id = $1 and environment = $2 and deleted_at is null group by status`,
    [tenant.accountId, tenant.environment],
  )
  return Object.fromEntries(rows.map((row) => [row.status, row.count]))
}

export async function countLeadsByStatus(db: Executor, tenant: Tenant): Promise<Record<string, number>> {
  const rows = await db.query<{ status: string; count: number }>(
    `select l.status, count(*)::int as count from campaigns c
     join lead_progress l on l.account_id = $1 and l.environment = $2 and l.campaign_id = c.id
     where c.account_id = $1 and c.environment = $2 and c.deleted_at is null group by l.status`,
    [tenant.accountId, tenant.environment],
  )
  return Object.fromEntries(rows.map((row) => [row.status, row.count]))
}

/**
 * The messages sent today (in each sender's own zone), and the number that the active senders may send per day, including ramp-up.
 * An adaptive ramp has the allowance of its last decision, which may be that of an earlier day until the first message is sent.
 */
export async function findToday(db: Executor, tenant: Tenant, now: Date): Promise<{ sent: number; capacity: number }> {
  const rows = await db.query<{ sent: number; capacity: number }>(
    `select coalesce(sum(d.claimed), 0)::int as sent,
       coalesce(sum(case when s.status <> 'active' then 0
         when (s.ramp_up->>'enabled')::boolean and s.ramp_up->>'mode' = 'adaptive' then least(
           greatest(0, s.daily_limit - s.reserved_per_day), (s.ramp_up->>'ceiling')::int,
           coalesce(s.pace->>'allowance', s.ramp_up->>'startPerDay')::int)
         when (s.ramp_up->>'enabled')::boolean then least(greatest(0, s.daily_limit - s.reserved_per_day), (s.ramp_up->>'startPerDay')::int
           + (s.ramp_up->>'incrementPerDay')::int * greatest(0, ($3::timestamptz at time zone s.timezone)::date
             - (coalesce(s.ramp_started_at, $3::timestamptz) at time zone s.timezone)::date))
         else greatest(0, s.daily_limit - s.reserved_per_day) end), 0)::int as capacity
     from sending_accounts s left join sender_days d on d.account_id = $1 and d.environment = $2
       and d.sending_account_id = s.id and d.day = ($3::timestamptz at time zone s.timezone)::date
     where s.account_id = $1 and s.environment = $2`,
    [tenant.accountId, tenant.environment, now],
  )
  return rows[0]!
}
