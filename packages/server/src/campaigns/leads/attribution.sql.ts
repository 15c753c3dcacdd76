import type { Executor } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'
import type { LeadKey } from './leads.sql.ts'

/** The step, variant and sender that get the statistics' credit for what a lead did. */
interface Credit {
  stepId: string | null
  variantId: string | null
  sendingAccountId: string | null
}

/** The last campaign message that a lead got, or null if none was sent. */
export async function findCredit(db: Executor, tenant: Tenant, key: LeadKey): Promise<Credit | null> {
  const [row] = await db.query<Credit>(
    `select step_id, variant_id, sending_account_id from messages
     where account_id = $1 and environment = $2 and campaign_id = $3 and lead_id = $4 and direction = 'outbound'
       and kind = 'campaign' and status in ('sending', 'sent', 'bounced', 'returned', 'uncertain')
     order by queued_at desc limit 1`,
    [tenant.accountId, tenant.environment, key.campaignId, key.leadId],
    'find_credit',
  )
  return row ?? null
}

/** The credit of a lead that is counted as interested. Null if it is not counted, because it never was or the label was removed. */
export async function findInterestCredit(db: Executor, tenant: Tenant, key: LeadKey): Promise<Credit | null> {
  const [row] = await db.query<Credit & { counted: boolean }>(
    `select step_id, variant_id, sending_account_id, data->>'to' = 'interested' as counted from events
     where account_id = $1 and environment = $2 and lead_id = $4 and campaign_id = $3 and type = 'lead.interest_changed'
       and (data->>'to' is not distinct from 'interested' or (data->>'from' = 'interested'
         and coalesce(data->>'to', '') not in ('meeting_booked', 'meeting_completed', 'won')))
     order by position desc limit 1`,
    [tenant.accountId, tenant.environment, key.campaignId, key.leadId],
    'find_interest_credit',
  )
  if (row?.counted !== true) return null
  const { stepId, variantId, sendingAccountId } = row
  return { stepId, variantId, sendingAccountId }
}
