import { waitingStatuses } from '@overture/ground/lead-statuses.ts'
import { minuteMs } from '@overture/ground/time/spans.ts'
import { insertContacts } from '../../contact-policy/index.ts'
import { listedRows, rowLists, type Executor, type ListColumn } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { claimDay, countBudgets } from '../../sending-accounts/index.ts'
import type { ClaimCount, PlannedSend } from '@overture/planner/plan.types.ts'

/** The lease of a claim, renewed while its worker lives (docs/contract.md, "Never twice": 60 s at most). */
export const leaseMs = minuteMs

export interface Lease {
  token: string
  /** The length of the lease from now by the database's clock, at most 60 s. */
  leaseMs: number
}

export interface Claim {
  messageId: string
  /** The unsent message that this one replaces, because another sender takes over. */
  replaces: string | null
  campaignId: string
  leadId: string
  stepId: string
  sendingAccountId: string
  /** The tenant's time of the claim. */
  at: Date
  counted: ClaimCount
  email: string
  addressHash: Buffer
  /** The domain that the person's colleagues share. */
  company: string | null
}

/** Returns the senders that still exist, and locks them until the transaction ends. Waits for a sender that is being deleted. */
export async function lockPresentSenders(
  db: Executor,
  tenant: Tenant,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db.query<{ id: string }>(
    `select id from sending_accounts where account_id = $1 and environment = $2 and id = any($3) order by id for key share`,
    [tenant.accountId, tenant.environment, ids],
    'lock_present_senders',
  )
  return new Set(rows.map((row) => row.id))
}

const columns: readonly ListColumn<Claim>[] = [
  ['message_id', 'text', (claim) => claim.messageId],
  ['replaces', 'text', (claim) => claim.replaces],
  ['campaign_id', 'text', (claim) => claim.campaignId],
  ['lead_id', 'text', (claim) => claim.leadId],
  ['step_id', 'text', (claim) => claim.stepId],
  ['sender_id', 'text', (claim) => claim.sendingAccountId],
  ['email', 'text', (claim) => claim.email],
  ['at', 'timestamptz', (claim) => claim.at],
  ['sender_day', 'date', ({ counted }) => counted.senderDay],
  ['campaign_day', 'date', ({ counted }) => counted.campaignDay],
  ['first', 'boolean', ({ counted }) => counted.first],
  ['domain', 'text', ({ counted }) => counted.domain],
  ['address_hash', 'bytea', (claim) => claim.addressHash],
  ['company', 'text', (claim) => claim.company],
  ['budgets', 'text', ({ counted }) => budgetList(counted)],
]

// With 'is true', the claimed messages become a hash table. A join compares each message with each claim if PostgreSQL expects one row.
const isClaimed = '(message_id in (select message_id from claimed)) is true'

/**
 * Claims messages of leads that may still be written to, in one statement. It stores one claim
 * per lead and step, and counts it on the days of the sender, the campaign and the recipient's domain. It locks the lead and
 * does not write its row: the planner skips leads that have a claim. Returns the messages that are claimed now. A message
 * that waits for a retry keeps its id, its bytes and its Message-ID.
 */
export async function claimMessages(
  db: Executor,
  tenant: Tenant,
  claims: readonly Claim[],
  lease: Lease,
): Promise<Set<string>> {
  const rows = await db.query<{ id: string }>(
    `with asked as (select * from ${listedRows(columns, 6)}),
     taken as (
       select t.* from asked t
       cross join lateral (
         select 1 from lead_progress p
         where p.account_id = $1 and p.environment = $2 and p.campaign_id = t.campaign_id and p.lead_id = t.lead_id
           and p.status = any($5) and p.attempt_at is not null
         limit 1 for no key update) p
       where exists (select 1 from campaigns c where c.account_id = $1 and c.environment = $2 and c.id = t.campaign_id
         and c.status = 'active' and c.deleted_at is null)),
     claimed as (
       insert into claims (account_id, environment, message_id, kind, campaign_id, lead_id, step_id, sending_account_id, lead_email,
         sender_day, campaign_day, first, domain, claimed_at, lease_token, lease_until, address_hash, budgets)
       select $1, $2, t.message_id, 'campaign', t.campaign_id, t.lead_id, t.step_id, t.sender_id, t.email, t.sender_day,
         t.campaign_day, t.first, t.domain, t.at, $3, clock_timestamp() + $4::int * interval '1 millisecond', t.address_hash,
         string_to_array(t.budgets, ' ')
       from taken t
       where not exists (select 1 from message_heads m where m.account_id = $1 and m.environment = $2 and m.campaign_id = t.campaign_id
         and m.lead_id = t.lead_id and m.step_id = t.step_id and m.id is distinct from t.replaces
         and (m.id <> t.message_id or m.status <> 'queued'))
       on conflict do nothing
       returning message_id, campaign_id, sending_account_id, sender_day, campaign_day, first, domain, claimed_at, budgets),
     contacted as (${insertContacts(`select * from taken where ${isClaimed}`)}),
     by_budget as (${countBudgets(`select budgets, ${claimDay('claimed')} as day from claimed`, '1')}),
     by_sender as (
       insert into sender_days as d (account_id, environment, sending_account_id, day, claimed)
       select $1, $2, sending_account_id, sender_day, count(*) from claimed group by 3, 4 order by 3, 4
       on conflict (account_id, environment, sending_account_id, day) do update set claimed = d.claimed + excluded.claimed),
     by_campaign as (
       insert into campaign_days as d (account_id, environment, campaign_id, day, claimed, claimed_first)
       select $1, $2, campaign_id, campaign_day, count(*), count(*) filter (where first) from claimed group by 3, 4 order by 3, 4
       on conflict (account_id, environment, campaign_id, day) do update
         set claimed = d.claimed + excluded.claimed, claimed_first = d.claimed_first + excluded.claimed_first),
     by_domain as (
       insert into campaign_domain_days as d (account_id, environment, campaign_id, day, domain, claimed)
       select $1, $2, campaign_id, campaign_day, domain, count(*) from claimed group by 3, 4, 5 order by 3, 4, 5
       on conflict (account_id, environment, campaign_id, day, domain) do update set claimed = d.claimed + excluded.claimed)
     select message_id as id from claimed`,
    [tenant.accountId, tenant.environment, lease.token, lease.leaseMs, waitingStatuses, ...rowLists(columns, claims)],
    'claim_messages',
  )
  return new Set(rows.map((row) => row.id))
}

/** The budgets of a claim as one text, since a statement can't take lists of lists. The ids contain no spaces. */
export function budgetList({ budgets }: Partial<ClaimCount>): string | null {
  return budgets?.join(' ') ?? null
}

/** Deletes messages that were never sent, because another sender takes the lead over. */
export async function deleteUnsentMessages(db: Executor, tenant: Tenant, ids: readonly string[]): Promise<void> {
  await db.execute(
    `with gone as (
       delete from message_heads m where m.account_id = $1 and m.environment = $2 and m.id = any($3) and m.status = 'queued'
         and not exists (select 1 from claims c where c.account_id = $1 and c.environment = $2 and c.message_id = m.id)
       returning m.id)
     delete from message_contents k using gone where k.account_id = $1 and k.environment = $2 and k.message_id = gone.id`,
    [tenant.accountId, tenant.environment, ids],
    'delete_unsent_messages',
  )
}

interface CountedClaim {
  campaignId: string | null
  sendingAccountId: string
  counted: Partial<ClaimCount>
}

/** Adds claims to the daily counts of senders, shared budgets, campaigns and recipient domains. With `sign` -1 it subtracts them. */
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
    `with counted as (select * from jsonb_to_recordset($3::jsonb) as c (campaign_id text, sender_id text, "senderDay" date,
         "campaignDay" date, first boolean, domain text, budgets text[], "budgetDay" date)),
       budgets as (${countBudgets('select budgets, "budgetDay" as day from counted', '$4::int')}),
       senders as (
         insert into sender_days as d (account_id, environment, sending_account_id, day, claimed)
         select $1, $2, sender_id, "senderDay", $4::int * count(*) from counted where "senderDay" is not null
         group by sender_id, "senderDay"
         order by 3, 4
         on conflict (account_id, environment, sending_account_id, day) do update set claimed = greatest(0, d.claimed + excluded.claimed)),
       campaigns as (
         insert into campaign_days as d (account_id, environment, campaign_id, day, claimed, claimed_first)
         select $1, $2, campaign_id, "campaignDay", $4::int * count(*), $4::int * count(*) filter (where first) from counted
         where "campaignDay" is not null group by campaign_id, "campaignDay" order by 3, 4
         on conflict (account_id, environment, campaign_id, day) do update
           set claimed = greatest(0, d.claimed + excluded.claimed), claimed_first = greatest(0, d.claimed_first + excluded.claimed_first))
     insert into campaign_domain_days as d (account_id, environment, campaign_id, day, domain, claimed)
     select $1, $2, campaign_id, "campaignDay", domain, $4::int * count(*) from counted where "campaignDay" is not null
     group by campaign_id, "campaignDay", domain order by 3, 4, 5
     on conflict (account_id, environment, campaign_id, day, domain) do update set claimed = greatest(0, d.claimed + excluded.claimed)`,
    [tenant.accountId, tenant.environment, rows, sign],
    'count_claims',
  )
}

/** The claims in flight of some campaigns, with the counters that they raised. */
export async function listLeaving(
  db: Executor,
  tenant: Tenant,
  of: { campaignIds: readonly string[]; limit: number },
): Promise<PlannedSend[]> {
  const rows = await db.query<Omit<PlannedSend, 'counted'> & ClaimCount>(
    `select campaign_id, lead_id, step_id, sending_account_id, sender_day, campaign_day, first, domain
     from claims where account_id = $1 and environment = $2 and campaign_id = any($3) and kind = 'campaign'
     order by message_id limit $4`,
    [tenant.accountId, tenant.environment, of.campaignIds, of.limit],
    'list_leaving',
  )
  return rows.map(({ senderDay, campaignDay, first, domain, ...send }) => ({
    ...send,
    counted: { senderDay, campaignDay, first, domain },
  }))
}

export interface StepMessageRow {
  id: string
  leadId: string
  stepId: string
  status: 'queued' | 'sending' | 'sent' | 'bounced' | 'returned' | 'failed' | 'uncertain'
  attempts: number
  claimed: boolean
  sendingAccountId: string
  sentAt: Date | null
}

/** Messages that already exist for these (campaign, lead, step): retries, released claims, and steps that were sent before a reorder. */
export async function listStepMessages(
  db: Executor,
  tenant: Tenant,
  keys: { campaignIds: readonly string[]; leadIds: readonly string[]; stepIds: readonly string[] },
): Promise<StepMessageRow[]> {
  return db.query<StepMessageRow>(
    // One index lookup per key. As a join, a table without statistics was read whole for each plan.
    `select m.* from unnest($3::text[], $4::text[], $5::text[]) t (campaign_id, lead_id, step_id) cross join lateral (
       select id, lead_id, step_id, status, attempts, claimed, sending_account_id, sent_at
       from messages
       where account_id = $1 and environment = $2 and campaign_id = t.campaign_id and lead_id = t.lead_id
         and step_id = t.step_id and direction = 'outbound' and step_id is not null limit 1) m`,
    [tenant.accountId, tenant.environment, keys.campaignIds, keys.leadIds, keys.stepIds],
    'list_step_messages',
  )
}
