import { conditionFields, conditionLeavesMax } from '@overture/contract/campaigns/conditions.ts'
import type { Branch, Step, StepInput } from '@overture/contract/campaigns/campaigns.ts'
import type { ValidationIssue } from '@overture/contract/errors.ts'
import { hasNot, listLeaves, mapLeaves, type Condition } from '@overture/ground/paths/condition.ts'
import { leadsTo } from '@overture/ground/paths/path.ts'
import { findStepId, type OutlineStep } from './outline.ts'

interface BranchReading {
  input: StepInput
  before: Step | undefined
  outlined: OutlineStep
  /** All steps of the sequence. */
  steps: readonly OutlineStep[]
  path: string
  issues: ValidationIssue[]
  /** Ids in the request that don't exist. */
  missing: string[]
}

/** Reads the branches of a step as sent: keeps known ids, creates missing ones and checks the conditions. */
export function readBranches(reading: BranchReading, newBranchId: () => string): Branch[] {
  const { input, before, outlined, path, issues, missing } = reading
  const known = new Set(before?.branches.map((branch) => branch.id))
  const seen = new Set<string>()
  const sent = input.branches ?? before?.branches ?? []
  if (sent.length === 0)
    issues.push({ path: `${path}.branches`, rule: 'required', message: 'A branch step needs at least one branch.' })
  return sent.map((step, index) => {
    const place = `${path}.branches[${index}]`
    if (step.id !== undefined && !known.has(step.id)) missing.push(step.id)
    if (step.id !== undefined && seen.has(step.id))
      issues.push({ path: `${place}.id`, rule: 'unique', message: 'This branch id is used twice.' })
    if (step.id !== undefined) seen.add(step.id)
    const current = before?.branches.find((branch) => branch.id === step.id)
    const immediately = step.immediately ?? current?.immediately ?? false
    if (immediately && hasNot(step.when))
      issues.push({
        path: `${place}.immediately`,
        rule: 'not_immediately',
        message:
          'A condition with `not` can be decided only when the wait is over. Remove `not`, or set immediately to false.',
      })
    issues.push(...conditionIssues(step.when, `${place}.when`, reading.steps, outlined))
    return {
      id: step.id ?? newBranchId(),
      label: step.label ?? current?.label ?? String.fromCharCode(65 + index),
      // Mapping the leaves keeps the depth of the condition, so the type is the same.
      when: mapLeaves(step.when, (leaf) => withStepId(leaf, reading.steps)) as Branch['when'],
      goTo: outlined.branches[index]?.goTo ?? null,
      immediately,
    }
  })
}

function withStepId(leaf: Condition, steps: readonly OutlineStep[]): Condition {
  const named = leaf.stepId ?? leaf.task
  const id = named === undefined ? undefined : findStepId(named, steps)
  if (id === undefined) return leaf
  return leaf.task === undefined ? { ...leaf, stepId: id } : { ...leaf, task: id }
}

/** The part of a step that conditions need. */
type AskedStep = Pick<OutlineStep, 'id' | 'key' | 'type' | 'position' | 'then' | 'branches'>

/** Lists the problems of a condition, each with its path. `branch` is the step that asks; an entry has none. */
export function conditionIssues(
  when: Condition,
  path: string,
  steps: readonly AskedStep[],
  branch?: AskedStep,
): ValidationIssue[] {
  const issues: ValidationIssue[] = []
  if (listLeaves(when).length > conditionLeavesMax)
    issues.push({ path, rule: 'leaves', message: `A condition has at most ${conditionLeavesMax} questions.` })
  return [...issues, ...partIssues(when, path, { steps, branch })]
}

const kinds = ['all', 'any', 'not', 'did', 'interest', 'intent', 'field', 'signal', 'task', 'chance'] as const
/** The properties that are allowed beside each kind of condition. */
const partsByKind: Partial<Record<(typeof kinds)[number], readonly (keyof Condition)[]>> = {
  did: ['stepId', 'url', 'times', 'withinHours'],
  field: ['is', 'value'],
  signal: ['withinDays'],
  task: ['outcome'],
}

interface AskedSequence {
  steps: readonly AskedStep[]
  branch: AskedStep | undefined
}

function partIssues(when: Condition, path: string, sequence: AskedSequence): ValidationIssue[] {
  const present = kinds.filter((kind) => when[kind] !== undefined)
  const [kind] = present
  if (kind === undefined || present.length > 1)
    return [{ path, rule: 'one_kind', message: `Use exactly one of ${kinds.join(', ')}.` }]
  const allowed: readonly string[] = [kind, ...(partsByKind[kind] ?? [])]
  const foreign = Object.entries(when).filter(([name, value]) => value !== undefined && !allowed.includes(name))
  const issues = foreign.map(([name]) => ({
    path: `${path}.${name}`,
    rule: 'not_with_kind',
    message: `Can't be combined with \`${kind}\`.`,
  }))
  if (kind === 'did') issues.push(...deedIssues(when, path, sequence.steps))
  if (kind === 'field') issues.push(...fieldIssues(when, path))
  if (kind === 'task') issues.push(...taskIssues(when, path, sequence))
  if (when.not) issues.push(...partIssues(when.not, `${path}.not`, sequence))
  for (const group of ['all', 'any'] as const)
    when[group]?.forEach((one, index) => issues.push(...partIssues(one, `${path}.${group}[${index}]`, sequence)))
  return issues
}

function deedIssues(when: Condition, path: string, steps: readonly AskedStep[]): ValidationIssue[] {
  const issues: ValidationIssue[] = []
  if (when.url !== undefined && when.did !== 'clicked')
    issues.push({
      path: `${path}.url`,
      rule: 'not_with_kind',
      message: 'A url needs `did: clicked`.',
    })
  if (when.stepId === undefined) return issues
  const id = findStepId(when.stepId, steps)
  const step = steps.find((one) => one.id === id)
  if (step === undefined)
    issues.push({ path: `${path}.stepId`, rule: 'unknown_step', message: 'No step has this id or key.' })
  else if (step.type !== 'email')
    issues.push({
      path: `${path}.stepId`,
      rule: 'not_an_email',
      message: 'This step sends nothing. Use a step that sends a message.',
    })
  return issues
}

function taskIssues({ task = '' }: Condition, path: string, { steps, branch }: AskedSequence): ValidationIssue[] {
  const issue = { path: `${path}.task` }
  const id = findStepId(task, steps)
  const step = steps.find((one) => one.id === id)
  if (step === undefined) return [{ ...issue, rule: 'unknown_step', message: 'No step has this id or key.' }]
  if (step.type !== 'task') return [{ ...issue, rule: 'not_a_task', message: 'This step is not a task.' }]
  if (branch === undefined || leadsOnTo(steps, step, branch)) return []
  return [
    { ...issue, rule: 'not_before', message: 'No path leads from this task to the branch. Use a task before it.' },
  ]
}

/** Whether some path leads from one step to the other. Paths only go forward, so this ends. */
function leadsOnTo(steps: readonly AskedStep[], from: AskedStep, to: AskedStep): boolean {
  const seen = new Set<string>()
  const waiting = [...leadsTo(steps, from)]
  for (let step = waiting.pop(); step; step = waiting.pop()) {
    if (step.id === to.id) return true
    if (seen.has(step.id)) continue
    seen.add(step.id)
    waiting.push(...leadsTo(steps, step))
  }
  return false
}

const withoutValue: readonly (string | undefined)[] = ['exists', 'missing']

function fieldIssues({ field = '', is, value }: Condition, path: string): ValidationIssue[] {
  const issues: ValidationIssue[] = []
  const add = (name: string, rule: string, message: string) => issues.push({ path: `${path}.${name}`, rule, message })
  if (!conditionFields.includes(field) && !/^customVariables\.[A-Za-z_]\w{0,63}$/.test(field))
    add('field', 'unknown_field', `Use one of ${conditionFields.join(', ')}, or customVariables.x.`)
  if (is === undefined) add('is', 'required', 'Required.')
  else if (withoutValue.includes(is)) {
    if (value !== undefined) add('value', 'not_with_kind', `\`${is}\` takes no value.`)
  } else if (value === undefined) add('value', 'required', 'Required.')
  else if (Array.isArray(value) !== (is === 'in'))
    add('value', 'type', is === 'in' ? '`in` needs a list.' : 'Only `in` accepts a list.')
  else if ((is === 'gt' || is === 'lt') && typeof value !== 'number') add('value', 'type', 'Must be a number.')
  return issues
}
