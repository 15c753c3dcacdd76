import { pathEnd } from '@overture/contract/vocabularies.ts'
import { isCampaign, stepAfter, findTarget, type PathStep } from './path.ts'

/** A step that a lead has completed. For a decision, `goesTo` is the step it led to, or `end`; null if no step followed. */
export interface StepDone {
  stepId: string
  branchId: string | null
  goesTo: string | null
}

/** A lead's place between its last and its next step. `last` is null at the beginning of the sequence, and `next` is null at its end. */
export interface Place<Step> {
  last: Step | null
  next: Step | null
  /** The lead's decision led to a step that was deleted, so it counts as if no branch had held. */
  voided: boolean
  /** The lead waited at a branch that was deleted, so nothing is decided for it there. */
  cutOff: boolean
}

interface Change<Step> {
  before: readonly Step[]
  after: readonly Step[]
}

/**
 * The lead's place after a change of its sequence: behind its last completed step that still exists. A decision stays valid as
 * long as the step it led to exists. A decision for the end or for another campaign stays valid permanently. A lead that waited
 * at a deleted branch continues where the branch led if none of its conditions held.
 */
export function placeAfterChange<Step extends PathStep>(
  lead: { done: readonly StepDone[]; waitsAt: Step | null },
  { before, after }: Change<Step>,
): Place<Step> {
  const kept = lead.done.findLast((one) => after.some((step) => step.id === one.stepId))
  const last = after.find((step) => step.id === kept?.stepId) ?? null
  const { waitsAt } = lead
  const cutOff = waitsAt?.type === 'branch' && !after.some((step) => step.id === waitsAt.id)
  const place = { last, ...leadsOn(kept, last, after), cutOff }
  if (waitsAt === null && endsPath(lead.done.at(-1)?.goesTo)) return { ...place, next: null, voided: false }
  if (last === null || waitsAt === null || !isLedAside(lead, { waitsAt, steps: before, after })) return place
  const onward = survivor(waitsAt, { before, after })
  const isAhead = onward === null || (onward !== undefined && onward.position > last.position)
  return isAhead ? { ...place, next: onward } : place
}

/** Whether a decision with this target ends its path. */
export function endsPath(goesTo: string | null | undefined): boolean {
  return goesTo === pathEnd || isCampaign(goesTo ?? null)
}

/**
 * Whether the lead waits at a step that its completed steps alone don't lead to. That is a branch that was just deleted, or the
 * result of an earlier change.
 */
function isLedAside<Step extends PathStep>(
  { done }: { done: readonly StepDone[] },
  { waitsAt, steps, after }: { waitsAt: Step; steps: readonly Step[]; after: readonly Step[] },
): boolean {
  if (waitsAt.type === 'branch' && !after.some((step) => step.id === waitsAt.id)) return true
  const kept = done.findLast((one) => steps.some((step) => step.id === one.stepId))
  const last = steps.find((step) => step.id === kept?.stepId) ?? null
  return leadsOn(kept, last, steps).next?.id !== waitsAt.id
}

/**
 * The step after a lead's last completed one. A decision for a step that was moved before the branch is void, so that no lead
 * goes backwards.
 */
export function leadsOn<Step extends PathStep>(
  done: Pick<StepDone, 'goesTo' | 'branchId'> | undefined,
  last: Step | null,
  steps: readonly Step[],
): { next: Step | null; voided: boolean } {
  if (done === undefined || last === null) return { next: steps[0] ?? null, voided: false }
  if (done.goesTo === pathEnd || isCampaign(done.goesTo)) return { next: null, voided: false }
  if (done.goesTo === null) {
    const branch = last.branches.find(({ id }) => id === done.branchId)
    return { next: findTarget(steps, last, branch === undefined ? last.then : branch.goTo), voided: false }
  }
  const target = steps.find((step) => step.id === done.goesTo)
  if (target !== undefined && target.position > last.position) return { next: target, voided: false }
  return { next: stepAfter(steps, last), voided: true }
}

/** Follows a deleted step to the first surviving one. Null means the end of the path; undefined means that no following step survived. */
function survivor<Step extends PathStep>(gone: Step, { before, after }: Change<Step>): Step | null | undefined {
  for (let step: Step | null = gone; step !== null; step = stepAfter(before, step)) {
    const { id } = step
    const there = after.find((one) => one.id === id)
    if (there) return there
    if (step.then === pathEnd) return null
  }
  return undefined
}
