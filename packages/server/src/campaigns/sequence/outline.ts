import type { Branch, BranchInput, Step, StepInput } from '@overture/contract/campaigns/campaigns.ts'
import type { ValidationIssue } from '@overture/contract/errors.ts'
import { pathEnd } from '@overture/contract/vocabularies.ts'
import { firstMessages, isCampaign, type PathStep } from '@overture/ground/paths/path.ts'

/** A sequence's steps and the links between them, read before the texts. */
export interface OutlineStep extends PathStep {
  key: string | null
  /** Whether this is an email and the first one on some path. */
  beginsThread: boolean
}

interface StepToOutline {
  /** Null if the input does not have the shape of a step. */
  input: StepInput | null
  before: Step | undefined
  /** The step's existing id, or its new one. */
  id: string
}

/** Resolves step names to ids. Reports names that are unknown or don't refer to a later step. */
export function outline(sent: readonly StepToOutline[]): { steps: OutlineStep[]; issues: ValidationIssue[] } {
  const issues: ValidationIssue[] = []
  const named = sent.map(({ input, before, id }) => ({ id, key: stepKey(input, before) }))
  checkKeys(named, issues)
  const steps = sent.map((input, index) => {
    const places = { index, named, issues, leavesToo: false }
    const path = `steps[${index}]`
    return {
      id: input.id,
      position: index + 1,
      type: stepType(input),
      key: named[index]?.key ?? null,
      then: targetId(stepThen(input), `${path}.then`, places),
      branches: stepBranches(input).map(({ id = '', label = '', goTo = null }, at) => ({
        id,
        label,
        goTo: targetId(goTo, `${path}.branches[${at}].goTo`, { ...places, leavesToo: true }),
      })),
    }
  })
  const first = new Set(firstMessages(steps).map((step) => step.id))
  return { steps: steps.map((step) => ({ ...step, beginsThread: first.has(step.id) })), issues }
}

/** The id of the step with this id or key, anywhere in the sequence. Undefined if there is none. */
export function findStepId(name: string, steps: readonly { id: string; key: string | null }[]): string | undefined {
  return (steps.find((step) => step.id === name) ?? steps.find((step) => step.key === name))?.id
}

function stepType({ input, before }: Pick<StepToOutline, 'input' | 'before'>): Step['type'] {
  return before?.type ?? input?.type ?? 'email'
}

function stepKey(input: StepInput | null, before: Step | undefined): string | null {
  return input?.key === undefined ? (before?.key ?? null) : input.key
}

function stepThen({ input, before }: StepToOutline): string | null {
  return input?.then === undefined ? (before?.then ?? null) : input.then
}

function stepBranches({ input, before }: StepToOutline): readonly (Branch | BranchInput)[] {
  return input?.branches ?? before?.branches ?? []
}

function checkKeys(named: readonly { key: string | null }[], issues: ValidationIssue[]): void {
  const seen = new Set<string>()
  named.forEach(({ key }, index) => {
    if (key === null) return
    const path = `steps[${index}].key`
    if (key === pathEnd)
      issues.push({ path, rule: 'reserved', message: `"${pathEnd}" is reserved for the end of a path.` })
    if (seen.has(key)) issues.push({ path, rule: 'unique', message: 'This step key is used twice.' })
    seen.add(key)
  })
}

interface Places {
  index: number
  named: readonly { id: string; key: string | null }[]
  issues: ValidationIssue[]
  /** Whether another campaign is accepted as the target. */
  leavesToo: boolean
}

function targetId(name: string | null, path: string, places: Places): string | null {
  const { index, named, issues, leavesToo } = places
  if (name === null || name === pathEnd) return name
  const id = findStepId(name, named)
  if (id === undefined && leavesToo && isCampaign(name)) return name
  const at = named.findIndex((step) => step.id === id)
  if (at === -1) issues.push({ path, rule: 'unknown_step', message: 'No step has this id or key.' })
  else if (at <= index)
    issues.push({
      path,
      rule: 'forward_only',
      message: 'A path leads only to a later step. Choose a step after this one.',
    })
  return at > index ? (id ?? null) : null
}
