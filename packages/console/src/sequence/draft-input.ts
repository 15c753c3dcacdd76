import type { BranchInput, Condition, StepInput } from '@overture/sdk'
import { mapLeaves } from './branches/conditions.ts'
import { outlineSteps, type Way } from './branches/flow.ts'
import type { BranchDraft, StepDraft } from './draft.ts'

/**
 * `takesOver` means that leads come from other campaigns. The first message may then have a wait, and may be a reply if there is already a
 * thread with the lead.
 */
export function toStepInputs(draft: readonly StepDraft[], takesOver = false): StepInput[] {
  const outline = outlineSteps(draft)
  const names = new Map(draft.map(({ key, id }) => [key, id ?? newStepKey(key)]))
  // A reference to a missing step is sent as it is, so that the API can report it at its field.
  const named = (way: string): string => names.get(way) ?? way
  const led = (way: Way): Way => (way === null ? null : named(way))
  const referred = new Set(draft.flatMap(referredKeys))
  return draft.map((step, index) => ({
    ...(step.id !== null ? { id: step.id } : referred.has(step.key) && { key: newStepKey(step.key) }),
    type: step.type,
    waitBefore: index === 0 && !takesOver ? { ...step.wait, value: 0 } : step.wait,
    then: led(step.then),
    ...stepContent(step, {
      branches: () => step.branches.map((one) => branchInput(one, led, named)),
      message: () => messageInput(step, { first: outline.get(step.key)?.first === true, takesOver }),
    }),
  }))
}

function stepContent(
  { type, task, byHand }: StepDraft,
  made: { branches: () => BranchInput[]; message: () => StepInput },
): StepInput {
  if (type === 'branch') return { branches: made.branches() }
  return type === 'task' ? { ...task } : { ...made.message(), byHand }
}

/** The name of a step that has no id yet, so that other steps can refer to it. */
function newStepKey(key: string): string {
  return `step-${key.slice(0, 8)}`
}

/** The keys of the steps that a step refers to. */
function referredKeys({ then, branches }: StepDraft): string[] {
  const referred: string[] = []
  for (const { when } of branches)
    mapLeaves(when, (leaf) => {
      if (leaf.stepId !== undefined) referred.push(leaf.stepId)
      if (leaf.task !== undefined) referred.push(leaf.task)
      return leaf
    })
  return [...referred, ...[then, ...branches.map(({ goTo }) => goTo)].flatMap((way) => way ?? [])]
}

function branchInput(
  { id, label, when, goTo, immediately }: BranchDraft,
  led: (way: Way) => Way,
  named: (key: string) => string,
): BranchInput {
  return {
    ...(id !== null && { id }),
    ...(label !== '' && { label }),
    when: mapLeaves(when, (leaf) => ({
      ...leaf,
      ...(leaf.stepId !== undefined && { stepId: named(leaf.stepId) }),
      ...(leaf.task !== undefined && { task: named(leaf.task) }),
    })) as Condition,
    goTo: led(goTo),
    immediately,
  }
}

function messageInput(
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
