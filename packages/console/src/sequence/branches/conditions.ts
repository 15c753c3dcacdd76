import type { ConditionQuestion, ConditionTest, Deed, Interest } from '@overture/sdk'

/** A condition: a question, or a group of conditions. */
export interface AnyCondition extends ConditionQuestion {
  all?: AnyCondition[]
  any?: AnyCondition[]
  not?: AnyCondition
}

export type Intent = NonNullable<ConditionQuestion['intent']>[number]
export const groupKinds = ['all', 'any'] as const
export type GroupKind = (typeof groupKinds)[number]
export const questionKinds = ['did', 'interest', 'intent', 'field', 'signal', 'task', 'chance'] as const
export type QuestionKind = (typeof questionKinds)[number]

/** The number of nested groups, with `not` counted. */
export const levelsMax = 3
const valueLessTests: readonly ConditionTest[] = ['exists', 'missing']

/** A condition as it is shown, with its negation as a separate flag. */
export interface DeniedCondition {
  not: boolean
  inner: AnyCondition
  /** The path of the inner condition, relative to the whole one. */
  path: string
}

export function splitDenial(condition: AnyCondition): DeniedCondition {
  const { not } = condition
  return not === undefined ? { not: false, inner: condition, path: '' } : { not: true, inner: not, path: '.not' }
}

export function withDenied(not: boolean, inner: AnyCondition): AnyCondition {
  return not ? { not: inner } : inner
}

export function readGroup(condition: AnyCondition): { kind: GroupKind; items: AnyCondition[] } | null {
  const kind = groupKinds.find((one) => condition[one] !== undefined)
  return kind === undefined ? null : { kind, items: condition[kind] ?? [] }
}

export function questionKind(condition: AnyCondition): QuestionKind {
  return questionKinds.find((one) => one in condition) ?? 'field'
}

/** The number of nested groups, as the API counts them. */
export function countLevels(condition: AnyCondition): number {
  const inner = [...(condition.all ?? []), ...(condition.any ?? []), ...(condition.not ? [condition.not] : [])]
  return inner.length === 0 ? 0 : 1 + Math.max(...inner.map(countLevels))
}

/** Whether a condition contains a `not`. A branch that negates an event can't decide at once. */
export function hasNot(condition: AnyCondition): boolean {
  return condition.not !== undefined || [...(condition.all ?? []), ...(condition.any ?? [])].some(hasNot)
}

export function mapLeaves(condition: AnyCondition, change: (leaf: AnyCondition) => AnyCondition): AnyCondition {
  if (condition.not !== undefined) return { ...condition, not: mapLeaves(condition.not, change) }
  const group = readGroup(condition)
  if (group === null) return change(condition)
  return { ...condition, [group.kind]: group.items.map((one) => mapLeaves(one, change)) }
}

/** A new question of a kind, in a form that the API accepts. */
export function newQuestion(kind: QuestionKind, task = ''): AnyCondition {
  switch (kind) {
    case 'did':
      return { did: 'clicked' }
    case 'interest':
      return { interest: ['interested'] }
    case 'intent':
      return { intent: ['question'] }
    case 'field':
      return { field: 'company', is: 'exists' }
    case 'signal':
      return { signal: 'product.signed_up' }
    case 'task':
      return { task, outcome: ['no_answer'] }
    case 'chance':
      return { chance: 50 }
  }
}

/** A first question that can be true in this campaign: opens and clicks are only offered if they are tracked. */
export function likelyQuestion({
  openTracking,
  linkTracking,
}: {
  openTracking: boolean
  linkTracking: boolean
}): AnyCondition {
  if (linkTracking) return newQuestion('did')
  return openTracking ? { did: 'opened' } : newQuestion('field')
}

/** Changes the event of a question, and drops settings that only belong to the other event. */
export function withDeed(condition: AnyCondition, did: Deed): AnyCondition {
  const { url: _url, ...rest } = condition
  return did === 'clicked' ? { ...condition, did } : { ...rest, did }
}

/** Changes the comparison, and converts the value to the type that the comparison needs. */
export function withTest(condition: AnyCondition, is: ConditionTest): AnyCondition {
  const { value, ...rest } = condition
  return takesNoValue(is) ? { ...rest, is } : { ...rest, is, value: parseValue(valueText(value), is) }
}

export function takesNoValue(is: ConditionTest | undefined): boolean {
  return is !== undefined && valueLessTests.includes(is)
}

export function parseValue(typed: string, is: ConditionTest | undefined): NonNullable<AnyCondition['value']> {
  if (is === 'in')
    return typed
      .split(',')
      .map((one) => one.trim())
      .filter((one) => one !== '')
  const number = Number(typed)
  return (is === 'gt' || is === 'lt') && typed.trim() !== '' && !Number.isNaN(number) ? number : typed
}

export function valueText(value: AnyCondition['value']): string {
  return value === undefined ? '' : Array.isArray(value) ? value.join(', ') : String(value)
}

/** Sets a part of a condition, or removes it if it is empty. */
export function withPart<Name extends keyof AnyCondition>(
  condition: AnyCondition,
  name: Name,
  value: AnyCondition[Name] | null,
): AnyCondition {
  const { [name]: _before, ...rest } = condition
  return value === null || value === '' ? rest : { ...rest, [name]: value }
}

export type Label = Interest | 'none'
/** The labels as checkboxes; "no label" is one of them. */
export function collectLabels(condition: AnyCondition): Label[] {
  return (condition.interest ?? []).map((one) => one ?? 'none')
}

export function withLabels(labels: readonly Label[]): AnyCondition {
  return { interest: labels.map((one) => (one === 'none' ? null : one)) }
}
