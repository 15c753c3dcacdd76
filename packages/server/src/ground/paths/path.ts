import { campaignIdPrefix, pathEnd } from '@overture/contract/vocabularies.ts'

/** What of a step says where leads go on. */
export interface PathStep {
  id: string
  /** 1 … */
  position: number
  type: 'email' | 'branch'
  /** A later step's id, or `end`; null: the next one. */
  then: string | null
  branches: readonly { id: string; label: string; goTo: string | null }[]
}

/** Whether leads are handed over to another campaign there. */
export function isCampaign(target: string | null): target is string {
  return target !== null && target.startsWith(campaignIdPrefix)
}

/** The step that a target names, seen from a step; null: the path ends. A step that is not there is as if none was named. */
export function targetOf<Step extends PathStep>(
  steps: readonly Step[],
  from: Pick<Step, 'position'>,
  target: string | null,
): Step | null {
  if (target === pathEnd || isCampaign(target)) return null
  const named = target === null ? undefined : steps.find((step) => step.id === target)
  return named ?? steps.find((step) => step.position === from.position + 1) ?? null
}

/** Where those go on who have an e-mail behind them, or for whom no branch held; null: nowhere. */
export function stepAfter<Step extends PathStep>(steps: readonly Step[], step: Step): Step | null {
  return targetOf(steps, step, step.then)
}

/** What a lead's row keeps of the step that is next: null where it is the one behind its last, or none. */
export function jumpTo(next: { position: number } | null, last: { position: number }): number | null {
  return next === null || next.position === last.position + 1 ? null : next.position
}

/** The place of the step that is next for a lead. */
export function nextPosition(lead: { currentStep: number; nextStep?: number | null | undefined }): number {
  return lead.nextStep ?? lead.currentStep + 1
}

/** Whether leads take all steps in their order. */
export function isPlain(steps: readonly Pick<PathStep, 'type' | 'then'>[]): boolean {
  return steps.every((step) => step.type === 'email' && step.then === null)
}

/** E-mails that are the first one on some path. */
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

/** The steps that come right behind a step on some path. */
export function leadsTo<Step extends PathStep>(steps: readonly Step[], step: Step): Step[] {
  const ways = [step.then, ...step.branches.map((branch) => branch.goTo)]
  return ways.flatMap((way) => targetOf(steps, step, way) ?? [])
}
