import type { Step, StepInput, Variant, VariantInput } from '@overture/contract/campaigns.ts'
import { invalid, notFound, type ValidationIssue } from '@overture/contract/errors.ts'

const defaultWait = { value: 3, unit: 'days' } as const

export interface SequenceTools {
  newStepId: () => string
  newVariantId: () => string
  /** What is wrong with a template, or null. */
  templateProblem: (text: string) => string | null
  /** A stored template, or undefined where there is none. */
  template: (id: string) => { subject: string; body: string } | undefined
}

/**
 * Turns the steps as sent into the sequence: fills defaults, keeps known ids, gives new ones, and refuses every
 * problem at once. An id that names no step or variant of this campaign is 404.
 */
export function readSequence(sent: readonly StepInput[], current: readonly Step[], tools: SequenceTools): Step[] {
  const issues: ValidationIssue[] = []
  const known = new Map(current.map((step) => [step.id, step]))
  const seen = new Set<string>()
  const steps = sent.map((input, index) => {
    const before = input.id === undefined ? undefined : known.get(input.id)
    if (input.id !== undefined && !before) throw notFound()
    const path = `steps[${index}]`
    if (before && seen.has(before.id))
      issues.push({ path: `${path}.id`, rule: 'unique', message: 'The same step twice.' })
    if (before) seen.add(before.id)
    return readStep({ input, before, index, path, issues }, tools)
  })
  if (issues.length > 0) throw invalid(...issues)
  return steps
}

interface StepReading {
  input: StepInput
  before: Step | undefined
  index: number
  path: string
  issues: ValidationIssue[]
}

function readStep({ input, before, index, path, issues }: StepReading, tools: SequenceTools): Step {
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
  const variants = readVariants({ input, before, index, path, issues }, sameThread && !first, tools)
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
  const { input, before, path, issues } = reading
  const known = new Map((before?.variants ?? []).map((variant) => [variant.id, variant]))
  const seen = new Set<string>()
  const variants = input.variants.map((sent, index) => {
    const place = `${path}.variants[${index}]`
    const current = sent.id === undefined ? undefined : known.get(sent.id)
    if (sent.id !== undefined && !current) throw notFound()
    if (current && seen.has(current.id))
      issues.push({ path: `${place}.id`, rule: 'unique', message: 'The same variant twice.' })
    if (current) seen.add(current.id)
    const template = sent.templateId === undefined ? undefined : tools.template(sent.templateId)
    if (sent.templateId !== undefined && !template) throw notFound()
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
  for (const field of ['subject', 'body'] as const) {
    const problem = tools.templateProblem(variant[field])
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
