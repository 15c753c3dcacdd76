import type { ForwardedMessage } from '@overture/contract/inbox/forwards.ts'
import type { AuditActor } from '@overture/contract/team/audit.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'
import type { Address } from '../write/message-bytes.ts'

/** The largest number of forwards that a conversation shows, the newest ones. */
const forwardsMax = 200

export interface NewForward {
  id: string
  threadId: string
  messageId: string
  author: AuditActor
  text: string | null
  sendingAccountId: string
  from: Address
  to: readonly Address[]
  subject: string
  rfcMessageId: string
  raw: Buffer
  sha256: Buffer
  now: Date
}

/** Queues the final bytes as a notice that belongs to no lead and to no thread. */
export async function insertForward(tx: Executor, tenant: Tenant, forward: NewForward): Promise<void> {
  await tx.execute(
    `with head as (
       insert into message_heads (account_id, environment, id, sending_account_id, direction, kind, status, attempt_at, rfc_message_id,
         refs, from_address, to_addresses, cc_addresses, bcc_addresses, subject, raw_sha256, to_stranger, queued_at)
       values ($1, $2, $3, $4, 'outbound', 'notification', 'queued', $5, $6, '{}', $7, $8, '[]', '[]', $9, $10, false, $5)),
     content as (
       insert into message_contents (account_id, environment, message_id, raw) values ($1, $2, $3, $11))
     insert into forwards (account_id, environment, id, thread_id, message_id, author_type, author_id, author_name, text, created_at)
     values ($1, $2, $3, $12, $13, $14, $15, $16, $17, $5)`,
    [
      tenant.accountId,
      tenant.environment,
      forward.id,
      forward.sendingAccountId,
      forward.now,
      forward.rfcMessageId,
      JSON.stringify(forward.from),
      JSON.stringify(forward.to),
      forward.subject,
      forward.sha256,
      forward.raw,
      forward.threadId,
      forward.messageId,
      forward.author.type,
      forward.author.id,
      forward.author.name,
      forward.text,
    ],
    'insert_forward',
  )
}

export interface ForwardRow {
  id: string
  messageId: string
  authorType: AuditActor['type']
  authorId: string | null
  authorName: string | null
  text: string | null
  status: ForwardedMessage['status']
  to: Address[]
  refused: ForwardedMessage['refusedRecipients'] | null
  sentAt: Date | null
  createdAt: Date
}

/** The forwards of a conversation, oldest first. */
export async function listForwards(db: Executor, tenant: Tenant, threadId: string): Promise<ForwardRow[]> {
  const rows = await db.query<ForwardRow>(
    `select f.id, f.message_id, f.author_type, f.author_id, f.author_name, f.text, f.created_at, m.sent_at,
       coalesce(m.to_addresses, '[]') as "to", m.failure->'refusedRecipients' as refused,
       case when m.status = 'queued' and c.gated_at is not null then 'sending' else m.status end as status
     from forwards f
     join message_heads m on m.account_id = $1 and m.environment = $2 and m.id = f.id
     left join claims c on c.account_id = $1 and c.environment = $2 and c.message_id = f.id
     where f.account_id = $1 and f.environment = $2 and f.thread_id = $3
     order by f.id desc limit ${forwardsMax}`,
    [tenant.accountId, tenant.environment, threadId],
    'list_forwards',
  )
  return rows.toReversed()
}
