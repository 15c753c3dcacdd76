import type { Executor } from '../platform/db/database.ts'
import type { Tenant } from '../platform/tenant.ts'
import type { CampaignHold, Counted, LeadHold, SenderUpdate } from './planner/plan.types.ts'

export interface Lease {
  token: string
  /** The machine's time, at most 60 s ahead. */
  until: Date
}

export interface Claim {
  messageId: string
  campaignId: string
  leadId: string
  stepId: string
  variantId: string | null
  sendingAccountId: string
  counted: Counted
  to: string
}

/** Takes leads out of the planner's queue; those that were stopped meanwhile are missing from the answer. */
export async function takeLeads(
  db: Executor,
  tenant: Tenant,
  claims: readonly { campaignId: string; leadId: string; sendingAccountId: string }[],
): Promise<Set<string>> {
  const rows = await db.query<{ id: string }>(
    `update lead_progress p set attempt_at = null, sending_account_id = t.sender_id, blocked_reason = null
     from unnest($3::text[], $4::text[], $5::text[]) t (campaign_id, lead_id, sender_id)
     where p.account_id = $1 and p.environment = $2 and p.campaign_id = t.campaign_id and p.lead_id = t.lead_id
       and p.status in ('pending', 'active') and p.attempt_at is not null
       and exists (select from campaigns c where c.account_id = $1 and c.environment = $2 and c.id = t.campaign_id
         and c.status = 'active' and c.deleted_at is null)
     returning p.lead_id as id`,
    [
      tenant.accountId,
      tenant.environment,
      claims.map((claim) => claim.campaignId),
      claims.map((claim) => claim.leadId),
      claims.map((claim) => claim.sendingAccountId),
    ],
    'take_leads',
  )
  return new Set(rows.map((row) => row.id))
}

/** One row per lead and step: the unique index refuses a second one. Answers the ids that were inserted. */
export async function insertClaims(
  db: Executor,
  tenant: Tenant,
  claims: readonly Claim[],
  lease: Lease & { now: Date },
): Promise<Set<string>> {
  const rows = await db.query<{ id: string }>(
    `insert into messages (account_id, environment, id, campaign_id, lead_id, step_id, variant_id, sending_account_id,
       direction, kind, status, lease_token, lease_until, counted, to_addresses, queued_at)
     select $1, $2, c.message_id, c.campaign_id, c.lead_id, c.step_id, c.variant_id, c.sending_account_id, 'outbound', 'campaign',
       'queued', $4, $5, c.counted, jsonb_build_array(jsonb_build_object('email', c.to, 'name', null)), $6
     from jsonb_to_recordset($3::jsonb) as c (message_id text, campaign_id text, lead_id text, step_id text, variant_id text,
       sending_account_id text, counted jsonb, "to" text)
     on conflict (account_id, environment, campaign_id, lead_id, step_id) where step_id is not null and direction = 'outbound'
     do nothing returning id`,
    [tenant.accountId, tenant.environment, JSON.stringify(claims.map(toClaimRow)), lease.token, lease.until, lease.now],
    'insert_claims',
  )
  return new Set(rows.map((row) => row.id))
}

function toClaimRow(claim: Claim) {
  return {
    message_id: claim.messageId,
    campaign_id: claim.campaignId,
    lead_id: claim.leadId,
    step_id: claim.stepId,
    variant_id: claim.variantId,
    sending_account_id: claim.sendingAccountId,
    counted: claim.counted,
    to: claim.to,
  }
}

/** Takes up rows that wait for another try: their bytes and Message-ID stay what they are. */
export async function reclaimMessages(
  db: Executor,
  tenant: Tenant,
  claims: readonly { messageId: string; counted: Counted }[],
  lease: Lease,
): Promise<Set<string>> {
  const rows = await db.query<{ id: string }>(
    `update messages m set lease_token = $5, lease_until = $6, counted = t.counted
     from unnest($3::text[], $4::jsonb[]) t (id, counted)
     where m.account_id = $1 and m.environment = $2 and m.id = t.id and m.status = 'queued' and m.lease_token is null
     returning m.id`,
    [
      tenant.accountId,
      tenant.environment,
      claims.map((claim) => claim.messageId),
      claims.map((claim) => JSON.stringify(claim.counted)),
      lease.token,
      lease.until,
    ],
    'reclaim_messages',
  )
  return new Set(rows.map((row) => row.id))
}

/** Messages that never left, given up because another sender takes the lead over. */
export async function deleteUnsentMessages(db: Executor, tenant: Tenant, ids: readonly string[]): Promise<void> {
  await db.execute(
    `delete from messages where account_id = $1 and environment = $2 and id = any($3) and status = 'queued' and lease_token is null`,
    [tenant.accountId, tenant.environment, ids],
    'delete_unsent_messages',
  )
}

export interface CountedClaim {
  campaignId: string | null
  sendingAccountId: string
  counted: Counted
}

/** Adds claims to the days of senders, campaigns and recipient domains; with `sign` -1 takes them back. */
export async function countClaims(
  db: Executor,
  tenant: Tenant,
  claims: readonly CountedClaim[],
  sign: 1 | -1,
): Promise<void> {
  if (claims.length === 0) return
  const rows = JSON.stringify(
    claims.map(({ campaignId, sendingAccountId, counted }) => ({
      campaign_id: campaignId,
      sender_id: sendingAccountId,
      ...counted,
    })),
  )
  await db.execute(
    `with claims as (select * from jsonb_to_recordset($3::jsonb) as c (campaign_id text, sender_id text, "senderDay" date,
         "campaignDay" date, first boolean, domain text)),
       senders as (
         insert into sender_days as d (account_id, environment, sending_account_id, day, claimed)
         select $1, $2, sender_id, "senderDay", $4::int * count(*) from claims where "senderDay" is not null group by sender_id, "senderDay"
         order by 3, 4
         on conflict (account_id, environment, sending_account_id, day) do update set claimed = greatest(0, d.claimed + excluded.claimed)),
       campaigns as (
         insert into campaign_days as d (account_id, environment, campaign_id, day, claimed, claimed_first)
         select $1, $2, campaign_id, "campaignDay", $4::int * count(*), $4::int * count(*) filter (where first) from claims
         where "campaignDay" is not null group by campaign_id, "campaignDay" order by 3, 4
         on conflict (account_id, environment, campaign_id, day) do update
           set claimed = greatest(0, d.claimed + excluded.claimed), claimed_first = greatest(0, d.claimed_first + excluded.claimed_first))
     insert into campaign_domain_days as d (account_id, environment, campaign_id, day, domain, claimed)
     select $1, $2, campaign_id, "campaignDay", domain, $4::int * count(*) from claims where "campaignDay" is not null
     group by campaign_id, "campaignDay", domain order by 3, 4, 5
     on conflict (account_id, environment, campaign_id, day, domain) do update set claimed = greatest(0, d.claimed + excluded.claimed)`,
    [tenant.accountId, tenant.environment, rows, sign],
    'count_claims',
  )
}

export async function updateSenderPacing(
  db: Executor,
  tenant: Tenant,
  updates: readonly SenderUpdate[],
): Promise<void> {
  if (updates.length === 0) return
  await db.execute(
    `update sending_accounts s set next_send_at = t.next_send_at, send_sequence = t.sequence
     from unnest($3::text[], $4::timestamptz[], $5::bigint[]) t (id, next_send_at, sequence)
     where s.account_id = $1 and s.environment = $2 and s.id = t.id`,
    [
      tenant.accountId,
      tenant.environment,
      updates.map((update) => update.id),
      updates.map((update) => update.nextSendAt),
      updates.map((update) => update.sendSequence),
    ],
    'update_sender_pacing',
  )
}

/** Gates of leads' own: the reason, and when the planner should look again. */
export async function holdLeads(db: Executor, tenant: Tenant, holds: readonly LeadHold[]): Promise<void> {
  if (holds.length === 0) return
  await db.execute(
    `update lead_progress p set blocked_reason = t.reason, attempt_at = t.attempt_at, next_send_at = t.attempt_at
     from unnest($3::text[], $4::text[], $5::text[], $6::timestamptz[]) t (campaign_id, lead_id, reason, attempt_at)
     where p.account_id = $1 and p.environment = $2 and p.campaign_id = t.campaign_id and p.lead_id = t.lead_id
       and p.status in ('pending', 'active') and p.attempt_at is not null`,
    [
      tenant.accountId,
      tenant.environment,
      holds.map((hold) => hold.campaignId),
      holds.map((hold) => hold.leadId),
      holds.map((hold) => hold.reason),
      holds.map((hold) => hold.attemptAt),
    ],
    'hold_leads',
  )
}

/** What holds whole campaigns back just now, for the lists; null where nothing does. Writes only what changed. */
export async function updateCampaignHolds(
  db: Executor,
  tenant: Tenant,
  holds: readonly (Pick<CampaignHold, 'campaignId' | 'until'> & { reason: CampaignHold['reason'] | null })[],
): Promise<void> {
  if (holds.length === 0) return
  await db.execute(
    `update campaigns c set hold_reason = t.reason, hold_until = t.until
     from unnest($3::text[], $4::text[], $5::timestamptz[]) t (id, reason, until)
     where c.account_id = $1 and c.environment = $2 and c.id = t.id
       and (c.hold_reason is distinct from t.reason or c.hold_until is distinct from t.until)`,
    [
      tenant.accountId,
      tenant.environment,
      holds.map((hold) => hold.campaignId),
      holds.map((hold) => hold.reason),
      holds.map((hold) => hold.until),
    ],
    'update_campaign_holds',
  )
}
