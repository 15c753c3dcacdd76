import type { Step } from '@overture/sdk'

/** The end of a path, instead of a step. */
export const pathEnd = 'end'

/** The steps after a given one for a lead that does nothing, up to the next branch, which decides only when the lead gets there. */
export function stepsAhead(steps: readonly Step[], next: { stepId: string; leadsTo: string | null }): Step[] {
  const ahead: Step[] = []
  for (let step = findNextStep(steps, next.stepId, next.leadsTo); step; step = findNextStep(steps, step.id, null)) {
    ahead.push(step)
    if (step.type === 'branch') break
  }
  return ahead
}

/** `way` is a step or `end`. Null means the place where the step itself leads. */
function findNextStep(steps: readonly Step[], from: string, goTo: string | null): Step | undefined {
  const at = steps.findIndex(({ id }) => id === from)
  const target = goTo ?? steps[at]?.then ?? steps[at + 1]?.id ?? pathEnd
  return target === pathEnd ? undefined : steps.find(({ id }) => id === target)
}
