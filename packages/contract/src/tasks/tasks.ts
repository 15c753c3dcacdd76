import { z } from 'zod'
import { taskInstructionsMax, taskTitleMax } from '../campaigns/task-step.ts'
import { bulkIds, id, namedObject, timestamp, timestampInput } from '../common.ts'
import { durationMs } from '../sandbox/sandbox.ts'
import { taskChannels, taskOutcomes, taskStatuses } from '../vocabularies.ts'

export const tasksAtOnceMax = 100

export const taskChannel = z.enum(taskChannels).meta({ id: 'TaskChannel' })
export type TaskChannel = z.infer<typeof taskChannel>
export const taskStatus = z.enum(taskStatuses).meta({ id: 'TaskStatus' })
export type TaskStatus = z.infer<typeof taskStatus>
export const taskOutcome = z.enum(taskOutcomes).meta({ id: 'TaskOutcome' })
export type TaskOutcome = z.infer<typeof taskOutcome>

const nullableText = z.string().nullable()
const noteMax = 4_000

export const task = namedObject('Task', {
  id: z.string(),
  campaignId: nullableText,
  leadId: nullableText,
  stepId: nullableText.meta({ description: 'The step that opened it. Null for a task that a person created.' }),
  approvalId: nullableText.meta({ description: 'With `channel: email`: the text that waits for approval.' }),
  channel: taskChannel,
  title: z.string(),
  instructions: z.string(),
  status: taskStatus,
  outcome: taskOutcome.nullable(),
  note: nullableText,
  assigneeId: nullableText.meta({
    description: 'The user who does the task. Null if there is none or the user was removed.',
  }),
  dueAt: timestamp,
  snoozedUntil: timestamp.nullable(),
  createdAt: timestamp,
  closedAt: timestamp.nullable(),
  closedBy: nullableText.meta({
    description: 'The user or the API key that closed it. Null if it is open, expired or canceled.',
  }),
})
export type Task = z.infer<typeof task>

const note = z.string().max(noteMax)
const title = z.string().trim().min(1).max(taskTitleMax)
const instructions = z.string().max(taskInstructionsMax)

export const createTaskInput = namedObject('CreateTaskInput', {
  channel: z.enum(taskChannels).exclude(['email']),
  title,
  instructions: instructions.optional(),
  leadId: id.nullable().optional(),
  assigneeId: id.nullable().optional().meta({ description: 'The default is the owner of the lead’s campaign.' }),
  dueAt: timestampInput.optional().meta({ description: 'The default is now.' }),
  note: note.nullable().optional(),
})
export type CreateTaskInput = z.output<typeof createTaskInput>

/** Read-only fields may be sent back unchanged. A changed one is refused with 400. */
export const updateTaskInput = namedObject('UpdateTaskInput', {
  title: title.optional(),
  instructions: instructions.optional(),
  note: note.nullable().optional(),
  assigneeId: id.nullable().optional(),
  dueAt: timestampInput.optional(),
  id: z.string().optional(),
  campaignId: nullableText.optional(),
  leadId: nullableText.optional(),
  stepId: nullableText.optional(),
  approvalId: nullableText.optional(),
  channel: z.string().optional(),
  status: z.string().optional(),
  outcome: nullableText.optional(),
  snoozedUntil: nullableText.optional(),
  createdAt: z.string().optional(),
  closedAt: nullableText.optional(),
  closedBy: nullableText.optional(),
})
export type UpdateTaskInput = z.output<typeof updateTaskInput>

const closing = {
  outcome: taskOutcome.optional().meta({
    description: 'A call needs an outcome other than `done`. Any other task has the outcome `done`.',
  }),
  note: note.optional(),
  stop: z.boolean().optional().meta({ description: 'Also stops the lead, which gets nothing more of the campaign.' }),
}
export const completeTaskInput = namedObject('CompleteTaskInput', closing)
export type CompleteTaskInput = z.output<typeof completeTaskInput>
export const skipTaskInput = namedObject('SkipTaskInput', { note: note.optional() })
export const snoozeTaskInput = namedObject('SnoozeTaskInput', { until: timestampInput })

export const bulkTaskActions = ['complete', 'skip', 'snooze', 'reopen', 'delete'] as const
export const bulkTasksInput = z
  .strictObject({
    ids: bulkIds(tasksAtOnceMax),
    action: z.enum(bulkTaskActions),
    ...closing,
    until: timestampInput.optional().meta({ description: 'With `snooze`, which needs it.' }),
  })
  .superRefine((body, context) => {
    const refuse = (field: string, message: string) => context.addIssue({ code: 'custom', path: [field], message })
    if (body.action === 'snooze' && body.until === undefined) refuse('until', 'Required with `snooze`.')
    if (body.action !== 'snooze' && body.until !== undefined) refuse('until', 'Only `snooze` has a time.')
    if (body.action !== 'complete' && body.outcome !== undefined) refuse('outcome', 'Only `complete` has an outcome.')
    if (body.action !== 'complete' && body.stop !== undefined) refuse('stop', 'Only `complete` can stop the lead.')
    if (!['complete', 'skip'].includes(body.action) && body.note !== undefined)
      refuse('note', 'Only `complete` and `skip` have a note.')
  })
  .meta({ id: 'BulkTasksInput' })
export type BulkTasksInput = z.output<typeof bulkTasksInput>

export const bulkTasksOutput = namedObject('BulkTasksResults', {
  results: z.array(
    namedObject('BulkTaskResult', {
      id: z.string(),
      outcome: z.enum(['changed', 'not_found', 'conflict', 'invalid']),
      message: z.string().nullable(),
    }),
  ),
})

export const sandboxTasksInput = namedObject('SetSandboxTasksInput', {
  completeAfter: z
    .string()
    .max(20)
    .refine((text) => durationMs(text) !== null, 'Use a whole number and m, h, d or w, such as 3d.')
    .nullable()
    .meta({ description: 'Such as `2h` or `3d`, counted from the opening of a task. Null: tasks stay open.' }),
  outcome: taskOutcome
    .optional()
    .meta({ description: 'The outcome of calls. The default is `connected`. Other tasks are `done`.' }),
})
export const sandboxTasks = namedObject('SandboxTasks', {
  completeAfter: z.string().nullable(),
  outcome: taskOutcome,
})
export type SandboxTasks = z.infer<typeof sandboxTasks>
