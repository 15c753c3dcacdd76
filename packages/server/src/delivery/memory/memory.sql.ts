import { waitingStatuses } from '@overture/ground/lead-statuses.ts'
import { keepsCampaignOpen, leadAdvance } from '../../campaigns/index.ts'
import { insertContacts } from '../../contact-policy/index.ts'
import { listedRows, rowLists, type Executor, type ListColumn } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { claimColumns, countDays, type Claim } from '../plan/claims.sql.ts'
import type { WrittenRow } from '../write/written.sql.ts'
import { advanced, type AdvancedLead, type LeftMessage } from '../record/record.sql.ts'

/** The campaigns among `campaignIds` that some lead keeps from completing. The leads in `exceptLeadIds` are left out. */
export async function listOpenCampaigns(
  db: Executor,
  tenant: Tenant,
  of: { campaignIds: readonly string[]; exceptLeadIds: readonly string[] },
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `select c.id from unnest($3::text[]) c (id) where exists (
       select 1 from lead_progress p
       where p.account_id = $1 and p.environment = $2 and p.campaign_id = c.id and ${keepsCampaignOpen} and p.lead_id <> all($4))`,
    [tenant.accountId, tenant.environment, of.campaignIds, of.exceptLeadIds],
    'list_open_campaigns',
  )
  return rows.map(({ id }) => id)
}

/** A message that was sent in memory: its claim, its bytes and its record. */
interface DepartedRow {
  claim: Claim
  written: WrittenRow
  left: LeftMessage
}

const columns: readonly ListColumn<DepartedRow>[] = [
  ...claimColumns.map(([name, type, value]): ListColumn<DepartedRow> => [name, type, ({ claim }) => value(claim)]),
  ['bytes', 'bytea', ({ written }) => written.raw],
  ['sha256', 'bytea', ({ written }) => written.sha256],
  ['rfc', 'text', ({ written }) => written.rfcMessageId],
  ['subject', 'text', ({ written }) => written.subject],
  ['sender', 'jsonb', ({ written }) => JSON.stringify(written.from)],
  ['recipients', 'jsonb', ({ written }) => JSON.stringify(written.to)],
  ['in_reply_to', 'text', ({ written }) => written.inReplyTo],
  ['refs', 'jsonb', ({ written: { refs } }) => (refs.length === 0 ? null : JSON.stringify(refs))],
  ['thread_id', 'text', ({ written }) => written.threadId],
  ['variant_id', 'text', ({ written }) => written.variantId],
  ['at', 'timestamptz', ({ left }) => left.at],
  ['answer', 'text', ({ left }) => left.answer],
  ['conversation_id', 'text', ({ left }) => left.threadId],
  ['snippet', 'text', ({ left }) => left.snippet],
  ['position', 'int', ({ left }) => left.move?.position],
  ['due_at', 'timestamptz', ({ left }) => left.move?.dueAt],
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
         and not exists (select 1 from suppressions x where x.account_id = $1 and x.environment = $2 and x.domain = t.domain
           and (x.expires_at is null or x.expires_at > t.at))),
     heads as (
       insert into message_heads (account_id, environment, id, campaign_id, lead_id, step_id, variant_id, thread_id, sending_account_id,
         direction, kind, status, rfc_message_id, in_reply_to, refs, from_address, to_addresses, subject, raw_sha256, queued_at, sent_at,
         smtp_answer, attempts)
       select $1, $2, f.message_id, f.campaign_id, f.lead_id, f.step_id, f.variant_id, f.thread_id, f.sender_id, 'outbound', 'campaign',
         'sent', f.rfc, f.in_reply_to,
         (select array_agg(r) from jsonb_array_elements_text(f.refs) r), f.sender, f.recipients, f.subject, f.sha256,
         f.at, f.at, f.answer, 1
       from free f order by f.ordinal
       on conflict do nothing returning id),
     sent as (select t.* from t join heads h on h.id = t.message_id),
     contacted as (${insertContacts('select * from sent')}),
     contents as (
       insert into message_contents (account_id, environment, message_id, raw)
       select $1, $2, message_id, bytes from sent returning 1),
     conversations as (
       update threads c set last_message_at = greatest(c.last_message_at, t.at), snippet = t.snippet
       from sent t
       where c.account_id = $1 and c.environment = $2 and c.id = t.conversation_id),
     moved as (
       update lead_progress p set ${leadAdvance}, updated_at = t.at
       -- Only campaigns whose leads take every step in order are planned from memory.
       from (select *, null::int as next_step, false as deciding from sent) t
       where p.account_id = $1 and p.environment = $2 and p.campaign_id = t.campaign_id and p.lead_id = t.lead_id
       returning t.message_id, ${advanced}),
     ${countDays('(select *, sender_id as sending_account_id from sent) s')}
     select message_id as id, campaign_id, before, after, first from moved`,
    [tenant.accountId, tenant.environment, waitingStatuses, ...rowLists(columns, rows)],
    'insert_departures',
  )
}
