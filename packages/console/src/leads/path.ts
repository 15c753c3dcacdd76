import type { Step } from '@overture/sdk'

/** Where a path ends, in the place of a step. */
export const pathEnd = 'end'

/** The steps that come after one for a lead that does nothing, as far as that is known: a branch is asked when it comes. */
export function aheadOf(steps: readonly Step[], next: { stepId: string; leadsTo: string | null }): Step[] {
  const ahead: Step[] = []
  for (let step = targetOf(steps, next.stepId, next.leadsTo); step; step = targetOf(steps, step.id, null)) {
    ahead.push(step)
    if (step.type === 'branch') break
  }
  return ahead
}

/** `way`: a step or `end`; null: where the step itself leads. */
function targetOf(steps: readonly Step[], from: string, way: string | null): Step | undefined {
  const at = steps.findIndex(({ id }) => id === from)
  const target = way ?? steps[at]?.then ?? steps[at + 1]?.id ?? pathEnd
  return target === pathEnd ? undefined : steps.find(({ id }) => id === target)
}
