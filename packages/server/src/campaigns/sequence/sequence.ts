import {
  type Step,
  type StepInput,
  stepInput,
  stepsMax,
  type Variant,
  type VariantInput,
  variantsMax,
} from '@overture/contract/campaigns/campaigns.ts'
import { isOneLine } from '@overture/contract/common.ts'
import { invalid, notFound, type ValidationIssue } from '@overture/contract/errors.ts'
import { templateParts, type TemplateProblemOf, type TemplateText } from '../../templates/template-text.ts'

const defaultWait = { value: 3, unit: 'days' } as const

interface SequenceTools {
  newStepId: () => string
  newVariantId: () => string
  /** What is wrong with a template, or null. */
  templateProblem: TemplateProblemOf
  /** A stored template, or undefined where there is none. */
  template: (id: string) => { subject: string; body: string } | undefined
}

/**
 * Turns the steps as sent into the sequence: fills defaults, keeps known ids, gives new ones, and refuses every
 * problem at once, those that were found before included. An id that names no step or variant of this campaign is 404.
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
  const steps = sent.map((input, index) => {
    const before = input.id === undefined ? undefined : known.get(input.id)
    if (input.id !== undefined && !before) missing.push(input.id)
    const path = `steps[${index}]`
    if (before && seen.has(before.id))
      issues.push({ path: `${path}.id`, rule: 'unique', message: 'The same step twice.' })
    if (before) seen.add(before.id)
    return readStep({ input, before, index, path, issues, missing }, tools)
  })
  if (issues.length > 0) throw invalid(...issues)
  if (missing.length > 0) throw notFound()
  return steps
}

/**
 * What is wrong with the steps of a new campaign as they were sent, whatever that is: all that does not hang on what an
 * id names. A step of another form than a step's is looked at for its templates alone; the schema tells the rest.
 */
export function newSequenceIssues(sent: unknown, templateProblem: TemplateProblemOf): ValidationIssue[] {
  const tools = { newStepId: noId, newVariantId: noId, templateProblem, template: () => anyText }
  return listOf(sent, stepsMax).flatMap((one, index) => {
    const path = `steps[${index}]`
    const step = stepInput.safeParse(one)
    if (!step.success) return stepTemplateIssues(one, path, templateProblem)
    const issues: ValidationIssue[] = []
    readStep({ input: step.data, before: undefined, index, path, issues, missing: [] }, tools)
    return issues
  })
}

/** The texts in steps as they were sent, whatever that is. */
export function sentTexts(sent: unknown): TemplateText[] {
  return listOf(sent, stepsMax).flatMap((step) =>
    listOf(fieldsOf(step)['variants'], variantsMax).flatMap((variant) =>
      templateParts.flatMap((part) => {
        const text = fieldsOf(variant)[part]
        return typeof text === 'string' ? [{ part, text }] : []
      }),
    ),
  )
}

/** The templates that can't be sent, in steps as they came, whatever that is. */
export function templateIssues(sent: unknown, templateProblem: TemplateProblemOf): ValidationIssue[] {
  return listOf(sent, stepsMax).flatMap((one, index) => stepTemplateIssues(one, `steps[${index}]`, templateProblem))
}

const noId = () => ''
// Stands for the text of a template that is looked up later.
const anyText = { subject: 'Subject', body: 'Body' }

function stepTemplateIssues(step: unknown, path: string, templateProblem: TemplateProblemOf): ValidationIssue[] {
  return listOf(fieldsOf(step)['variants'], variantsMax).flatMap((variant, index) =>
    templateParts.flatMap((field) => {
      const text = fieldsOf(variant)[field]
      const problem = typeof text === 'string' ? templateProblem(field, text) : null
      return problem === null
        ? []
        : [{ path: `${path}.variants[${index}].${field}`, rule: 'template', message: problem }]
    }),
  )
}

function listOf(value: unknown, max: number): unknown[] {
  return Array.isArray(value) ? value.slice(0, max) : []
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

interface StepReading {
  input: StepInput
  before: Step | undefined
  index: number
  path: string
  issues: ValidationIssue[]
  /** Ids that name nothing. */
  missing: string[]
}

function readStep({ input, before, index, path, issues, missing }: StepReading, tools: SequenceTools): Step {
  const first = index === 0
  const waitBefore =
    input.waitBefore ?? (first ? { value: 0, unit: 'days' as const } : (before?.waitBefore ?? defaultWait))
  const sameThread = input.sameThread ?? (first ? false : (before?.sameThread ?? true))
  if (first && waitBefore.value !== 0)
    issues.push({
      path: `${path}.waitBefore.value`,
      rule: 'first_step',
      message: 'Step 1 goes out without a wait: use 0.',
    })
  if (first && sameThread)
    issues.push({ path: `${path}.sameThread`, rule: 'first_step', message: 'Step 1 starts the thread: use false.' })
  const variants = readVariants({ input, before, index, path, issues, missing }, sameThread && !first, tools)
  return {
    id: before?.id ?? tools.newStepId(),
    position: index + 1,
    type: 'email',
    waitBefore,
    sameThread,
    variantSelection: input.variantSelection ?? before?.variantSelection ?? 'weighted',
    variants,
  }
}

function readVariants(reading: StepReading, inThread: boolean, tools: SequenceTools): Variant[] {
  const { input, before, path, issues, missing } = reading
  const known = new Map((before?.variants ?? []).map((variant) => [variant.id, variant]))
  const seen = new Set<string>()
  const variants = input.variants.map((sent, index) => {
    const place = `${path}.variants[${index}]`
    const current = sent.id === undefined ? undefined : known.get(sent.id)
    if (sent.id !== undefined && !current) missing.push(sent.id)
    if (current && seen.has(current.id))
      issues.push({ path: `${place}.id`, rule: 'unique', message: 'The same variant twice.' })
    if (current) seen.add(current.id)
    const found = sent.templateId === undefined ? undefined : tools.template(sent.templateId)
    if (sent.templateId !== undefined && !found) missing.push(sent.templateId)
    const isUnknown = (sent.templateId !== undefined && !found) || (sent.id !== undefined && !current)
    // What an unknown id stands for can't be called incomplete.
    const template = isUnknown ? anyText : found
    // An answer in the thread has the thread's subject, whatever its template is called.
    const given = template && { ...template, subject: inThread ? '' : template.subject, ...definedOf(sent) }
    const variant = fillVariant(given ?? sent, current, index, tools)
    issues.push(...variantIssues(variant, place, inThread, tools))
    return variant
  })
  if (!variants.some((variant) => variant.enabled && variant.weight > 0))
    issues.push({
      path: `${path}.variants`,
      rule: 'enabled',
      message: 'At least one enabled variant with a weight above 0.',
    })
  return variants
}

function definedOf(sent: VariantInput): VariantInput {
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
    add('subject', 'same_thread', 'A step in the same thread answers as "Re: …": leave the subject empty.')
  if (variant.ai === null) {
    if (!inThread && variant.subject.trim() === '')
      add('subject', 'required', 'A message that starts a thread needs a subject.')
    if (variant.body.trim() === '') add('body', 'required', 'A message needs a body.')
  }
  // A stored template may be older than the rule.
  if (!isOneLine(variant.subject)) add('subject', 'one_line', 'A subject is one line.')
  for (const field of templateParts) {
    const problem = tools.templateProblem(field, variant[field])
    if (problem !== null) add(field, 'template', problem)
  }
  return issues
}

/**
 * Where a lead stands after the sequence changed: the new position of the last step it got. A step that was taken
 * out counts for the steps before it that stayed, so nobody gets a step twice and nobody skips one.
 */
export function positionAfterChange(current: number, before: readonly Step[], after: readonly Step[]): number {
  const lastStep = before[current - 1]
  if (!lastStep) return Math.min(current, after.length)
  const moved = after.findIndex((step) => step.id === lastStep.id)
  if (moved >= 0) return moved + 1
  const surviving = new Set(after.map((step) => step.id))
  return before.slice(0, current).filter((step) => surviving.has(step.id)).length
}

/**
 * How long a lead that was written to waits for its next step. One that has become the first has no wait of its own
 * any more: it keeps the one it had, or that of the step which the lead waited for, and never follows at once.
 */
export function waitAfterChange(
  next: Step,
  { before, waitedFor }: { before: readonly Step[]; waitedFor: Step | undefined },
): Step['waitBefore'] {
  if (next.position > 1) return next.waitBefore
  const own = before.find((step) => step.id === next.id && step.position > 1)
  return (own ?? waitedFor)?.waitBefore ?? defaultWait
}
