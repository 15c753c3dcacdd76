import { campaignIdPrefix, pathEnd } from '@overture/contract/vocabularies.ts'

/** The parts of a step that define the lead's next step. */
export interface PathStep {
  id: string
  /** Counts from 1. */
  position: number
  type: 'email' | 'branch' | 'task'
  /** The id of a later step, or `end`. Null means the next step. */
  then: string | null
  branches: readonly { id: string; label: string; goTo: string | null }[]
}

/** Whether the target is another campaign, to which leads are handed over. */
export function isCampaign(target: string | null): target is string {
  return target !== null && target.startsWith(campaignIdPrefix)
}

/** The step that a target names, seen from a step. Null if the path ends. The id of a deleted step counts as no target. */
export function findTarget<Step extends PathStep>(
  steps: readonly Step[],
  from: Pick<Step, 'position'>,
  target: string | null,
): Step | null {
  if (target === pathEnd || isCampaign(target)) return null
  const named = target === null ? undefined : steps.find((step) => step.id === target)
  return named ?? steps.find((step) => step.position === from.position + 1) ?? null
}

/** The step after an email, or after a branch step of which no branch held. Null if the path ends. */
export function stepAfter<Step extends PathStep>(steps: readonly Step[], step: Step): Step | null {
  return findTarget(steps, step, step.then)
}

/** The position of the next step for the lead's row. Null if it directly follows the last step, or if there is none. */
export function jumpTo(next: { position: number } | null, last: { position: number }): number | null {
  return next === null || next.position === last.position + 1 ? null : next.position
}

/** The position of the lead's next step. */
export function nextPosition(lead: { currentStep: number; nextStep?: number | null | undefined }): number {
  return lead.nextStep ?? lead.currentStep + 1
}

/** Whether a step sends no message: a branch decides, and a person does a task. */
export function sendsNothing(step: Pick<PathStep, 'type'> | null | undefined): boolean {
  return step !== null && step !== undefined && step.type !== 'email'
}

/** Whether leads take all steps in order. */
export function isPlain(steps: readonly Pick<PathStep, 'type' | 'then'>[]): boolean {
  return steps.every((step) => step.type === 'email' && step.then === null)
}

/** The emails that are the first one on some path. */
export function firstMessages<Step extends PathStep>(steps: readonly Step[]): Step[] {
  const found = new Set<Step>()
  const seen = new Set<Step>()
  const waiting = steps.slice(0, 1)
  for (let step = waiting.pop(); step; step = waiting.pop()) {
    if (seen.has(step)) continue
    seen.add(step)
    if (step.type === 'email') found.add(step)
    else waiting.push(...leadsTo(steps, step))
  }
  return [...found].sort((a, b) => a.position - b.position)
}

/** The steps that directly follow a step on some path. */
export function leadsTo<Step extends PathStep>(steps: readonly Step[], step: Step): Step[] {
  const ways = [step.then, ...step.branches.map((branch) => branch.goTo)]
  return ways.flatMap((way) => findTarget(steps, step, way) ?? [])
}
