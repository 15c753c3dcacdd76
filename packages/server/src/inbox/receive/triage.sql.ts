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
