import type { TrackingMode } from '@overture/contract/campaigns/privacy-settings.ts'
import type { Executor } from '../platform/db/database.ts'
import type { Tenant } from '../platform/tenant.ts'
import { pastHitsMax, type PastHit } from './machine.ts'

interface TrackedMessage {
  id: string
  campaignId: string
  leadId: string
  stepId: string
  variantId: string | null
  sendingAccountId: string
  sentAt: Date | null
  leadEmail: string
  trackingConsent: boolean | null
  /** Null if the campaign was stored before this setting existed. */
  tracking: TrackingMode | null
}

interface TrackedKey {
  campaignId: string
  leadId: string
  stepId: string
}

/** Locks the tracked messages, each key given once. Concurrent hits on their links wait for each other, so that counts are right. */
export async function lockTrackedMessages(
  db: Executor,
  tenant: Tenant,
  keys: readonly TrackedKey[],
): Promise<TrackedMessage[]> {
  return db.query<TrackedMessage>(
    `select m.* from unnest($3::text[], $4::text[], $5::text[]) t (campaign_id, lead_id, step_id) cross join lateral (
       select m.id, m.campaign_id, m.lead_id, m.step_id, m.variant_id, m.sending_account_id,
         coalesce(m.sent_at, m.gated_at, c.gated_at) as sent_at, l.email as lead_email,
         l.tracking_consent, (select c.settings->>'tracking' from campaigns c
           where c.account_id = $1 and c.environment = $2 and c.id = m.campaign_id) as tracking
       from message_heads m
       left join claims c on c.account_id = $1 and c.environment = $2 and c.message_id = m.id
       join lead_profiles l on l.account_id = $1 and l.environment = $2 and l.campaign_id = m.campaign_id and l.id = m.lead_id
       where m.account_id = $1 and m.environment = $2 and m.campaign_id = t.campaign_id and m.lead_id = t.lead_id
         and m.step_id = t.step_id and m.direction = 'outbound'
         and (m.status in ('sent', 'bounced', 'returned', 'uncertain') or c.gated_at is not null)
       for no key update of m) m`,
    [
      tenant.accountId,
      tenant.environment,
      keys.map((key) => key.campaignId),
      keys.map((key) => key.leadId),
      keys.map((key) => key.stepId),
    ],
    'lock_tracked_messages',
  )
}

/**
 * The names of the sender of a link: the account's, and that of the lead's sending account. The name is null if the lead is null, deleted
 * or not contacted yet. Undefined if the account was deleted.
 */
export async function findSenderNames(
  db: Executor,
  tenant: Tenant,
  leadId: string | null,
): Promise<{ account: string; person: string | null } | undefined> {
  const [row] = await db.query<{ account: string; person: string | null }>(
    `select a.name as account, s.from_name as person from accounts a
     left join leads l on l.account_id = $1 and l.environment = $2 and l.id = $3
     left join sending_accounts s on s.account_id = $1 and s.environment = $2 and s.id = l.sending_account_id
     where a.account_id = $1`,
    [tenant.accountId, tenant.environment, leadId],
    'find_sender_names',
  )
  return row
}

/** Lists the latest hits of each message since its `since`, up to a limit, latest first. */
export async function listHitsSince(
  db: Executor,
  tenant: Tenant,
  of: readonly { leadId: string; messageId: string; since: Date }[],
): Promise<(PastHit & { messageId: string })[]> {
  return db.query<PastHit & { messageId: string }>(
    `select t.message_id, e.url, e.machine, e.at
     from unnest($3::text[], $4::text[], $5::timestamptz[]) t (lead_id, message_id, since) cross join lateral (
       select case when e.type = 'message.clicked' then e.data->>'url' end as url, (e.data->>'machine')::boolean as machine,
         e.occurred_at as at, e.position
       from events e
       where e.account_id = $1 and e.environment = $2 and e.lead_id = t.lead_id and e.message_id = t.message_id
         and e.occurred_at > t.since and e.type in ('message.opened', 'message.clicked')
       order by e.position desc limit ${pastHitsMax}) e
     order by e.position desc`,
    [
      tenant.accountId,
      tenant.environment,
      of.map(({ leadId }) => leadId),
      of.map(({ messageId }) => messageId),
      of.map(({ since }) => since),
    ],
    'list_hits_since',
  )
}
