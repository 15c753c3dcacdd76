/** Where the steps of a sequence lead while it is being edited. */

/** The key of a later step, `end`, or null for the next step in the list. */
export type Way = string | null
export const pathEnd = 'end'

export interface FlowStep {
  key: string
  type: 'email' | 'branch' | 'task'
  then: Way
  branches: readonly { goTo: Way }[]
}

/** A path of a branch, by its index among the branches. The index after the last one is the path of all other leads. */
export interface Arm {
  step: string
  exit: number
}

/** Undefined means the end of the list. */
type Target = string | undefined

interface Node<Step> {
  step: Step
  /** An email or a task has one exit. A branch has one per path, then one for all other leads. */
  exits: Target[]
}

export interface OutlinedStep {
  /** The branch paths that every route to the step goes through, the outermost first. */
  arms: Arm[]
  /** Whether any path leads to the step. */
  reached: boolean
  /** Whether the step is an email that is the first on some path, and so begins a thread. */
  first: boolean
}

export function outlineSteps(steps: readonly FlowStep[]): Map<string, OutlinedStep> {
  const nodes = toNodes(steps)
  const reached = reachedFrom(nodes)
  const first = firstMessages(nodes)
  const outline = new Map(
    steps.map(({ key }): [string, OutlinedStep] => [
      key,
      { arms: [], reached: reached.has(key), first: first.has(key) },
    ]),
  )
  for (const { step, exits } of nodes) {
    if (step.type !== 'branch') continue
    for (const exit of exits.keys()) {
      const without = reachedFrom(nodes, { step: step.key, exit })
      for (const key of reached) if (!without.has(key)) outline.get(key)?.arms.push({ step: step.key, exit })
    }
  }
  return outline
}

/** Removes a step. Steps that led to it now lead to where it led. */
export function withoutStep<Step extends FlowStep>(steps: readonly Step[], key: string): Step[] {
  return toSteps(taken(toNodes(steps), key).rest)
}

/** Inserts a step after another one on its path, or after the last step if none is given. */
export function withStepAfter<Step extends FlowStep>(steps: readonly Step[], key: string | null, added: Step): Step[] {
  const nodes = toNodes(steps)
  const at = key === null ? nodes.length - 1 : nodes.findIndex(({ step }) => step.key === key)
  const before = nodes[at]
  if (before === undefined) return [...steps, added]
  const behind = before.step.type !== 'branch' ? before.exits[0] : nodes[at + 1]?.step.key
  const exits = before.exits.map((exit) => (exit === behind ? added.key : exit))
  const rest = nodes.with(at, { ...before, exits })
  return toSteps(rest.toSpliced(at + 1, 0, nodeWith(added, behind)))
}

/** Inserts a step as the first of a path of a branch. */
export function withStepInArm<Step extends FlowStep>(
  steps: readonly Step[],
  { step: key, exit }: Arm,
  added: Step,
): Step[] {
  const nodes = toNodes(steps)
  const at = nodes.findIndex(({ step }) => step.key === key)
  const branch = nodes[at]
  if (branch === undefined) return [...steps]
  const behind = branch.exits[exit]
  const place = nodes.findIndex(({ step }) => step.key === behind)
  const rest = nodes.with(at, { ...branch, exits: branch.exits.with(exit, added.key) })
  return toSteps(rest.toSpliced(place === -1 ? nodes.length : place, 0, nodeWith(added, behind)))
}

/** Moves a step one place up or down in the list and reconnects the paths. Returns null if the step can't move there. */
export function movedStep<Step extends FlowStep>(steps: readonly Step[], key: string, by: -1 | 1): Step[] | null {
  const nodes = toNodes(steps)
  const at = nodes.findIndex(({ step }) => step.key === key)
  const other = nodes[at + by]?.step.key
  if (other === undefined) return null
  const { rest, node } = taken(nodes, key)
  return valid(by === -1 ? putBefore(rest, node, other) : putBehind(rest, node, other))
}

/** Moves a step into a path of the branch before it, so that only leads on that path reach it. Returns null if there is no such branch. */
export function indented<Step extends FlowStep>(steps: readonly Step[], key: string): Step[] | null {
  const nodes = toNodes(steps)
  const outline = outlineSteps(steps)
  const at = nodes.findIndex(({ step }) => step.key === key)
  const [before, node] = [nodes[at - 1], nodes[at]]
  if (before === undefined || node === undefined) return null
  const depth = outline.get(key)?.arms.length ?? 0
  const arm = armToEnter(before, key, outline, depth)
  if (arm === null) return null
  const within = (from: Node<Step>, exit: number): boolean =>
    (from.step.key === arm.step && exit === arm.exit) || hasArm(outline.get(from.step.key), arm)
  const behind = node.exits.at(-1)
  const led = redirected(nodes, (target, from, exit) => (target === key && !within(from, exit) ? behind : target))
  const result = valid(led)
  return result !== null && (outlineSteps(result).get(key)?.arms.length ?? 0) > depth ? result : null
}

/** Moves a step out of its branch path, so that all leads that come from the branch reach it. */
export function outdented<Step extends FlowStep>(steps: readonly Step[], key: string): Step[] | null {
  const nodes = toNodes(steps)
  const outline = outlineSteps(steps)
  const arms = outline.get(key)?.arms ?? []
  const branch = arms.at(-1)?.step
  const node = nodes.find(({ step }) => step.key === key)
  if (branch === undefined || node === undefined) return null
  const behind = node.exits.at(-1)
  const inside = ({ step }: Node<Step>): boolean =>
    step.key === branch || outline.get(step.key)?.arms.some((arm) => arm.step === branch) === true
  const led = redirected(nodes, (target, from) =>
    from.step.key !== key && inside(from) && samePlace(target, behind) ? key : target,
  )
  const moving = led.find(({ step }) => step.key === key)!
  const rest = led.filter((one) => one !== moving)
  const place = rest.findLastIndex(inside) + 1
  const result = valid(rest.toSpliced(place, 0, moving))
  return result !== null && (outlineSteps(result).get(key)?.arms.length ?? 0) < arms.length ? result : null
}

function toNodes<Step extends FlowStep>(steps: readonly Step[]): Node<Step>[] {
  return steps.map((step, index) => {
    const next = steps[index + 1]?.key
    const ways = [...step.branches.map(({ goTo }) => goTo), step.then]
    return { step, exits: ways.map((way) => way ?? next) }
  })
}

function toSteps<Step extends FlowStep>(nodes: readonly Node<Step>[]): Step[] {
  return nodes.map(({ step, exits }, index) => {
    const next = nodes[index + 1]?.step.key
    const ways = exits.map((exit) => (exit === next ? null : (exit ?? pathEnd)))
    const branches = step.branches.map((branch, at) => ({ ...branch, goTo: ways[at] ?? null }))
    return { ...step, then: ways.at(-1) ?? null, branches }
  })
}

/** A step whose exits all lead to one place. */
function nodeWith<Step extends FlowStep>(step: Step, target: Target): Node<Step> {
  return { step, exits: [...step.branches, null].map(() => target) }
}

function redirected<Step extends FlowStep>(
  nodes: readonly Node<Step>[],
  target: (target: Target, from: Node<Step>, exit: number) => Target,
): Node<Step>[] {
  return nodes.map((node) => ({ ...node, exits: node.exits.map((exit, at) => target(exit, node, at)) }))
}

function taken<Step extends FlowStep>(
  nodes: readonly Node<Step>[],
  key: string,
): { rest: Node<Step>[]; node: Node<Step> } {
  const node = nodes.find(({ step }) => step.key === key)!
  const behind = node.exits.at(-1)
  const rest = nodes.filter((one) => one !== node)
  return { node, rest: redirected(rest, (target) => (target === key ? behind : target)) }
}

function putBefore<Step extends FlowStep>(rest: readonly Node<Step>[], node: Node<Step>, other: string): Node<Step>[] {
  const { key } = node.step
  const place = rest.findIndex(({ step }) => step.key === other)
  const behind = node.exits.at(-1)
  const exits = node.exits.map((exit) => (exit === behind ? other : exit))
  return redirected(rest, (target) => (target === other ? key : target)).toSpliced(place, 0, { ...node, exits })
}

function putBehind<Step extends FlowStep>(rest: readonly Node<Step>[], node: Node<Step>, other: string): Node<Step>[] {
  const { key } = node.step
  const place = rest.findIndex(({ step }) => step.key === other)
  const before = rest[place]!
  const behind = before.step.type !== 'branch' ? before.exits[0] : rest[place + 1]?.step.key
  const old = node.exits.at(-1)
  const exits = node.exits.map((exit) => (exit === other || exit === old ? behind : exit))
  const led = { ...before, exits: before.exits.map((exit) => (exit === behind ? key : exit)) }
  return rest.with(place, led).toSpliced(place + 1, 0, { ...node, exits })
}

function armToEnter<Step extends FlowStep>(
  before: Node<Step>,
  key: string,
  outline: ReadonlyMap<string, OutlinedStep>,
  depth: number,
): Arm | null {
  if (before.step.type === 'branch') {
    const exit = before.exits.indexOf(key)
    if (exit !== -1) return { step: before.step.key, exit }
  }
  return before.exits.includes(key) ? (outline.get(before.step.key)?.arms[depth] ?? null) : null
}

function hasArm(outlined: OutlinedStep | undefined, arm: Arm): boolean {
  return outlined?.arms.some(({ step, exit }) => step === arm.step && exit === arm.exit) === true
}

/** The end of the list and the end of a path are the same place. */
function samePlace(a: Target, b: Target): boolean {
  return (a ?? pathEnd) === (b ?? pathEnd)
}

/** Returns the steps if their paths only lead forward, else null. */
function valid<Step extends FlowStep>(nodes: readonly Node<Step>[]): Step[] | null {
  const places = new Map(nodes.map(({ step }, index) => [step.key, index]))
  const forward = nodes.every(({ exits }, index) =>
    exits.every((exit) => (places.get(exit ?? '') ?? nodes.length) > index),
  )
  return forward ? toSteps(nodes) : null
}

function reachedFrom<Step extends FlowStep>(nodes: readonly Node<Step>[], without?: Arm): Set<string> {
  const byKey = new Map(nodes.map((node) => [node.step.key, node]))
  const reached = new Set<string>()
  const waiting = nodes.slice(0, 1)
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    const { key } = node.step
    if (reached.has(key)) continue
    reached.add(key)
    node.exits.forEach((exit, at) => {
      const next = byKey.get(exit ?? '')
      if (next !== undefined && !(without?.step === key && without.exit === at)) waiting.push(next)
    })
  }
  return reached
}

function firstMessages<Step extends FlowStep>(nodes: readonly Node<Step>[]): Set<string> {
  // After an email no message is the first one.
  const branches = nodes.map((node) => (node.step.type !== 'email' ? node : { ...node, exits: [] }))
  const reached = reachedFrom(branches)
  return new Set(nodes.flatMap(({ step }) => (step.type === 'email' && reached.has(step.key) ? step.key : [])))
}
