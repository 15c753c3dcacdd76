import type { Task, TaskChannel, TaskOutcome, TaskStatus } from '@overture/contract/tasks/tasks.ts'
import { outcomesForChannel } from '@overture/contract/vocabularies.ts'
import { AppError, invalid } from '@overture/contract/errors.ts'

export interface TaskRow {
  id: string
  campaignId: string | null
  leadId: string | null
  stepId: string | null
  approvalId: string | null
  channel: TaskChannel
  title: string
  instructions: string
  status: TaskStatus
  outcome: TaskOutcome | null
  note: string | null
  assigneeId: string | null
  blocks: boolean
  dueAt: Date
  snoozedUntil: Date | null
  createdAt: Date
  closedAt: Date | null
  closedBy: string | null
}

export function presentTask({ blocks: _blocks, dueAt, snoozedUntil, createdAt, closedAt, ...row }: TaskRow): Task {
  return {
    ...row,
    dueAt: dueAt.toISOString(),
    snoozedUntil: snoozedUntil?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
    closedAt: closedAt?.toISOString() ?? null,
  }
}

/** The actions that each status allows. */
const actionsByStatus: Record<TaskStatus, readonly string[]> = {
  open: ['complete', 'skip', 'snooze'],
  done: ['reopen'],
  skipped: ['reopen'],
  canceled: [],
}

export function conflict(status: TaskStatus, message: string): AppError {
  return new AppError('CONFLICT', message, { currentStatus: status, allowedActions: actionsByStatus[status] })
}

export function assertOpen({ status }: Pick<TaskRow, 'status'>): void {
  if (status !== 'open') throw conflict(status, `The task is ${status} already.`)
}

/** The outcome that completes a task. A call needs one of its outcomes; any other task is done. */
export function readOutcome(channel: TaskChannel, sent: TaskOutcome | undefined): TaskOutcome {
  const possible = outcomesForChannel(channel)
  if (sent !== undefined && possible.includes(sent)) return sent
  if (sent === undefined && possible.length === 1 && possible[0] !== undefined) return possible[0]
  throw invalid({
    path: 'outcome',
    rule: sent === undefined ? 'required' : 'not_with_channel',
    message: `A task of this channel has one of these outcomes: ${possible.join(', ')}.`,
  })
}
