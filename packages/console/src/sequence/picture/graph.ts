import { pathEnd, type FlowStep } from '../branches/flow.ts'
import type { Link } from './layout.ts'

/** A box of the picture: a step, a path of a branch, or the place where a path ends. */
export type GraphNode<Step extends FlowStep = FlowStep> =
  | { kind: 'step'; key: string; step: Step; index: number }
  /** A path of a branch, by its index. The index after the last one is the path of all other leads. */
  | { kind: 'exit'; key: string; step: Step; exit: number }
  | { kind: 'end'; key: string }
  | { kind: 'campaign'; key: string; name: string }
  /** The target was removed, or now comes before the step. */
  | { kind: 'gone'; key: string }

export interface Graph<Step extends FlowStep> {
  nodes: GraphNode<Step>[]
  links: Link[]
}

/** The steps, the paths of branches, and where each of them leads. Every way is one link. */
export function toGraph<Step extends FlowStep>(
  steps: readonly Step[],
  campaigns: ReadonlyMap<string, string>,
): Graph<Step> {
  const nodes: GraphNode<Step>[] = []
  const links: Link[] = []
  const places = new Map(steps.map(({ key }, index) => [key, index]))
  const lead = (from: string, index: number, way: string | null): void => {
    const to = way ?? steps[index + 1]?.key ?? pathEnd
    const place = places.get(to)
    if (place !== undefined && place > index) {
      links.push({ from, to })
      return
    }
    const key = `${from} to`
    const name = campaigns.get(to)
    if (to === pathEnd) nodes.push({ kind: 'end', key })
    else if (name !== undefined) nodes.push({ kind: 'campaign', key, name })
    else nodes.push({ kind: 'gone', key })
    links.push({ from, to: key })
  }
  for (const [index, step] of steps.entries()) {
    nodes.push({ kind: 'step', key: step.key, step, index })
    if (step.type !== 'branch') {
      lead(step.key, index, step.then)
      continue
    }
    for (const [exit, way] of [...step.branches.map(({ goTo }) => goTo), step.then].entries()) {
      const key = `${step.key} ${exit}`
      nodes.push({ kind: 'exit', key, step, exit })
      links.push({ from: step.key, to: key })
      lead(key, index, way)
    }
  }
  return { nodes, links }
}
