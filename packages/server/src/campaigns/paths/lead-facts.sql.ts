import type { EventType } from '@overture/contract/events/events.ts'
import { selectProfile } from '@overture/ground/lead-profile.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'
import type { AskedLeadRow, DeedRow } from './lead-facts.ts'
import type { LeadKey } from './decisions.sql.ts'

/** How many events are read per lead, the latest ones. */
const actsMax = 300

/** The profile, interest and custom variables of the given leads. */
export async function listAskedLeads(db: Executor, tenant: Tenant, leads: readonly LeadKey[]): Promise<AskedLeadRow[]> {
  return db.query<AskedLeadRow>(
    `select l.id, l.email, ${selectProfile('l')}, l.interest, l.custom_variables
     from unnest($3::text[], $4::text[]) t (campaign_id, lead_id)
     join lead_profiles l on l.account_id = $1 and l.environment = $2 and l.campaign_id = t.campaign_id and l.id = t.lead_id`,
    [tenant.accountId, tenant.environment, leads.map((lead) => lead.campaignId), leads.map((lead) => lead.leadId)],
    'list_asked_leads',
  )
}

const deedTypes: readonly EventType[] = [
  'message.sent',
  'message.opened',
  'message.clicked',
  'message.bounced',
  'reply.received',
  'reply.auto_received',
  'reply.classified',
  'meeting.booked',
]

/**
 * The messages that leads got and what the leads did, in order, the latest `actsMax` per lead. Opens and clicks by machines,
 * replies without proof of their writer and hard bounces are left out.
 */
export async function listDeeds(db: Executor, tenant: Tenant, leads: readonly LeadKey[]): Promise<DeedRow[]> {
  return db.query<DeedRow>(
    `select e.* from unnest($3::text[], $4::text[]) t (campaign_id, lead_id) cross join lateral (
       select e.lead_id, e.type, e.occurred_at as at, e.step_id, e.data->>'url' as url, e.data->>'intent' as intent, e.position
       from events e
       where e.account_id = $1 and e.environment = $2 and e.lead_id = t.lead_id and e.campaign_id = t.campaign_id and e.type = any($5)
         and (e.data->>'machine') is distinct from 'true' and (e.data->>'proven') is distinct from 'false'
         and (e.type <> 'message.bounced' or e.data->>'type' = 'soft')
       order by e.position desc limit $6) e
     order by e.position`,
    [
      tenant.accountId,
      tenant.environment,
      leads.map((lead) => lead.campaignId),
      leads.map((lead) => lead.leadId),
      deedTypes,
      actsMax,
    ],
    'list_deeds',
  )
}
