import type { Interest } from '@overture/sdk'
import { currentLocale } from '../../platform/text/words.ts'
import { numberText } from '../../platform/time/format.ts'
import { outcomeText, text as taskText } from '../tasks/task-steps.messages.ts'
import { deedText, intentText, testText, text } from './branches.messages.ts'
import { questionKind, readGroup, takesNoValue, valueText, type AnyCondition } from './conditions.ts'

export interface ConditionNames {
  /** The position of a step by its key, from 1 on; undefined if the step was removed. */
  position: (key: string) => number | undefined
  labels: Readonly<Record<Interest, string>>
}

/** A condition as a text: `opened a message (step 1) and company is ACME`. */
export function conditionText(condition: AnyCondition, names: ConditionNames): string {
  return written(condition, names, false)
}

function written(condition: AnyCondition, names: ConditionNames, within: boolean): string {
  const { not } = condition
  if (not !== undefined) return text.notThis(written(not, names, true))
  const group = readGroup(condition)
  if (group === null) return question(condition, names)
  const parts = group.items.map((one) => written(one, names, true))
  const list = joined(parts, group.kind === 'all' ? 'conjunction' : 'disjunction')
  return within && parts.length > 1 ? `(${list})` : list
}

function question(asked: AnyCondition, names: ConditionNames): string {
  const parts = [subject(asked, names)]
  const { times, withinHours, withinDays } = asked
  if (times !== undefined && times > 1) parts.push(text.timesOrMore(numberText(times)))
  if (withinHours !== undefined) parts.push(text.withinHoursText(numberText(withinHours)))
  if (withinDays !== undefined) parts.push(text.withinDaysText(numberText(withinDays)))
  return parts.join(', ')
}

function subject(asked: AnyCondition, names: ConditionNames): string {
  switch (questionKind(asked)) {
    case 'did':
      return [asked.did && deedText[asked.did], place(asked.stepId, names), asked.url].filter(Boolean).join(' ')
    case 'interest':
      return text.labelIs(
        either((asked.interest ?? []).map((one) => (one === null ? text.noLabel : names.labels[one]))),
      )
    case 'intent':
      return text.intentIs(either((asked.intent ?? []).map((one) => intentText[one])))
    case 'field':
      return fieldText(asked)
    case 'signal':
      return text.signalCame(asked.signal ?? '')
    case 'task':
      return text.taskEnded(
        numbered(asked.task ?? '', names),
        either((asked.outcome ?? []).map((one) => (one === 'skipped' ? taskText.skipped : outcomeText[one]))),
      )
    case 'chance':
      return text.chanceText(numberText(asked.chance ?? 0))
  }
}

function fieldText({ field = '', is, value }: AnyCondition): string {
  const name = field.replace(/^customVariables\./, '')
  const test = is === undefined ? '' : testText[is]
  return [name, test, takesNoValue(is) ? '' : valueText(value)].filter((part) => part !== '').join(' ')
}

function place(key: string | undefined, names: ConditionNames): string | null {
  return key === undefined ? null : `(${numbered(key, names)})`
}

function numbered(key: string, names: ConditionNames): string {
  const at = names.position(key)
  return at === undefined ? text.goneStep : text.ofStepNumber(numberText(at))
}

function either(parts: readonly string[]): string {
  return joined(parts, 'disjunction')
}

function joined(parts: readonly string[], type: 'conjunction' | 'disjunction'): string {
  return new Intl.ListFormat(currentLocale(), { type }).format(parts)
}
