import type { TaskChannel, TaskOutcome, TaskStatus } from '@overture/contract/tasks/tasks.ts'
import { taskToldColumns, type ToldTask } from '../campaigns/index.ts'
import type { Executor } from '../platform/db/database.ts'
import type { RowRange, TimeAndId } from '../platform/http/paging.ts'
import type { Tenant } from '../platform/tenant.ts'
import { campaignOrSenderHasTag, leadHasTag } from '../tags/index.ts'
import type { TaskRow } from './task.ts'

const columns = `id, campaign_id, lead_id, step_id, approval_id, channel, title, instructions, status, outcome, note, assignee_id, blocks,
  due_at, snoozed_until, created_at, closed_at, closed_by`

export async function findTask(db: Executor, tenant: Tenant, id: string): Promise<TaskRow | undefined> {
  const [row] = await db.query<TaskRow>(
    `select ${columns} from tasks where account_id = $1 and environment = $2 and id = $3`,
    [tenant.accountId, tenant.environment, id],
    'find_task',
  )
  return row
}

/** The open task of a text by hand. */
export async function findOpenTaskOfText(
  db: Executor,
  tenant: Tenant,
  approvalId: string,
): Promise<TaskRow | undefined> {
  const [row] = await db.query<TaskRow>(
    `select ${columns} from tasks where account_id = $1 and environment = $2 and approval_id = $3 and status = 'open'`,
    [tenant.accountId, tenant.environment, approvalId],
    'find_open_task_of_text',
  )
  return row
}

interface TaskFilter {
  status: TaskStatus | null
  assigneeId: string | null
  channel: TaskChannel | null
  dueBefore: Date | null
  campaignId: string | null
  leadId: string | null
  tagId: string | null
}

const filterText = `account_id = $1 and environment = $2 and ($3::text is null or status = $3) and ($4::text is null or assignee_id = $4)
  and ($5::text is null or channel = $5) and ($6::timestamptz is null or greatest(due_at, snoozed_until) < $6)
  and ($7::text is null or campaign_id = $7) and ($8::text is null or lead_id = $8)
  and ($9::text is null or ${campaignOrSenderHasTag('$9', ['tasks.campaign_id'])} or ${leadHasTag('$9', 'tasks')})`

function filterValues(tenant: Tenant, filter: TaskFilter): unknown[] {
  const { status, assigneeId, channel, dueBefore, campaignId, leadId, tagId } = filter
  return [tenant.accountId, tenant.environment, status, assigneeId, channel, dueBefore, campaignId, leadId, tagId]
}

export async function listTasks(
  db: Executor,
  tenant: Tenant,
  filter: TaskFilter,
  range: RowRange<TimeAndId>,
): Promise<TaskRow[]> {
  return db.query<TaskRow>(
    `select ${columns} from tasks where ${filterText} and ($10::timestamptz is null or (due_at, id) > ($10, $11))
     order by due_at, id limit $12 offset $13`,
    [...filterValues(tenant, filter), range.after?.at ?? null, range.after?.id ?? null, range.limit, range.offset],
    'list_tasks',
  )
}

export async function countTasks(db: Executor, tenant: Tenant, filter: TaskFilter): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select count(*) as count from tasks where ${filterText}`,
    filterValues(tenant, filter),
    'count_tasks',
  )
  return row?.count ?? 0
}

export async function insertTask(
  db: Executor,
  tenant: Tenant,
  task: Pick<
    TaskRow,
    'id' | 'campaignId' | 'leadId' | 'channel' | 'title' | 'instructions' | 'note' | 'assigneeId' | 'dueAt'
  > & {
    now: Date
  },
): Promise<TaskRow> {
  const [row] = await db.query<TaskRow>(
    `insert into tasks (account_id, environment, id, campaign_id, lead_id, channel, title, instructions, status, note, assignee_id,
       due_at, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, 'open', $9, $10, $11, $12) returning ${columns}`,
    [
      tenant.accountId,
      tenant.environment,
      task.id,
      task.campaignId,
      task.leadId,
      task.channel,
      task.title,
      task.instructions,
      task.note,
      task.assigneeId,
      task.dueAt,
      task.now,
    ],
    'insert_task',
  )
  return row!
}

/** Changes a task whose status is still the given one. Returns undefined if it was closed meanwhile. */
export async function updateTask(
  db: Executor,
  tenant: Tenant,
  task: Pick<TaskRow, 'id' | 'status' | 'title' | 'instructions' | 'note' | 'assigneeId' | 'dueAt'>,
): Promise<TaskRow | undefined> {
  const [row] = await db.query<TaskRow>(
    `update tasks set title = $5, instructions = $6, note = $7, assignee_id = $8, due_at = $9
     where account_id = $1 and environment = $2 and id = $3 and status = $4 returning ${columns}`,
    [
      tenant.accountId,
      tenant.environment,
      task.id,
      task.status,
      task.title,
      task.instructions,
      task.note,
      task.assigneeId,
      task.dueAt,
    ],
    'update_task',
  )
  return row
}

interface TaskClosing {
  id: string
  status: 'done' | 'skipped'
  outcome: TaskOutcome | null
  /** Null keeps the note. */
  note: string | null
  by: string | null
  now: Date
}

/** Closes an open task. Returns undefined if it is closed already. */
export async function updateTaskClosed(
  db: Executor,
  tenant: Tenant,
  closing: TaskClosing,
): Promise<TaskRow | undefined> {
  const [row] = await db.query<TaskRow>(
    `update tasks set status = $4, outcome = $5, note = coalesce($6, note), closed_by = $7, closed_at = $8, snoozed_until = null
     where account_id = $1 and environment = $2 and id = $3 and status = 'open' returning ${columns}`,
    [
      tenant.accountId,
      tenant.environment,
      closing.id,
      closing.status,
      closing.outcome,
      closing.note,
      closing.by,
      closing.now,
    ],
    'update_task_closed',
  )
  return row
}

/** Opens a task again that a person closed. It does not expire any more. Returns undefined if its status is another one. */
export async function updateTaskReopened(db: Executor, tenant: Tenant, id: string): Promise<TaskRow | undefined> {
  const [row] = await db.query<TaskRow>(
    `update tasks set status = 'open', outcome = null, closed_by = null, closed_at = null, expires_at = null
     where account_id = $1 and environment = $2 and id = $3 and status in ('done', 'skipped') returning ${columns}`,
    [tenant.accountId, tenant.environment, id],
    'update_task_reopened',
  )
  return row
}

export async function updateTaskSnoozed(
  db: Executor,
  tenant: Tenant,
  { id, until }: { id: string; until: Date },
): Promise<TaskRow | undefined> {
  const [row] = await db.query<TaskRow>(
    `update tasks set snoozed_until = $4 where account_id = $1 and environment = $2 and id = $3 and status = 'open'
     returning ${columns}`,
    [tenant.accountId, tenant.environment, id, until],
    'update_task_snoozed',
  )
  return row
}

/** Deletes a task that a person created. */
export async function deleteTask(db: Executor, tenant: Tenant, id: string): Promise<void> {
  await db.execute(`delete from tasks where account_id = $1 and environment = $2 and id = $3 and step_id is null`, [
    tenant.accountId,
    tenant.environment,
    id,
  ])
}

/** The address of a task's lead. */
export async function findAddressOfLead(
  db: Executor,
  tenant: Tenant,
  { campaignId, leadId }: Pick<TaskRow, 'campaignId' | 'leadId'>,
): Promise<string | null> {
  if (campaignId === null || leadId === null) return null
  const [row] = await db.query<{ email: string }>(
    `select email from lead_profiles where account_id = $1 and environment = $2 and campaign_id = $3 and id = $4`,
    [tenant.accountId, tenant.environment, campaignId, leadId],
    'find_address_of_lead',
  )
  return row?.email ?? null
}

const emailOfTask = `(select l.email from lead_profiles l where l.account_id = $1 and l.environment = $2
         and l.campaign_id = o.campaign_id and l.id = o.lead_id) as email`

/** Marks a batch of open tasks as overdue, each once. Returns them. */
export async function updateTasksOverdue(
  db: Executor,
  tenant: Tenant,
  { now, limit }: { now: Date; limit: number },
): Promise<ToldTask[]> {
  return db.query<ToldTask>(
    `with due as (
       select o.id, ${emailOfTask} from tasks o
       where o.account_id = $1 and o.environment = $2 and o.status = 'open' and not o.overdue
         and o.due_at <= $3 and (o.snoozed_until is null or o.snoozed_until <= $3)
       order by o.due_at, o.id limit $4 for update skip locked)
     update tasks k set overdue = true from due where k.account_id = $1 and k.environment = $2 and k.id = due.id
     returning ${taskToldColumns}, due.email`,
    [tenant.accountId, tenant.environment, now, limit],
    'update_tasks_overdue',
  )
}

/** Skips a batch of expired tasks that hold no lead. The planner skips the others, because it moves their leads. */
export async function updateTasksExpired(
  db: Executor,
  tenant: Tenant,
  { now, limit }: { now: Date; limit: number },
): Promise<ToldTask[]> {
  return db.query<ToldTask>(
    `with due as (
       select o.id, ${emailOfTask} from tasks o
       where o.account_id = $1 and o.environment = $2 and o.status = 'open' and not o.blocks and o.expires_at <= $3
       order by o.expires_at, o.id limit $4 for update skip locked)
     update tasks k set status = 'skipped', closed_at = $3 from due
     where k.account_id = $1 and k.environment = $2 and k.id = due.id
     returning ${taskToldColumns}, due.email`,
    [tenant.accountId, tenant.environment, now, limit],
    'update_tasks_expired',
  )
}

/** When the next task becomes overdue or expires. Null if none will. */
export async function findNextTaskTime(db: Executor, tenant: Tenant): Promise<Date | null> {
  const [row] = await db.query<{ at: Date | null }>(
    `select min(at) as at from (
       (select greatest(due_at, snoozed_until) as at from tasks
        where account_id = $1 and environment = $2 and status = 'open' and not overdue order by 1 limit 1)
       union all
       (select expires_at from tasks where account_id = $1 and environment = $2 and status = 'open' and not blocks
          and expires_at is not null order by expires_at limit 1)) ahead`,
    [tenant.accountId, tenant.environment],
    'find_next_task_time',
  )
  return row?.at ?? null
}

/** Clears the assignee of a leaving user's tasks, in both environments. */
export async function updateTasksOfNobody(db: Executor, accountId: string, userId: string): Promise<void> {
  await db.execute(
    `update tasks set assignee_id = null where account_id = $1 and assignee_id = $2`,
    [accountId, userId],
    'update_tasks_of_nobody',
  )
}
