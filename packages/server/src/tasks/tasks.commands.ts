import type { CreateTaskInput, TaskOutcome, UpdateTaskInput } from '@overture/contract/tasks/tasks.ts'
import { AppError, invalid, notFound } from '@overture/contract/errors.ts'
import { changedReadOnly } from '@overture/contract/read-only.ts'
import {
  assertOwnerExists,
  continueAfterTask,
  findCampaign,
  findLead,
  findLeadById,
  lockLead,
  ofTask,
  returnBeforeTask,
  stopLead,
  taskData,
  watchOpened,
} from '../campaigns/index.ts'
import type { Transaction } from '../platform/db/database.ts'
import { appendEvents, type NewEvent } from '../platform/events/events.sql.ts'
import { newId } from '../platform/ids.ts'
import type { Tenant } from '../platform/tenant.ts'
import { assertOpen, conflict, presentTask, readOutcome, type TaskRow } from './task.ts'
import {
  deleteTask,
  findAddressOfLead,
  findOpenTaskOfText,
  findTask,
  insertTask,
  updateTask,
  updateTaskClosed,
  updateTaskReopened,
  updateTaskSnoozed,
} from './tasks.sql.ts'

/** The functions of other features that tasks need. The composition root passes them in. */
export interface TaskTools {
  /** Approves or rejects the text of an email by hand. A decided text is a conflict. */
  decideText(
    tx: Transaction,
    tenant: Tenant,
    decision: { campaignId: string; approvalId: string; status: 'approved' | 'rejected'; by: string; now: Date },
  ): Promise<void>
}

export async function createTask(
  tx: Transaction,
  tenant: Tenant,
  { input, now }: { input: CreateTaskInput; now: Date },
): Promise<TaskRow> {
  const { leadId = null, channel, title, instructions = '', note = null } = input
  const lead = leadId === null ? undefined : await findLeadById(tx, tenant, leadId)
  if (leadId !== null && lead === undefined) throw notFound()
  const owner = lead === undefined ? null : ((await findCampaign(tx, tenant, lead.campaignId))?.ownerId ?? null)
  const assigneeId = input.assigneeId === undefined ? owner : input.assigneeId
  await assertOwnerExists(tx, tenant, { ownerId: assigneeId }, { ownerId: owner })
  const dueAt = input.dueAt === undefined ? now : new Date(input.dueAt)
  const campaignId = lead?.campaignId ?? null
  const fields = { campaignId, leadId, channel, title, instructions, note, assigneeId, dueAt }
  const task = await insertTask(tx, tenant, { id: newId('tsk'), ...fields, now })
  await appendTaskEvent(tx, tenant, task, { type: 'task.created', now })
  await watchOpened(tx, tenant, { opened: [task], expiresAt: null, now })
  return task
}

const readOnly = [
  'id',
  'campaignId',
  'leadId',
  'stepId',
  'approvalId',
  'channel',
  'status',
  'outcome',
  'snoozedUntil',
  'createdAt',
  'closedAt',
  'closedBy',
]

/** Changes the fields that were sent. A closed task only changes its note. */
export async function changeTask(
  tx: Transaction,
  tenant: Tenant,
  { id, input, now }: { id: string; input: UpdateTaskInput; now: Date },
): Promise<TaskRow> {
  const row = await requireTask(tx, tenant, id)
  const shown = presentTask(row)
  const issues = changedReadOnly(shown, input, readOnly)
  if (issues.length > 0) throw invalid(...issues)
  const { title = row.title, instructions = row.instructions, note = row.note, assigneeId = row.assigneeId } = input
  const dueAt = input.dueAt === undefined ? row.dueAt : new Date(input.dueAt)
  const after = { id, status: row.status, title, instructions, note, assigneeId, dueAt }
  const isChanged =
    title !== row.title ||
    instructions !== row.instructions ||
    assigneeId !== row.assigneeId ||
    dueAt.getTime() !== row.dueAt.getTime()
  if (isChanged) assertOpen(row)
  await assertOwnerExists(tx, tenant, { ownerId: assigneeId }, { ownerId: row.assigneeId })
  const task = await updateTask(tx, tenant, after)
  if (task === undefined) throw await closedMeanwhile(tx, tenant, id)
  if (task.status === 'open') await watchOpened(tx, tenant, { opened: [task], expiresAt: null, now })
  return task
}

interface TaskToClose {
  id: string
  tools: TaskTools
  /** The user or key that closes it. Null for the test clock. */
  by: string | null
  now: Date
}
type ClosingInput = TaskToClose & {
  note?: string | undefined
  outcome?: TaskOutcome | undefined
  stop?: boolean | undefined
}

export function completeTask(tx: Transaction, tenant: Tenant, closing: ClosingInput): Promise<TaskRow> {
  return closeTask(tx, tenant, { ...closing, status: 'done' })
}

export function skipTask(
  tx: Transaction,
  tenant: Tenant,
  closing: TaskToClose & { note?: string | undefined },
): Promise<TaskRow> {
  return closeTask(tx, tenant, { ...closing, status: 'skipped' })
}

/**
 * Closes an open task once, and its lead continues in the same transaction. The lead is locked before the task, in the order of the
 * planner. An email by hand locks its text first.
 */
async function closeTask(
  tx: Transaction,
  tenant: Tenant,
  closing: ClosingInput & { status: 'done' | 'skipped' },
): Promise<TaskRow> {
  const { id, status, tools, by, now } = closing
  const row = await requireTask(tx, tenant, id)
  assertOpen(row)
  const outcome = status === 'done' ? readOutcome(row.channel, closing.outcome) : null
  const { campaignId, leadId, approvalId } = row
  const key = campaignId === null || leadId === null ? null : { campaignId, leadId }
  if (closing.stop === true && (key === null || approvalId !== null)) throw cannotStop(key === null)
  if (key !== null && approvalId !== null) {
    const text = status === 'done' ? ('approved' as const) : ('rejected' as const)
    await tools.decideText(tx, tenant, {
      campaignId: key.campaignId,
      approvalId,
      status: text,
      by: by ?? simulator,
      now,
    })
  }
  if (key !== null) await lockLead(tx, tenant, key)
  const closed = await updateTaskClosed(tx, tenant, { id, status, outcome, note: closing.note ?? null, by, now })
  if (closed === undefined) throw await closedMeanwhile(tx, tenant, id)
  await appendTaskEvent(
    tx,
    tenant,
    closed,
    outcome === null
      ? { type: 'task.skipped', reason: approvalId === null ? 'user' : 'rejected', now }
      : { type: 'task.completed', outcome, now },
  )
  if (key === null) return closed
  if (closing.stop === true) await stopLead(tx, tenant, { ...key, status: 'stopped', stoppedBy: { rule: 'user' }, now })
  else if (closed.stepId !== null && closed.blocks && approvalId === null)
    await continueAfterTask(tx, tenant, { ...key, stepId: closed.stepId, now })
  return closed
}

/** The name of the test clock as the one who decides about a text. */
const simulator = 'simulation'

/** Closes the task of a text that a person decided about where texts are approved. */
export async function closeTaskOfText(
  tx: Transaction,
  tenant: Tenant,
  { approvalId, status, by, now }: { approvalId: string; status: 'approved' | 'rejected'; by: string; now: Date },
): Promise<void> {
  const row = await findOpenTaskOfText(tx, tenant, approvalId)
  if (row === undefined) return
  const isDone = status === 'approved'
  const outcome = isDone ? ('done' as const) : null
  const closing = { id: row.id, status: isDone ? 'done' : 'skipped', outcome, note: null, by, now } as const
  const closed = await updateTaskClosed(tx, tenant, closing)
  if (closed === undefined) return
  await appendTaskEvent(
    tx,
    tenant,
    closed,
    isDone ? { type: 'task.completed', outcome: 'done', now } : { type: 'task.skipped', reason: 'rejected', now },
  )
}

function cannotStop(hasNoLead: boolean): AppError {
  const message = hasNoLead
    ? 'The task has no lead to stop.'
    : 'An approved email is sent. Skip the task, or stop the lead by its status.'
  return invalid({ path: 'stop', rule: 'not_with_channel', message })
}

export async function snoozeTask(
  tx: Transaction,
  tenant: Tenant,
  { id, until, now }: { id: string; until: Date; now: Date },
): Promise<TaskRow> {
  const row = await requireTask(tx, tenant, id)
  if (until <= now) throw invalid({ path: 'until', rule: 'future', message: 'Use a time in the future.' })
  assertOpen(row)
  const task = await updateTaskSnoozed(tx, tenant, { id, until })
  if (task === undefined) throw await closedMeanwhile(tx, tenant, id)
  await watchOpened(tx, tenant, { opened: [{ id, dueAt: until }], expiresAt: null, now })
  return task
}

/** Undoes a completed or skipped task, while its lead still waits for the step behind it. */
export async function reopenTask(
  tx: Transaction,
  tenant: Tenant,
  { id, now }: { id: string; now: Date },
): Promise<TaskRow> {
  const row = await requireTask(tx, tenant, id)
  const { status, campaignId, leadId, stepId, approvalId } = row
  if (status !== 'done' && status !== 'skipped') throw conflict(status, `The task is ${status}.`)
  if (approvalId !== null) throw conflict(status, 'The text is decided already.')
  if (campaignId !== null && leadId !== null && stepId !== null) {
    const key = { campaignId, leadId }
    await lockLead(tx, tenant, key)
    const isBack = row.blocks
      ? await returnBeforeTask(tx, tenant, { ...key, stepId, now })
      : (await findLead(tx, tenant, key))?.currentStepId === stepId
    if (!isBack) throw conflict(status, 'Its lead has moved on.')
  }
  const task = await updateTaskReopened(tx, tenant, id)
  if (task === undefined) throw await closedMeanwhile(tx, tenant, id)
  return task
}

/** Deletes a task that a person created. The row of a step's task stays, so that the task never opens twice. */
export async function removeTask(tx: Transaction, tenant: Tenant, id: string) {
  const row = await requireTask(tx, tenant, id)
  if (row.stepId !== null) throw conflict(row.status, "A task of a step can't be deleted. Skip it instead.")
  await deleteTask(tx, tenant, id)
  return { id, deleted: true as const }
}

async function requireTask(tx: Transaction, tenant: Tenant, id: string): Promise<TaskRow> {
  const row = await findTask(tx, tenant, id)
  if (row === undefined) throw notFound()
  return row
}

async function closedMeanwhile(tx: Transaction, tenant: Tenant, id: string): Promise<AppError> {
  const row = await findTask(tx, tenant, id)
  return row === undefined ? notFound() : conflict(row.status, `The task is ${row.status} already.`)
}

type TaskEvent = { now: Date } & (
  | { type: 'task.created' }
  | { type: 'task.skipped'; reason: 'user' | 'rejected' }
  | { type: 'task.completed'; outcome: TaskOutcome }
)

async function appendTaskEvent(tx: Transaction, tenant: Tenant, task: TaskRow, event: TaskEvent): Promise<void> {
  const taskWithEmail = { ...task, email: await findAddressOfLead(tx, tenant, task) }
  const common = { ...ofTask(taskWithEmail), occurredAt: event.now }
  const data = taskData(taskWithEmail)
  await appendEvents(tx, tenant, [toEvent(common, data, event)])
}

function toEvent(
  common: ReturnType<typeof ofTask> & { occurredAt: Date },
  data: ReturnType<typeof taskData>,
  event: TaskEvent,
): NewEvent {
  switch (event.type) {
    case 'task.created':
      return { ...common, type: event.type, data }
    case 'task.skipped':
      return { ...common, type: event.type, data: { ...data, reason: event.reason } }
    case 'task.completed':
      return { ...common, type: event.type, data: { ...data, outcome: event.outcome } }
  }
}
