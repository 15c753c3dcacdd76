import { unnamedAccount } from '@overture/contract/accounts/account.ts'
import type { Schedule, Settings } from '@overture/contract/campaigns/campaigns.ts'
import type { RefusedRecipient } from '@overture/contract/delivery/delivery.ts'
import type { SendingSchedule } from '@overture/ground/time/sending-window.ts'
import { settingsColumn } from '../../campaigns/index.ts'
import { withHolidays } from '../../holidays/index.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'
import type { OutboundKind } from '../plan/recipients.ts'
import type { LeadContent, LeadRecords } from '../plan/leads.sql.ts'
import type { AccountFooter, ThreadMessage } from './compose.ts'
import type { Address } from './message-bytes.ts'

export interface ClaimedRow {
  id: string
  kind: OutboundKind
  campaignId: string | null
  leadId: string | null
  leadEmail: string | null
  stepId: string | null
  variantId: string | null
  threadId: string | null
  sendingAccountId: string
  /** Whether the message already has a row: it was tried before, or queued by a person. */
  stored: boolean
  attempts: number
  firstAttemptAt: Date | null
  /** The stored Message-ID; null if the message is not written yet. */
  rfcMessageId: string | null
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
  /** The recipient never wrote to us. */
  toStranger: boolean
  /** Recipients that were removed before, with the reason. */
  refusedBefore: RefusedRecipient[]
  lead: ClaimedLead | null
}

interface ClaimedLead extends LeadContent, LeadRecords {
  id: string
  currentStep: number
  /** No message of the campaign was sent to it yet. */
  uncontacted: boolean
  threadId: string | null
}

// One index lookup per claim. As joins, tables without statistics on the account are read whole.
const byKey = (columns: string, from: string, key: string): string =>
  `left join lateral (select ${columns} from ${from} x where x.account_id = $1 and x.environment = $2 and ${key} limit 1)`

const placeColumns = 'current_step, thread_id, last_contacted_at'

type StoredClaim = Omit<
  ClaimedRow,
  'lead' | 'toAddresses' | 'ccAddresses' | 'bccAddresses' | 'refs' | 'refusedBefore'
> & {
  refusedBefore: RefusedRecipient[] | null
  toAddresses: Address[] | null
  ccAddresses: Address[] | null
  bccAddresses: Address[] | null
  refs: string[] | null
  profileId: string | null
  currentStep: number
  uncontacted: boolean
  leadThreadId: string | null
} & LeadContent &
  LeadRecords

/** Messages that this token has claimed and that have not passed the gate. */
export async function listClaimed(db: Executor, tenant: Tenant, token: string): Promise<ClaimedRow[]> {
  const rows = await db.query<StoredClaim>(
    // The lead's columns are selected separately, since a JSON object would be written and parsed once more.
    `select c.message_id as id, c.kind, c.campaign_id, c.lead_id, c.lead_email, c.step_id, m.variant_id, m.thread_id,
       c.sending_account_id, m.id is not null as stored, coalesce(m.attempts, 0) as attempts, m.first_attempt_at,
       m.rfc_message_id, k.raw, coalesce(m.subject, '') as subject, k.text, k.html,
       m.to_addresses, m.cc_addresses, m.bcc_addresses, m.in_reply_to, m.refs, k.attachments,
       coalesce(m.to_stranger, false) as to_stranger,
       m.failure->'refusedRecipients' as refused_before,
       l.id as profile_id, l.email, l.first_name, l.last_name, l.job_title, l.company,
       l.company_domain, l.linkedin_url, l.mobile, l.country, l.city, l.timezone, l.custom_variables,
       l.tracking_consent, l.data_source, l.lawful_basis, p.current_step, p.last_contacted_at is null as uncontacted,
       p.thread_id as lead_thread_id
     from claims c
     ${byKey('*', 'message_heads', 'x.id = c.message_id')} m on true
     ${byKey('*', 'message_contents', 'x.message_id = c.message_id')} k on true
     ${byKey('*', 'lead_profiles', 'x.campaign_id = c.campaign_id and x.id = c.lead_id')} l on true
     ${byKey(placeColumns, 'lead_progress', 'x.campaign_id = c.campaign_id and x.lead_id = c.lead_id')} p on true
     where c.account_id = $1 and c.environment = $2 and c.lease_token = $3 and c.gated_at is null
     order by coalesce(m.queued_at, c.claimed_at), c.message_id`,
    [tenant.accountId, tenant.environment, token],
    'list_claimed',
  )
  return rows.map(claimedRow)
}

function claimedRow(row: StoredClaim): ClaimedRow {
  const { email, firstName, lastName, jobTitle, company, companyDomain, linkedinUrl, mobile, country, city } = row
  const { profileId, timezone, customVariables, trackingConsent, dataSource, lawfulBasis } = row
  const content = { email, firstName, lastName, jobTitle, company, companyDomain, linkedinUrl, mobile, country, city }
  const records = { timezone, customVariables, trackingConsent, dataSource, lawfulBasis }
  const place = { currentStep: row.currentStep, uncontacted: row.uncontacted, threadId: row.leadThreadId }
  return Object.assign(row, {
    toAddresses: row.toAddresses ?? [{ email: row.leadEmail ?? '', name: null }],
    ccAddresses: row.ccAddresses ?? [],
    bccAddresses: row.bccAddresses ?? [],
    refs: row.refs ?? [],
    refusedBefore: row.refusedBefore ?? [],
    lead: profileId === null ? null : { id: profileId, ...content, ...records, ...place },
  })
}

/** The tokens of claims that have not passed the gate. */
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
  schedule: SendingSchedule
  settings: Settings
}

export async function listDeliveryCampaigns(
  db: Executor,
  tenant: Tenant,
  ids: readonly string[],
): Promise<DeliveryCampaign[]> {
  const rows = await db.query<Omit<DeliveryCampaign, 'schedule'> & { schedule: Schedule }>(
    `select id, schedule, ${settingsColumn} from campaigns where account_id = $1 and environment = $2 and id = any($3)`,
    [tenant.accountId, tenant.environment, ids],
    'list_delivery_campaigns',
  )
  return Promise.all(rows.map(async (row) => ({ ...row, schedule: await withHolidays(row.schedule) })))
}

export async function findAccountFooter(db: Executor, tenant: Tenant): Promise<AccountFooter> {
  const rows = await db.query<AccountFooter>(
    `select nullif(name, $2) as name, postal_address, privacy_contact, privacy_url from accounts where account_id = $1`,
    [tenant.accountId, unnamedAccount],
    'find_account_footer',
  )
  return rows[0] ?? { name: null, postalAddress: null, privacyContact: null, privacyUrl: null }
}

/** A thread so far: its first subject and its messages, oldest first. */
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
    `select thread_id, direction, rfc_message_id, delivered_message_id, subject from message_heads
     where account_id = $1 and environment = $2 and thread_id = any($3)
       and status in ('sent', 'bounced', 'returned', 'received', 'uncertain')
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
