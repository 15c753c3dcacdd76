import { listInSql, openStatuses, waitingList } from '@overture/ground/lead-statuses.ts'
import type { Interest, LeadStatus, StoppedBy } from '@overture/contract/campaigns/leads.ts'
import { deleteContactsSql, renewFirstContacts } from '../../contact-policy/index.ts'
import { listedRows, rowLists, type Executor, type ListColumn } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { claimDay, countBudgets } from '../../sending-accounts/index.ts'
import type { ReflowedLead, ReflowRow } from '../paths/reflowed-lead.ts'
import type { LeadKey } from './leads.sql.ts'

/** A lead that is held for one of these reasons is not planned until another event releases it. */
const unplannedList = listInSql(['delivery_uncertain', 'returned', 'missing_variable', 'address_check'])

interface StatusMove extends LeadKey {
  from: readonly LeadStatus[]
  to: LeadStatus
  stoppedBy: StoppedBy
  now: Date
}

/** Ends a lead's sequence if its status still allows that. Returns the previous status, or undefined. */
export async function updateLeadEnded(db: Executor, tenant: Tenant, move: StatusMove) {
  const [row] = await db.query<{ email: string; before: LeadStatus }>(
    `with before as (
       select lead_id, status from lead_progress
       where account_id = $1 and environment = $2 and campaign_id = $3 and lead_id = $4 and status = any($5) for update)
     update lead_progress p set status = $6, stopped_by = $7, due_at = null, attempt_at = null, next_send_at = null,
       blocked_reason = null, updated_at = $8
     from before, lead_profiles l
     where p.account_id = $1 and p.environment = $2 and p.campaign_id = $3 and p.lead_id = before.lead_id
       and l.account_id = $1 and l.environment = $2 and l.campaign_id = $3 and l.id = $4
     returning l.email, before.status as before`,
    [
      tenant.accountId,
      tenant.environment,
      move.campaignId,
      move.leadId,
      move.from,
      move.to,
      move.stoppedBy === null ? null : JSON.stringify(move.stoppedBy),
      move.now,
    ],
    'update_lead_ended',
  )
  return row
}

/** Pauses or resumes a lead for a person. The current wait is kept. */
export async function updateLeadStatus(
  db: Executor,
  tenant: Tenant,
  change: LeadKey & { to: LeadStatus; resumeAt: Date | null; now: Date },
): Promise<void> {
  await db.execute(
    `update lead_progress set status = $5, updated_at = $6, resume_at = $7,
       attempt_at = case when blocked_reason in ${unplannedList} then null
         when $5 = 'paused' then null else coalesce(due_at, $6) end,
       next_send_at = null
     where account_id = $1 and environment = $2 and campaign_id = $3 and lead_id = $4`,
    [tenant.accountId, tenant.environment, change.campaignId, change.leadId, change.to, change.now, change.resumeAt],
  )
}

export async function updateLeadInterest(
  db: Executor,
  tenant: Tenant,
  change: LeadKey & { interest: Interest | null; source: string; machine: Interest | null; now: Date },
): Promise<void> {
  await db.execute(
    `update lead_profiles set interest = $5, interest_source = $6, machine_interest = $7, updated_at = $8
     where account_id = $1 and environment = $2 and campaign_id = $3 and id = $4`,
    [
      tenant.accountId,
      tenant.environment,
      change.campaignId,
      change.leadId,
      change.interest,
      change.source,
      change.machine,
      change.now,
    ],
  )
}

/** The next step is sent no earlier than `until`. A step in flight is left to its gate. */
export async function updateLeadDeferred(
  db: Executor,
  tenant: Tenant,
  change: LeadKey & { until: Date; now: Date },
): Promise<number> {
  return db.execute(
    `update lead_progress set ooo_until = $5, due_at = greatest(due_at, $5), next_send_at = null, updated_at = $6,
       attempt_at = case when attempt_at is null then null else greatest(attempt_at, $5) end
     where account_id = $1 and environment = $2 and campaign_id = $3 and lead_id = $4 and status in ${waitingList}
       and due_at is not null`,
    [tenant.accountId, tenant.environment, change.campaignId, change.leadId, change.until, change.now],
  )
}

/**
 * Withdraws a lead's campaign message that has not passed the gate, and its counts. A worker that holds the claim finds no row
 * at its gate and withholds the end of the message. Returns whether there was a message.
 */
export async function deleteUnsentClaim(db: Executor, tenant: Tenant, key: LeadKey): Promise<boolean> {
  // The claim is deleted first, because a process that is writing the message has it locked. The second statement then finds
  // the written message.
  const claims = await deleteClaimOfLead(db, tenant, key)
  return (await deleteUnsentOfLead(db, tenant, key)) + claims > 0
}

async function deleteClaimOfLead(db: Executor, tenant: Tenant, key: LeadKey): Promise<number> {
  const gone = await db.query<{ addressHash: Buffer | null }>(
    `with gone as (
       delete from claims
       where account_id = $1 and environment = $2 and campaign_id = $3 and lead_id = $4 and kind = 'campaign' and step_id is not null
         and gated_at is null
       returning sending_account_id, sender_day, campaign_day, first, domain, address_hash, message_id, budgets, claimed_at),
     budgets as (${countBudgets(`select budgets, ${claimDay('gone')} as day from gone`, '-1')}),
     contact as (${deleteContactsSql('gone')}),
     sender as (
       update sender_days d set claimed = d.claimed - 1 from gone
       where d.account_id = $1 and d.environment = $2 and d.sending_account_id = gone.sending_account_id and d.day = gone.sender_day),
     campaign as (
       update campaign_days d set claimed = d.claimed - 1, claimed_first = d.claimed_first - case when gone.first then 1 else 0 end
       from gone where d.account_id = $1 and d.environment = $2 and d.campaign_id = $3 and d.day = gone.campaign_day),
     domain as (
       update campaign_domain_days d set claimed = d.claimed - 1 from gone
       where d.account_id = $1 and d.environment = $2 and d.campaign_id = $3 and d.day = gone.campaign_day
         and d.domain = gone.domain)
     select address_hash from gone`,
    [tenant.accountId, tenant.environment, key.campaignId, key.leadId],
    'delete_claim_of_lead',
  )
  await renewFirstContacts(
    db,
    tenant,
    gone.map(({ addressHash }) => addressHash),
  )
  return gone.length
}

async function deleteUnsentOfLead(db: Executor, tenant: Tenant, key: LeadKey): Promise<number> {
  const rows = await db.query(
    `with gone as (
       delete from message_heads m
       where m.account_id = $1 and m.environment = $2 and m.campaign_id = $3 and m.lead_id = $4 and m.direction = 'outbound'
         and m.kind = 'campaign' and m.status = 'queued'
         and not exists (select 1 from claims c where c.account_id = $1 and c.environment = $2 and c.message_id = m.id)
       returning m.id),
     emptied as (
       delete from message_contents k using gone
       where k.account_id = $1 and k.environment = $2 and k.message_id = gone.id)
     select from gone`,
    [tenant.accountId, tenant.environment, key.campaignId, key.leadId],
    'delete_unsent_of_lead',
  )
  return rows.length
}

/** Leads that got at least one step and whose place depends on the sequence, in batches by id. */
export async function listLeadsToReflow(
  db: Executor,
  tenant: Tenant,
  batch: { campaignId: string; afterId: string; limit: number },
): Promise<ReflowRow[]> {
  return db.query<ReflowRow>(
    `select p.lead_id as id, l.email, p.status, p.current_step, p.next_step, p.last_contacted_at, p.due_at, l.timezone,
       l.country
     from lead_progress p join lead_profiles l
       on l.account_id = $1 and l.environment = $2 and l.campaign_id = $3 and l.id = p.lead_id and l.id > $4
     where p.account_id = $1 and p.environment = $2 and p.campaign_id = $3 and p.lead_id > $4 and p.current_step > 0
       and p.status in ${listInSql([...openStatuses, 'completed'])}
     order by p.lead_id limit $5`,
    [tenant.accountId, tenant.environment, batch.campaignId, batch.afterId, batch.limit],
  )
}

const reflowedColumns: readonly ListColumn<ReflowedLead>[] = [
  ['id', 'text', (lead) => lead.id],
  ['status', 'text', (lead) => lead.status],
  ['current_step', 'int', (lead) => lead.currentStep],
  ['due_at', 'timestamptz', (lead) => lead.dueAt],
  ['next_step', 'int', (lead) => lead.nextStep],
  ['deciding', 'boolean', (lead) => lead.deciding],
]

/** Returns the leads that moved. A lead whose message is in flight gets its place after the message was sent. */
export async function updateLeadsReflowed(
  db: Executor,
  tenant: Tenant,
  batch: { campaignId: string; leads: readonly ReflowedLead[]; now: Date },
): Promise<ReflowedLead[]> {
  return db.query<ReflowedLead>(
    `update lead_progress p set status = t.status, current_step = t.current_step, next_step = t.next_step,
       deciding = t.deciding, due_at = greatest(t.due_at, p.ooo_until),
       attempt_at = case
         when t.status not in ${waitingList}
           or p.blocked_reason in ${unplannedList} then null
         else greatest(t.due_at, p.ooo_until) end,
       next_send_at = null, updated_at = $4
     from ${listedRows(reflowedColumns, 5)}
     where p.account_id = $1 and p.environment = $2 and p.campaign_id = $3 and p.lead_id = t.id
       and not exists (select 1 from claims c where c.account_id = $1 and c.environment = $2 and c.lead_id = p.lead_id
         and c.campaign_id = $3 and c.step_id is not null and c.lease_until is not null)
     returning p.lead_id as id, p.status, p.current_step, p.next_step, p.deciding, p.due_at`,
    [tenant.accountId, tenant.environment, batch.campaignId, batch.now, ...rowLists(reflowedColumns, batch.leads)],
  )
}

/** Leads with an unsent message of a step that the sequence no longer has. */
export async function listLeadsWithOrphanedClaims(db: Executor, tenant: Tenant, campaignId: string): Promise<string[]> {
  const rows = await db.query<{ leadId: string }>(
    `select unsent.lead_id from (
       select m.lead_id, m.step_id from message_heads m
       where m.account_id = $1 and m.environment = $2 and m.campaign_id = $3 and m.kind = 'campaign' and m.direction = 'outbound'
         and m.status = 'queued'
       union
       select c.lead_id, c.step_id from claims c
       where c.account_id = $1 and c.environment = $2 and c.campaign_id = $3 and c.kind = 'campaign' and c.gated_at is null) unsent
     where not exists (select 1 from steps s where s.account_id = $1 and s.environment = $2 and s.campaign_id = $3
       and s.id = unsent.step_id)`,
    [tenant.accountId, tenant.environment, campaignId],
  )
  return rows.map((row) => row.leadId)
}

/** Puts a lead whose claim was withdrawn into the planner's queue again. */
export async function updateLeadRequeued(db: Executor, tenant: Tenant, change: LeadKey & { at: Date }): Promise<void> {
  await db.execute(
    `update lead_progress set attempt_at = greatest(due_at, $5)
     where account_id = $1 and environment = $2 and campaign_id = $3 and lead_id = $4 and status in ${waitingList}`,
    [tenant.accountId, tenant.environment, change.campaignId, change.leadId, change.at],
  )
}

/** Puts a lead that waited for a text back into the planner's queue. */
export async function updateLeadReleased(db: Executor, tenant: Tenant, change: LeadKey & { now: Date }): Promise<void> {
  // This also updates a lead that is not held: a transaction that holds the lead right now waits for this one, and checks the text again.
  await db.execute(
    `update lead_progress set
       attempt_at = case when blocked_reason = 'awaiting_approval' then coalesce(due_at, $5) else attempt_at end,
       blocked_reason = nullif(blocked_reason, 'awaiting_approval')
     where account_id = $1 and environment = $2 and campaign_id = $3 and lead_id = $4 and status in ${waitingList}`,
    [tenant.accountId, tenant.environment, change.campaignId, change.leadId, change.now],
  )
}
