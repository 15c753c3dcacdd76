import { openList, waitingList, waitingStatuses } from '@overture/ground/lead-statuses.ts'
import type { BlockedReason } from '@overture/contract/campaigns/leads.ts'
import { listedRows, rowLists, type Executor, type ListColumn } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'

export interface LeadAdvance {
  campaignId: string
  leadId: string
  position: number
  stepId: string
  /** When the step was sent. Null if it was sent before and only the place in the sequence changes. */
  at: Date | null
  threadId: string | null
  senderId: string | null
  /** When the next step is due. Null if this was the last one. */
  dueAt: Date | null
  /** The position of the next step, if it is not the one after this. */
  nextStep: number | null
  /** Whether the next step is a branch. */
  deciding: boolean
}

// A lead that was stopped meanwhile keeps its status and gets nothing more. `status_before` and `contacted_before` are the old
// values, for the event log.
export const leadAdvance = `status_before = p.status, contacted_before = p.last_contacted_at is not null,
  current_step = t.position, current_step_id = t.step_id, last_contacted_at = coalesce(t.at, p.last_contacted_at),
  next_step = t.next_step, deciding = t.deciding,
  thread_id = coalesce(t.thread_id, p.thread_id), sending_account_id = coalesce(t.sender_id, p.sending_account_id),
  status = case when p.status not in ${openList} then p.status
    when t.due_at is null then 'completed' when p.status = 'paused' then 'paused' else 'active' end,
  due_at = case when p.status in ${openList} and t.due_at is not null then greatest(t.due_at, p.ooo_until) end,
  attempt_at = case when p.status in ${waitingList} and t.due_at is not null then greatest(t.due_at, p.ooo_until) end,
  next_send_at = case when p.status in ${waitingList} and t.due_at is not null then greatest(t.due_at, p.ooo_until) end,
  blocked_reason = null`

/** Takes leads out of the planner's queue. Returns their ids, except those of leads that were stopped meanwhile. */
export async function takeLeads(
  db: Executor,
  tenant: Tenant,
  claims: readonly { campaignId: string; leadId: string; sendingAccountId: string }[],
): Promise<Set<string>> {
  const rows = await db.query<{ id: string }>(
    `update lead_progress p set attempt_at = null, sending_account_id = t.sender_id, blocked_reason = null
     from unnest($3::text[], $4::text[], $5::text[]) t (campaign_id, lead_id, sender_id)
     where p.account_id = $1 and p.environment = $2 and p.campaign_id = t.campaign_id and p.lead_id = t.lead_id
       and p.status = any($6) and p.attempt_at is not null
       and exists (select 1 from campaigns c where c.account_id = $1 and c.environment = $2 and c.id = t.campaign_id
         and c.status = 'active' and c.deleted_at is null)
     returning p.lead_id as id`,
    [
      tenant.accountId,
      tenant.environment,
      claims.map((claim) => claim.campaignId),
      claims.map((claim) => claim.leadId),
      claims.map((claim) => claim.sendingAccountId),
      waitingStatuses,
    ],
    'take_leads',
  )
  return new Set(rows.map((row) => row.id))
}

/** Holds leads by their own gates: stores the reason and when the planner checks again. */
export async function holdLeads(
  db: Executor,
  tenant: Tenant,
  holds: readonly { campaignId: string; leadId: string; reason: BlockedReason; attemptAt: Date | null }[],
): Promise<void> {
  if (holds.length === 0) return
  await db.execute(
    `update lead_progress p set blocked_reason = t.reason, attempt_at = t.attempt_at, next_send_at = t.attempt_at
     from unnest($3::text[], $4::text[], $5::text[], $6::timestamptz[]) t (campaign_id, lead_id, reason, attempt_at)
     where p.account_id = $1 and p.environment = $2 and p.campaign_id = t.campaign_id and p.lead_id = t.lead_id
       and p.status = any($7) and p.attempt_at is not null`,
    [
      tenant.accountId,
      tenant.environment,
      holds.map((hold) => hold.campaignId),
      holds.map((hold) => hold.leadId),
      holds.map((hold) => hold.reason),
      holds.map((hold) => hold.attemptAt),
      waitingStatuses,
    ],
    'hold_leads',
  )
}

const moveColumns: readonly ListColumn<LeadAdvance>[] = [
  ['campaign_id', 'text', (move) => move.campaignId],
  ['lead_id', 'text', (move) => move.leadId],
  ['position', 'int', (move) => move.position],
  ['step_id', 'text', (move) => move.stepId],
  ['at', 'timestamptz', (move) => move.at],
  ['thread_id', 'text', (move) => move.threadId],
  ['sender_id', 'text', (move) => move.senderId],
  ['due_at', 'timestamptz', (move) => move.dueAt],
  ['next_step', 'int', (move) => move.nextStep],
  ['deciding', 'boolean', (move) => move.deciding],
]

/** Moves leads behind a step that was sent before. */
export async function advanceLeads(
  db: Executor,
  tenant: Tenant,
  moves: readonly LeadAdvance[],
  now: Date,
): Promise<void> {
  if (moves.length === 0) return
  await db.execute(
    `update lead_progress p set ${leadAdvance}, updated_at = $3 from ${listedRows(moveColumns, 4)}
     where p.account_id = $1 and p.environment = $2 and p.campaign_id = t.campaign_id and p.lead_id = t.lead_id`,
    [tenant.accountId, tenant.environment, now, ...rowLists(moveColumns, moves)],
    'advance_leads',
  )
}

/** Completes leads that are past the last step, because the sequence became shorter. */
export async function completeLeads(
  db: Executor,
  tenant: Tenant,
  leads: readonly { campaignId: string; id: string }[],
  now: Date,
): Promise<void> {
  await db.execute(
    `update lead_progress p set status = 'completed', due_at = null, attempt_at = null, next_send_at = null, blocked_reason = null,
       updated_at = $5
     from unnest($3::text[], $4::text[]) t (campaign_id, id)
     where p.account_id = $1 and p.environment = $2 and p.campaign_id = t.campaign_id and p.lead_id = t.id
       and p.status in ${waitingList}`,
    [tenant.accountId, tenant.environment, leads.map((lead) => lead.campaignId), leads.map((lead) => lead.id), now],
    'complete_leads',
  )
}

/**
 * Puts leads whose claim was released back into the planner's queue. With `forgetSender` a lead that was never written to may
 * get another sender.
 */
export async function requeueLeads(
  db: Executor,
  tenant: Tenant,
  requeue: {
    leads: readonly { campaignId: string; leadId: string; sendingAccountId: string }[]
    at: Date
    forgetSender: boolean
  },
): Promise<void> {
  await db.execute(
    `update lead_progress p set attempt_at = $5, next_send_at = $5, blocked_reason = null,
       sending_account_id = case when $6 and p.last_contacted_at is null and p.thread_id is null then null else t.sender_id end
     from unnest($3::text[], $4::text[], $7::text[]) t (campaign_id, lead_id, sender_id)
     where p.account_id = $1 and p.environment = $2 and p.campaign_id = t.campaign_id and p.lead_id = t.lead_id
       and p.status in ${waitingList}`,
    [
      tenant.accountId,
      tenant.environment,
      requeue.leads.map((lead) => lead.campaignId),
      requeue.leads.map((lead) => lead.leadId),
      requeue.at,
      requeue.forgetSender,
      requeue.leads.map((lead) => lead.sendingAccountId),
    ],
    'requeue_leads',
  )
}

/** Blocks a lead: nothing more is sent until its uncertain delivery, returned message or missing value is settled. */
export async function blockLead(
  db: Executor,
  tenant: Tenant,
  lead: { campaignId: string; leadId: string; reason: 'delivery_uncertain' | 'returned' | 'missing_variable' },
): Promise<void> {
  await db.execute(
    `update lead_progress set blocked_reason = $5, attempt_at = null, next_send_at = null
     where account_id = $1 and environment = $2 and campaign_id = $3 and lead_id = $4 and status in ${openList}`,
    [tenant.accountId, tenant.environment, lead.campaignId, lead.leadId, lead.reason],
    'block_lead',
  )
}

/** Puts the leads of a campaign that lack a value back into the planner's queue. Returns how many there were. */
export async function requeueLeadsMissingValues(
  db: Executor,
  tenant: Tenant,
  { campaignId, now }: { campaignId: string; now: Date },
): Promise<number> {
  return db.execute(
    `update lead_progress p set blocked_reason = null, attempt_at = coalesce(p.due_at, $4) from (
       select lead_id from lead_progress where account_id = $1 and environment = $2 and campaign_id = $3
         and blocked_reason = 'missing_variable' and status in ${waitingList} order by lead_id for update) t
     where p.account_id = $1 and p.environment = $2 and p.campaign_id = $3 and p.lead_id = t.lead_id`,
    [tenant.accountId, tenant.environment, campaignId, now],
    'requeue_leads_missing_values',
  )
}

/** Takes a lead out of the plan, because a person queues its next message. */
export async function takeLeadForSending(
  db: Executor,
  tenant: Tenant,
  lead: { campaignId: string; leadId: string; sendingAccountId: string; now: Date },
): Promise<void> {
  await db.execute(
    `update lead_progress set attempt_at = null, due_at = least(due_at, $6), next_send_at = $6, blocked_reason = null,
       sending_account_id = $5
     where account_id = $1 and environment = $2 and campaign_id = $3 and lead_id = $4`,
    [tenant.accountId, tenant.environment, lead.campaignId, lead.leadId, lead.sendingAccountId, lead.now],
  )
}

/** Stores the reasons that hold whole campaigns now, for the lists; null if nothing does. Writes only changes. */
export async function updateCampaignHolds(
  db: Executor,
  tenant: Tenant,
  holds: readonly { campaignId: string; reason: BlockedReason | null; until: Date | null }[],
): Promise<void> {
  if (holds.length === 0) return
  await db.execute(
    `update campaigns c set hold_reason = t.reason, hold_until = t.until
     from unnest($3::text[], $4::text[], $5::timestamptz[]) t (id, reason, until)
     where c.account_id = $1 and c.environment = $2 and c.id = t.id
       and (c.hold_reason is distinct from t.reason or c.hold_until is distinct from t.until)`,
    [
      tenant.accountId,
      tenant.environment,
      holds.map((hold) => hold.campaignId),
      holds.map((hold) => hold.reason),
      holds.map((hold) => hold.until),
    ],
    'update_campaign_holds',
  )
}
