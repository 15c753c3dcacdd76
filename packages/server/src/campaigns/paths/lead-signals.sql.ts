import type { Executor } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'

interface LeadSignal {
  campaignId: string
  leadId: string
  name: string
  /** The time of the last occurrence. */
  occurredAt: Date
}

/**
 * The last occurrence of each named signal for these leads. A signal may belong to the lead, to its address in all campaigns,
 * or to its company. `names` are the signals that conditions use; without names nothing is read.
 */
export async function listSignalsOfLeads(
  db: Executor,
  tenant: Tenant,
  of: { leads: readonly { campaignId: string; leadId: string }[]; names: readonly string[] },
): Promise<LeadSignal[]> {
  if (of.leads.length === 0 || of.names.length === 0) return []
  return db.query<LeadSignal>(
    `select t.campaign_id, t.lead_id, n.name, last.occurred_at
     from unnest($3::text[], $4::text[]) t (campaign_id, lead_id)
     join lead_profiles l on l.account_id = $1 and l.environment = $2 and l.campaign_id = t.campaign_id and l.id = t.lead_id
     cross join unnest($5::text[]) n (name)
     cross join lateral (
       select max(found.occurred_at) as occurred_at from (
         select max(s.occurred_at) as occurred_at from signals s
         where s.account_id = $1 and s.environment = $2 and s.email = l.email and s.name = n.name
           and (s.lead_id is null or s.lead_id = l.id)
         union all
         select max(s.occurred_at) from signals s
         where s.account_id = $1 and s.environment = $2 and s.domain = coalesce(l.company_domain, l.email_domain)
           and s.name = n.name) found) last
     where last.occurred_at is not null`,
    [
      tenant.accountId,
      tenant.environment,
      of.leads.map((lead) => lead.campaignId),
      of.leads.map((lead) => lead.leadId),
      of.names,
    ],
    'list_signals_of_leads',
  )
}
