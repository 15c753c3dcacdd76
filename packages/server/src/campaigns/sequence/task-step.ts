import type { Step, StepInput } from '@overture/contract/campaigns/campaigns.ts'
import type { ValidationIssue } from '@overture/contract/errors.ts'
import { isOneLine } from '@overture/contract/common.ts'
import type { TemplateProblemOf, TemplateText } from '../../templates/template-text.ts'

/** The fields of a step that a person does. They are null for other steps. */
export type TaskFields = Pick<
  Step,
  'channel' | 'title' | 'instructions' | 'assigneeId' | 'dueIn' | 'blocks' | 'expiresIn'
>

export const noTask: TaskFields = {
  channel: null,
  title: null,
  instructions: null,
  assigneeId: null,
  dueIn: null,
  blocks: null,
  expiresIn: null,
}

const defaultDue = { value: 1, unit: 'days' } as const
/** The texts of a task step, with the rules of a message's part that they follow. */
const textParts = [
  ['title', 'subject'],
  ['instructions', 'body'],
] as const

interface TaskReading {
  input: StepInput
  before: Step | undefined
  path: string
  issues: ValidationIssue[]
}

/** Reads the fields of a task step as sent: fills in defaults and reports problems. */
export function readTask({ input, before, path, issues }: TaskReading, templateProblem: TemplateProblemOf): TaskFields {
  const add = (field: string, rule: string, message: string) => issues.push({ path: `${path}.${field}`, rule, message })
  const task: TaskFields = {
    channel: input.channel ?? before?.channel ?? null,
    title: (input.title ?? before?.title ?? '').trim(),
    instructions: input.instructions ?? before?.instructions ?? '',
    assigneeId: input.assigneeId === undefined ? (before?.assigneeId ?? null) : input.assigneeId,
    dueIn: input.dueIn ?? before?.dueIn ?? defaultDue,
    blocks: input.blocks ?? before?.blocks ?? true,
    expiresIn: input.expiresIn === undefined ? (before?.expiresIn ?? null) : input.expiresIn,
  }
  if (task.channel === null) add('channel', 'required', 'A task step needs a channel.')
  if (task.title === '') add('title', 'required', 'A task step needs a title.')
  if (!isOneLine(task.title ?? '')) add('title', 'one_line', "A title can't contain a line break.")
  if (task.expiresIn?.value === 0) add('expiresIn.value', 'min', 'A task expires after 1 at the earliest.')
  for (const { field, part, text } of collectTexts(task)) {
    const problem = templateProblem(part, text)
    if (problem !== null) add(field, 'template', problem)
  }
  return task
}

/** The texts of a task in an unvalidated step, for the check of templates. */
export function taskTexts(step: Readonly<Record<string, unknown>>): TemplateText[] {
  return collectTexts(step).map(({ part, text }) => ({ part, text }))
}

/** The problems of templates in the task of an unvalidated step. */
export function taskTemplateIssues(
  step: Readonly<Record<string, unknown>>,
  path: string,
  templateProblem: TemplateProblemOf,
): ValidationIssue[] {
  return collectTexts(step).flatMap(({ field, part, text }) => {
    const message = templateProblem(part, text)
    return message === null ? [] : [{ path: `${path}.${field}`, rule: 'template', message }]
  })
}

function collectTexts(task: Readonly<Record<string, unknown>> | TaskFields) {
  return textParts.flatMap(([field, part]) => {
    const text = (task as Readonly<Record<string, unknown>>)[field]
    return typeof text === 'string' ? [{ field, part, text }] : []
  })
}

const taskFields = Object.keys(noTask) as (keyof TaskFields)[]

/** Reports branches of a step that is no branch, and the fields of a task in a step that is none. */
export function misplacedIssues(input: StepInput, type: Step['type'], path: string): ValidationIssue[] {
  const misplaced = (field: string, message: string) => ({ path: `${path}.${field}`, rule: 'not_with_type', message })
  const hasBranches = type !== 'branch' && input.branches !== undefined && input.branches.length > 0
  const ofTask = type === 'task' ? [] : taskFields.filter((field) => (input[field] ?? null) !== null)
  return [
    ...(hasBranches ? [misplaced('branches', 'Only a branch step has branches.')] : []),
    ...ofTask.map((field) => misplaced(field, 'Only a task step has this field.')),
  ]
}

/** Reports texts by a model in a step by hand. A person approves such texts with `aiApproval`. */
export function byHandIssues(variants: Step['variants'], path: string): ValidationIssue[] {
  return variants.flatMap(({ ai }, index) => {
    if (ai === null) return []
    const message = 'A step by hand has no text by a model. Use aiApproval for such texts.'
    return [{ path: `${path}.variants[${index}].ai`, rule: 'by_hand', message }]
  })
}
