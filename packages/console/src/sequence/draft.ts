import type { Branch, BranchInput, Condition, Step, StepInput, Variant, WaitUnit } from '@overture/sdk'
import { mapLeaves, type AnyCondition } from './branches/conditions.ts'
import { outlineOf, withoutStep, type Way } from './branches/flow.ts'

/** A variant that is being edited; `id` is set once it was saved. */
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

/** A path of a branch. `goTo` and the condition name steps by their keys in the draft. */
export interface BranchDraft {
  key: string
  id: string | null
  label: string
  when: AnyCondition
  goTo: Way
  immediately: boolean
}

export interface StepDraft {
  key: string
  id: string | null
  type: Step['type']
  wait: { value: number; unit: WaitUnit }
  then: Way
  sameThread: boolean
  variantSelection: Step['variantSelection']
  variants: VariantDraft[]
  branches: BranchDraft[]
}

export function draftOf(steps: readonly Step[]): StepDraft[] {
  return steps.map((step) => ({
    key: step.id,
    id: step.id,
    type: step.type,
    wait: { ...step.waitBefore },
    then: step.then,
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
    branches: step.branches.map(branchDraft),
  }))
}

function branchDraft({ id, label, when, goTo, immediately }: Branch): BranchDraft {
  return { key: id, id, label, when, goTo, immediately }
}

/**
 * `takesOver` means that leads come from other campaigns. The first message may then have a wait, and may be a reply if there is already a
 * thread with the lead.
 */
export function inputOf(draft: readonly StepDraft[], takesOver = false): StepInput[] {
  const outline = outlineOf(draft)
  const names = new Map(draft.map(({ key, id }) => [key, id ?? nameOf(key)]))
  // A reference to a missing step is sent as it is, so that the API can report it at its field.
  const named = (way: string): string => names.get(way) ?? way
  const led = (way: Way): Way => (way === null ? null : named(way))
  const asked = new Set(draft.flatMap(waysOf))
  return draft.map((step, index) => ({
    ...(step.id !== null ? { id: step.id } : asked.has(step.key) && { key: nameOf(step.key) }),
    type: step.type,
    waitBefore: index === 0 && !takesOver ? { ...step.wait, value: 0 } : step.wait,
    then: led(step.then),
    ...(step.type === 'branch'
      ? { branches: step.branches.map((one) => branchInput(one, led, named)) }
      : messageOf(step, { first: outline.get(step.key)?.first === true, takesOver })),
  }))
}

/** The name of a step that has no id yet, so that other steps can refer to it. */
function nameOf(key: string): string {
  return `step-${key.slice(0, 8)}`
}

/** The keys of the steps that a step refers to. */
function waysOf({ then, branches }: StepDraft): string[] {
  const asked: string[] = []
  for (const { when } of branches)
    mapLeaves(when, (leaf) => {
      if (leaf.stepId !== undefined) asked.push(leaf.stepId)
      return leaf
    })
  return [...asked, ...[then, ...branches.map(({ goTo }) => goTo)].flatMap((way) => way ?? [])]
}

function branchInput(
  { id, label, when, goTo, immediately }: BranchDraft,
  led: (way: Way) => Way,
  named: (key: string) => string,
): BranchInput {
  return {
    ...(id !== null && { id }),
    ...(label !== '' && { label }),
    when: mapLeaves(when, (leaf) =>
      leaf.stepId === undefined ? leaf : { ...leaf, stepId: named(leaf.stepId) },
    ) as Condition,
    goTo: led(goTo),
    immediately,
  }
}

function messageOf(
  { sameThread, variantSelection, variants }: StepDraft,
  { first, takesOver }: { first: boolean; takesOver: boolean },
): StepInput {
  return {
    sameThread: (takesOver || !first) && sameThread,
    variantSelection,
    variants: variants.map(({ id, label, subject, body, weight, enabled, ai }) => ({
      ...(id !== null && { id }),
      label,
      // A reply has the subject of the message before it.
      subject: !first && sameThread ? '' : subject,
      body,
      weight,
      enabled,
      ai,
    })),
  }
}

/** The parts that can be saved. An added variant without a text is left out, and so is a step that has no other variants. */
export function writtenOf(draft: readonly StepDraft[]): StepDraft[] {
  const written = draft.map((step) => ({ ...step, variants: step.variants.filter((variant) => !isBlank(variant)) }))
  const blank = written.filter(({ type, variants }) => type === 'email' && variants.length === 0)
  return blank.reduce((rest, { key }) => withoutStep(rest, key), written)
}

function isBlank({ id, body, ai }: VariantDraft): boolean {
  return id === null && ai === null && body.trim() === ''
}

/** Whether there is input that can't be saved yet: a subject without a text. */
export function isHalfWritten(draft: readonly StepDraft[]): boolean {
  return draft.some(({ variants }) => variants.some((one) => isBlank(one) && one.subject.trim() !== ''))
}

/** The ids that an answer gave to the sent parts, by their keys in the draft. */
export function idsGiven(sent: readonly StepDraft[], answered: readonly Step[]): [string, string][] {
  const pairs = (keys: readonly { key: string }[], given: readonly { id: string }[] = []): [string, string][] =>
    keys.flatMap(({ key }, index) => (given[index] === undefined ? [] : [[key, given[index].id]]))
  return [
    ...pairs(sent, answered),
    ...sent.flatMap(({ variants }, at) => pairs(variants, answered[at]?.variants)),
    ...sent.flatMap(({ branches }, at) => pairs(branches, answered[at]?.branches)),
  ]
}

/** All ids that the campaign has. */
export function idsIn(steps: readonly Step[]): Set<string> {
  return new Set(
    steps.flatMap(({ id, variants, branches }) => [id, ...[...variants, ...branches].map((one) => one.id)]),
  )
}

/** Sets the ids that the server gave. Parts that the campaign no longer has become new ones. */
export function withIds(
  draft: readonly StepDraft[],
  given: ReadonlyMap<string, string>,
  known: ReadonlySet<string>,
): StepDraft[] {
  const now = <Item extends { key: string; id: string | null }>(item: Item): Item => {
    const id = given.get(item.key) ?? item.id
    return { ...item, id: id !== null && known.has(id) ? id : null }
  }
  return draft.map((step) => ({
    ...now(step),
    variants: step.variants.map(now),
    branches: step.branches.map(now),
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

/** Another variant of a step. It begins as a copy of the last one, so that one thing can be changed and compared. */
export function copiedVariant(key: string, variants: readonly VariantDraft[]): VariantDraft {
  const { subject, body } = variants.at(-1)!
  return { ...newVariant(key, variants.length), subject, body }
}

export function newStep(key: string, first: boolean): StepDraft {
  return {
    key,
    id: null,
    type: 'email',
    then: null,
    wait: { value: first ? 0 : 3, unit: first ? 'minutes' : 'days' },
    sameThread: !first,
    variantSelection: 'weighted',
    variants: [newVariant(`${key}-A`, 0)],
    branches: [],
  }
}

/** A new branch step with one path. */
export function newBranchStep(key: string, first: boolean, when: AnyCondition): StepDraft {
  return {
    ...newStep(key, first),
    type: 'branch',
    sameThread: false,
    variants: [],
    branches: [newBranch(`${key}-A`, 0, when)],
  }
}

export function newBranch(key: string, index: number, when: AnyCondition): BranchDraft {
  return { key, id: null, label: letters[index] ?? letters[0]!, when, goTo: null, immediately: false }
}

/** The share of new leads that a variant gets. */
export function shareOf(variant: VariantDraft, variants: readonly VariantDraft[]): number {
  const all = variants.filter(({ enabled }) => enabled).reduce((sum, { weight }) => sum + weight, 0)
  return all === 0 || !variant.enabled ? 0 : variant.weight / all
}

export function replaceAt<Item>(items: readonly Item[], index: number, item: Item): Item[] {
  return items.map((one, at) => (at === index ? item : one))
}

/** All texts of a draft as one, to compare two drafts side by side. */
export function plainText(draft: readonly StepDraft[]): string {
  return draft
    .map(({ variants, branches }, index) =>
      [
        ...variants.map(({ label, subject, body }) => `${index + 1} ${label}  ${subject}\n${body}`),
        ...branches.map(({ label, when }) => `${index + 1} ${label}  ${JSON.stringify(when)}`),
      ].join('\n\n'),
    )
    .join('\n\n')
}
