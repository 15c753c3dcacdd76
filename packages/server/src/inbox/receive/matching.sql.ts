import { idOfMessageId } from '../../delivery/index.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'

/** A message that a mail refers to: one that we sent, or one that was received earlier. */
export interface KnownMessage {
  id: string
  direction: 'outbound' | 'inbound'
  status: string
  rfcMessageId: string
  /** The Message-ID with which a server replaced ours. */
  deliveredMessageId: string | null
  campaignId: string | null
  leadId: string | null
  leadEmail: string | null
  toAddresses: { email: string; name: string | null }[]
  ccAddresses: { email: string; name: string | null }[]
  bccAddresses: { email: string; name: string | null }[]
  stepId: string | null
  variantId: string | null
  threadId: string | null
  sendingAccountId: string
  /** Whether the lead was handed over to another campaign. */
  handedOver: boolean
}

const known = `m.id, m.direction, m.status, m.rfc_message_id, m.delivered_message_id,
  m.campaign_id, m.lead_id, m.step_id, m.variant_id, m.thread_id,
  m.to_addresses, m.cc_addresses, m.bcc_addresses, m.sending_account_id, (select l.email from leads l
    where l.account_id = $1 and l.environment = $2 and l.campaign_id = m.campaign_id and l.id = m.lead_id) as lead_email,
  exists (select 1 from lead_progress p where p.account_id = $1 and p.environment = $2 and p.campaign_id = m.campaign_id
    and p.lead_id = m.lead_id and p.handed_to_lead_id is not null) as handed_over`

export async function listMessagesByRfcIds(
  db: Executor,
  tenant: Tenant,
  ids: readonly string[],
): Promise<KnownMessage[]> {
  if (ids.length === 0) return []
  return db.query<KnownMessage>(
    `select ${known} from messages m
     where m.account_id = $1 and m.environment = $2 and (m.direction = 'inbound' and m.rfc_message_id = any($3)
       or m.delivered_message_id = any($3)
       or m.id = any($4) and m.rfc_message_id = any($3) and m.status in ('sending', 'sent', 'bounced', 'returned', 'uncertain'))
     limit 200`,
    [tenant.accountId, tenant.environment, ids, ids.map(idOfMessageId)],
    'list_messages_by_rfc_ids',
  )
}

/**
 * The last message that was or may have been sent to an address, preferably from the mailbox that got the mail. Messages of
 * deleted campaigns count only with `deletedToo`, because replies to them belong to no conversation any more.
 */
export async function findLastMessageTo(
  db: Executor,
  tenant: Tenant,
  to: { email: string; sendingAccountId: string; deletedToo?: boolean },
): Promise<KnownMessage | null> {
  const rows = await db.query<KnownMessage>(
    `select ${known} from leads a
     join messages m on m.account_id = $1 and m.environment = $2 and m.campaign_id = a.campaign_id and m.lead_id = a.id
       and m.direction = 'outbound' and m.kind in ('campaign', 'manual')
       and m.status in ('sending', 'sent', 'bounced', 'returned', 'uncertain')
     where a.account_id = $1 and a.environment = $2 and a.email = $3
       and ($5 or exists (select 1 from campaigns c
         where c.account_id = $1 and c.environment = $2 and c.id = a.campaign_id and c.deleted_at is null))
     order by (m.sending_account_id = $4) desc, coalesce(m.sent_at, m.gated_at) desc nulls last limit 1`,
    [tenant.accountId, tenant.environment, to.email, to.sendingAccountId, to.deletedToo === true],
    'find_last_message_to',
  )
  return rows[0] ?? null
}

/** The address of a lead, also while its campaign is deleted; null once the lead itself is gone. */
export async function findLeadAddress(db: Executor, tenant: Tenant, leadId: string): Promise<string | null> {
  const rows = await db.query<{ email: string }>(
    `select email from leads where account_id = $1 and environment = $2 and id = $3`,
    [tenant.accountId, tenant.environment, leadId],
    'find_lead_address',
  )
  return rows[0]?.email ?? null
}

/** Finds the same mail, stored earlier under another UID or from another read. */
export async function findReceived(
  db: Executor,
  tenant: Tenant,
  mail: { sendingAccountId: string; rfcMessageId: string | null; sha256: Buffer },
): Promise<string | null> {
  const rows = await db.query<{ id: string }>(
    `select id from message_heads
     where account_id = $1 and environment = $2 and sending_account_id = $3 and direction = 'inbound'
       and (rfc_message_id = $4 or raw_sha256 = $5) limit 1`,
    [tenant.accountId, tenant.environment, mail.sendingAccountId, mail.rfcMessageId, mail.sha256],
    'find_received',
  )
  return rows[0]?.id ?? null
}

/** Locks the mail for the rest of the transaction, so that two reads of one mailbox store it once. */
export async function lockReceiving(tx: Executor, tenant: Tenant, key: string): Promise<void> {
  await tx.query(
    `select pg_advisory_xact_lock(hashtextextended($1, 4))`,
    [`${tenant.accountId} ${tenant.environment} ${key}`],
    'lock_receiving',
  )
}

export async function listUncertain(db: Executor, tenant: Tenant, rfcIds: readonly string[]): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `select id from message_heads
     where account_id = $1 and environment = $2 and id = any($4) and rfc_message_id = any($3) and direction = 'outbound'
       and status = 'uncertain'`,
    [tenant.accountId, tenant.environment, rfcIds, rfcIds.map(idOfMessageId)],
    'list_uncertain',
  )
  return rows.map((row) => row.id)
}

interface ComplaintCounts {
  sent: number
  complaints: number
}

/** Counts the proven spam complaints about a mailbox's last campaign messages, in campaigns with bounce protection. */
export async function countComplaints(
  db: Executor,
  tenant: Tenant,
  of: { sendingAccountId: string; window: number },
): Promise<ComplaintCounts> {
  const rows = await db.query<ComplaintCounts>(
    `with recent as (
       select m.lead_id, m.campaign_id from message_heads m
       join campaigns c on c.account_id = $1 and c.environment = $2 and c.id = m.campaign_id
         and (c.settings->'bounceProtection'->>'enabled')::boolean
       where m.account_id = $1 and m.environment = $2 and m.sending_account_id = $3 and m.direction = 'outbound' and m.kind = 'campaign'
         and m.status in ('sent', 'bounced')
       order by m.queued_at desc limit $4)
     select (select count(*) from recent) as sent,
       (select count(*) from recent r where exists (select 1 from message_heads i
         where i.account_id = $1 and i.environment = $2 and i.lead_id = r.lead_id and i.campaign_id = r.campaign_id
           and i.direction = 'inbound' and i.classification->>'kind' = 'complaint'
           and i.classification->>'proof' is distinct from 'none')) as complaints`,
    [tenant.accountId, tenant.environment, of.sendingAccountId, of.window],
    'count_complaints',
  )
  return { sent: Number(rows[0]?.sent ?? 0), complaints: Number(rows[0]?.complaints ?? 0) }
}
