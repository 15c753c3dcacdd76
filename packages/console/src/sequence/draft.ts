import type { Step, StepInput, Variant, WaitUnit } from '@overture/sdk'

/** A variant as it is being written; `id` is there once it was saved. */
export interface VariantDraft {
  key: string
  id: string | null
  label: string
  subject: string
  body: string
  weight: number
  enabled: boolean
  ai: Variant['ai']
}

export interface StepDraft {
  key: string
  id: string | null
  wait: { value: number; unit: WaitUnit }
  sameThread: boolean
  variantSelection: Step['variantSelection']
  variants: VariantDraft[]
  /** Of a step that decides where leads go on; it is written by the API, and kept as it is. */
  branches: Step['branches']
}

export function draftOf(steps: readonly Step[]): StepDraft[] {
  return steps.map((step) => ({
    key: step.id,
    id: step.id,
    wait: { ...step.waitBefore },
    sameThread: step.sameThread,
    variantSelection: step.variantSelection,
    variants: step.variants.map(({ id, label, subject, body, weight, enabled, ai }) => ({
      key: id,
      id,
      label,
      subject,
      body,
      weight,
      enabled,
      ai,
    })),
    branches: step.branches,
  }))
}

export function inputOf(draft: readonly StepDraft[]): StepInput[] {
  return draft.map((step, index) => (step.branches.length > 0 ? decisionOf(step) : messageOf(step, index)))
}

// Its branches are left out, and stay as they are.
function decisionOf({ id, wait }: StepDraft): StepInput {
  return { ...(id !== null && { id }), waitBefore: wait }
}

function messageOf({ id, wait, sameThread, variantSelection, variants }: StepDraft, index: number): StepInput {
  return {
    ...(id !== null && { id }),
    waitBefore: index === 0 ? { value: 0, unit: 'minutes' } : wait,
    sameThread: index > 0 && sameThread,
    variantSelection,
    variants: variants.map(({ id: variantId, label, subject, body, weight, enabled, ai }) => ({
      ...(variantId !== null && { id: variantId }),
      label,
      // The subject of an answer is that of the message before.
      subject: index > 0 && sameThread ? '' : subject,
      body,
      weight,
      enabled,
      ai,
    })),
  }
}

/** What there is to save: a variant that was just added, and a step of nothing else, is nothing before it has a text. */
export function writtenOf(draft: readonly StepDraft[]): StepDraft[] {
  return draft
    .map((step) => ({ ...step, variants: step.variants.filter((variant) => !isBlank(variant)) }))
    .filter(({ variants, branches }) => variants.length > 0 || branches.length > 0)
}

function isBlank({ id, body, ai }: VariantDraft): boolean {
  return id === null && ai === null && body.trim() === ''
}

/** Whether something was written that can't be saved yet: a subject without a text. */
export function isHalfWritten(draft: readonly StepDraft[]): boolean {
  return draft.some(({ variants }) => variants.some((one) => isBlank(one) && one.subject.trim() !== ''))
}

/** The ids that the server gave, taken into what may have been written on meanwhile. */
export function withIds(
  draft: readonly StepDraft[],
  saved: readonly StepDraft[],
  answered: readonly Step[],
): StepDraft[] {
  const stepIds = new Map(saved.map(({ key }, index) => [key, answered[index]]))
  const variantIds = new Map(
    saved.flatMap(({ variants }, at) =>
      variants.map(({ key }, index) => [key, answered[at]?.variants[index]?.id] as const),
    ),
  )
  return draft.map((step) => ({
    ...step,
    id: stepIds.get(step.key)?.id ?? step.id,
    variants: step.variants.map((variant) => ({ ...variant, id: variantIds.get(variant.key) ?? variant.id })),
  }))
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'

export function newVariant(key: string, index: number): VariantDraft {
  return {
    key,
    id: null,
    label: letters[index] ?? letters[0]!,
    subject: '',
    body: '',
    weight: 1,
    enabled: true,
    ai: null,
  }
}

export function newStep(key: string, first: boolean): StepDraft {
  return {
    key,
    id: null,
    wait: { value: first ? 0 : 3, unit: first ? 'minutes' : 'days' },
    sameThread: !first,
    variantSelection: 'weighted',
    variants: [newVariant(`${key}-A`, 0)],
    branches: [],
  }
}

/** The share of new leads that a variant gets. */
export function shareOf(variant: VariantDraft, variants: readonly VariantDraft[]): number {
  const all = variants.filter(({ enabled }) => enabled).reduce((sum, { weight }) => sum + weight, 0)
  return all === 0 || !variant.enabled ? 0 : variant.weight / all
}

export function replaceAt<Item>(items: readonly Item[], index: number, item: Item): Item[] {
  return items.map((one, at) => (at === index ? item : one))
}

export function moved<Item>(items: readonly Item[], from: number, to: number): Item[] {
  const rest = items.filter((_one, at) => at !== from)
  return [...rest.slice(0, to), items[from]!, ...rest.slice(to)]
}

/** Everything that was written, to be put side by side. */
export function plainText(draft: readonly StepDraft[]): string {
  return draft
    .map(({ variants }, index) =>
      variants.map(({ label, subject, body }) => `${index + 1} ${label}  ${subject}\n${body}`).join('\n\n'),
    )
    .join('\n\n')
}
