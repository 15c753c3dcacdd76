import type { Schedule, Settings } from '@overture/contract/campaigns/campaigns.ts'
import type { LeadStatus } from '@overture/contract/campaigns/leads.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'
import type { ThreadMessage } from './compose.ts'
import type { Address } from './message-bytes.ts'

export interface ClaimedRow {
  id: string
  kind: 'campaign' | 'manual' | 'notification'
  campaignId: string | null
  leadId: string | null
  stepId: string | null
  threadId: string | null
  sendingAccountId: string
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

export interface ClaimedLead {
  id: string
  email: string
  firstName: string | null
  lastName: string | null
  jobTitle: string | null
  company: string | null
  companyDomain: string | null
  linkedinUrl: string | null
  mobile: string | null
  country: string | null
  city: string | null
  timezone: string | null
  customVariables: Record<string, string | number | boolean>
  status: LeadStatus
  currentStep: number
  threadId: string | null
  threadSubject: string | null
}

const leadObject = `case when l.id is not null then jsonb_build_object('id', l.id, 'email', l.email, 'firstName', l.first_name,
  'lastName', l.last_name, 'jobTitle', l.job_title, 'company', l.company, 'companyDomain', l.company_domain,
  'linkedinUrl', l.linkedin_url, 'mobile', l.mobile, 'country', l.country, 'city', l.city, 'timezone', l.timezone,
  'customVariables', l.custom_variables, 'status', l.status, 'currentStep', l.current_step, 'threadId', l.thread_id,
  'threadSubject', h.subject) end`

/** Messages that this token has claimed and that have not passed the gate. */
export async function listClaimed(db: Executor, tenant: Tenant, token: string): Promise<ClaimedRow[]> {
  return db.query<ClaimedRow>(
    `select m.id, m.kind, m.campaign_id, m.lead_id, m.step_id, m.thread_id, m.sending_account_id, m.attempts, m.first_attempt_at,
       m.raw, m.subject, m.text, m.html, m.to_addresses, m.cc_addresses, m.bcc_addresses, m.in_reply_to, m.refs, m.attachments,
       m.to_stranger,
       ${leadObject} as lead
     from messages m
     left join leads l on l.account_id = $1 and l.environment = $2 and l.campaign_id = m.campaign_id and l.id = m.lead_id
     left join threads h on h.account_id = $1 and h.environment = $2 and h.id = l.thread_id
     where m.account_id = $1 and m.environment = $2 and m.lease_token = $3 and m.status = 'queued'
     order by m.queued_at, m.id`,
    [tenant.accountId, tenant.environment, token],
    'list_claimed',
  )
}

/** Tokens under which something is claimed and not yet gated. */
export async function listClaimTokens(db: Executor, tenant: Tenant): Promise<string[]> {
  const rows = await db.query<{ leaseToken: string }>(
    `select distinct lease_token from messages
     where account_id = $1 and environment = $2 and lease_until is not null and status = 'queued'`,
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

/** What was exchanged in some threads, oldest first, by thread. */
export async function listThreadChains(
  db: Executor,
  tenant: Tenant,
  threadIds: readonly string[],
): Promise<Map<string, ThreadMessage[]>> {
  const chains = new Map<string, ThreadMessage[]>()
  if (threadIds.length === 0) return chains
  const rows = await db.query<ThreadMessage & { threadId: string }>(
    `select thread_id, direction, rfc_message_id from messages
     where account_id = $1 and environment = $2 and thread_id = any($3) and status in ('sent', 'bounced', 'received', 'uncertain')
       and kind in ('campaign', 'manual', 'reply', 'auto_reply', 'unsubscribe', 'other')
     order by coalesce(sent_at, received_at, gated_at), id`,
    [tenant.accountId, tenant.environment, threadIds],
    'list_thread_chains',
  )
  for (const row of rows) chains.set(row.threadId, [...(chains.get(row.threadId) ?? []), row])
  return chains
}

export interface RenderedRow {
  id: string
  token: string
  raw: Buffer
  sha256: Buffer
  rfcMessageId: string
  subject: string
  text: string
  html: string | null
  from: Address
  inReplyTo: string | null
  refs: readonly string[]
  threadId: string
  variantId: string | null
}

/** Stores what will go out, before a byte does; never written again. Answers the ids that were stored. */
export async function storeRendered(db: Executor, tenant: Tenant, rows: readonly RenderedRow[]): Promise<Set<string>> {
  const stored = await db.query<{ id: string }>(
    `update messages m set raw = t.raw, raw_sha256 = t.sha256, rfc_message_id = t.rfc, subject = t.subject, text = t.text, html = t.html,
       from_address = t.sender, in_reply_to = t.in_reply_to, refs = array(select jsonb_array_elements_text(t.refs)),
       thread_id = t.thread_id, variant_id = t.variant_id
     from unnest($3::text[], $4::uuid[], $5::bytea[], $6::bytea[], $7::text[], $8::text[], $9::text[], $10::text[], $11::jsonb[],
       $12::text[], $13::jsonb[], $14::text[], $15::text[])
       t (id, token, raw, sha256, rfc, subject, text, html, sender, in_reply_to, refs, thread_id, variant_id)
     where m.account_id = $1 and m.environment = $2 and m.id = t.id and m.lease_token = t.token and m.status = 'queued' and m.raw is null
     returning m.id`,
    [
      tenant.accountId,
      tenant.environment,
      rows.map((row) => row.id),
      rows.map((row) => row.token),
      rows.map((row) => row.raw),
      rows.map((row) => row.sha256),
      rows.map((row) => row.rfcMessageId),
      rows.map((row) => row.subject),
      rows.map((row) => row.text),
      rows.map((row) => row.html),
      rows.map((row) => JSON.stringify(row.from)),
      rows.map((row) => row.inReplyTo),
      rows.map((row) => JSON.stringify(row.refs)),
      rows.map((row) => row.threadId),
      rows.map((row) => row.variantId),
    ],
    'store_rendered',
  )
  return new Set(stored.map((row) => row.id))
}
