import { waitingList } from '@overture/ground/lead-statuses.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'

/** Exactly one of the two is null. */
export interface SuppressedAddress {
  email: string | null
  domain: string | null
}

interface LeadKey {
  campaignId: string
  leadId: string
}

const matching = `l.account_id = $1 and l.environment = $2 and (l.email = $3 or l.email_domain = $4)
  and p.account_id = $1 and p.environment = $2 and p.campaign_id = l.campaign_id and p.lead_id = l.id
  and p.status in ${waitingList}`

/** Holds open leads of a suppressed address or domain at once. The planner would notice only when they are due. */
export async function markSuppressedLeads(db: Executor, tenant: Tenant, address: SuppressedAddress): Promise<void> {
  await db.execute(
    `update lead_progress p set blocked_reason = 'suppressed', next_send_at = null from lead_profiles l where ${matching}
       and (p.attempt_at is not null
         or p.blocked_reason in ('missing_variable', 'address_check', 'awaiting_approval', 'waiting_for_task'))`,
    [tenant.accountId, tenant.environment, address.email, address.domain],
    'mark_suppressed_leads',
  )
}

/**
 * Puts the leads back into the planner's queue, which holds a lead again if another suppression applies. Returns the campaigns,
 * in order.
 */
export async function clearSuppressedLeads(
  db: Executor,
  tenant: Tenant,
  address: SuppressedAddress & { now: Date },
): Promise<string[]> {
  const rows = await db.query<{ campaignId: string }>(
    `update lead_progress p set blocked_reason = null, attempt_at = coalesce(p.due_at, $5) from lead_profiles l
     where ${matching} and p.blocked_reason = 'suppressed' returning p.campaign_id`,
    [tenant.accountId, tenant.environment, address.email, address.domain, address.now],
    'clear_suppressed_leads',
  )
  return [...new Set(rows.map((row) => row.campaignId))].sort()
}

/** Lists open leads that a suppression holds, in order. */
export async function listSuppressedLeads(
  db: Executor,
  tenant: Tenant,
  page: { after: LeadKey; limit: number },
): Promise<(LeadKey & { email: string })[]> {
  return db.query<LeadKey & { email: string }>(
    `select p.campaign_id, p.lead_id, l.email from lead_progress p
     join lead_profiles l on l.account_id = $1 and l.environment = $2 and l.campaign_id = p.campaign_id and l.id = p.lead_id
     where p.account_id = $1 and p.environment = $2 and p.blocked_reason = 'suppressed' and p.status in ${waitingList}
       and (p.campaign_id, p.lead_id) > ($3, $4)
     order by p.campaign_id, p.lead_id limit $5`,
    [tenant.accountId, tenant.environment, page.after.campaignId, page.after.leadId, page.limit],
    'list_suppressed_leads',
  )
}

/** Puts leads that a suppression holds back into the planner's queue. Returns the campaigns, in order. */
export async function requeueSuppressedLeads(
  db: Executor,
  tenant: Tenant,
  { leads, now }: { leads: readonly LeadKey[]; now: Date },
): Promise<string[]> {
  const rows = await db.query<{ campaignId: string }>(
    `update lead_progress p set blocked_reason = null, attempt_at = coalesce(p.due_at, $5)
     from unnest($3::text[], $4::text[]) t (campaign_id, lead_id)
     where p.account_id = $1 and p.environment = $2 and p.campaign_id = t.campaign_id and p.lead_id = t.lead_id
       and p.blocked_reason = 'suppressed' and p.status in ${waitingList}
     returning p.campaign_id`,
    [
      tenant.accountId,
      tenant.environment,
      leads.map(({ campaignId }) => campaignId),
      leads.map(({ leadId }) => leadId),
      now,
    ],
    'requeue_suppressed_leads',
  )
  return [...new Set(rows.map((row) => row.campaignId))].sort()
}

/** Puts leads with these addresses back into the planner's queue if the rules for addresses hold them. Returns the campaigns, in order. */
export async function requeueCheckedLeads(
  db: Executor,
  tenant: Tenant,
  { emails, now }: { emails: readonly string[]; now: Date },
): Promise<string[]> {
  const rows = await db.query<{ campaignId: string }>(
    `update lead_progress p set blocked_reason = null, attempt_at = coalesce(p.due_at, $4) from lead_profiles l
     where l.account_id = $1 and l.environment = $2 and l.email = any($3)
       and p.account_id = $1 and p.environment = $2 and p.campaign_id = l.campaign_id and p.lead_id = l.id
       and p.blocked_reason = 'address_check' and p.status in ${waitingList} returning p.campaign_id`,
    [tenant.accountId, tenant.environment, emails, now],
    'requeue_checked_leads',
  )
  return [...new Set(rows.map((row) => row.campaignId))].sort()
}

/** Puts leads of a campaign back into the queue that its rules for addresses hold. Returns how many there were. */
export async function updateAddressHolds(
  db: Executor,
  tenant: Tenant,
  { campaignId, now, limit }: { campaignId: string; now: Date; limit: number },
): Promise<number> {
  return db.execute(
    `update lead_progress p set blocked_reason = null,
       attempt_at = case when p.status in ${waitingList} then coalesce(p.due_at, $4::timestamptz) end
     from (select lead_id from lead_progress where account_id = $1 and environment = $2 and campaign_id = $3
         and blocked_reason = 'address_check' limit $5 for update) t
     where p.account_id = $1 and p.environment = $2 and p.campaign_id = $3 and p.lead_id = t.lead_id`,
    [tenant.accountId, tenant.environment, campaignId, now, limit],
    'update_address_holds',
  )
}

/** The gates of the contact policy. The index lead_progress_policy_holds lists the same. */
const policyGates = `('in_conversation', 'other_campaign', 'person_limit', 'company_limit')`

/** Makes leads due that the contact policy holds. `relation` is SQL for their campaign_id and lead_id, and $3 is the time. */
function makeHeldDue(relation: string): string {
  return `update lead_progress p set blocked_reason = null, attempt_at = case when p.attempt_at is null then null else $3::timestamptz end
     from (${relation} skip locked) t
     where p.account_id = $1 and p.environment = $2 and p.campaign_id = t.campaign_id and p.lead_id = t.lead_id`
}

/** Makes leads that the contact policy holds due, so that the planner looks at them again. Returns how many there were. */
export async function updatePolicyHolds(
  db: Executor,
  tenant: Tenant,
  { now, limit }: { now: Date; limit: number },
): Promise<number> {
  return db.execute(
    makeHeldDue(`select campaign_id, lead_id from lead_progress
       where account_id = $1 and environment = $2 and blocked_reason in ${policyGates} limit $4 for update`),
    [tenant.accountId, tenant.environment, now, limit],
    'update_policy_holds',
  )
}

/** Makes the leads with an address due that the contact policy holds. */
export async function updateAddressPolicyHolds(
  db: Executor,
  tenant: Tenant,
  { email, now }: { email: string; now: Date },
): Promise<number> {
  return db.execute(
    makeHeldDue(`select p.campaign_id, p.lead_id from lead_profiles l
       join lead_progress p on p.account_id = $1 and p.environment = $2 and p.campaign_id = l.campaign_id and p.lead_id = l.id
       where l.account_id = $1 and l.environment = $2 and l.email = $4 and p.blocked_reason in ${policyGates} for update of p`),
    [tenant.accountId, tenant.environment, now, email],
    'update_policy_holds_of',
  )
}

/** Makes leads due that wait for a sender at their provider. Returns how many there were. */
export async function updateProviderHolds(
  db: Executor,
  tenant: Tenant,
  { now, limit }: { now: Date; limit: number },
): Promise<number> {
  return db.execute(
    `update lead_progress p set blocked_reason = null, attempt_at = case when p.status in ${waitingList} then $3::timestamptz end
     from (select campaign_id, lead_id from lead_progress
       where account_id = $1 and environment = $2 and blocked_reason = 'provider_mismatch' limit $4 for update skip locked) t
     where p.account_id = $1 and p.environment = $2 and p.campaign_id = t.campaign_id and p.lead_id = t.lead_id`,
    [tenant.accountId, tenant.environment, now, limit],
    'update_provider_holds',
  )
}

export async function hasProviderHolds(db: Executor, tenant: Tenant): Promise<boolean> {
  const rows = await db.query<{ found: boolean }>(
    `select exists (select 1 from lead_progress
       where account_id = $1 and environment = $2 and blocked_reason = 'provider_mismatch') as found`,
    [tenant.accountId, tenant.environment],
    'has_provider_holds',
  )
  return rows[0]?.found === true
}
