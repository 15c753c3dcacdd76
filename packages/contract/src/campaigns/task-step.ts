import { z } from 'zod'
import { id } from '../common.ts'
import { taskStepChannels } from '../vocabularies.ts'
import { wait } from './wait.ts'

export const taskTitleMax = 200
export const taskInstructionsMax = 10_000

const taskStepChannel = z.enum(taskStepChannels).meta({ id: 'TaskStepChannel' })
const about = {
  channel: 'The kind of task. Required for a task step, null for others.',
  title: 'A template, as the texts of messages. A task step needs one.',
  instructions: 'A template for the person who does the task.',
  assigneeId: 'The user who does the task. Null means the owner of the campaign.',
  dueIn: 'When the task is due, counted from its opening. The default is a day.',
  blocks: 'Whether the lead waits until the task is closed. The default is true.',
  expiresIn: 'When an open task is skipped, counted from its opening. Null means never.',
  byHand: 'An email step whose text a person reads, changes and approves as a task.',
}

/** The fields of a step that a person does, in a request. */
export const taskStepInput = {
  channel: taskStepChannel.nullable().optional().meta({ description: about.channel }),
  title: z.string().max(taskTitleMax).nullable().optional().meta({ description: about.title }),
  instructions: z.string().max(taskInstructionsMax).nullable().optional().meta({ description: about.instructions }),
  assigneeId: id.nullable().optional().meta({ description: about.assigneeId }),
  dueIn: wait.nullable().optional().meta({ description: about.dueIn }),
  blocks: z.boolean().nullable().optional().meta({ description: about.blocks }),
  expiresIn: wait.nullable().optional().meta({ description: about.expiresIn }),
  byHand: z.boolean().optional().meta({ description: about.byHand }),
}

/** The same fields of a stored step, null where the step is no task. */
export const taskStep = {
  channel: taskStepChannel.nullable().meta({ description: about.channel }),
  title: z.string().nullable().meta({ description: about.title }),
  instructions: z.string().nullable().meta({ description: about.instructions }),
  assigneeId: z.string().nullable().meta({ description: about.assigneeId }),
  dueIn: wait.nullable().meta({ description: about.dueIn }),
  blocks: z.boolean().nullable().meta({ description: about.blocks }),
  expiresIn: wait.nullable().meta({ description: about.expiresIn }),
  byHand: z.boolean().meta({ description: about.byHand }),
}
