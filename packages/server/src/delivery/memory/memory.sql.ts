import { waitingStatuses } from '@overture/ground/lead-statuses.ts'
import { leadAdvance, type LeadAdvance } from '../../campaigns/index.ts'
import { insertContacts } from '../../contact-policy/index.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { queued, unclaimed, type LeadContent, type LeadRecords } from '../plan/leads.sql.ts'
import type { WrittenRow } from '../write/written.sql.ts'
import type { ClaimCount } from '@overture/planner/plan.types.ts'
import { advanced, type AdvancedLead } from '../record/record.sql.ts'
import type { QueuedLead } from './lead-queue.ts'

const place = `p.lead_id as id, p.campaign_id, p.sending_account_id, p.status, p.blocked_reason, p.current_step, p.due_at, p.attempt_at,
  p.ooo_until, p.thread_id`

interface QueueKeys {
  /** Pairs of campaign and sender. */
  campaignIds: readonly string[]
  senderIds: readonly string[]
  /** Campaigns whose leads without a sender are included. */
  poolCampaignIds: readonly string[]
  limitPerQueue: number
}

/**
 * Leads by the time of their next attempt, due or not, from the front of each (campaign, sender) and of each campaign's leads
 * without a sender.
 */
export async function listQueuedLeads(db: Executor, tenant: Tenant, queues: QueueKeys): Promise<QueuedLead[]> {
  return db.query<QueuedLead>(
    `select p.* from unnest($3::text[], $4::text[]) g (campaign_id, sender_id) cross join lateral (
       select ${place} from lead_progress p
       where ${queued} and p.campaign_id = g.campaign_id and p.sending_account_id = g.sender_id and ${unclaimed}
       order by p.attempt_at, p.lead_id limit $6) p
     union all
     select p.* from unnest($5::text[]) g (campaign_id) cross join lateral (
       select ${place} from lead_progress p
       where ${queued} and p.campaign_id = g.campaign_id and p.sending_account_id is null and ${unclaimed}
       order by p.sending_account_id, p.attempt_at, p.lead_id limit $6) p`,
    [
      tenant.accountId,
      tenant.environment,
      queues.campaignIds,
      queues.senderIds,
      queues.poolCampaignIds,
      queues.limitPerQueue,
    ],
    'list_queued_leads',
  )
}

export interface ProfileRow extends LeadContent, LeadRecords {
  id: string
  emailDomain: string
  createdAt: Date
}

export async function listProfiles(
  db: Executor,
  tenant: Tenant,
  keys: { campaignIds: readonly string[]; leadIds: readonly string[] },
): Promise<ProfileRow[]> {
  return db.query<ProfileRow>(
    `select l.* from unnest($3::text[], $4::text[]) t (campaign_id, lead_id) cross join lateral (
       select l.id, l.email, l.email_domain, l.first_name, l.last_name, l.job_title, l.company, l.company_domain, l.linkedin_url,
         l.mobile, l.country, l.city, l.timezone, l.custom_variables, l.tracking_consent,
         l.data_source, l.lawful_basis, l.created_at
       from lead_profiles l
       where l.account_id = $1 and l.environment = $2 and l.campaign_id = t.campaign_id and l.id = t.lead_id limit 1) l`,
    [tenant.accountId, tenant.environment, keys.campaignIds, keys.leadIds],
    'list_profiles',
  )
}

/** A message that was sent in memory, with everything that its claim, its gate and its record would write. */
export interface DepartedRow {
  written: WrittenRow
  campaignId: string
  leadId: string
  stepId: string
  sendingAccountId: string
  at: Date
  answer: string
  counted: ClaimCount
  addressHash: Buffer
  /** The domain that the person's colleagues share. */
  company: string | null
  emailDomain: string
  /** The conversation that the message continues; null if no one replied yet. */
  conversationId: string | null
  snippet: string
  move: LeadAdvance
}

/**
 * Writes sent messages with their contents, leads and counts in one statement, which applies the conditions of claim, gate and
 * record. A message that would not have passed is missing from the result, and then the whole batch must be given up.
 */
export async function insertDepartures(
  db: Executor,
  tenant: Tenant,
  rows: readonly DepartedRow[],
): Promise<({ id: string } & AdvancedLead)[]> {
  return db.query(
    `with t as (
       select * from unnest($3::text[], $4::bytea[], $5::bytea[], $6::text[], $7::text[], $8::jsonb[], $9::jsonb[], $10::text[],
         $11::jsonb[], $12::text[], $13::text[], $14::text[], $15::text[], $16::text[], $17::text[], $18::timestamptz[], $19::text[],
         $20::date[], $21::date[], $22::boolean[], $23::text[], $24::bytea[], $25::text[], $26::text[], $27::text[], $28::int[],
         $29::timestamptz[], $31::text[])
         with ordinality t (id, bytes, sha256, rfc, subject, sender, recipients, in_reply_to, refs, head_thread_id, variant_id, campaign_id,
           lead_id, step_id, sender_id, at, answer, sender_day, campaign_day, first, domain, address_hash, email_domain, conversation_id,
           snippet, position, due_at, company, ordinal)),
     free as (
       select t.* from t
       cross join lateral (
         select 1 from lead_progress p
         where p.account_id = $1 and p.environment = $2 and p.campaign_id = t.campaign_id and p.lead_id = t.lead_id
           and p.status = any($30) and p.attempt_at is not null and p.current_step = t.position - 1
         limit 1 for no key update) p
       where exists (select 1 from campaigns c where c.account_id = $1 and c.environment = $2 and c.id = t.campaign_id
           and c.status = 'active' and c.deleted_at is null)
         and not exists (select 1 from suppressions x where x.account_id = $1 and x.environment = $2 and x.address_hash = t.address_hash
           and (x.expires_at is null or x.expires_at > t.at))
         and not exists (select 1 from suppressions x where x.account_id = $1 and x.environment = $2 and x.domain = t.email_domain
           and (x.expires_at is null or x.expires_at > t.at))),
     heads as (
       insert into message_heads (account_id, environment, id, campaign_id, lead_id, step_id, variant_id, thread_id, sending_account_id,
         direction, kind, status, rfc_message_id, in_reply_to, refs, from_address, to_addresses, subject, raw_sha256, queued_at, sent_at,
         smtp_answer, attempts)
       select $1, $2, f.id, f.campaign_id, f.lead_id, f.step_id, f.variant_id, f.head_thread_id, f.sender_id, 'outbound', 'campaign',
         'sent', f.rfc, f.in_reply_to,
         (select array_agg(r) from jsonb_array_elements_text(f.refs) r), f.sender, f.recipients, f.subject, f.sha256,
         f.at, f.at, f.answer, 1
       from free f order by f.ordinal
       on conflict do nothing returning id),
     contacted as (${insertContacts('select t.*, t.id as message_id from t join heads h on h.id = t.id')}),
     contents as (
       insert into message_contents (account_id, environment, message_id, raw)
       select $1, $2, t.id, t.bytes from t join heads h on h.id = t.id returning 1),
     conversations as (
       update threads c set last_message_at = greatest(c.last_message_at, t.at), snippet = t.snippet
       from t join heads h on h.id = t.id
       where c.account_id = $1 and c.environment = $2 and c.id = t.conversation_id),
     moved as (
       update lead_progress p set ${leadAdvance}, updated_at = t.at
       from (select t.id, t.campaign_id, t.lead_id, t.position, t.step_id, t.at, t.head_thread_id as thread_id, t.sender_id, t.due_at,
           -- Only campaigns whose leads take every step are planned out of memory.
           null::int as next_step, false as deciding
         from t join heads h on h.id = t.id) t
       where p.account_id = $1 and p.environment = $2 and p.campaign_id = t.campaign_id and p.lead_id = t.lead_id
       returning t.id, ${advanced}),
     by_sender as (
       insert into sender_days as d (account_id, environment, sending_account_id, day, claimed)
       select $1, $2, t.sender_id, t.sender_day, count(*) from t join heads h on h.id = t.id group by 3, 4 order by 3, 4
       on conflict (account_id, environment, sending_account_id, day) do update set claimed = d.claimed + excluded.claimed),
     by_campaign as (
       insert into campaign_days as d (account_id, environment, campaign_id, day, claimed, claimed_first)
       select $1, $2, t.campaign_id, t.campaign_day, count(*), count(*) filter (where t.first) from t join heads h on h.id = t.id
       group by 3, 4 order by 3, 4
       on conflict (account_id, environment, campaign_id, day) do update
         set claimed = d.claimed + excluded.claimed, claimed_first = d.claimed_first + excluded.claimed_first),
     by_domain as (
       insert into campaign_domain_days as d (account_id, environment, campaign_id, day, domain, claimed)
       select $1, $2, t.campaign_id, t.campaign_day, t.domain, count(*) from t join heads h on h.id = t.id group by 3, 4, 5 order by 3, 4, 5
       on conflict (account_id, environment, campaign_id, day, domain) do update set claimed = d.claimed + excluded.claimed)
     select id, campaign_id, before, after, first from moved`,
    departureValues(tenant, rows),
    'insert_departures',
  )
}

function departureValues(tenant: Tenant, rows: readonly DepartedRow[]): unknown[] {
  const written = <Value>(pick: (row: WrittenRow) => Value) => rows.map((row) => pick(row.written))
  return [
    tenant.accountId,
    tenant.environment,
    written((row) => row.id),
    written((row) => row.raw),
    written((row) => row.sha256),
    written((row) => row.rfcMessageId),
    written((row) => row.subject),
    written((row) => JSON.stringify(row.from)),
    written((row) => JSON.stringify(row.to)),
    written((row) => row.inReplyTo),
    written((row) => (row.refs.length === 0 ? null : JSON.stringify(row.refs))),
    written((row) => row.threadId),
    written((row) => row.variantId),
    rows.map((row) => row.campaignId),
    rows.map((row) => row.leadId),
    rows.map((row) => row.stepId),
    rows.map((row) => row.sendingAccountId),
    rows.map((row) => row.at),
    rows.map((row) => row.answer),
    rows.map((row) => row.counted.senderDay),
    rows.map((row) => row.counted.campaignDay),
    rows.map((row) => row.counted.first),
    rows.map((row) => row.counted.domain),
    rows.map((row) => row.addressHash),
    rows.map((row) => row.emailDomain),
    rows.map((row) => row.conversationId),
    rows.map((row) => row.snippet),
    rows.map((row) => row.move.position),
    rows.map((row) => row.move.dueAt),
    waitingStatuses,
    rows.map((row) => row.company),
  ]
}
