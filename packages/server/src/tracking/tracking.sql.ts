import type { Executor } from '../platform/db/database.ts'
import type { Tenant } from '../platform/tenant.ts'
import { pastHitsMax, type PastHit } from './machine.ts'

interface TrackedMessage {
  id: string
  variantId: string | null
  sendingAccountId: string
  sentAt: Date | null
  leadEmail: string
}

/** The message of a step that a lead got; hits on its links wait for each other, so that they can be counted. */
export async function lockTrackedMessage(
  db: Executor,
  tenant: Tenant,
  key: { campaignId: string; leadId: string; stepId: string },
): Promise<TrackedMessage | null> {
  const rows = await db.query<TrackedMessage>(
    `select m.id, m.variant_id, m.sending_account_id, coalesce(m.sent_at, m.gated_at, c.gated_at) as sent_at, l.email as lead_email
     from message_heads m
     left join claims c on c.account_id = $1 and c.environment = $2 and c.message_id = m.id
     join lead_profiles l on l.account_id = $1 and l.environment = $2 and l.campaign_id = m.campaign_id and l.id = m.lead_id
     where m.account_id = $1 and m.environment = $2 and m.campaign_id = $3 and m.lead_id = $4 and m.step_id = $5
       and m.direction = 'outbound' and (m.status in ('sent', 'bounced', 'uncertain') or c.gated_at is not null)
     for no key update of m`,
    [tenant.accountId, tenant.environment, key.campaignId, key.leadId, key.stepId],
    'lock_tracked_message',
  )
  return rows[0] ?? null
}

/** The latest pixels and links of a message since a moment, a bounded number. */
export async function listHitsSince(
  db: Executor,
  tenant: Tenant,
  of: { leadId: string; messageId: string; since: Date },
): Promise<PastHit[]> {
  return db.query<PastHit>(
    `select case when type = 'message.clicked' then data->>'url' end as url, (data->>'machine')::boolean as machine, occurred_at as at
     from events
     where account_id = $1 and environment = $2 and lead_id = $3 and message_id = $4 and occurred_at > $5
       and type in ('message.opened', 'message.clicked')
     order by position desc limit ${pastHitsMax}`,
    [tenant.accountId, tenant.environment, of.leadId, of.messageId, of.since],
    'list_hits_since',
  )
}
