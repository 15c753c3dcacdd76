import type { TestMessage } from '@overture/contract/delivery/test-messages.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { RowRange } from '../../platform/http/paging.ts'
import type { Tenant } from '../../platform/tenant.ts'
import type { Address } from '../write/message-bytes.ts'

/** Whether the address belongs to a user of this account or to one of its mailboxes. */
export async function findOwnAddress(db: Executor, tenant: Tenant, email: string): Promise<boolean> {
  const rows = await db.query(
    `select id from users where account_id = $1 and status = 'active' and lower(email) = lower($3)
     union all
     select id from sending_accounts where account_id = $1 and environment = $2 and lower(email) = lower($3) limit 1`,
    [tenant.accountId, tenant.environment, email],
    'find_own_address',
  )
  return rows.length > 0
}

/** The times of the newest `limit` requests, the oldest of them first. */
export async function listTestTimes(
  tx: Executor,
  tenant: Tenant,
  filter: { since: Date; limit: number },
): Promise<Date[]> {
  const rows = await tx.query<{ askedAt: Date }>(
    `select asked_at from test_messages where account_id = $1 and environment = $2 and asked_at > $3 and placement_test_id is null
     order by asked_at desc limit $4`,
    [tenant.accountId, tenant.environment, filter.since, filter.limit],
    'list_test_times',
  )
  return rows.map(({ askedAt }) => askedAt).toReversed()
}

export interface NewTestMessage {
  id: string
  campaignId: string
  leadId: string
  stepId: string
  variantId: string
  sendingAccountId: string
  from: Address
  to: Address
  subject: string
  rfcMessageId: string
  raw: Buffer
  sha256: Buffer
  now: Date
  /** The time by the clock of the limits. */
  askedAt: Date
}

/** Queues the final bytes as a notice that belongs to no lead. */
export async function insertTestMessage(tx: Executor, tenant: Tenant, message: NewTestMessage): Promise<void> {
  await tx.execute(
    `with head as (
       insert into message_heads (account_id, environment, id, sending_account_id, direction, kind, status, attempt_at, rfc_message_id,
         refs, from_address, to_addresses, cc_addresses, bcc_addresses, subject, raw_sha256, to_stranger, queued_at)
       values ($1, $2, $3, $4, 'outbound', 'notification', 'queued', $5, $6, '{}', $7, $8, '[]', '[]', $9, $10, false, $5)),
     content as (
       insert into message_contents (account_id, environment, message_id, raw) values ($1, $2, $3, $11))
     insert into test_messages (account_id, environment, id, campaign_id, lead_id, step_id, variant_id, created_at, asked_at)
     values ($1, $2, $3, $12, $13, $14, $15, $5, $16)`,
    [
      tenant.accountId,
      tenant.environment,
      message.id,
      message.sendingAccountId,
      message.now,
      message.rfcMessageId,
      JSON.stringify(message.from),
      JSON.stringify([message.to]),
      message.subject,
      message.sha256,
      message.raw,
      message.campaignId,
      message.leadId,
      message.stepId,
      message.variantId,
      message.askedAt,
    ],
    'insert_test_message',
  )
}

export interface TestMessageRow extends Omit<TestMessage, 'createdAt' | 'sentAt'> {
  createdAt: Date
  sentAt: Date | null
}

export async function listTestMessages(
  db: Executor,
  tenant: Tenant,
  campaignId: string,
  at: RowRange<string>,
): Promise<TestMessageRow[]> {
  return db.query<TestMessageRow>(
    `select t.id, t.campaign_id, t.lead_id, t.step_id, t.variant_id, m.sending_account_id, m.to_addresses->0->>'email' as "to",
       m.subject, case when m.status = 'queued' and c.gated_at is not null then 'sending' else m.status end as status, m.sent_at,
       t.created_at
     from test_messages t
     join message_heads m on m.account_id = $1 and m.environment = $2 and m.id = t.id
     left join claims c on c.account_id = $1 and c.environment = $2 and c.message_id = t.id
     where t.account_id = $1 and t.environment = $2 and t.campaign_id = $3
       and t.placement_test_id is null and ($4::text is null or t.id < $4)
     order by t.id desc limit $5 offset $6`,
    [tenant.accountId, tenant.environment, campaignId, at.after, at.limit, at.offset],
    'list_test_messages',
  )
}

export async function countTestMessages(db: Executor, tenant: Tenant, campaignId: string): Promise<number> {
  const rows = await db.query<{ count: number }>(
    `select count(*)::int as count from test_messages where account_id = $1 and environment = $2 and campaign_id = $3
       and placement_test_id is null`,
    [tenant.accountId, tenant.environment, campaignId],
  )
  return rows[0]?.count ?? 0
}
