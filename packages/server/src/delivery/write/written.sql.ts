import { listedRows, rowLists, type Executor, type ListColumn } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'
import type { Address } from './message-bytes.ts'

export interface WrittenRow {
  id: string
  token: string
  raw: Buffer
  sha256: Buffer
  rfcMessageId: string
  subject: string
  from: Address
  to: readonly Address[]
  inReplyTo: string | null
  refs: readonly string[]
  threadId: string
  variantId: string | null
}

const columns: readonly ListColumn<WrittenRow & { firstByte: number }>[] = [
  ['id', 'text', (row) => row.id],
  ['token', 'uuid', (row) => row.token],
  ['first_byte', 'int', (row) => row.firstByte],
  ['byte_count', 'int', ({ raw }) => raw.length],
  ['sha256', 'bytea', (row) => row.sha256],
  ['rfc', 'text', (row) => row.rfcMessageId],
  ['subject', 'text', (row) => row.subject],
  ['sender', 'jsonb', ({ from }) => JSON.stringify(from)],
  ['recipients', 'jsonb', ({ to }) => JSON.stringify(to)],
  ['in_reply_to', 'text', (row) => row.inReplyTo],
  ['refs', 'jsonb', ({ refs }) => (refs.length === 0 ? null : JSON.stringify(refs))],
  ['thread_id', 'text', (row) => row.threadId],
  ['variant_id', 'text', (row) => row.variantId],
]

// This is not a column of the rows, because PostgreSQL would copy a column with all its bytes.
const bytes = 'substring($3::bytea from t.first_byte for t.byte_count)'

// Waits for a claim that is being withdrawn. Either it is gone here, or the withdrawal finds what is stored here.
const alive = `rows as (select * from ${listedRows(columns, 4)}),
  alive as (
    select t.id, t.sha256, t.rfc, t.subject, t.sender, t.recipients, t.in_reply_to, t.refs, t.thread_id, t.variant_id,
      c.campaign_id, c.lead_id, c.step_id, c.sending_account_id, c.kind, c.claimed_at
    from rows t cross join lateral (
      select * from claims c where c.account_id = $1 and c.environment = $2 and c.message_id = t.id and c.lease_token = t.token
        and c.gated_at is null
      limit 1 for key share) c)`

/**
 * Stores the bytes before any of them is sent, together with the row for the outcome. They are never replaced. A second message
 * for the same lead and step is not stored. Returns the ids of the stored messages.
 */
export async function storeWritten(db: Executor, tenant: Tenant, rows: readonly WrittenRow[]): Promise<Set<string>> {
  const stored = await db.query<{ id: string }>(
    `with ${alive},
     heads as (
       insert into message_heads (account_id, environment, id, campaign_id, lead_id, step_id, variant_id, thread_id,
         sending_account_id, direction, kind, status, rfc_message_id, in_reply_to, refs, from_address, to_addresses, subject,
         raw_sha256, queued_at)
       select $1, $2, a.id, a.campaign_id, a.lead_id, a.step_id, a.variant_id, a.thread_id, a.sending_account_id, 'outbound', a.kind,
         'queued', a.rfc, a.in_reply_to, (select array_agg(r) from jsonb_array_elements_text(a.refs) r), a.sender,
         a.recipients, a.subject, a.sha256, a.claimed_at
       from alive a
       on conflict do nothing returning id),
     contents as (
       insert into message_contents (account_id, environment, message_id, raw)
       select $1, $2, t.id, ${bytes} from rows t join heads h on h.id = t.id returning 1)
     select id from heads`,
    rowValues(tenant, rows),
    'store_written',
  )
  return new Set(stored.map((row) => row.id))
}

/** Stores the bytes of messages that already have a row without bytes, because a person queued them. */
export async function storeQueued(db: Executor, tenant: Tenant, rows: readonly WrittenRow[]): Promise<Set<string>> {
  const stored = await db.query<{ id: string }>(
    `with ${alive},
     heads as (
       update message_heads m set rfc_message_id = a.rfc, in_reply_to = a.in_reply_to,
         refs = (select array_agg(r) from jsonb_array_elements_text(a.refs) r), from_address = a.sender,
         subject = a.subject, raw_sha256 = a.sha256, thread_id = a.thread_id, variant_id = a.variant_id
       from alive a where m.account_id = $1 and m.environment = $2 and m.id = a.id and m.status = 'queued' returning m.id),
     contents as (
       insert into message_contents as k (account_id, environment, message_id, raw)
       select $1, $2, t.id, ${bytes} from rows t join heads h on h.id = t.id
       on conflict (account_id, environment, message_id) do update
         set raw = excluded.raw, text = null, html = null, attachments = null
         where k.raw is null)
     select id from heads`,
    rowValues(tenant, rows),
    'store_queued',
  )
  return new Set(stored.map((row) => row.id))
}

function rowValues(tenant: Tenant, rows: readonly WrittenRow[]): unknown[] {
  const bytes = Buffer.concat(rows.map(({ raw }) => raw))
  return [tenant.accountId, tenant.environment, bytes, ...rowLists(columns, withFirstBytes(rows))]
}

/**
 * Adds the start of each message in one long value with all bytes. As an array, each message would be sent in hexadecimal and parsed
 * character by character.
 */
function withFirstBytes(rows: readonly WrittenRow[]): (WrittenRow & { firstByte: number })[] {
  let next = 1
  return rows.map((row) => {
    const firstByte = next
    next += row.raw.length
    return { ...row, firstByte }
  })
}
