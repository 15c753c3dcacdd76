import type { Message } from '@overture/contract/delivery/delivery.ts'
import { readMessageTexts } from '@overture/ground/text/message-texts.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'
import type { OutboundKind } from '../plan/recipients.ts'
import type { Address } from '../write/message-bytes.ts'
import { inThreadOrder } from '../write/thread-order.ts'

/** A file of a message. Its number is its position. `size` is null if it was too large to be kept. */
export interface StoredAttachment {
  filename: string
  contentType: string
  size: number | null
}

export interface MessageRow {
  id: string
  threadId: string | null
  campaignId: string | null
  leadId: string | null
  sendingAccountId: string
  direction: 'outbound' | 'inbound'
  kind: 'campaign' | 'reply' | 'manual' | 'auto_reply' | 'bounce' | 'unsubscribe' | 'other' | 'notification' | 'test'
  stepId: string | null
  variantId: string | null
  fromAddress: Address | null
  toAddresses: Address[]
  ccAddresses: Address[]
  subject: string
  text: string | null
  quotedText: string | null
  signature: string | null
  html: string | null
  rfcMessageId: string | null
  deliveredMessageId: string | null
  inReplyTo: string | null
  refs: string[]
  status: 'queued' | 'sending' | 'sent' | 'bounced' | 'returned' | 'failed' | 'uncertain' | 'received'
  attempts: number
  claimed: boolean
  attemptAt: Date | null
  /** When a scheduled reply is to be sent, and since when it is held. */
  sendAt: Date | null
  heldAt: Date | null
  sentAt: Date | null
  receivedAt: Date | null
  openedAt: Date | null
  classification: Record<string, unknown> | null
  failure: { refusedRecipients?: Message['refusedRecipients']; because?: Message['returnedBecause'] } | null
  attachments: StoredAttachment[] | null
}

const columns = `id, thread_id, campaign_id, lead_id, sending_account_id, direction, kind, step_id, variant_id, from_address, to_addresses,
  cc_addresses, subject, text, quoted_text, signature, html, rfc_message_id, delivered_message_id, in_reply_to, refs,
  status, attempts, claimed, attempt_at, send_at, held_at, sent_at, received_at, opened_at, classification, failure, attachments,
  case when direction = 'outbound' then raw end as raw`

const messagesMax = 1000

type StoredRow = MessageRow & { raw: Buffer | null }

/** The texts of our messages are read from their bytes once they have been composed. */
function withTexts({ raw, ...row }: StoredRow): MessageRow {
  return raw === null ? row : { ...row, ...readMessageTexts(raw) }
}

// Mail servers report the arrival in whole seconds. Within a second, a reply is sorted after the message it answers.
/** A lead's messages in a campaign, oldest first. */
export async function listLeadMessages(
  db: Executor,
  tenant: Tenant,
  key: { campaignId: string; leadId: string },
): Promise<MessageRow[]> {
  const rows = await db.query<StoredRow>(
    `select ${columns} from messages
     where account_id = $1 and environment = $2 and lead_id = $3 and campaign_id = $4 and kind not in ('notification', 'test')
     order by status in ('queued', 'sending'), date_trunc('second', coalesce(sent_at, received_at, gated_at, queued_at)), direction desc,
       coalesce(sent_at, received_at, gated_at, queued_at), id limit ${messagesMax}`,
    [tenant.accountId, tenant.environment, key.leadId, key.campaignId],
    'list_lead_messages',
  )
  return inThreadOrder(rows.map(withTexts))
}

/** A conversation's messages, oldest first. */
export async function listThreadMessages(db: Executor, tenant: Tenant, threadId: string): Promise<MessageRow[]> {
  const rows = await db.query<StoredRow>(
    `select ${columns} from messages
     where account_id = $1 and environment = $2 and thread_id = $3 and kind not in ('notification', 'test')
     order by status in ('queued', 'sending'), date_trunc('second', coalesce(sent_at, received_at, gated_at, queued_at)), direction desc,
       coalesce(sent_at, received_at, gated_at, queued_at), id limit ${messagesMax}`,
    [tenant.accountId, tenant.environment, threadId],
    'list_thread_messages',
  )
  return inThreadOrder(rows.map(withTexts))
}

/** The texts of a page of messages, unless its first message alone is larger. */
const pageBytesMax = 8 * 1024 * 1024

/** All messages of campaigns and conversations by id, in pages with a limited size. Only after the last one a page is empty. */
export async function listMessagePage(
  db: Executor,
  tenant: Tenant,
  { after, limit }: { after: string | null; limit: number },
): Promise<(MessageRow & { queuedAt: Date })[]> {
  const rows = await db.query<StoredRow & { queuedAt: Date }>(
    `select ${columns}, queued_at from messages where account_id = $1 and environment = $2 and id in (
       select id from (
         select id, sum(bytes) over (order by id rows between unbounded preceding and 1 preceding) as before
         from (select m.id, coalesce(octet_length(k.raw), 0) + coalesce(octet_length(k.text), 0)
             + coalesce(octet_length(k.html), 0) as bytes
           from message_heads m
           left join message_contents k on k.account_id = $1 and k.environment = $2 and k.message_id = m.id
           where m.account_id = $1 and m.environment = $2 and m.kind not in ('notification', 'test') and ($3::text is null or m.id > $3)
           order by m.id limit $4) next) sized
       where before is null or before <= $5)
     order by id`,
    [tenant.accountId, tenant.environment, after, limit, pageBytesMax],
    'list_message_page',
  )
  return rows.map((row) => ({ ...withTexts(row), queuedAt: row.queuedAt }))
}

export async function findMessage(db: Executor, tenant: Tenant, id: string): Promise<MessageRow | undefined> {
  const rows = await db.query<StoredRow>(
    `select ${columns} from messages where account_id = $1 and environment = $2 and id = $3`,
    [tenant.accountId, tenant.environment, id],
    'find_message',
  )
  return rows.map(withTexts)[0]
}

/** Locks a step's message for this transaction, including one that is claimed but not written yet. */
export async function lockStepMessage(
  db: Executor,
  tenant: Tenant,
  key: { campaignId: string; leadId: string; stepId: string },
): Promise<MessageRow | undefined> {
  const rows = await db.query<{ id: string }>(
    `select id from message_heads
     where account_id = $1 and environment = $2 and campaign_id = $3 and lead_id = $4 and step_id = $5 and direction = 'outbound'
     for update`,
    [tenant.accountId, tenant.environment, key.campaignId, key.leadId, key.stepId],
  )
  return rows[0] === undefined ? findUnwrittenClaim(db, tenant, key) : findMessage(db, tenant, rows[0].id)
}

async function findUnwrittenClaim(
  db: Executor,
  tenant: Tenant,
  key: { campaignId: string; leadId: string; stepId: string },
): Promise<MessageRow | undefined> {
  const rows = await db.query<MessageRow>(
    `select message_id as id, null as thread_id, campaign_id, lead_id, sending_account_id, 'outbound' as direction, kind, step_id,
       null as variant_id, null as from_address, jsonb_build_array(jsonb_build_object('email', lead_email, 'name', null)) as to_addresses,
       '[]'::jsonb as cc_addresses, '' as subject, null as text, null as quoted_text, null as signature, null as html,
       null as rfc_message_id, null as delivered_message_id,
       null as in_reply_to, '{}'::text[] as refs, 'queued' as status, 0 as attempts, true as claimed, null as attempt_at,
       null as send_at, null as held_at, null as sent_at, null as received_at, null as opened_at, null as classification,
       null as failure, null as attachments
     from claims where account_id = $1 and environment = $2 and lead_id = $3 and step_id = $4 and campaign_id = $5`,
    [tenant.accountId, tenant.environment, key.leadId, key.stepId, key.campaignId],
  )
  return rows[0]
}

/** `content` is base64. */
interface AttachmentContent {
  filename: string
  contentType: string
  content: string
}

export interface NewMessage {
  id: string
  kind: OutboundKind
  campaignId: string | null
  leadId: string | null
  stepId: string | null
  threadId: string | null
  sendingAccountId: string
  to: readonly Address[]
  cc: readonly Address[]
  bcc: readonly Address[]
  from: Address | null
  subject: string
  text: string | null
  html: string | null
  inReplyTo: string | null
  refs: readonly string[]
  attachments: readonly AttachmentContent[] | null
  /** The recipient never wrote to us. */
  toStranger: boolean
  /** The earliest time of sending. */
  attemptAt: Date
  sendAt: Date | null
  now: Date
}

/** Queues a message that bypasses the planner. */
export async function insertMessage(db: Executor, tenant: Tenant, message: NewMessage): Promise<void> {
  await db.execute(
    `with head as (
       insert into message_heads (account_id, environment, id, campaign_id, lead_id, step_id, thread_id, sending_account_id, direction,
         kind, status, attempt_at, from_address, to_addresses, cc_addresses, bcc_addresses, subject, in_reply_to, refs, to_stranger,
         attachments, queued_at, send_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, 'outbound', $9, 'queued', $23, $11, $12, $13, $14, $15, $16, $17, $21, $22, $10, $24))
     insert into message_contents (account_id, environment, message_id, text, html, attachments, subject)
     values ($1, $2, $3, $18, $19, $20, case when $9 = 'manual' then $15 || ' ' || $18 end)`,
    [
      tenant.accountId,
      tenant.environment,
      message.id,
      message.campaignId,
      message.leadId,
      message.stepId,
      message.threadId,
      message.sendingAccountId,
      message.kind,
      message.now,
      message.from === null ? null : JSON.stringify(message.from),
      JSON.stringify(message.to),
      JSON.stringify(message.cc),
      JSON.stringify(message.bcc),
      message.subject,
      message.inReplyTo,
      message.refs,
      message.text,
      message.html,
      message.attachments === null ? null : JSON.stringify(message.attachments),
      message.toStranger,
      message.attachments === null ? null : JSON.stringify(message.attachments.map(listed)),
      message.attemptAt,
      message.sendAt,
    ],
    'insert_message',
  )
}

function listed({ filename, contentType, content }: AttachmentContent): StoredAttachment {
  return { filename, contentType, size: Buffer.byteLength(content, 'base64') }
}

/** Makes a waiting retry due at once. */
export async function hastenMessage(db: Executor, tenant: Tenant, message: { id: string; now: Date }): Promise<void> {
  await db.execute(
    `update message_heads set attempt_at = $4 where account_id = $1 and environment = $2 and id = $3 and status = 'queued'`,
    [tenant.accountId, tenant.environment, message.id, message.now],
  )
}
