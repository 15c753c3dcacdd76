import { waitingStatuses } from '@overture/ground/lead-statuses.ts'
import { leadAdvance, type LeadAdvance } from '../../campaigns/index.ts'
import { insertContacts } from '../../contact-policy/index.ts'
import { listedRows, rowLists, type Executor, type ListColumn } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { countDays } from '../plan/claims.sql.ts'
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

const columns: readonly ListColumn<DepartedRow>[] = [
  ['id', 'text', ({ written }) => written.id],
  ['bytes', 'bytea', ({ written }) => written.raw],
  ['sha256', 'bytea', ({ written }) => written.sha256],
  ['rfc', 'text', ({ written }) => written.rfcMessageId],
  ['subject', 'text', ({ written }) => written.subject],
  ['sender', 'jsonb', ({ written }) => JSON.stringify(written.from)],
  ['recipients', 'jsonb', ({ written }) => JSON.stringify(written.to)],
  ['in_reply_to', 'text', ({ written }) => written.inReplyTo],
  ['refs', 'jsonb', ({ written: { refs } }) => (refs.length === 0 ? null : JSON.stringify(refs))],
  ['head_thread_id', 'text', ({ written }) => written.threadId],
  ['variant_id', 'text', ({ written }) => written.variantId],
  ['campaign_id', 'text', (row) => row.campaignId],
  ['lead_id', 'text', (row) => row.leadId],
  ['step_id', 'text', (row) => row.stepId],
  ['sender_id', 'text', (row) => row.sendingAccountId],
  ['at', 'timestamptz', (row) => row.at],
  ['answer', 'text', (row) => row.answer],
  ['sender_day', 'date', ({ counted }) => counted.senderDay],
  ['campaign_day', 'date', ({ counted }) => counted.campaignDay],
  ['first', 'boolean', ({ counted }) => counted.first],
  ['domain', 'text', ({ counted }) => counted.domain],
  ['address_hash', 'bytea', (row) => row.addressHash],
  ['company', 'text', (row) => row.company],
  ['email_domain', 'text', (row) => row.emailDomain],
  ['conversation_id', 'text', (row) => row.conversationId],
  ['snippet', 'text', (row) => row.snippet],
  ['position', 'int', ({ move }) => move.position],
  ['due_at', 'timestamptz', ({ move }) => move.dueAt],
]

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
    `with t as (select * from ${listedRows(columns, 4, { ordinal: true })}),
     free as (
       select t.* from t
       cross join lateral (
         select 1 from lead_progress p
         where p.account_id = $1 and p.environment = $2 and p.campaign_id = t.campaign_id and p.lead_id = t.lead_id
           and p.status = any($3) and p.attempt_at is not null and p.current_step = t.position - 1
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
     ${countDays('(select t.*, t.sender_id as sending_account_id from t join heads h on h.id = t.id) s')}
     select id, campaign_id, before, after, first from moved`,
    [tenant.accountId, tenant.environment, waitingStatuses, ...rowLists(columns, rows)],
    'insert_departures',
  )
}
