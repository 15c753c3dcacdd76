import { taskOutcomes } from '@overture/contract/vocabularies.ts'
import { CheckGroup, SelectField, type Choice } from '../../platform/form/index.ts'
import { text as branchText } from '../branches/branches.messages.ts'
import { withPart, type AnyCondition } from '../branches/conditions.ts'
import { outcomeText, text } from './task-steps.messages.ts'

const outcomes = [
  ...taskOutcomes.map((value) => ({ value: value as string, label: outcomeText[value] })),
  { value: 'skipped', label: text.skipped },
]

interface TaskQuestionProps {
  value: AnyCondition
  change: (value: AnyCondition) => void
  issueAt: (part: string) => string | undefined
  askable: { tasks: readonly Choice[] }
  disabled: boolean
}

/** Asks for the outcome of a task step before the branch. */
export function TaskQuestion({ value, change, issueAt, askable, disabled }: TaskQuestionProps) {
  const { task = '', outcome = [] } = value
  const gone = !askable.tasks.some((one) => one.value === task)
  return (
    <>
      <SelectField
        label={text.ofTask}
        disabled={disabled}
        value={task}
        choices={[...(gone ? [{ value: task, label: branchText.gone }] : []), ...askable.tasks]}
        change={(step) => change(withPart(value, 'task', step))}
        error={issueAt('.task')}
      />
      <CheckGroup
        label={text.outcomes}
        disabled={disabled}
        choices={outcomes}
        value={outcome}
        change={(chosen) => change(withPart(value, 'outcome', chosen as NonNullable<AnyCondition['outcome']>))}
        error={issueAt('.outcome')}
      />
    </>
  )
}
