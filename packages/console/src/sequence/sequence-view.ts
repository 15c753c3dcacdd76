import { ApiError, type Blocker } from '@overture/sdk'
import { firstWords } from '../editor/index.ts'
import type { Choice } from '../platform/form/index.ts'
import { numberText } from '../platform/time/format.ts'
import { text as branchText } from './branches/branches.messages.ts'
import type { StepDraft } from './draft.ts'
import { outlineSteps, pathEnd, type Arm, type OutlinedStep } from './branches/flow.ts'
import type { Askable } from './branches/question-form.tsx'
import type { SaveState } from './autosave.actions.ts'
import { text } from './sequence.messages.ts'
import { leadFields } from './variables.ts'

/** The facts about the whole sequence that each step shows. */
export interface SequenceView {
  steps: readonly StepDraft[]
  /** Why steps can't be added, moved and removed now. */
  fixed: string | null
  branching: boolean
  /** Whether leads come from other campaigns. */
  takesOver: boolean
  /** The campaigns that a path may lead to. */
  campaigns: readonly Choice[]
  outlineAt: (key: string) => OutlinedStep
  /** The API's message about a part of a step: `branches[0].goTo`. */
  issueAt: (key: string, part: string) => string | undefined
  /** All messages of the API about a step. */
  refusals: (key: string) => { path: string; message: string }[]
  /** The conditions of a step that can never be true, in the API's words. */
  never: (step: StepDraft) => string[]
  /** The places to which a step may lead. */
  targets: (key: string, chosen: string | null) => Choice[]
  askable: Askable
}

export interface ViewFacts {
  draft: readonly StepDraft[]
  state: SaveState
  fixed: string | null
  blockers: readonly Blocker[]
  takesOver: boolean
  campaigns: readonly Choice[]
  /** Custom variables that leads of the campaign have. */
  custom: readonly string[]
}

export function buildSequenceView({
  draft,
  state,
  fixed,
  blockers,
  custom,
  takesOver,
  campaigns,
}: ViewFacts): SequenceView {
  const outline = outlineSteps(draft)
  const refusals = listRefusals(state)
  const titled = draft.map((step, index) => ({ value: step.key, label: stepTitle(step, index), type: step.type }))
  return {
    steps: draft,
    fixed,
    takesOver,
    campaigns,
    branching: draft.some(({ type, then }) => type === 'branch' || then !== null),
    outlineAt: (key) => outline.get(key) ?? { arms: [], reached: true, first: false },
    issueAt: (key, part) => refusals(key).find(({ path }) => path === part)?.message,
    refusals,
    never: ({ id }) =>
      blockers.flatMap(({ code, ref, message }) => (code === 'condition_unreachable' && ref === id ? message : [])),
    targets: (key, chosen) => {
      const later = titled.slice(titled.findIndex(({ value }) => value === key) + 1)
      const known = [
        { value: '', label: branchText.next },
        ...later.map(({ value, label }) => ({ value, label })),
        { value: pathEnd, label: branchText.end },
      ]
      if (chosen === null || known.some(({ value }) => value === chosen)) return known
      // The target was deleted, or now comes before this step. The API reports the error.
      const label = titled.find(({ value }) => value === chosen)?.label ?? branchText.gone
      return [...known, { value: chosen, label }]
    },
    askable: {
      messages: titled.filter(({ type }) => type === 'email').map(({ value, label }) => ({ value, label })),
      tasks: titled.filter(({ type }) => type === 'task').map(({ value, label }) => ({ value, label })),
      fields: [...leadFields, ...custom],
    },
  }
}

const gistLength = 40

function stepTitle({ variants, branches, task }: StepDraft, index: number): string {
  const [first] = variants
  const gist =
    first === undefined
      ? (task?.title ?? branches.map(({ label }) => label).join(' · '))
      : first.subject || firstWords(first.body, gistLength)
  return [text.step(numberText(index + 1)), gist.slice(0, gistLength)].filter((part) => part !== '').join(' · ')
}

/** Names the path whose leads alone reach a step. */
export function armText({ steps }: SequenceView, { step: key, exit }: Arm): string {
  const index = steps.findIndex((step) => step.key === key)
  const label = steps[index]?.branches[exit]?.label ?? branchText.otherwiseWay
  return branchText.onlyFor(label, numberText(index + 1))
}

/** The refusal counts the steps that were sent. This maps them to their keys. */
function listRefusals(state: SaveState): SequenceView['refusals'] {
  if (state.kind !== 'failed' || !ApiError.is(state.error, 'VALIDATION_ERROR')) return () => []
  const { issues } = state.error.details
  const { sent } = state
  return (key) => {
    const prefix = `steps[${sent.indexOf(key)}].`
    return issues.flatMap(({ path, message }) =>
      path.startsWith(prefix) ? { path: path.slice(prefix.length), message } : [],
    )
  }
}
