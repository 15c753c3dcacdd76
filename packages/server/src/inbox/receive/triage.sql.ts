import type { Executor } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { allows, type WriterProof } from './proof.ts'

/** The text of a reply that no model has read yet, without quoted text, and whether its writer has a proof. */
export async function findReplyText(
  db: Executor,
  tenant: Tenant,
  messageId: string,
): Promise<{ subject: string; text: string; isProven: boolean } | undefined> {
  const [row] = await db.query<{ subject: string; text: string; proof: WriterProof }>(
    `select subject, coalesce(text, '') as text, coalesce(classification->>'proof', 'none') as proof from messages
     where account_id = $1 and environment = $2 and id = $3 and direction = 'inbound' and kind = 'reply'
       and not coalesce(classification, '{}'::jsonb) ? 'triage'`,
    [tenant.accountId, tenant.environment, messageId],
    'find_reply_text',
  )
  return row && { subject: row.subject, text: row.text, isProven: allows(row.proof, 'label') }
}

/** Whether the lead has written nothing after this reply. */
export async function isNewestReply(
  db: Executor,
  tenant: Tenant,
  reply: { campaignId: string; leadId: string; messageId: string },
): Promise<boolean> {
  const newer = await db.query(
    `select from messages n
     join messages m on m.account_id = $1 and m.environment = $2 and m.id = $5
     where n.account_id = $1 and n.environment = $2 and n.campaign_id = $3 and n.lead_id = $4 and n.direction = 'inbound'
       and n.kind in ('reply', 'unsubscribe') and n.id <> m.id and (n.received_at, n.id) > (m.received_at, m.id)
     limit 1`,
    [tenant.accountId, tenant.environment, reply.campaignId, reply.leadId, reply.messageId],
    'find_newer_reply',
  )
  return newer.length === 0
}

interface NewestReplyRow {
  threadId: string
  campaignId: string | null
  leadId: string | null
  messageId: string
  /** Whether it is a reply that no person has answered, and its writer has a proof. */
  isAnswerable: boolean
}

const newestReply = `select h.id as thread_id, h.campaign_id, h.lead_id, n.id as message_id,
    h.awaiting and n.kind = 'reply' as awaits, coalesce(n.classification->>'proof', 'none') as proof
  from threads h cross join lateral (
    select m.id, m.kind, m.classification from message_heads m
    where m.account_id = $1 and m.environment = $2 and m.thread_id = h.id and m.direction = 'inbound'
      and m.kind in ('reply', 'unsubscribe')
    order by m.received_at desc, m.id desc limit 1) n
  where h.account_id = $1 and h.environment = $2 and h.is_conversation`

/** The newest message that the lead wrote in a conversation. */
export async function findNewestReply(
  db: Executor,
  tenant: Tenant,
  threadId: string,
): Promise<NewestReplyRow | undefined> {
  const rows = await db.query<NewestReplyFound>(
    `${newestReply} and h.id = $3`,
    [tenant.accountId, tenant.environment, threadId],
    'find_newest_reply',
  )
  return rows.map(withProof)[0]
}

/** The conversation of a message, with the newest message that the lead wrote in it. */
export async function findNewestReplyBeside(
  db: Executor,
  tenant: Tenant,
  messageId: string,
): Promise<NewestReplyRow | undefined> {
  const rows = await db.query<NewestReplyFound>(
    `${newestReply} and h.id = (select g.thread_id from message_heads g
       where g.account_id = $1 and g.environment = $2 and g.id = $3)`,
    [tenant.accountId, tenant.environment, messageId],
    'find_newest_reply_beside',
  )
  return rows.map(withProof)[0]
}

type NewestReplyFound = Omit<NewestReplyRow, 'isAnswerable'> & { awaits: boolean; proof: WriterProof }

function withProof({ awaits, proof, ...row }: NewestReplyFound): NewestReplyRow {
  return { ...row, isAnswerable: awaits && allows(proof, 'label') }
}
