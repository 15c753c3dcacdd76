import type { LeadStatus } from '@overture/contract/campaigns/leads.ts'
import { waitingStatuses } from '@overture/ground/lead-statuses.ts'
import { jumpTo } from '@overture/ground/paths/path.ts'
import type { PlannedTask } from '@overture/planner/plan.types.ts'
import { listedRows, rowLists, type Executor, type ListColumn } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'
import type { LeadKey } from './decisions.sql.ts'
import { taskToldColumns, type ToldTask } from './tasks.sql.ts'

/** A task that opens, with its id and its rendered texts. */
interface TaskToStore extends PlannedTask {
  id: string
  opens: NonNullable<PlannedTask['opens']>
  title: string
  instructions: string
}

/** Locks the leads of planned tasks that still wait before their step in an active campaign. Returns their ids. */
export async function lockLeadsAtTasks(
  db: Executor,
  tenant: Tenant,
  tasks: readonly PlannedTask[],
): Promise<Set<string>> {
  const rows = await db.query<{ leadId: string }>(
    `select p.lead_id from (
       select * from unnest($3::text[], $4::text[], $5::int[]) t (campaign_id, lead_id, position) order by 1, 2) t
     cross join lateral (
       select p.lead_id from lead_progress p
       where p.account_id = $1 and p.environment = $2 and p.campaign_id = t.campaign_id and p.lead_id = t.lead_id
         and p.status = any($6) and p.attempt_at is not null and coalesce(p.next_step, p.current_step + 1) = t.position
       limit 1 for no key update) p
     where exists (select 1 from campaigns c where c.account_id = $1 and c.environment = $2 and c.id = t.campaign_id
       and c.status = 'active' and c.deleted_at is null)`,
    [
      tenant.accountId,
      tenant.environment,
      tasks.map((task) => task.campaignId),
      tasks.map((task) => task.leadId),
      tasks.map((task) => task.position),
      waitingStatuses,
    ],
    'lock_leads_at_tasks',
  )
  return new Set(rows.map((row) => row.leadId))
}

const openedColumns: readonly ListColumn<TaskToStore>[] = [
  ['campaign_id', 'text', (task) => task.campaignId],
  ['lead_id', 'text', (task) => task.leadId],
  ['step_id', 'text', (task) => task.stepId],
  ['id', 'text', (task) => task.id],
  ['title', 'text', (task) => task.title],
  ['instructions', 'text', (task) => task.instructions],
  ['blocks', 'boolean', ({ opens }) => opens.blocks],
  ['due_at', 'timestamptz', ({ opens }) => opens.dueAt],
  ['expires_at', 'timestamptz', ({ opens }) => opens.expiresAt],
]

/** Opens tasks, once per lead and step. Returns those that did not exist yet. The assignee is the step's, or the campaign's owner. */
export async function insertPlannedTasks(
  db: Executor,
  tenant: Tenant,
  tasks: readonly TaskToStore[],
  now: Date,
): Promise<ToldTask[]> {
  if (tasks.length === 0) return []
  return db.query<ToldTask>(
    `with opened as (
       insert into tasks as k (account_id, environment, id, campaign_id, lead_id, step_id, channel, title, instructions, status,
         blocks, due_at, expires_at, created_at, assignee_id)
       select $1, $2, t.id, t.campaign_id, t.lead_id, t.step_id, s.task->>'channel', t.title, t.instructions, 'open', t.blocks,
         t.due_at, t.expires_at, $3, coalesce((select u.id from users u where u.account_id = $1 and u.status = 'active'
           and u.id = s.task->>'assigneeId'), c.owner_id)
       from ${listedRows(openedColumns, 4)}
       join steps s on s.account_id = $1 and s.environment = $2 and s.campaign_id = t.campaign_id and s.id = t.step_id
       join campaigns c on c.account_id = $1 and c.environment = $2 and c.id = t.campaign_id
       on conflict do nothing
       returning ${taskToldColumns})
     select o.*, l.email from opened o
     join lead_profiles l on l.account_id = $1 and l.environment = $2 and l.campaign_id = o.campaign_id and l.id = o.lead_id`,
    [tenant.accountId, tenant.environment, now, ...rowLists(openedColumns, tasks)],
    'insert_planned_tasks',
  )
}

type HandTask = LeadKey & { id: string; stepId: string; approvalId: string; title: string }

const handColumns: readonly ListColumn<HandTask>[] = [
  ['id', 'text', (task) => task.id],
  ['campaign_id', 'text', (task) => task.campaignId],
  ['lead_id', 'text', (task) => task.leadId],
  ['step_id', 'text', (task) => task.stepId],
  ['approval_id', 'text', (task) => task.approvalId],
  ['title', 'text', (task) => task.title],
]

/** Opens the tasks of texts by hand, once per lead and step. They are assigned to the campaign's owner. */
export async function insertHandTasks(
  db: Executor,
  tenant: Tenant,
  tasks: readonly HandTask[],
  { dueAt, now }: { dueAt: Date; now: Date },
): Promise<ToldTask[]> {
  return db.query<ToldTask>(
    `with opened as (
       insert into tasks as k (account_id, environment, id, campaign_id, lead_id, step_id, approval_id, channel, title, instructions,
         status, blocks, due_at, created_at, assignee_id)
       select $1, $2, t.id, t.campaign_id, t.lead_id, t.step_id, t.approval_id, 'email', t.title, '', 'open', true, $3, $4, c.owner_id
       from ${listedRows(handColumns, 5)}
       join campaigns c on c.account_id = $1 and c.environment = $2 and c.id = t.campaign_id
       on conflict do nothing
       returning ${taskToldColumns})
     select o.*, l.email from opened o
     join lead_profiles l on l.account_id = $1 and l.environment = $2 and l.campaign_id = o.campaign_id and l.id = o.lead_id`,
    [tenant.accountId, tenant.environment, dueAt, now, ...rowLists(handColumns, tasks)],
    'insert_hand_tasks',
  )
}

/** Skips open tasks whose time is over. Returns those that were still open. */
export async function updatePlannedTasksExpired(
  db: Executor,
  tenant: Tenant,
  tasks: readonly PlannedTask[],
  now: Date,
): Promise<ToldTask[]> {
  if (tasks.length === 0) return []
  return db.query<ToldTask>(
    `with expired as (
       update tasks k set status = 'skipped', closed_at = $6 from unnest($3::text[], $4::text[], $5::text[])
         t (campaign_id, lead_id, step_id)
       where k.account_id = $1 and k.environment = $2 and k.campaign_id = t.campaign_id and k.lead_id = t.lead_id
         and k.step_id = t.step_id and k.status = 'open'
       returning ${taskToldColumns})
     select e.*, l.email from expired e
     join lead_profiles l on l.account_id = $1 and l.environment = $2 and l.campaign_id = e.campaign_id and l.id = e.lead_id`,
    [
      tenant.accountId,
      tenant.environment,
      tasks.map((task) => task.campaignId),
      tasks.map((task) => task.leadId),
      tasks.map((task) => task.stepId),
      now,
    ],
    'update_planned_tasks_expired',
  )
}

interface MovedLead extends LeadKey {
  email: string
  before: LeadStatus
  after: LeadStatus
}

const movedColumns: readonly ListColumn<PlannedTask>[] = [
  ['campaign_id', 'text', (task) => task.campaignId],
  ['lead_id', 'text', (task) => task.leadId],
  ['step_id', 'text', (task) => task.stepId],
  ['position', 'int', (task) => task.position],
  ['moves', 'boolean', ({ move }) => move !== null],
  ['next_step', 'int', ({ move, position }) => jumpTo(move?.next ?? null, { position })],
  ['deciding', 'boolean', ({ move }) => move?.next?.deciding ?? false],
  ['due_at', 'timestamptz', ({ move }) => move?.dueAt],
  ['expires_at', 'timestamptz', ({ opens }) => opens?.expiresAt],
]

/** Moves locked leads past their tasks, and holds those that wait. Returns all of them. */
export async function updateLeadsAtTasks(
  db: Executor,
  tenant: Tenant,
  tasks: readonly PlannedTask[],
  now: Date,
): Promise<MovedLead[]> {
  return db.query<MovedLead>(
    `with moved as (
       update lead_progress p set status_before = p.status, blocked_reason = case when not t.moves then 'waiting_for_task' end,
         current_step = case when t.moves then t.position else p.current_step end,
         current_step_id = case when t.moves then t.step_id else p.current_step_id end,
         next_step = case when t.moves then t.next_step else p.next_step end, deciding = not t.moves or t.deciding, updated_at = $3,
         status = case when t.moves and t.due_at is null then 'completed' else p.status end,
         due_at = case when not t.moves then p.due_at when t.due_at is not null then greatest(t.due_at, p.ooo_until) end,
         attempt_at = case when not t.moves then t.expires_at when t.due_at is not null then greatest(t.due_at, p.ooo_until) end,
         next_send_at = case when t.moves and t.due_at is not null and not t.deciding then greatest(t.due_at, p.ooo_until) end
       from ${listedRows(movedColumns, 4)}
       where p.account_id = $1 and p.environment = $2 and p.campaign_id = t.campaign_id and p.lead_id = t.lead_id
       returning p.campaign_id, p.lead_id, p.status_before as before, p.status as after)
     select m.*, l.email from moved m
     join lead_profiles l on l.account_id = $1 and l.environment = $2 and l.campaign_id = m.campaign_id and l.id = m.lead_id`,
    [tenant.accountId, tenant.environment, now, ...rowLists(movedColumns, tasks)],
    'update_leads_at_tasks',
  )
}
