import type { Schedule, Settings } from '@overture/contract/campaigns/campaigns.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'
import type { LeadContent } from '../candidates.sql.ts'
import type { ThreadMessage } from './compose.ts'
import type { Address } from './message-bytes.ts'

export interface ClaimedRow {
  id: string
  kind: 'campaign' | 'manual' | 'notification'
  campaignId: string | null
  leadId: string | null
  leadEmail: string | null
  stepId: string | null
  variantId: string | null
  threadId: string | null
  sendingAccountId: string
  /** It has a row already: it was tried before, or queued by a person. */
  stored: boolean
  attempts: number
  firstAttemptAt: Date | null
  raw: Buffer | null
  subject: string
  text: string | null
  html: string | null
  toAddresses: Address[]
  ccAddresses: Address[]
  bccAddresses: Address[]
  inReplyTo: string | null
  refs: string[]
  attachments: { filename: string; contentType: string; content: string }[] | null
  toStranger: boolean
  lead: ClaimedLead | null
}

interface ClaimedLead extends LeadContent {
  id: string
  currentStep: number
  threadId: string | null
}

// One look into the key per claim: as joins, tables without statistics on the account are read whole.
const byKey = (columns: string, from: string, key: string): string =>
  `left join lateral (select ${columns} from ${from} x where x.account_id = $1 and x.environment = $2 and ${key} limit 1)`

type StoredClaim = Omit<ClaimedRow, 'lead' | 'toAddresses' | 'ccAddresses' | 'bccAddresses' | 'refs'> & {
  toAddresses: Address[] | null
  ccAddresses: Address[] | null
  bccAddresses: Address[] | null
  refs: string[] | null
  profileId: string | null
  currentStep: number
  leadThreadId: string | null
} & LeadContent

/** Messages that this token has claimed and that have not passed the gate. */
export async function listClaimed(db: Executor, tenant: Tenant, token: string): Promise<ClaimedRow[]> {
  const rows = await db.query<StoredClaim>(
    // The lead's columns as they are: as one object in JSON they are written and read a second time.
    `select c.message_id as id, c.kind, c.campaign_id, c.lead_id, c.lead_email, c.step_id, m.variant_id, m.thread_id,
       c.sending_account_id, m.id is not null as stored, coalesce(m.attempts, 0) as attempts, m.first_attempt_at, k.raw,
       coalesce(m.subject, '') as subject, k.text, k.html, m.to_addresses, m.cc_addresses, m.bcc_addresses, m.in_reply_to,
       m.refs, k.attachments, coalesce(m.to_stranger, false) as to_stranger, l.id as profile_id, l.email, l.first_name, l.last_name,
       l.job_title, l.company, l.company_domain, l.linkedin_url, l.mobile, l.country, l.city, l.timezone, l.custom_variables,
       p.current_step, p.thread_id as lead_thread_id
     from claims c
     ${byKey('*', 'message_heads', 'x.id = c.message_id')} m on true
     ${byKey('*', 'message_contents', 'x.message_id = c.message_id')} k on true
     ${byKey('*', 'lead_profiles', 'x.campaign_id = c.campaign_id and x.id = c.lead_id')} l on true
     ${byKey('current_step, thread_id', 'lead_progress', 'x.campaign_id = c.campaign_id and x.lead_id = c.lead_id')} p on true
     where c.account_id = $1 and c.environment = $2 and c.lease_token = $3 and c.gated_at is null
     order by coalesce(m.queued_at, c.claimed_at), c.message_id`,
    [tenant.accountId, tenant.environment, token],
    'list_claimed',
  )
  return rows.map(claimedRow)
}

function claimedRow(row: StoredClaim): ClaimedRow {
  const { email, firstName, lastName, jobTitle, company, companyDomain, linkedinUrl, mobile, country, city } = row
  const { profileId, timezone, customVariables, currentStep, leadThreadId } = row
  const content = { email, firstName, lastName, jobTitle, company, companyDomain, linkedinUrl, mobile, country, city }
  const place = { timezone, customVariables, currentStep, threadId: leadThreadId }
  return Object.assign(row, {
    toAddresses: row.toAddresses ?? [{ email: row.leadEmail ?? '', name: null }],
    ccAddresses: row.ccAddresses ?? [],
    bccAddresses: row.bccAddresses ?? [],
    refs: row.refs ?? [],
    lead: profileId === null ? null : { id: profileId, ...content, ...place },
  })
}

/** Tokens under which something is claimed and not yet gated. */
export async function listClaimTokens(db: Executor, tenant: Tenant): Promise<string[]> {
  const rows = await db.query<{ leaseToken: string }>(
    `select distinct lease_token from claims
     where account_id = $1 and environment = $2 and lease_until is not null and gated_at is null`,
    [tenant.accountId, tenant.environment],
  )
  return rows.map((row) => row.leaseToken)
}

export interface DeliveryCampaign {
  id: string
  schedule: Schedule
  settings: Settings
}

export async function listDeliveryCampaigns(
  db: Executor,
  tenant: Tenant,
  ids: readonly string[],
): Promise<DeliveryCampaign[]> {
  return db.query<DeliveryCampaign>(
    `select id, schedule, settings from campaigns where account_id = $1 and environment = $2 and id = any($3)`,
    [tenant.accountId, tenant.environment, ids],
    'list_delivery_campaigns',
  )
}

export async function findPostalAddress(db: Executor, tenant: Tenant): Promise<string | null> {
  const rows = await db.query<{ postalAddress: string | null }>(
    `select postal_address from accounts where account_id = $1`,
    [tenant.accountId],
    'find_postal_address',
  )
  return rows[0]?.postalAddress ?? null
}

/** A conversation so far: the subject that it began with, and what was exchanged, oldest first. */
export interface ThreadChain {
  subject: string
  messages: ThreadMessage[]
}

export async function listThreadChains(
  db: Executor,
  tenant: Tenant,
  threadIds: readonly string[],
): Promise<Map<string, ThreadChain>> {
  const chains = new Map<string, ThreadChain>()
  if (threadIds.length === 0) return chains
  const rows = await db.query<ThreadMessage & { threadId: string; subject: string }>(
    `select thread_id, direction, rfc_message_id, subject from message_heads
     where account_id = $1 and environment = $2 and thread_id = any($3) and status in ('sent', 'bounced', 'received', 'uncertain')
       and kind in ('campaign', 'manual', 'reply', 'auto_reply', 'unsubscribe', 'other')
     order by coalesce(sent_at, received_at, gated_at), id`,
    [tenant.accountId, tenant.environment, threadIds],
    'list_thread_chains',
  )
  for (const { threadId, subject, ...message } of rows) {
    const chain = chains.get(threadId)
    if (chain === undefined) chains.set(threadId, { subject, messages: [message] })
    else chain.messages.push(message)
  }
  return chains
}

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

// A claim that is taken back at this moment is waited for: either it is gone here, or what is stored here is found there.
const alive = `rows as (
    select t.*, substring($5::bytea from t.raw_start for t.raw_length) as raw
    from unnest($3::text[], $4::uuid[], $15::int[], $16::int[], $6::bytea[], $7::text[], $8::text[], $9::jsonb[], $10::jsonb[], $11::text[],
      $12::jsonb[], $13::text[], $14::text[])
      t (id, token, raw_start, raw_length, sha256, rfc, subject, sender, recipients, in_reply_to, refs, thread_id, variant_id)),
  alive as (
    select t.id, t.sha256, t.rfc, t.subject, t.sender, t.recipients, t.in_reply_to, t.refs, t.thread_id, t.variant_id,
      c.campaign_id, c.lead_id, c.step_id, c.sending_account_id, c.kind, c.claimed_at
    from rows t cross join lateral (
      select * from claims c where c.account_id = $1 and c.environment = $2 and c.message_id = t.id and c.lease_token = t.token
        and c.gated_at is null
      limit 1 for key share) c)`

/**
 * Stores what will go out, before a byte does, with the row that the outcome is written to; never written again. One
 * message per lead and step: a second one is not stored. Answers the ids that were.
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
       select $1, $2, t.id, t.raw from rows t join heads h on h.id = t.id)
     select id from heads`,
    valuesOf(tenant, rows),
    'store_written',
  )
  return new Set(stored.map((row) => row.id))
}

/** The same for messages that have a row and no bytes: a person queued them. */
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
       select $1, $2, t.id, t.raw from rows t join heads h on h.id = t.id
       on conflict (account_id, environment, message_id) do update
         set raw = excluded.raw, text = null, html = null, attachments = null where k.raw is null)
     select id from heads`,
    valuesOf(tenant, rows),
    'store_queued',
  )
  return new Set(stored.map((row) => row.id))
}

function valuesOf(tenant: Tenant, rows: readonly WrittenRow[]): unknown[] {
  return [
    tenant.accountId,
    tenant.environment,
    rows.map((row) => row.id),
    rows.map((row) => row.token),
    Buffer.concat(rows.map((row) => row.raw)),
    rows.map((row) => row.sha256),
    rows.map((row) => row.rfcMessageId),
    rows.map((row) => row.subject),
    rows.map((row) => JSON.stringify(row.from)),
    rows.map((row) => JSON.stringify(row.to)),
    rows.map((row) => row.inReplyTo),
    rows.map((row) => (row.refs.length === 0 ? null : JSON.stringify(row.refs))),
    rows.map((row) => row.threadId),
    rows.map((row) => row.variantId),
    startsOf(rows),
    rows.map((row) => row.raw.length),
  ]
}

/** All bytes go as one value, as they are: in a list each would be written in hexadecimal, and read letter by letter. */
function startsOf(rows: readonly WrittenRow[]): number[] {
  let next = 1
  return rows.map(({ raw }) => {
    const start = next
    next += raw.length
    return start
  })
}
