import type { TaskChannel, TaskOutcome } from '@overture/sdk'
import { words } from '../../platform/text/words.ts'

const channelNames: Readonly<Record<TaskChannel, string>> = {
  call: 'Call',
  linkedin_visit: 'LinkedIn visit',
  linkedin_connect: 'LinkedIn connection',
  linkedin_message: 'LinkedIn message',
  other: 'Other task',
  email: 'Email',
}
const outcomeNames: Readonly<Record<TaskOutcome, string>> = {
  connected: 'Connected',
  no_answer: 'No answer',
  voicemail: 'Voicemail',
  wrong_number: 'Wrong number',
  not_interested: 'Not interested',
  done: 'Done',
}

export const channelText = words('taskChannels', channelNames)
export const outcomeText = words('taskOutcomes', outcomeNames)

export const text = words('taskSteps', {
  task: 'Task',
  addTask: 'Add task',
  taskBelow: 'Task below',
  channel: 'What to do',
  title: 'Title',
  titleHint: 'Variables such as {{ firstName }} are filled in for each lead.',
  instructions: 'Instructions',
  assignee: 'Assigned to',
  owner: 'Owner of the campaign',
  dueIn: 'Due after',
  unit: 'Unit of the due time',
  blocks: 'Wait for the task',
  blocksHint: 'The next step comes after the task is done. Otherwise leads continue at once.',
  expires: 'Skip the task if it stays open',
  expiresIn: 'Skip after',
  expiresUnit: 'Unit of the expiry',
  byHand: 'By hand',
  byHandHint: 'You read and approve the text for each lead, as a task.',
  ofTask: 'Task of step',
  outcomes: 'Outcome',
  skipped: 'Skipped or expired',
  passed: (position: string, channel: string) => `Step ${position}: ${channel}`,
})
