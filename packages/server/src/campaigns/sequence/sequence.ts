import {
  type Step,
  type StepInput,
  stepInput,
  stepsMax,
  type Variant,
  type VariantInput,
} from '@overture/contract/campaigns/campaigns.ts'
import { isOneLine } from '@overture/contract/common.ts'
import { invalid, notFound, type ValidationIssue } from '@overture/contract/errors.ts'
import { readBranches } from './branches.ts'
import { outline, type OutlineStep } from './outline.ts'
import { readList, stepTemplateIssues, type SentSequence } from './sent-texts.ts'
import { byHandIssues, misplacedIssues, noTask, readTask } from './task-step.ts'
import { templateParts, type TemplateProblemOf } from '../../templates/template-text.ts'

export const defaultWait = { value: 3, unit: 'days' } as const

interface SequenceTools {
  /** Whether the campaign takes over leads of other campaigns. Only then its first message may wait or reply in an existing thread. */
  takesOver: boolean
  newStepId: () => string
  newVariantId: () => string
  newBranchId: () => string
  /** Returns the problem of a template, or null. */
  templateProblem: TemplateProblemOf
  /** Returns a stored template, or undefined if there is none. */
  template: (id: string) => { subject: string; body: string } | undefined
}

/**
 * Turns the steps as sent into the sequence: fills in defaults, keeps known ids and creates missing ones. Throws all problems
 * together, including those in `found`. Throws 404 for an id that is no step or variant of this campaign.
 */
export function readSequence(
  sent: readonly StepInput[],
  current: readonly Step[],
  tools: SequenceTools,
  found: readonly ValidationIssue[] = [],
): Step[] {
  const issues = [...found]
  const missing: string[] = []
  const known = new Map(current.map((step) => [step.id, step]))
  const seen = new Set<string>()
  const named = sent.map((input) => {
    const before = input.id === undefined ? undefined : known.get(input.id)
    return { input, before, id: before?.id ?? tools.newStepId() }
  })
  const outlined = outline(named)
  issues.push(...outlined.issues)
  const steps = named.map(({ input, before }, index) => {
    if (input.id !== undefined && !before) missing.push(input.id)
    const path = `steps[${index}]`
    if (before && seen.has(before.id))
      issues.push({ path: `${path}.id`, rule: 'unique', message: 'This step id is used twice.' })
    if (before) seen.add(before.id)
    return readStep({ input, before, index, path, issues, missing, steps: outlined.steps }, tools)
  })
  if (issues.length > 0) throw invalid(...issues)
  if (missing.length > 0) throw notFound()
  return steps
}

/**
 * Lists the problems in the unvalidated steps of a new campaign, except those that depend on what an id refers to. If a step
 * has the wrong shape, only its templates are checked; the schema reports the rest.
 */
export function newSequenceIssues(
  { steps: sent, entry }: SentSequence,
  templateProblem: TemplateProblemOf,
): ValidationIssue[] {
  const takesOver = entry !== undefined && entry !== null
  const tools = {
    takesOver,
    newStepId: noId,
    newVariantId: noId,
    newBranchId: noId,
    templateProblem,
    template: () => anyText,
  }
  const list = readList(sent, stepsMax)
  const read = list.map((one) => stepInput.safeParse(one))
  // The targets of steps with the wrong shape are unknown. Problems that depend on them are reported once the shape is right.
  const { steps } = outline(
    read.map((step, index) => ({ input: step.data ?? null, before: undefined, id: `step ${index}` })),
  )
  return list.flatMap((item, index) => {
    const path = `steps[${index}]`
    const input = read[index]?.data
    if (input === undefined) return stepTemplateIssues(item, path, templateProblem)
    const issues: ValidationIssue[] = []
    readStep({ input, before: undefined, index, path, issues, missing: [], steps }, tools)
    return read.every((step) => step.success) ? issues : issues.filter(({ rule }) => rule !== 'unknown_step')
  })
}

const noId = () => ''
// A placeholder for the text of a template that is read later.
const anyText = { subject: 'Subject', body: 'Body' }

interface StepReading {
  input: StepInput
  before: Step | undefined
  index: number
  path: string
  issues: ValidationIssue[]
  /** Ids in the request that don't exist. */
  missing: string[]
  /** The outline of the whole sequence. */
  steps: readonly OutlineStep[]
}

function readStep(reading: StepReading, tools: SequenceTools): Step {
  const { input, before, index, path, issues, steps } = reading
  const first = index === 0
  const outlined = steps[index]
  if (outlined === undefined) throw new Error('A step is missing from its outline.')
  const waitBefore =
    input.waitBefore ?? (first ? { value: 0, unit: 'days' as const } : (before?.waitBefore ?? defaultWait))
  if (input.type !== undefined && input.type !== outlined.type)
    issues.push({
      path: `${path}.type`,
      rule: 'fixed',
      message: "The type of a step can't change. Add another step instead.",
    })
  if (first && waitBefore.value !== 0 && !tools.takesOver)
    issues.push({
      path: `${path}.waitBefore.value`,
      rule: 'first_step',
      message: 'Step 1 is sent without a wait. Use 0.',
    })
  const { id, position, type, key } = outlined
  const common = { id, position, type, key, waitBefore, then: outlined.then }
  issues.push(...misplacedIssues(input, type, path))
  const selection = input.variantSelection ?? before?.variantSelection ?? 'weighted'
  return { ...common, ...noTask, ...silent, variantSelection: selection, ...readContent(reading, outlined, tools) }
}

const silent = { sameThread: false, variants: [], branches: [], byHand: false }

/** The part of a step that depends on its type. */
function readContent(reading: StepReading, outlined: OutlineStep, tools: SequenceTools): Partial<Step> {
  if (outlined.type !== 'email') refuseMessage(reading)
  if (outlined.type === 'branch') return { branches: readBranches({ ...reading, outlined }, tools.newBranchId) }
  if (outlined.type === 'task') return readTask(reading, tools.templateProblem)
  const sameThread = readThread(reading, outlined, tools)
  const { input, before, issues, path } = reading
  const variants = readVariants(reading, sameThread && !outlined.beginsThread, tools)
  const byHand = input.byHand ?? before?.byHand ?? false
  if (byHand) issues.push(...byHandIssues(variants, path))
  return { sameThread, variants, byHand }
}

function readThread(
  { input, before, index, path, issues }: StepReading,
  { beginsThread }: OutlineStep,
  { takesOver }: Pick<SequenceTools, 'takesOver'>,
): boolean {
  const otherwise = beginsThread ? takesOver && before?.sameThread === true : (before?.sameThread ?? true)
  const sameThread = input.sameThread ?? otherwise
  if (!sameThread || !beginsThread || takesOver) return sameThread
  const issue = { path: `${path}.sameThread` }
  if (index === 0) issues.push({ ...issue, rule: 'first_step', message: 'Step 1 starts the thread. Use false.' })
  else
    issues.push({
      ...issue,
      rule: 'first_on_a_path',
      message: 'On some path this is the first message, which starts the thread. Use false.',
    })
  return sameThread
}

/** Reports message fields of a step that sends nothing. */
function refuseMessage({ input, path, issues }: StepReading): void {
  const refuse = (field: string) =>
    issues.push({ path: `${path}.${field}`, rule: 'not_with_type', message: 'Only an email step sends a message.' })
  if (input.variants !== undefined && input.variants.length > 0) refuse('variants')
  if (input.sameThread === true) refuse('sameThread')
  if (input.byHand === true) refuse('byHand')
}

function readVariants(reading: StepReading, inThread: boolean, tools: SequenceTools): Variant[] {
  const { input, before, path, issues, missing } = reading
  const known = new Map((before?.variants ?? []).map((variant) => [variant.id, variant]))
  const seen = new Set<string>()
  if (input.variants === undefined || input.variants.length === 0) {
    issues.push({
      path: `${path}.variants`,
      rule: input.variants === undefined ? 'required' : 'min',
      message: input.variants === undefined ? 'Required.' : 'A step needs at least one variant.',
    })
    return []
  }
  const variants = input.variants.map((sent, index) => {
    const place = `${path}.variants[${index}]`
    const current = sent.id === undefined ? undefined : known.get(sent.id)
    if (sent.id !== undefined && !current) missing.push(sent.id)
    if (current && seen.has(current.id))
      issues.push({ path: `${place}.id`, rule: 'unique', message: 'This variant id is used twice.' })
    if (current) seen.add(current.id)
    const found = sent.templateId === undefined ? undefined : tools.template(sent.templateId)
    if (sent.templateId !== undefined && !found) missing.push(sent.templateId)
    const isUnknown = (sent.templateId !== undefined && !found) || (sent.id !== undefined && !current)
    // An unknown id is reported as missing, so its text is not reported as incomplete as well.
    const template = isUnknown ? anyText : found
    // A reply has the subject of its thread, so the template's subject is ignored.
    const given = template && { ...template, subject: inThread ? '' : template.subject, ...definedFields(sent) }
    const variant = fillVariant(given ?? sent, current, index, tools)
    issues.push(...variantIssues(variant, place, inThread, tools))
    return variant
  })
  if (!variants.some((variant) => variant.enabled && variant.weight > 0))
    issues.push({
      path: `${path}.variants`,
      rule: 'enabled',
      message: 'A step needs at least one enabled variant with a weight above 0.',
    })
  return variants
}

function definedFields(sent: VariantInput): VariantInput {
  return Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined))
}

function fillVariant(sent: VariantInput, current: Variant | undefined, index: number, tools: SequenceTools): Variant {
  return {
    id: current?.id ?? tools.newVariantId(),
    label: sent.label ?? current?.label ?? String.fromCharCode(65 + index),
    subject: sent.subject ?? current?.subject ?? '',
    body: sent.body ?? current?.body ?? '',
    weight: sent.weight ?? current?.weight ?? 1,
    enabled: sent.enabled ?? current?.enabled ?? true,
    ai: sent.ai === undefined ? (current?.ai ?? null) : sent.ai,
  }
}

function variantIssues(variant: Variant, path: string, inThread: boolean, tools: SequenceTools): ValidationIssue[] {
  const issues: ValidationIssue[] = []
  const add = (field: string, rule: string, message: string) => issues.push({ path: `${path}.${field}`, rule, message })
  if (inThread && variant.subject !== '')
    add('subject', 'same_thread', 'A step in the same thread uses the subject of the thread. Leave the subject empty.')
  if (variant.ai === null) {
    if (!inThread && variant.subject.trim() === '')
      add('subject', 'required', 'A message that starts a thread needs a subject.')
    if (variant.body.trim() === '') add('body', 'required', 'A message needs a body.')
  }
  // A stored template may be older than this rule.
  if (!isOneLine(variant.subject)) add('subject', 'one_line', "A subject can't contain a line break.")
  for (const field of templateParts) {
    const problem = tools.templateProblem(field, variant[field])
    if (problem !== null) add(field, 'template', problem)
  }
  return issues
}
