import type { Environment } from '@overture/contract/endpoint.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'

/** The position of a message in the iteration over all accounts. */
export interface MessagePlace {
  accountId: string
  environment: Environment
  id: string
}

/** One of our messages that was counted as a bounce, with the stored reply about it. */
export interface PastBounce extends MessagePlace {
  campaignId: string | null
  leadId: string | null
  leadEmail: string | null
  threadId: string | null
  rfcMessageId: string | null
  deliveredMessageId: string | null
  /** The enhanced status code. */
  code: string | null
  /** The server's words, or the class of a delivery report. */
  reason: string | null
}

const isBounce = `m.direction = 'outbound' and m.status = 'bounced'`

/** Lists bounces of all accounts after a place, in order. */
export async function listPastBouncesAcrossAccounts(
  db: Executor,
  batch: { after: MessagePlace | null; limit: number },
): Promise<PastBounce[]> {
  return db.query<PastBounce>(
    `select m.account_id, m.environment, m.id, m.campaign_id, m.lead_id, l.email as lead_email, m.thread_id, m.rfc_message_id,
       m.delivered_message_id, m.failure->>'code' as code, m.failure->>'reason' as reason
     from message_heads m left join lead_profiles l
       on l.account_id = m.account_id and l.environment = m.environment and l.campaign_id = m.campaign_id and l.id = m.lead_id
     where ${isBounce} and (m.account_id, m.environment, m.id) > ($1, $2, $3)
     order by m.account_id, m.environment, m.id limit $4`,
    [batch.after?.accountId ?? '', batch.after?.environment ?? '', batch.after?.id ?? '', batch.limit],
  )
}

interface RepairedBounce {
  kind: string
  campaignId: string | null
  leadId: string | null
  stepId: string | null
  variantId: string | null
  sendingAccountId: string
  email: string | null
  /** When the bounce was recorded; null if the log no longer has it. */
  bouncedAt: Date | null
}

/** Turns a bounce into a returned message and keeps the old failure. Returns undefined if the message is no longer a bounce. */
export async function updateBounceReturned(
  db: Executor,
  tenant: Tenant,
  returned: { id: string; failure: object },
): Promise<RepairedBounce | undefined> {
  const [row] = await db.query<RepairedBounce>(
    `with m as (
     update message_heads m set status = 'returned', failure = m.failure || jsonb_set($4::jsonb, '{bounced}', m.failure)
     where m.account_id = $1 and m.environment = $2 and m.id = $3 and ${isBounce}
     returning m.id, m.kind, m.campaign_id, m.lead_id, m.step_id, m.variant_id, m.sending_account_id)
     select m.kind, m.campaign_id, m.lead_id, m.step_id, m.variant_id, m.sending_account_id,
       (select l.email from leads l where l.account_id = $1 and l.environment = $2 and l.campaign_id = m.campaign_id and l.id = m.lead_id),
       (select max(e.occurred_at) from events e where e.account_id = $1 and e.environment = $2 and e.lead_id = m.lead_id
         and e.message_id = m.id and e.type = 'message.bounced') as bounced_at
     from m`,
    [tenant.accountId, tenant.environment, returned.id, JSON.stringify(returned.failure)],
  )
  return row
}

/** Whether some message to the lead in its campaign is still a bounce that ends the lead. */
export async function hasEndingBounce(
  db: Executor,
  tenant: Tenant,
  lead: { campaignId: string; leadId: string },
): Promise<boolean> {
  const [row] = await db.query<{ found: boolean }>(
    `select exists (select 1 from message_heads m where m.account_id = $1 and m.environment = $2 and m.campaign_id = $3
       and m.lead_id = $4 and ${isBounce} and m.failure->>'type' in ('hard', 'block')
       and not m.failure ? 'notOfLead') as found`,
    [tenant.accountId, tenant.environment, lead.campaignId, lead.leadId],
  )
  return row?.found === true
}

/** The remaining bounces of an address, and the reasons of the bounces that a repair undid. */
export async function findBouncesOfAddress(
  db: Executor,
  tenant: Tenant,
  email: string,
): Promise<{ hasHard: boolean; repaired: { reason: string | null }[] }> {
  const [row] = await db.query<{ hasHard: boolean; repaired: { reason: string | null }[] }>(
    `select coalesce(bool_or(m.status = 'bounced' and m.failure->>'type' = 'hard' and not m.failure ? 'notOfLead'), false) as has_hard,
       coalesce(jsonb_agg(m.failure->'bounced') filter (where m.status = 'returned' and m.failure ? 'bounced'), '[]') as repaired
     from leads l join message_heads m on m.account_id = $1 and m.environment = $2 and m.campaign_id = l.campaign_id
       and m.lead_id = l.id and m.direction = 'outbound' and m.status in ('bounced', 'returned')
     where l.account_id = $1 and l.environment = $2 and l.email = $3`,
    [tenant.accountId, tenant.environment, email],
  )
  return row ?? { hasHard: false, repaired: [] }
}
