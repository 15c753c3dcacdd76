import type { Branch, Step, TaskStepChannel, Variant, Wait, WaitUnit } from '@overture/sdk'
import type { AnyCondition } from './branches/conditions.ts'
import { withoutStep, type Way } from './branches/flow.ts'

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
  /** Null unless the step is a task. */
  task: TaskDraft | null
  /** A person reads and approves each text of the email. */
  byHand: boolean
}

/** The task that a person does in a step. */
export interface TaskDraft {
  channel: TaskStepChannel
  title: string
  instructions: string
  assigneeId: string | null
  dueIn: Wait
  blocks: boolean
  expiresIn: Wait | null
}

export function toDraft(steps: readonly Step[]): StepDraft[] {
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
    task: taskDraft(step),
    byHand: step.byHand,
  }))
}

function taskDraft({
  type,
  channel,
  title,
  instructions,
  assigneeId,
  dueIn,
  blocks,
  expiresIn,
}: Step): TaskDraft | null {
  if (type !== 'task') return null
  return {
    channel: channel ?? 'other',
    title: title ?? '',
    instructions: instructions ?? '',
    assigneeId,
    dueIn: dueIn ?? { value: 1, unit: 'days' },
    blocks: blocks ?? true,
    expiresIn,
  }
}

function branchDraft({ id, label, when, goTo, immediately }: Branch): BranchDraft {
  return { key: id, id, label, when, goTo, immediately }
}

/** The parts that can be saved. An added variant without a text is left out, and so is a step that has no other variants. */
export function withoutBlank(draft: readonly StepDraft[]): StepDraft[] {
  const written = draft.map((step) => ({ ...step, variants: step.variants.filter((variant) => !isBlank(variant)) }))
  const blank = written.filter(
    ({ id, type, variants, task }) =>
      (type === 'email' && variants.length === 0) || (id === null && task?.title.trim() === ''),
  )
  return blank.reduce((rest, { key }) => withoutStep(rest, key), written)
}

function isBlank({ id, body, ai }: VariantDraft): boolean {
  return id === null && ai === null && body.trim() === ''
}

/** Whether there is input that can't be saved yet: a subject without a text. */
export function isHalfWritten(draft: readonly StepDraft[]): boolean {
  return draft.some(
    ({ id, variants, task }) =>
      variants.some((one) => isBlank(one) && one.subject.trim() !== '') ||
      (id === null && task?.title.trim() === '' && task.instructions.trim() !== ''),
  )
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
    task: null,
    byHand: false,
  }
}

/** A new task step: a call within a day, for which the lead waits. */
export function newTaskStep(key: string, first: boolean): StepDraft {
  const dueIn: Wait = { value: 1, unit: 'days' }
  const task = {
    channel: 'call',
    title: '',
    instructions: '',
    assigneeId: null,
    dueIn,
    blocks: true,
    expiresIn: null,
  } as const
  return { ...newStep(key, first), type: 'task', sameThread: false, variants: [], task: { ...task } }
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

/** The share of new leads that a variant gets by its weight. Null if replies choose the variants, because then it changes. */
export function variantShare(
  variant: VariantDraft,
  { variants, variantSelection }: Pick<StepDraft, 'variants' | 'variantSelection'>,
): number | null {
  if (!variant.enabled) return 0
  if (variantSelection === 'auto') return null
  const all = variants.filter(({ enabled }) => enabled).reduce((sum, { weight }) => sum + weight, 0)
  return all === 0 ? 0 : variant.weight / all
}

export function replaceAt<Item>(items: readonly Item[], index: number, item: Item): Item[] {
  return items.map((one, at) => (at === index ? item : one))
}

/** All texts of a draft as one, to compare two drafts side by side. */
export function plainText(draft: readonly StepDraft[]): string {
  return draft
    .map(({ variants, branches, task }, index) =>
      [
        ...(task === null ? [] : [`${index + 1} ${task.channel}  ${task.title}\n${task.instructions}`]),
        ...variants.map(({ label, subject, body }) => `${index + 1} ${label}  ${subject}\n${body}`),
        ...branches.map(({ label, when }) => `${index + 1} ${label}  ${JSON.stringify(when)}`),
      ].join('\n\n'),
    )
    .join('\n\n')
}
