import type { Executor } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'

interface ReturnedRow {
  kind: string
  campaignId: string | null
  leadId: string | null
  stepId: string | null
  variantId: string | null
  sendingAccountId: string
  email: string | null
}

/** Marks a sent message as returned. Returns undefined if the message is not a sent one. */
export async function updateMessageReturned(
  db: Executor,
  tenant: Tenant,
  returned: { id: string; failure: object },
): Promise<ReturnedRow | undefined> {
  const rows = await db.query<ReturnedRow>(
    `with m as (
     update message_heads m set status = 'returned', failure = coalesce(m.failure, '{}'::jsonb) || $4::jsonb,
       sent_at = coalesce(m.sent_at, m.gated_at)
     where m.account_id = $1 and m.environment = $2 and m.id = $3 and m.status = 'sent' and m.direction = 'outbound'
     returning m.kind, m.campaign_id, m.lead_id, m.step_id, m.variant_id, m.sending_account_id)
     select m.*,
       (select l.email from leads l where l.account_id = $1 and l.environment = $2 and l.campaign_id = m.campaign_id and l.id = m.lead_id)
     from m`,
    [tenant.accountId, tenant.environment, returned.id, JSON.stringify(returned.failure)],
    'update_message_returned',
  )
  return rows[0]
}

/**
 * Makes the rows of returned steps available to the planner: the same row per lead and step, without its old text. `attempts` is
 * kept, so that the new Message-ID differs from the returned one.
 */
export async function requeueReturned(
  db: Executor,
  tenant: Tenant,
  of: { campaignId: string; leadIds: readonly string[]; stepIds: readonly string[] },
): Promise<void> {
  await db.execute(
    `with again as (
       update message_heads m set status = 'queued', failure = null, gated_at = null, sent_at = null, attempt_at = null,
         first_attempt_at = null, smtp_answer = null
       from unnest($4::text[], $5::text[]) t (lead_id, step_id)
       where m.account_id = $1 and m.environment = $2 and m.campaign_id = $3 and m.lead_id = t.lead_id and m.step_id = t.step_id
         and m.direction = 'outbound' and m.status = 'returned'
       returning m.id)
     delete from message_contents k using again where k.account_id = $1 and k.environment = $2 and k.message_id = again.id`,
    [tenant.accountId, tenant.environment, of.campaignId, of.leadIds, of.stepIds],
    'requeue_returned',
  )
}

/** Counts the recipient domains that returned messages of a sending account. */
export async function countReturnedDomains(
  db: Executor,
  tenant: Tenant,
  of: { sendingAccountId: string; since: Date },
): Promise<number> {
  const rows = await db.query<{ count: number }>(
    `select count(distinct l.email_domain)::int as count from message_heads m
     join lead_profiles l on l.account_id = $1 and l.environment = $2 and l.campaign_id = m.campaign_id and l.id = m.lead_id
     where m.account_id = $1 and m.environment = $2 and m.sending_account_id = $3 and m.direction = 'outbound'
       and m.queued_at > $4 and m.status = 'returned'`,
    [tenant.accountId, tenant.environment, of.sendingAccountId, of.since],
    'count_returned_domains',
  )
  return rows[0]?.count ?? 0
}
