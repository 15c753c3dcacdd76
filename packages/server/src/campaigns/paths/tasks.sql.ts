import type { LeadStatus } from '@overture/contract/campaigns/leads.ts'
import type { TaskChannel, TaskOutcome, TaskStatus } from '@overture/contract/tasks/tasks.ts'
import { openList, waitingList } from '@overture/ground/lead-statuses.ts'
import { jumpTo } from '@overture/ground/paths/path.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'
import type { LeadKey } from './decisions.sql.ts'

/** A task in the form that its events need. */
export interface ToldTask {
  id: string
  campaignId: string | null
  leadId: string | null
  stepId: string | null
  channel: TaskChannel
  assigneeId: string | null
  dueAt: Date
  /** The address of the lead. */
  email: string | null
}

/** The columns of the task `k` that its events need. */
export const taskToldColumns = `k.id, k.campaign_id, k.lead_id, k.step_id, k.channel, k.assignee_id, k.due_at`

interface PastStep extends LeadKey {
  stepId: string
  position: number
  next: { position: number; deciding: boolean } | null
  dueAt: Date | null
  now: Date
}

/** Moves an open lead past the step that it waits before. Returns its status after that, or undefined if it does not wait there. */
export async function updateLeadPastStep(
  db: Executor,
  tenant: Tenant,
  move: PastStep,
): Promise<{ before: LeadStatus; after: LeadStatus } | undefined> {
  const [row] = await db.query<{ before: LeadStatus; after: LeadStatus }>(
    `update lead_progress p set status_before = p.status, current_step = $5, current_step_id = $6, next_step = $7, deciding = $8,
       blocked_reason = null, updated_at = $10, next_send_at = null,
       status = case when $9::timestamptz is null then 'completed' else p.status end,
       due_at = case when $9::timestamptz is not null then greatest($9, p.ooo_until) end,
       attempt_at = case when $9::timestamptz is not null and p.status in ${waitingList} then greatest($9, p.ooo_until) end
     where p.account_id = $1 and p.environment = $2 and p.campaign_id = $3 and p.lead_id = $4 and p.status in ${openList}
       and coalesce(p.next_step, p.current_step + 1) = $5
     returning p.status_before as before, p.status as after`,
    [
      tenant.accountId,
      tenant.environment,
      move.campaignId,
      move.leadId,
      move.position,
      move.stepId,
      jumpTo(move.next, move),
      move.next?.deciding ?? false,
      move.dueAt,
      move.now,
    ],
    'update_lead_past_step',
  )
  return row
}

/**
 * Moves a lead back before the task that it has just passed, if it waits for the step behind it and no message is on its way.
 * Returns whether it moved.
 */
export async function updateLeadBeforeStep(
  db: Executor,
  tenant: Tenant,
  move: LeadKey & { stepId: string; position: number; now: Date },
): Promise<boolean> {
  const moved = await db.execute(
    `update lead_progress p set current_step = $6::int - 1, current_step_id = null, next_step = null, deciding = true,
       blocked_reason = 'waiting_for_task', due_at = $7, attempt_at = null, next_send_at = null, updated_at = $7
     where p.account_id = $1 and p.environment = $2 and p.campaign_id = $3 and p.lead_id = $4 and p.current_step_id = $5
       and (p.status = 'paused' or p.status in ${waitingList} and p.attempt_at is not null)`,
    [tenant.accountId, tenant.environment, move.campaignId, move.leadId, move.stepId, move.position, move.now],
    'update_lead_before_step',
  )
  return moved > 0
}

/** Cancels the open tasks of the given leads. Returns them. */
export async function updateTasksCanceled(
  db: Executor,
  tenant: Tenant,
  { leads, now }: { leads: readonly LeadKey[]; now: Date },
): Promise<ToldTask[]> {
  return db.query<ToldTask>(
    `with gone as (
       update tasks k set status = 'canceled', closed_at = $5 from unnest($3::text[], $4::text[]) t (campaign_id, lead_id)
       where k.account_id = $1 and k.environment = $2 and k.campaign_id = t.campaign_id and k.lead_id = t.lead_id and k.status = 'open'
       returning ${taskToldColumns})
     select g.*, l.email from gone g
     join lead_profiles l on l.account_id = $1 and l.environment = $2 and l.campaign_id = g.campaign_id and l.id = g.lead_id`,
    [tenant.accountId, tenant.environment, leads.map((lead) => lead.campaignId), leads.map((lead) => lead.leadId), now],
    'update_tasks_canceled',
  )
}

/** Cancels the open tasks of leads with a suppressed address or domain, at most a thousand. Returns them. */
export async function updateSuppressedTasksCanceled(
  db: Executor,
  tenant: Tenant,
  { email, domain, now }: { email: string | null; domain: string | null; now: Date },
): Promise<ToldTask[]> {
  return db.query<ToldTask>(
    `with due as (
       select o.id, l.email from lead_profiles l
       join tasks o on o.account_id = $1 and o.environment = $2 and o.campaign_id = l.campaign_id and o.lead_id = l.id
         and o.status = 'open'
       where l.account_id = $1 and l.environment = $2 and (l.email = $3 or l.email_domain = $4) order by o.id limit 1000)
     update tasks k set status = 'canceled', closed_at = $5 from due
     where k.account_id = $1 and k.environment = $2 and k.id = due.id and k.status = 'open'
     returning ${taskToldColumns}, due.email`,
    [tenant.accountId, tenant.environment, email, domain, now],
    'update_suppressed_tasks_canceled',
  )
}

/** Cancels a batch of open tasks of a campaign: of all, or of steps that it does not have any more. Returns them. */
export async function updateCampaignTasksCanceled(
  db: Executor,
  tenant: Tenant,
  { campaignId, isDeleted, now, limit }: { campaignId: string; isDeleted: boolean; now: Date; limit: number },
): Promise<ToldTask[]> {
  return db.query<ToldTask>(
    `with due as (
       select o.id, l.email from tasks o
       left join lead_profiles l on l.account_id = $1 and l.environment = $2 and l.campaign_id = $3 and l.id = o.lead_id
       where o.account_id = $1 and o.environment = $2 and o.campaign_id = $3 and o.status = 'open'
         and ($4 or o.step_id is not null and not exists (select 1 from steps s
           where s.account_id = $1 and s.environment = $2 and s.campaign_id = $3 and s.id = o.step_id))
       order by o.id limit $6)
     update tasks k set status = 'canceled', closed_at = $5 from due
     where k.account_id = $1 and k.environment = $2 and k.id = due.id and k.status = 'open'
     returning ${taskToldColumns}, due.email`,
    [tenant.accountId, tenant.environment, campaignId, isDeleted, now, limit],
    'update_campaign_tasks_canceled',
  )
}

/** Puts the leads of a campaign that wait for a task back into the planner's queue, which holds them again if they still wait. */
export async function updateTaskHolds(
  db: Executor,
  tenant: Tenant,
  { campaignId, now }: { campaignId: string; now: Date },
): Promise<void> {
  await db.execute(
    `update lead_progress p set blocked_reason = null, attempt_at = coalesce(p.due_at, $4)
     where p.account_id = $1 and p.environment = $2 and p.campaign_id = $3 and p.blocked_reason = 'waiting_for_task'
       and p.status in ${waitingList}`,
    [tenant.accountId, tenant.environment, campaignId, now],
    'update_task_holds',
  )
}

export interface StepTaskRow {
  campaignId: string
  leadId: string
  stepId: string
  status: TaskStatus
  outcome: TaskOutcome | null
  channel: TaskChannel
  blocks: boolean
  openedAt: Date
  dueAt: Date
  expiresAt: Date | null
  closedAt: Date | null
  /** The name of the user who does it. */
  assignee: string | null
}

/** The tasks of steps of the given leads. */
export async function listStepTasks(db: Executor, tenant: Tenant, leads: readonly LeadKey[]): Promise<StepTaskRow[]> {
  if (leads.length === 0) return []
  return db.query<StepTaskRow>(
    `select k.campaign_id, k.lead_id, k.step_id, k.status, k.outcome, k.channel, k.blocks, k.created_at as opened_at,
       greatest(k.due_at, k.snoozed_until) as due_at, k.expires_at, k.closed_at,
       (select u.name from users u where u.account_id = $1 and u.id = k.assignee_id) as assignee
     from unnest($3::text[], $4::text[]) t (campaign_id, lead_id)
     join tasks k on k.account_id = $1 and k.environment = $2 and k.campaign_id = t.campaign_id and k.lead_id = t.lead_id
       and k.step_id is not null
     order by k.lead_id, k.created_at, k.id`,
    [tenant.accountId, tenant.environment, leads.map((lead) => lead.campaignId), leads.map((lead) => lead.leadId)],
    'list_step_tasks',
  )
}

/** How the test clock completes tasks, or undefined if it leaves them open. */
export async function findTaskSimulation(
  db: Executor,
  tenant: Tenant,
): Promise<{ completeAfter: string; outcome: TaskOutcome } | undefined> {
  const [row] = await db.query<{ completeAfter: string; outcome: TaskOutcome }>(
    `select tasks_complete_after as complete_after, tasks_outcome as outcome from sandbox_clocks
     where account_id = $1 and tasks_complete_after is not null`,
    [tenant.accountId],
    'find_task_simulation',
  )
  return row
}
