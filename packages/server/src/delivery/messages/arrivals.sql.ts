import type { Triage } from '@overture/contract/inbox/triage.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'
import type { StoredAttachment } from './messages.sql.ts'

interface StoredAddress {
  email: string
  name: string | null
}

export interface NewInbound {
  id: string
  campaignId: string | null
  leadId: string | null
  threadId: string
  sendingAccountId: string
  kind: 'reply' | 'auto_reply' | 'bounce' | 'unsubscribe' | 'other'
  rfcMessageId: string | null
  inReplyTo: string | null
  refs: readonly string[]
  from: StoredAddress | null
  to: readonly StoredAddress[]
  cc: readonly StoredAddress[]
  subject: string
  text: string | null
  quotedText: string | null
  signature: string | null
  html: string | null
  raw: Buffer
  sha256: Buffer
  receivedAt: Date
  classification: object
  attachments: readonly StoredAttachment[]
}

/** Stores a received message. Returns false if the mailbox already has a message with this Message-ID. */
export async function insertInbound(tx: Executor, tenant: Tenant, mail: NewInbound): Promise<boolean> {
  const inserted = await tx.execute(
    `with head as (
       insert into message_heads (account_id, environment, id, campaign_id, lead_id, thread_id, sending_account_id, direction, kind,
         status, rfc_message_id, in_reply_to, refs, from_address, to_addresses, cc_addresses, subject, raw_sha256, queued_at, received_at,
         classification, attachments)
       values ($1, $2, $3, $4, $5, $6, $7, 'inbound', $8, 'received', $9, $10, $11, $12, $13, $14, $15, $20, $21, $21, $22, $23)
       on conflict do nothing returning id)
     insert into message_contents (account_id, environment, message_id, raw, text, quoted_text, html, subject, signature)
     select $1, $2, id, $19, $16, $17, $18, $15, $24 from head returning 1`,
    [
      tenant.accountId,
      tenant.environment,
      mail.id,
      mail.campaignId,
      mail.leadId,
      mail.threadId,
      mail.sendingAccountId,
      mail.kind,
      mail.rfcMessageId,
      mail.inReplyTo,
      mail.refs,
      mail.from === null ? null : JSON.stringify(mail.from),
      JSON.stringify(mail.to),
      JSON.stringify(mail.cc),
      mail.subject,
      mail.text,
      mail.quotedText,
      mail.html,
      mail.raw,
      mail.sha256,
      mail.receivedAt,
      JSON.stringify(mail.classification),
      mail.attachments.length === 0 ? null : JSON.stringify(mail.attachments),
      mail.signature,
    ],
    'insert_inbound',
  )
  return inserted === 1
}

interface ThreadArrival {
  id: string
  campaignId: string | null
  leadId: string | null
  sendingAccountId: string
  subject: string
  snippet: string
  at: Date
  /** Whether the thread is shown as a conversation from now on. */
  conversation: boolean
  unread: boolean
}

/**
 * Updates the conversation of a received message. A new one gets the subject and the time of its first message. A message that
 * belongs to no conversation (a bounce) changes nothing.
 */
export async function upsertThreadArrival(tx: Executor, tenant: Tenant, thread: ThreadArrival): Promise<void> {
  if (!thread.conversation) return
  await tx.execute(
    `insert into threads as h (account_id, environment, id, campaign_id, lead_id, sending_account_id, subject, snippet, unread,
       is_conversation, last_message_at, created_at)
     select $1, $2, $3, $4, $5, $6, left(coalesce(first.subject, $7), 500), $8, $9, true, $10, coalesce(first.at, $10)
     from (select) one left join lateral (
       select subject, coalesce(sent_at, gated_at, queued_at) as at from message_heads
       where account_id = $1 and environment = $2 and thread_id = $3 order by queued_at, id limit 1) first on true
     on conflict (account_id, environment, id) do update set
       snippet = excluded.snippet, unread = h.unread or excluded.unread, archived = h.archived and not excluded.unread,
       snoozed_until = case when excluded.unread then null else h.snoozed_until end,
       is_conversation = true, last_message_at = greatest(h.last_message_at, excluded.last_message_at)`,
    [
      tenant.accountId,
      tenant.environment,
      thread.id,
      thread.campaignId,
      thread.leadId,
      thread.sendingAccountId,
      thread.subject,
      thread.snippet,
      thread.unread,
      thread.at,
    ],
    'upsert_thread_arrival',
  )
}

interface WrittenReply {
  threadId: string
  snippet: string
  now: Date
}

/** Shows a thread in the inbox after a user wrote to a lead who never wrote. Without it, threads appear with the first reply. */
export async function upsertThreadWritten(
  tx: Executor,
  tenant: Tenant,
  { threadId, snippet, now }: WrittenReply,
): Promise<void> {
  await tx.execute(
    `insert into threads as h (account_id, environment, id, campaign_id, lead_id, sending_account_id, subject, snippet, is_conversation,
       last_message_at, created_at)
     select $1, $2, $3, m.campaign_id, m.lead_id, m.sending_account_id, left(m.subject, 500), $4, true, $5,
       coalesce(m.sent_at, m.gated_at, m.queued_at)
     from message_heads m where m.account_id = $1 and m.environment = $2 and m.thread_id = $3 order by m.queued_at, m.id limit 1
     on conflict (account_id, environment, id) do update set is_conversation = true, snippet = excluded.snippet,
       last_message_at = greatest(h.last_message_at, excluded.last_message_at)
       where not h.is_conversation`,
    [tenant.accountId, tenant.environment, threadId, snippet, now],
    'upsert_thread_written',
  )
}

/** Hides a conversation in which no message of a person is left, because the reply was withdrawn. */
export async function hideEmptyThread(tx: Executor, tenant: Tenant, threadId: string): Promise<void> {
  await tx.execute(
    `update threads set is_conversation = false
     where account_id = $1 and environment = $2 and id = $3 and is_conversation and not exists (
       select 1 from message_heads m where m.account_id = $1 and m.environment = $2 and m.thread_id = $3
         and (m.direction = 'inbound' or m.kind = 'manual'))`,
    [tenant.accountId, tenant.environment, threadId],
    'hide_empty_thread',
  )
}

export async function updateConversation(
  tx: Executor,
  tenant: Tenant,
  change: { id: string; unread: boolean | null; archived: boolean | null },
): Promise<void> {
  await tx.execute(
    `update threads set unread = coalesce($4, unread), archived = coalesce($5, archived)
     where account_id = $1 and environment = $2 and id = $3`,
    [tenant.accountId, tenant.environment, change.id, change.unread, change.archived],
  )
}

/** Hides a conversation from those that await a reply. Null shows it again. */
export async function updateSnooze(
  tx: Executor,
  tenant: Tenant,
  { id, until }: { id: string; until: Date | null },
): Promise<void> {
  await tx.execute(
    `update threads set snoozed_until = $4 where account_id = $1 and environment = $2 and id = $3`,
    [tenant.accountId, tenant.environment, id, until],
    'update_snooze',
  )
}

export async function updateConversationOwner(
  tx: Executor,
  tenant: Tenant,
  { id, ownerId }: { id: string; ownerId: string | null },
): Promise<void> {
  await tx.execute(
    `update threads set owner_id = $4 where account_id = $1 and environment = $2 and id = $3`,
    [tenant.accountId, tenant.environment, id, ownerId],
    'update_conversation_owner',
  )
}

/** Removes the owner from the conversations of a deleted user, in both environments. */
export async function updateConversationsOfNobody(tx: Executor, accountId: string, ownerId: string): Promise<void> {
  await tx.execute(
    `update threads set owner_id = null where account_id = $1 and owner_id = $2`,
    [accountId, ownerId],
    'update_conversations_of_nobody',
  )
}

/** Stores a model's classification of a message next to that of the rules. An existing classification by a model is kept. */
export async function updateTriage(
  db: Executor,
  tenant: Tenant,
  kept: { messageId: string; triage: Triage },
): Promise<void> {
  await db.execute(
    `update message_heads set classification = coalesce(classification, '{}'::jsonb) || jsonb_build_object('triage', $4::jsonb)
     where account_id = $1 and environment = $2 and id = $3 and not coalesce(classification, '{}'::jsonb) ? 'triage'`,
    [tenant.accountId, tenant.environment, kept.messageId, JSON.stringify(kept.triage)],
    'update_triage',
  )
}

/** Stores when a person first opened each message. An earlier time is kept. */
export async function updateMessagesOpened(
  tx: Executor,
  tenant: Tenant,
  opened: readonly { id: string; at: Date }[],
): Promise<void> {
  if (opened.length === 0) return
  await tx.execute(
    `update message_heads m set opened_at = t.at from unnest($3::text[], $4::timestamptz[]) t (id, at)
     where m.account_id = $1 and m.environment = $2 and m.id = t.id and m.opened_at is null`,
    [tenant.accountId, tenant.environment, opened.map(({ id }) => id), opened.map(({ at }) => at)],
    'update_messages_opened',
  )
}
