/** A step of an edit. A step without an id is new. */
export interface DraftStep {
  id?: string
  key: string
  type: 'email' | 'branch' | 'task'
}

export type Draw = () => number

export const branchConditions = [
  { did: 'opened' },
  { not: { did: 'opened' } },
  { chance: 50 },
  { field: 'country', is: 'equals', value: 'DE' },
]

let made = 0

/** A number below `count`. */
export function drawBelow(draw: Draw, count: number): number {
  return Math.floor(draw() * count)
}

export function drawStep(draw: Draw): DraftStep {
  return { key: `k${++made}`, type: draw() < 0.4 ? 'branch' : 'email' }
}

/**
 * Builds the steps for the API. Each step leads to a later step, to the end, or to the next step. Branches also lead to the campaign
 * that `elsewhere` names.
 */
export function drawSequence(
  draw: Draw,
  steps: readonly DraftStep[],
  elsewhere: () => string | undefined = () => undefined,
): object[] {
  return steps.map((step, index) => {
    const target = () => {
      const later = steps.slice(index + 1)
      const chosen = drawBelow(draw, later.length + 2)
      return chosen === 0 ? null : chosen === 1 ? 'end' : later[chosen - 2]!.key
    }
    const common = {
      ...(step.id !== undefined && { id: step.id }),
      key: step.key,
      type: step.type,
      waitBefore: { value: index === 0 ? 0 : drawBelow(draw, 3), unit: 'days' },
      then: draw() < 0.6 ? null : target(),
    }
    if (step.type === 'email')
      return { ...common, sameThread: false, variants: [{ subject: step.key, body: step.key }] }
    const branches = Array.from({ length: 1 + drawBelow(draw, 2) }, () => ({
      when: branchConditions[drawBelow(draw, branchConditions.length)],
      goTo: elsewhere() ?? target(),
    }))
    return { ...common, branches }
  })
}

/** Removes, inserts and moves some steps. */
export function drawEdit(draw: Draw, steps: readonly DraftStep[]): DraftStep[] {
  const kept = steps.filter(() => draw() < 0.75)
  for (let count = 1 + drawBelow(draw, 2); count > 0; count--)
    kept.splice(drawBelow(draw, kept.length + 1), 0, drawStep(draw))
  if (draw() < 0.4) kept.push(...kept.splice(drawBelow(draw, kept.length), 1))
  return kept
}
