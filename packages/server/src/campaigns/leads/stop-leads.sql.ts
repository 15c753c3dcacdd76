import type { LeadStatus, StoppedBy } from '@overture/contract/campaigns/leads.ts'
import { deleteContactsSql, renewFirstContacts } from '../../contact-policy/index.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { claimDay, countBudgets } from '../../sending-accounts/index.ts'
import type { LeadKey } from './leads.sql.ts'

interface EndedLead extends LeadKey {
  email: string
  before: LeadStatus
}

/** Ends the sequences of leads whose status still allows that. Returns these leads with their previous statuses. */
export async function updateLeadsEnded(
  tx: Executor,
  tenant: Tenant,
  move: { leads: readonly LeadKey[]; from: readonly LeadStatus[]; to: LeadStatus; stoppedBy: StoppedBy; now: Date },
): Promise<EndedLead[]> {
  return tx.query<EndedLead>(
    `with before as (
       select p.* from (select * from unnest($3::text[], $4::text[]) t (campaign_id, lead_id) order by 1, 2) t
       cross join lateral (
         select p.campaign_id, p.lead_id, p.status from lead_progress p
         where p.account_id = $1 and p.environment = $2 and p.campaign_id = t.campaign_id and p.lead_id = t.lead_id
           and p.status = any($5)
         limit 1 for update) p)
     update lead_progress p set status = $6, stopped_by = $7, due_at = null, attempt_at = null, next_send_at = null,
       blocked_reason = null, updated_at = $8
     from before, lead_profiles l
     where p.account_id = $1 and p.environment = $2 and p.campaign_id = before.campaign_id and p.lead_id = before.lead_id
       and l.account_id = $1 and l.environment = $2 and l.campaign_id = before.campaign_id and l.id = before.lead_id
     returning p.campaign_id, p.lead_id, l.email, before.status as before`,
    [
      tenant.accountId,
      tenant.environment,
      move.leads.map((lead) => lead.campaignId),
      move.leads.map((lead) => lead.leadId),
      move.from,
      move.to,
      JSON.stringify(move.stoppedBy),
      move.now,
    ],
    'update_leads_ended',
  )
}

/**
 * Withdraws campaign messages of leads that have not passed the gate, and their counts. Claims are deleted first, because a
 * process that is writing a message has its claim locked; then the written messages are deleted.
 */
export async function deleteUnsentClaims(tx: Executor, tenant: Tenant, leads: readonly LeadKey[]): Promise<void> {
  const values = [
    tenant.accountId,
    tenant.environment,
    leads.map((lead) => lead.campaignId),
    leads.map((lead) => lead.leadId),
  ]
  await renewFirstContacts(tx, tenant, await deleteClaimsOfLeads(tx, values))
  await deleteUnsentOfLeads(tx, values)
}

/** Returns the address hashes of the deleted claims. */
async function deleteClaimsOfLeads(tx: Executor, values: readonly unknown[]): Promise<(Buffer | null)[]> {
  const gone = await tx.query<{ addressHash: Buffer | null }>(
    `with gone as (
       delete from claims c using unnest($3::text[], $4::text[]) t (campaign_id, lead_id)
       where c.account_id = $1 and c.environment = $2 and c.campaign_id = t.campaign_id and c.lead_id = t.lead_id
         and c.kind = 'campaign' and c.step_id is not null and c.gated_at is null
       returning c.campaign_id, c.sending_account_id, c.sender_day, c.campaign_day, c.first, c.domain, c.address_hash, c.message_id,
         c.budgets, c.claimed_at),
     budgets as (${countBudgets(`select budgets, ${claimDay('gone')} as day from gone`, '-1')}),
     uncounted as (${deleteContactsSql('gone')}),
     sender as (
       update sender_days d set claimed = d.claimed - g.count
       from (select sending_account_id, sender_day, count(*)::int as count from gone group by 1, 2) g
       where d.account_id = $1 and d.environment = $2 and d.sending_account_id = g.sending_account_id and d.day = g.sender_day),
     campaign as (
       update campaign_days d set claimed = d.claimed - g.count, claimed_first = d.claimed_first - g.first
       from (select campaign_id, campaign_day, count(*)::int as count, (count(*) filter (where first))::int as first
         from gone group by 1, 2) g
       where d.account_id = $1 and d.environment = $2 and d.campaign_id = g.campaign_id and d.day = g.campaign_day),
     domains as (
       update campaign_domain_days d set claimed = d.claimed - g.count
       from (select campaign_id, campaign_day, domain, count(*)::int as count from gone group by 1, 2, 3) g
       where d.account_id = $1 and d.environment = $2 and d.campaign_id = g.campaign_id and d.day = g.campaign_day
         and d.domain = g.domain)
     select address_hash from gone`,
    values,
    'delete_claims_of_leads',
  )
  return gone.map(({ addressHash }) => addressHash)
}

async function deleteUnsentOfLeads(tx: Executor, values: readonly unknown[]): Promise<void> {
  await tx.execute(
    `with gone as (
       delete from message_heads m using unnest($3::text[], $4::text[]) t (campaign_id, lead_id)
       where m.account_id = $1 and m.environment = $2 and m.campaign_id = t.campaign_id and m.lead_id = t.lead_id
         and m.direction = 'outbound' and m.kind = 'campaign' and m.status = 'queued'
         and not exists (select 1 from claims c where c.account_id = $1 and c.environment = $2 and c.message_id = m.id)
       returning m.id)
     delete from message_contents k using gone
     where k.account_id = $1 and k.environment = $2 and k.message_id = gone.id`,
    values,
    'delete_unsent_of_leads',
  )
}
