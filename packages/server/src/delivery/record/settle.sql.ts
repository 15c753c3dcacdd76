import type { Schedule } from '@overture/contract/campaigns/campaigns.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'
import type { OutboundKind } from '../plan/recipients.ts'

export interface UncertainRow {
  id: string
  kind: OutboundKind
  token: string
  campaignId: string | null
  leadId: string | null
  leadEmail: string | null
  leadTimezone: string | null
  leadCountry: string | null
  stepId: string | null
  variantId: string | null
  threadId: string | null
  sendingAccountId: string
  /** Null if it is unknown with which bytes the message was sent, if it was. */
  rfcMessageId: string | null
  subject: string
  raw: Buffer | null
  gatedAt: Date
  schedule: Schedule | null
}

const uncertain = `select m.id, m.kind, u.lease_token as token, m.campaign_id, m.lead_id, l.email as lead_email,
    l.timezone as lead_timezone, l.country as lead_country, m.step_id, m.variant_id, m.thread_id, m.sending_account_id, m.rfc_message_id,
    m.subject, k.raw, m.gated_at, c.schedule
  from message_heads m
  join claims u on u.account_id = $1 and u.environment = $2 and u.message_id = m.id
  left join message_contents k on k.account_id = $1 and k.environment = $2 and k.message_id = m.id
  left join leads l on l.account_id = $1 and l.environment = $2 and l.campaign_id = m.campaign_id and l.id = m.lead_id
  left join campaigns c on c.account_id = $1 and c.environment = $2 and c.id = m.campaign_id
  where m.account_id = $1 and m.environment = $2 and m.status = 'uncertain'`

export async function lockUncertain(db: Executor, tenant: Tenant, id: string): Promise<UncertainRow | undefined> {
  const rows = await db.query<UncertainRow>(
    `${uncertain} and m.id = $3 for update of u`,
    [tenant.accountId, tenant.environment, id],
    'lock_uncertain',
  )
  return rows[0]
}

export async function lockUncertainOfLead(
  db: Executor,
  tenant: Tenant,
  key: { campaignId: string; leadId: string },
): Promise<UncertainRow | undefined> {
  const rows = await db.query<UncertainRow>(
    `${uncertain} and m.campaign_id = $3 and m.lead_id = $4 order by m.gated_at desc limit 1 for update of u`,
    [tenant.accountId, tenant.environment, key.campaignId, key.leadId],
  )
  return rows[0]
}
