import { openStatuses } from '@overture/ground/lead-statuses.ts'
import type { LeadStatus, StoppedBy } from '@overture/contract/campaigns/leads.ts'
import { selectProfile } from '@overture/ground/lead-profile.ts'
import { listedRows, rowLists, type Executor, type ListColumn } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'
import type { LeadKey } from '../leads/leads.sql.ts'

export interface LeadToHandOver extends LeadKey {
  email: string
  status: LeadStatus
  timezone: string | null
  country: string | null
  threadId: string | null
  sendingAccountId: string | null
}

/** The statuses from which a lead can be handed over. Leads that unsubscribed or bounced are not. */
const handedOverFrom: readonly LeadStatus[] = [...openStatuses, 'completed', 'replied', 'stopped', 'failed']

// A lead is handed over once. Its own row says whether it was.
const isFree = `p.handed_to_lead_id is null and p.status = any($5) and p.blocked_reason is distinct from 'suppressed'`

// The campaign must not have the address yet.
const isNew = `not exists (select 1 from lead_profiles o where o.account_id = $1 and o.environment = $2 and o.campaign_id = $6
    and o.email = l.email)`

/** Locks the given leads that the campaign can take over. */
export async function lockLeadsToHandOver(
  tx: Executor,
  tenant: Tenant,
  { leads, toCampaignId }: { leads: readonly LeadKey[]; toCampaignId: string },
): Promise<LeadToHandOver[]> {
  return tx.query<LeadToHandOver>(
    `with locked as materialized (
       select p.* from (select * from unnest($3::text[], $4::text[]) t (campaign_id, lead_id) order by 1, 2) t
       cross join lateral (
         select p.campaign_id, p.lead_id, p.status, p.thread_id, p.sending_account_id from lead_progress p
         where p.account_id = $1 and p.environment = $2 and p.campaign_id = t.campaign_id and p.lead_id = t.lead_id and ${isFree}
         limit 1 for no key update) p)
     select p.*, l.email, l.timezone, l.country from locked p
     join lead_profiles l on l.account_id = $1 and l.environment = $2 and l.campaign_id = p.campaign_id and l.id = p.lead_id
     where ${isNew}`,
    [
      tenant.accountId,
      tenant.environment,
      leads.map((lead) => lead.campaignId),
      leads.map((lead) => lead.leadId),
      handedOverFrom,
      toCampaignId,
    ],
    'lock_leads_to_hand_over',
  )
}

interface HandedLead {
  /** The id of the new lead. */
  id: string
  from: LeadKey
  dueAt: Date
  threadId: string | null
  sendingAccountId: string | null
}

const handedColumns: readonly ListColumn<HandedLead>[] = [
  ['id', 'text', (lead) => lead.id],
  ['campaign_id', 'text', ({ from }) => from.campaignId],
  ['lead_id', 'text', ({ from }) => from.leadId],
  ['due_at', 'timestamptz', (lead) => lead.dueAt],
  ['thread_id', 'text', (lead) => lead.threadId],
  ['sender_id', 'text', (lead) => lead.sendingAccountId],
]

/** Inserts copies of leads, placed before the first step. Returns the ids of the leads that did not exist yet. */
export async function insertHandedLeads(
  tx: Executor,
  tenant: Tenant,
  batch: { campaignId: string; leads: readonly HandedLead[]; deciding: boolean; now: Date },
): Promise<Set<string>> {
  const rows = await tx.query<{ id: string }>(
    `with t as (select * from ${listedRows(handedColumns, 6)}),
     added as (
       insert into lead_profiles (account_id, environment, campaign_id, created_at, updated_at, id, email, email_given, email_domain,
         ${selectProfile()}, extra, custom_variables)
       select $1, $2, $3, $4, $4, t.id, l.email, l.email_given, l.email_domain, ${selectProfile('l')}, l.extra, l.custom_variables
       from t join lead_profiles l on l.account_id = $1 and l.environment = $2 and l.campaign_id = t.campaign_id and l.id = t.lead_id
       on conflict (account_id, environment, email, campaign_id) do nothing
       returning id),
     begun as (
       insert into lead_progress (account_id, environment, campaign_id, lead_id, status, due_at, attempt_at, next_send_at, updated_at,
         deciding, thread_id, sending_account_id, origin_campaign_id, origin_lead_id)
       select $1, $2, $3, t.id, 'pending', t.due_at, t.due_at, case when not $5 then t.due_at end, $4, $5, t.thread_id, t.sender_id,
         t.campaign_id, t.lead_id
       from t join added a on a.id = t.id returning 1)
     select id from added`,
    [
      tenant.accountId,
      tenant.environment,
      batch.campaignId,
      batch.now,
      batch.deciding,
      ...rowLists(handedColumns, batch.leads),
    ],
    'insert_handed_leads',
  )
  return new Set(rows.map((row) => row.id))
}

interface LeadHandedOver extends LeadKey {
  toLeadId: string
  /** Whether this ends the lead's sequence. False if it had ended before. */
  ends: boolean
}

const stoppedBy = (leadId: string): StoppedBy => ({ rule: 'sub_sequence', leadId, email: null })
const handedOverColumns: readonly ListColumn<LeadHandedOver>[] = [
  ['campaign_id', 'text', (lead) => lead.campaignId],
  ['lead_id', 'text', (lead) => lead.leadId],
  ['to_id', 'text', (lead) => lead.toLeadId],
  ['ends', 'boolean', (lead) => lead.ends],
  ['stopped_by', 'jsonb', ({ toLeadId }) => JSON.stringify(stoppedBy(toLeadId))],
]

/** Records which new leads replace the given leads, and stops the given leads that are still open. */
export async function updateLeadsHandedOver(
  tx: Executor,
  tenant: Tenant,
  { toCampaignId, leads, now }: { toCampaignId: string; leads: readonly LeadHandedOver[]; now: Date },
): Promise<void> {
  await tx.execute(
    `update lead_progress p set handed_to_campaign_id = $3, handed_to_lead_id = t.to_id, enters_campaign_id = null, enters_at = null,
       status = case when t.ends then 'stopped' else p.status end,
       stopped_by = case when t.ends then t.stopped_by else p.stopped_by end, due_at = null, attempt_at = null, next_send_at = null,
       blocked_reason = null, updated_at = $4
     from ${listedRows(handedOverColumns, 5)}
     where p.account_id = $1 and p.environment = $2 and p.campaign_id = t.campaign_id and p.lead_id = t.lead_id`,
    [tenant.accountId, tenant.environment, toCampaignId, now, ...rowLists(handedOverColumns, leads)],
    'update_leads_handed_over',
  )
}

/** Moves the threads to the new leads, so that replies in them count for the new leads. */
export async function updateThreadsHandedOver(
  tx: Executor,
  tenant: Tenant,
  { toCampaignId, leads }: { toCampaignId: string; leads: readonly (LeadKey & { toLeadId: string })[] },
): Promise<void> {
  await tx.execute(
    `update threads h set campaign_id = $3, lead_id = t.to_id
     from unnest($4::text[], $5::text[], $6::text[]) t (campaign_id, lead_id, to_id)
     where h.account_id = $1 and h.environment = $2 and h.campaign_id = t.campaign_id and h.lead_id = t.lead_id`,
    [
      tenant.accountId,
      tenant.environment,
      toCampaignId,
      leads.map((lead) => lead.campaignId),
      leads.map((lead) => lead.leadId),
      leads.map((lead) => lead.toLeadId),
    ],
    'update_threads_handed_over',
  )
}

/**
 * Marks leads that a paused campaign takes over once it is resumed. A lead that already waits for another campaign keeps
 * waiting for that one. Returns the ids of the marked leads.
 */
export async function updateLeadsToEnter(
  tx: Executor,
  tenant: Tenant,
  { leads, toCampaignId, at }: { leads: readonly LeadKey[]; toCampaignId: string; at: Date },
): Promise<Set<string>> {
  const rows = await tx.query<{ leadId: string }>(
    `update lead_progress p set enters_campaign_id = $6, enters_at = $7
     from unnest($3::text[], $4::text[]) t (campaign_id, lead_id)
     join lead_profiles l on l.account_id = $1 and l.environment = $2 and l.campaign_id = t.campaign_id and l.id = t.lead_id
     where p.account_id = $1 and p.environment = $2 and p.campaign_id = t.campaign_id and p.lead_id = t.lead_id
       and p.enters_campaign_id is null and ${isFree} and ${isNew}
     returning p.lead_id`,
    [
      tenant.accountId,
      tenant.environment,
      leads.map((lead) => lead.campaignId),
      leads.map((lead) => lead.leadId),
      handedOverFrom,
      toCampaignId,
      at,
    ],
    'update_leads_to_enter',
  )
  return new Set(rows.map((row) => row.leadId))
}

/** Locks a batch of the leads that wait for a campaign. */
export async function lockWaitingEntries(
  tx: Executor,
  tenant: Tenant,
  { campaignId, limit }: { campaignId: string; limit: number },
): Promise<(LeadKey & { at: Date })[]> {
  return tx.query(
    `select campaign_id, lead_id, enters_at as at from lead_progress
     where account_id = $1 and environment = $2 and enters_campaign_id = $3 order by lead_id limit $4 for no key update`,
    [tenant.accountId, tenant.environment, campaignId, limit],
    'lock_waiting_entries',
  )
}

/** Ends the wait of leads for a campaign. */
export async function updateLeadsEntered(tx: Executor, tenant: Tenant, leads: readonly LeadKey[]): Promise<void> {
  await tx.execute(
    `update lead_progress p set enters_campaign_id = null, enters_at = null
     from unnest($3::text[], $4::text[]) t (campaign_id, lead_id)
     where p.account_id = $1 and p.environment = $2 and p.campaign_id = t.campaign_id and p.lead_id = t.lead_id`,
    [tenant.accountId, tenant.environment, leads.map((lead) => lead.campaignId), leads.map((lead) => lead.leadId)],
    'update_leads_entered',
  )
}

// The longest chain that is followed. Chains end, because no address enters a campaign twice.
const handOversMax = 100

/** The last lead in a chain of handovers, or null if this lead was not handed over. */
export async function findSuccessor(
  db: Executor,
  tenant: Tenant,
  { campaignId, leadId }: LeadKey,
): Promise<LeadKey | null> {
  const rows = await db.query<LeadKey>(
    `with recursive chain as (
       select p.handed_to_campaign_id as campaign_id, p.handed_to_lead_id as lead_id, 1 as place from lead_progress p
       where p.account_id = $1 and p.environment = $2 and p.campaign_id = $3 and p.lead_id = $4
       union all
       select p.handed_to_campaign_id, p.handed_to_lead_id, chain.place + 1 from chain
       join lead_progress p on p.account_id = $1 and p.environment = $2 and p.campaign_id = chain.campaign_id
         and p.lead_id = chain.lead_id
       where chain.place < $5)
     select chain.campaign_id, chain.lead_id from chain
     join lead_profiles l on l.account_id = $1 and l.environment = $2 and l.campaign_id = chain.campaign_id and l.id = chain.lead_id
     join campaigns c on c.account_id = $1 and c.environment = $2 and c.id = chain.campaign_id and c.deleted_at is null
     order by chain.place desc limit 1`,
    [tenant.accountId, tenant.environment, campaignId, leadId, handOversMax],
    'find_successor',
  )
  return rows[0] ?? null
}

/** Whether a lead was handed over, and which of some campaigns have its address already. */
export async function listEntered(
  db: Executor,
  tenant: Tenant,
  of: LeadKey & { toCampaignIds: readonly string[] },
): Promise<{ handedTo: string | null; present: string[] }> {
  const rows = await db.query<{ handedTo: string | null; present: string[] }>(
    `select p.handed_to_campaign_id as handed_to, array(select o.campaign_id from lead_profiles o where o.account_id = $1
       and o.environment = $2 and o.email = l.email and o.campaign_id = any($5)) as present
     from lead_progress p
     join lead_profiles l on l.account_id = $1 and l.environment = $2 and l.campaign_id = $3 and l.id = $4
     where p.account_id = $1 and p.environment = $2 and p.campaign_id = $3 and p.lead_id = $4`,
    [tenant.accountId, tenant.environment, of.campaignId, of.leadId, of.toCampaignIds],
    'list_entered',
  )
  return rows[0] ?? { handedTo: null, present: [] }
}
