import type { Schedule, Settings, Step, Wait } from '@overture/contract/campaigns/campaigns.ts'
import { campaignIdPrefix } from '@overture/contract/vocabularies.ts'
import type { Executor, Transaction } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'
import type { GateName, PlanSender, RampUp } from '../planner/plan.types.ts'

export interface DueTenant extends Tenant {
  /** The tenant's time at the moment of the claim. */
  now: Date
  /** Whether the tenant has a virtual clock that is stopped. */
  frozen: boolean
  /** The trace of the last request for a plan. */
  trace: string | null
}

const tenantNow = `case when p.environment = 'test'
  then coalesce(c.frozen_at, $1::timestamptz + coalesce(c.offset_ms, 0) * interval '1 millisecond') else $1::timestamptz end`

/** Tenants with something to plan by `realNow` and a free planning lease. */
export async function listDueTenantsAcrossAccounts(
  db: Executor,
  { realNow, limit }: { realNow: Date; limit: number },
): Promise<DueTenant[]> {
  return db.query<DueTenant>(
    `select p.account_id, p.environment, ${tenantNow} as now, c.frozen_at is not null as frozen, p.trace
     from planning p left join sandbox_clocks c on c.account_id = p.account_id and p.environment = 'test'
     where ((p.lease_until is null and p.next_plan_at is not null
         and (p.next_plan_at <= $1 or p.environment = 'test') and p.next_plan_at <= ${tenantNow})
       or p.lease_until < now())
       and (p.environment = 'test' or not exists (select from settings h where h.name = 'sending_held'))
     order by p.next_plan_at nulls first limit $2`,
    [realNow, limit],
    'list_due_tenants_across_accounts',
  )
}

/**
 * Takes the planning lease of a tenant. Clears the wake-up time, so that one written during planning is not lost. Returns false
 * if another planner has the lease.
 */
export async function claimPlanning(
  db: Executor,
  tenant: Tenant,
  lease: { token: string; leaseMs: number; held: boolean },
): Promise<boolean> {
  const changed = await db.execute(
    `insert into planning as p (account_id, environment, next_plan_at, lease_token, lease_until)
     values ($1, $2, null, $3, now() + $4::int * interval '1 millisecond')
     on conflict (account_id, environment) do update set next_plan_at = null, trace = null, lease_token = $3,
       lease_until = excluded.lease_until
     where ($5 and p.lease_token = $3) or (not $5 and (p.lease_until is null or p.lease_until < now()))`,
    [tenant.accountId, tenant.environment, lease.token, lease.leaseMs, lease.held],
    'lease_planning',
  )
  return changed === 1
}

/** Releases the lease. Returns when to plan the tenant next, including wake-ups during planning. */
export async function releasePlanning(
  db: Executor,
  tenant: Tenant,
  release: { token: string; nextPlanAt: Date | null; keep: boolean },
): Promise<Date | null> {
  const rows = await db.query<{ nextPlanAt: Date | null }>(
    `update planning set next_plan_at = least(next_plan_at, $4), 
       lease_token = case when $5 then lease_token end, lease_until = case when $5 then lease_until end
     where account_id = $1 and environment = $2 and lease_token = $3 returning next_plan_at`,
    [tenant.accountId, tenant.environment, release.token, release.nextPlanAt, release.keep],
    'release_planning',
  )
  return rows[0]?.nextPlanAt ?? null
}

export interface RunningCampaignRow {
  id: string
  status: 'active' | 'scheduled'
  schedule: Schedule
  settings: Settings
  sendingAccountIds: string[]
  holdReason: GateName | null
  holdUntil: Date | null
}

export async function listRunningCampaigns(db: Executor, tenant: Tenant): Promise<RunningCampaignRow[]> {
  return db.query<RunningCampaignRow>(
    `select id, status, schedule, settings, sending_account_ids, hold_reason, hold_until from campaigns
     where account_id = $1 and environment = $2 and status in ('active', 'scheduled') and deleted_at is null`,
    [tenant.accountId, tenant.environment],
    'list_running_campaigns',
  )
}

/** Whether a running campaign has a branch, or any campaign takes leads over. */
export async function hasRunningBranches(db: Executor, tenant: Tenant): Promise<boolean> {
  const rows = await db.query(
    `select from steps s join campaigns c on c.account_id = $1 and c.environment = $2 and c.id = s.campaign_id
     where s.account_id = $1 and s.environment = $2 and s.type = 'branch' and c.status in ('active', 'scheduled')
       and c.deleted_at is null
     union all
     select from campaigns c where c.account_id = $1 and c.environment = $2 and c.entry is not null and c.deleted_at is null limit 1`,
    [tenant.accountId, tenant.environment],
    'has_running_branches',
  )
  return rows.length > 0
}

export interface PlanStepRow {
  campaignId: string
  id: string
  position: number
  sameThread: boolean
  waitValue: number
  waitUnit: Wait['unit']
  type: Step['type']
  then: string | null
  branches: Step['branches']
}

// Skips branches whose target campaign was deleted or is still a draft.
const standingBranches = `coalesce((select jsonb_agg(b.branch order by b.place)
  from jsonb_array_elements(branches) with ordinality b (branch, place)
  where coalesce(b.branch->>'goTo', '') not like '${campaignIdPrefix}%' or exists (select from campaigns c where c.account_id = $1
    and c.environment = $2 and c.id = b.branch->>'goTo' and c.deleted_at is null and c.status <> 'draft')), '[]'::jsonb)`

export async function listPlanSteps(
  db: Executor,
  tenant: Tenant,
  campaignIds: readonly string[],
): Promise<PlanStepRow[]> {
  return db.query<PlanStepRow>(
    `select campaign_id, id, position, same_thread, wait_value, wait_unit, type, leads_to as "then",
       case when branches is null then '[]'::jsonb else ${standingBranches} end as branches from steps
     where account_id = $1 and environment = $2 and campaign_id = any($3) order by campaign_id, position`,
    [tenant.accountId, tenant.environment, campaignIds],
    'list_plan_steps',
  )
}

export interface VariantRow {
  stepId: string
  id: string
  subject: string
  body: string
  weight: number
  ai: { presetId: string; modelId: string } | null
  variantSelection: Step['variantSelection']
}

/** The enabled variants of some steps, in order. */
export async function listEnabledVariants(
  db: Executor,
  tenant: Tenant,
  steps: { campaignIds: readonly string[]; stepIds: readonly string[] },
): Promise<VariantRow[]> {
  return db.query<VariantRow>(
    `select v.step_id, v.id, v.subject, v.body, v.weight, v.ai, s.variant_selection
     from variants v join steps s on s.account_id = $1 and s.environment = $2
       and s.campaign_id = v.campaign_id and s.id = v.step_id
     where v.account_id = $1 and v.environment = $2 and v.campaign_id = any($3) and v.step_id = any($4) and v.enabled
     order by v.step_id, v.position`,
    [tenant.accountId, tenant.environment, steps.campaignIds, steps.stepIds],
    'list_enabled_variants',
  )
}

export interface SenderRow extends Omit<PlanSender, 'claimedToday'> {
  email: string
  fromName: string
  provider: 'smtp' | 'google' | 'microsoft' | 'sandbox'
  smtpHost: string | null
  signature: string | null
  replyTo: string | null
  trackingDomain: string | null
  rampUp: RampUp | null
  holdCount: number
  connectionVersion: number
}

export async function listSenderRows(db: Executor, tenant: Tenant, ids: readonly string[]): Promise<SenderRow[]> {
  return db.query<SenderRow>(
    `select s.id, s.status, s.timezone, s.daily_limit, s.ramp_up, s.ramp_started_at, s.min_gap_seconds, s.max_gap_seconds, s.next_send_at,
       s.send_sequence, s.held_until, s.hold_count, s.retry_at, s.email, s.from_name, s.provider, s.smtp->>'host' as smtp_host,
       s.signature, s.reply_to, s.tracking_domain, s.connection_version,
       case when s.environment = 'live' and s.provider <> 'sandbox' and (s.imap is not null or s.provider in ('google', 'microsoft'))
         then coalesce(b.read_at, s.created_at) end as inbox_read_at
     from sending_accounts s
     left join mailboxes b on b.account_id = $1 and b.environment = $2 and b.sending_account_id = s.id
     where s.account_id = $1 and s.environment = $2 and s.id = any($3)`,
    [tenant.accountId, tenant.environment, ids],
    'list_plan_senders',
  )
}

/** Two arrays of the same length: ids, and a day for each in its zone. */
interface DayKeys {
  ids: readonly string[]
  days: readonly string[]
}

/** The number of claims of each sender on the given day (`sender_days`). */
export async function listSenderDays(
  db: Executor,
  tenant: Tenant,
  days: DayKeys,
): Promise<{ id: string; claimed: number }[]> {
  return db.query(
    `select d.sending_account_id as id, d.claimed from unnest($3::text[], $4::date[]) t (id, day)
     join sender_days d on d.account_id = $1 and d.environment = $2 and d.sending_account_id = t.id and d.day = t.day`,
    [tenant.accountId, tenant.environment, days.ids, days.days],
    'list_sender_days',
  )
}

export async function listCampaignDays(
  db: Executor,
  tenant: Tenant,
  days: DayKeys,
): Promise<{ id: string; claimed: number; claimedFirst: number }[]> {
  return db.query(
    `select d.campaign_id as id, d.claimed, d.claimed_first from unnest($3::text[], $4::date[]) t (id, day)
     join campaign_days d on d.account_id = $1 and d.environment = $2 and d.campaign_id = t.id and d.day = t.day`,
    [tenant.accountId, tenant.environment, days.ids, days.days],
    'list_campaign_days',
  )
}

export async function listDomainDays(
  db: Executor,
  tenant: Tenant,
  days: DayKeys,
): Promise<{ id: string; domain: string; claimed: number }[]> {
  return db.query(
    `select d.campaign_id as id, d.domain, d.claimed from unnest($3::text[], $4::date[]) t (id, day)
     join campaign_domain_days d on d.account_id = $1 and d.environment = $2 and d.campaign_id = t.id and d.day = t.day`,
    [tenant.accountId, tenant.environment, days.ids, days.days],
    'list_domain_days',
  )
}

/**
 * Makes the commit of this transaction durable before anyone can learn of it. It is a command, because with several database
 * servers the one with the account's rows gets commands, but not the effects of functions.
 */
export async function commitDurably(tx: Transaction): Promise<void> {
  await tx.execute('set local synchronous_commit = on')
}
