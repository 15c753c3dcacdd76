import type { Conversation } from '@overture/contract/inbox/conversations.ts'
import type { Executor } from '../../platform/db/database.ts'
import { type RowRange, countMax, type TimeAndId } from '../../platform/http/paging.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { addressHasTag, campaignOrSenderHasTag } from '../../tags/index.ts'
import type { ConversationGroup } from './conversation.ts'

export interface ConversationRow {
  id: string
  campaignId: string | null
  leadId: string | null
  sendingAccountId: string
  subject: string
  snippet: string
  unread: boolean
  awaiting: boolean
  archived: boolean
  snoozedUntil: Date | null
  scheduled: Conversation['scheduled']
  ownerId: string | null
  lastMessageAt: Date
  createdAt: Date
  leadEmail: string | null
  firstName: string | null
  lastName: string | null
  interest: Conversation['interest']
}

// The first line is the condition of an index.
const isScheduled = `m.send_at is not null and (m.attempt_at is not null or m.held_at is not null)
  and m.status = 'queued'`
// A thread's id belongs to one account, and few replies are scheduled.
const scheduledReplies = `from message_heads m
  where m.account_id = $1 and m.environment = $2 and m.thread_id = h.id and ${isScheduled}`
const columns = `h.id, h.campaign_id, h.lead_id, h.sending_account_id, h.subject, h.snippet, h.unread, h.awaiting,
  h.archived, h.snoozed_until, h.owner_id, h.last_message_at, h.created_at, l.email as lead_email, l.first_name, l.last_name, l.interest,
  (select case when bool_or(m.held_at is not null) then 'held' when count(*) > 0 then 'waiting' end ${scheduledReplies}) as scheduled`
const source = `threads h
  left join leads l on l.account_id = $1 and l.environment = $2 and l.campaign_id = h.campaign_id and l.id = h.lead_id`

export interface ConversationFilter {
  unread: boolean | null
  awaiting: boolean | null
  archived: boolean
  snoozed: boolean | null
  scheduled: boolean | null
  interest: string | null
  campaignId: string | null
  sendingAccountId: string | null
  ownerId: string | null
  tagId: string | null
  /** For `to_tsquery('simple', …)`. */
  words: string | null
  /** For `like`, lower case. */
  people: string | null
  now: Date
}

const isSnoozed = '(h.snoozed_until is not null and h.snoozed_until > $12)'

const filtered = `h.account_id = $1 and h.environment = $2 and h.is_conversation and h.archived = $3
  and ($4::boolean is null or h.unread = $4) and ($5::text is null or l.interest = $5)
  and ($10::boolean is null or h.awaiting = $10 and (not $10 or not ${isSnoozed}))
  and ($13::boolean is null or ${isSnoozed} = $13) and ($14::boolean is null or exists (select 1 ${scheduledReplies}) = $14)
  and ($6::text is null or h.campaign_id = $6)
  and ($7::text is null or h.sending_account_id = $7) and ($11::text is null or h.owner_id = $11)
  and ($15::text is null or ${campaignOrSenderHasTag('$15', ['h.campaign_id', 'h.sending_account_id'])}
    or ${addressHasTag('$15', 'l.email')})
  and ($9::text is null or to_tsvector('simple', h.subject) @@ to_tsquery('simple', $8)
    or lower(l.email || ' ' || coalesce(l.first_name, '') || ' ' || coalesce(l.last_name, '') || ' ' || coalesce(l.company, '')) like $9
    or exists (select 1 from message_heads m
      join message_contents k on k.account_id = $1 and k.environment = $2 and k.message_id = m.id and k.subject is not null
        and to_tsvector('simple', left(k.subject || ' ' || coalesce(k.text, ''), 100000)) @@ to_tsquery('simple', $8)
      where m.account_id = $1 and m.environment = $2 and m.thread_id = h.id and (m.direction = 'inbound' or m.kind = 'manual')))`

function filterValues(tenant: Tenant, filter: ConversationFilter): unknown[] {
  return [
    tenant.accountId,
    tenant.environment,
    filter.archived,
    filter.unread,
    filter.interest,
    filter.campaignId,
    filter.sendingAccountId,
    filter.words,
    filter.people,
    filter.awaiting,
    filter.ownerId,
    filter.now,
    filter.snoozed,
    filter.scheduled,
    filter.tagId,
  ]
}

/** Lists conversations, latest first. */
export async function listConversations(
  db: Executor,
  tenant: Tenant,
  filter: ConversationFilter,
  range: RowRange<TimeAndId>,
): Promise<ConversationRow[]> {
  return db.query<ConversationRow>(
    `select ${columns} from ${source}
     where ${filtered} and ($16::timestamptz is null or (h.last_message_at, h.id) < ($16, $17))
     order by h.last_message_at desc, h.id desc limit $18 offset $19`,
    [...filterValues(tenant, filter), range.after?.at ?? null, range.after?.id ?? null, range.limit, range.offset],
  )
}

export async function countConversations(db: Executor, tenant: Tenant, filter: ConversationFilter): Promise<number> {
  const rows = await db.query<{ count: number }>(
    `select count(*) as count from (select 1 from ${source} where ${filtered} limit $16) found`,
    [...filterValues(tenant, filter), filter.people === null ? null : countMax],
  )
  return Number(rows[0]?.count ?? 0)
}

const groupsMax = 5_000

/** Counts the conversations that are not archived: all of them, and per campaign, sender and label. */
export async function listConversationGroups(db: Executor, tenant: Tenant, now: Date): Promise<ConversationGroup[]> {
  return db.query<ConversationGroup>(
    `select h.campaign_id, h.sending_account_id, l.interest, count(*)::int as count, count(*) filter (where h.unread)::int as unread,
       count(*) filter (where h.awaiting and (h.snoozed_until is null or h.snoozed_until <= $3))::int as awaiting,
       count(*) filter (where h.snoozed_until > $3)::int as snoozed
     from ${source} where h.account_id = $1 and h.environment = $2 and h.is_conversation and not h.archived
     group by grouping sets ((), (h.campaign_id), (h.sending_account_id), (l.interest))
     having grouping(h.campaign_id, h.sending_account_id, l.interest) = 7
       or coalesce(h.campaign_id, h.sending_account_id, l.interest) is not null
     order by grouping(h.campaign_id, h.sending_account_id, l.interest) desc, count(*) desc limit ${groupsMax}`,
    [tenant.accountId, tenant.environment, now],
    'list_conversation_groups',
  )
}

/** Counts the conversations that are not archived and have scheduled replies, and those of them that are held. */
export async function countScheduled(db: Executor, tenant: Tenant): Promise<{ scheduled: number; held: number }> {
  const rows = await db.query<{ scheduled: number; held: number }>(
    `select count(distinct h.id)::int as scheduled, count(distinct h.id) filter (where m.held_at is not null)::int as held
     from message_heads m
     join threads h on h.account_id = $1 and h.environment = $2 and h.id = m.thread_id and h.is_conversation and not h.archived
     where m.account_id = $1 and m.environment = $2 and ${isScheduled}`,
    [tenant.accountId, tenant.environment],
    'count_scheduled',
  )
  return rows[0] ?? { scheduled: 0, held: 0 }
}

/** Locks a conversation, so that what people do with it at the same time happens one after the other. */
export async function lockConversation(tx: Executor, tenant: Tenant, id: string): Promise<ConversationRow | null> {
  await tx.query(
    `select id from threads where account_id = $1 and environment = $2 and id = $3 and is_conversation for update`,
    [tenant.accountId, tenant.environment, id],
    'lock_conversation',
  )
  return findConversation(tx, tenant, id)
}

export async function findConversation(db: Executor, tenant: Tenant, id: string): Promise<ConversationRow | null> {
  const rows = await db.query<ConversationRow>(
    `select ${columns} from ${source} where h.account_id = $1 and h.environment = $2 and h.id = $3 and h.is_conversation`,
    [tenant.accountId, tenant.environment, id],
  )
  return rows[0] ?? null
}
