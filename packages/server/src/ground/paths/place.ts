import { pathEnd } from '@overture/contract/vocabularies.ts'
import { isCampaign, stepAfter, targetOf, type PathStep } from './path.ts'

/** A step that a lead has behind it; `goesTo` of a decision: the step it led to, or `end`; null: none stood behind. */
export interface StepDone {
  stepId: string
  branchId: string | null
  goesTo: string | null
}

/** Where a lead stands: behind its last step, before its next; null: the sequence's begin, and its end. */
export interface Place<Step> {
  last: Step | null
  next: Step | null
  /** A decision that led to a step which is gone: as if no branch had held. */
  voided: boolean
  /** It waited at a branch that is gone, and nothing is decided for it there any more. */
  cutOff: boolean
}

interface Change<Step> {
  before: readonly Step[]
  after: readonly Step[]
}

/**
 * Where a lead stands once its sequence has changed: behind the last thing it did that is still there. A decision stands
 * while the step it led to does: one that led to the end, or to another campaign, for good. Who waited at a branch that is gone
 * goes where that one led who held none of its branches.
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

/** Whether a decision with this target is the last one of its path. */
export function endsPath(goesTo: string | null | undefined): boolean {
  return goesTo === pathEnd || isCampaign(goesTo ?? null)
}

/** Whether a lead waits where its path alone does not lead: at a branch that is gone now, or since an earlier change. */
function isLedAside<Step extends PathStep>(
  { done }: { done: readonly StepDone[] },
  { waitsAt, steps, after }: { waitsAt: Step; steps: readonly Step[]; after: readonly Step[] },
): boolean {
  if (waitsAt.type === 'branch' && !after.some((step) => step.id === waitsAt.id)) return true
  const kept = done.findLast((one) => steps.some((step) => step.id === one.stepId))
  const last = steps.find((step) => step.id === kept?.stepId) ?? null
  return leadsOn(kept, last, steps).next?.id !== waitsAt.id
}

/** Where a lead goes on behind what it did last; a decision leads back to no step that was moved before its branch. */
export function leadsOn<Step extends PathStep>(
  done: Pick<StepDone, 'goesTo' | 'branchId'> | undefined,
  last: Step | null,
  steps: readonly Step[],
): { next: Step | null; voided: boolean } {
  if (done === undefined || last === null) return { next: steps[0] ?? null, voided: false }
  if (done.goesTo === pathEnd || isCampaign(done.goesTo)) return { next: null, voided: false }
  if (done.goesTo === null) {
    const branch = last.branches.find(({ id }) => id === done.branchId)
    return { next: targetOf(steps, last, branch === undefined ? last.then : branch.goTo), voided: false }
  }
  const target = steps.find((step) => step.id === done.goesTo)
  if (target !== undefined && target.position > last.position) return { next: target, voided: false }
  return { next: stepAfter(steps, last), voided: true }
}

/** Follows a step that is gone to where it led; undefined: nowhere that is known any more. */
function survivor<Step extends PathStep>(gone: Step, { before, after }: Change<Step>): Step | null | undefined {
  for (let step: Step | null = gone; step !== null; step = stepAfter(before, step)) {
    const { id } = step
    const there = after.find((one) => one.id === id)
    if (there) return there
    if (step.then === pathEnd) return null
  }
  return undefined
}
