import type { TaskStepChannel } from '@overture/sdk'
import { taskStepChannels } from '@overture/contract/vocabularies.ts'
import { AreaField, CheckField, Pair, SelectField, TextField } from '../../platform/form/index.ts'
import { AssigneeField } from '../../users/index.ts'
import { text as branchText } from '../branches/branches.messages.ts'
import type { TaskDraft } from '../draft.ts'
import { text as sequenceText } from '../sequence.messages.ts'
import styles from '../sequence.module.css'
import { SpanFields, WaitFields, WayField, type StepPartProps } from '../wait-fields.tsx'
import { channelText, text } from './task-steps.messages.ts'

export interface TaskFormProps extends StepPartProps {
  index: number
  task: TaskDraft
}

const weekDays = 7

/** The text of a task, when it is due and whether leads wait for it. */
export function TaskForm(props: TaskFormProps) {
  const { step, change, view, index, task } = props
  const put = (part: Partial<TaskDraft>): void => change({ ...step, task: { ...task, ...part } })
  const fixed = view.fixed !== null
  return (
    <div className={styles['stepBody']}>
      <div className={styles['timing']}>
        {(index > 0 || view.takesOver) && (
          <WaitFields step={step} change={change} view={view} label={sequenceText.wait} />
        )}
        {view.branching && (
          <WayField
            view={view}
            step={step}
            label={branchText.thenOf}
            part="then"
            value={step.then}
            change={(then) => change({ ...step, then })}
          />
        )}
      </div>
      <SelectField
        label={text.channel}
        disabled={fixed}
        value={task.channel}
        choices={taskStepChannels.map((value) => ({ value, label: channelText[value] }))}
        change={(channel) => put({ channel: channel as TaskStepChannel })}
        error={view.issueAt(step.key, 'channel')}
      />
      <TextField
        label={text.title}
        hint={text.titleHint}
        maxLength={200}
        value={task.title}
        change={(title) => put({ title })}
        error={view.issueAt(step.key, 'title')}
      />
      <AreaField
        label={text.instructions}
        optional
        value={task.instructions}
        change={(instructions) => put({ instructions })}
        error={view.issueAt(step.key, 'instructions')}
      />
      <AssigneeField
        label={text.assignee}
        unassignedLabel={text.owner}
        value={task.assigneeId}
        change={(assigneeId) => put({ assigneeId })}
        error={view.issueAt(step.key, 'assigneeId')}
      />
      <Times task={task} put={put} fixed={fixed} error={view.issueAt(step.key, 'expiresIn.value')} />
      <CheckField
        label={text.blocks}
        hint={text.blocksHint}
        disabled={fixed}
        checked={task.blocks}
        change={(blocks) => put({ blocks })}
      />
    </div>
  )
}

interface TimesProps {
  task: TaskDraft
  put: (part: Partial<TaskDraft>) => void
  fixed: boolean
  error: string | undefined
}

function Times({ task, put, fixed, error }: TimesProps) {
  const { dueIn, expiresIn } = task
  return (
    <>
      <Pair>
        <SpanFields
          label={text.dueIn}
          unitLabel={text.unit}
          value={dueIn}
          change={(span) => put({ dueIn: span })}
          disabled={fixed}
          least={0}
        />
      </Pair>
      <CheckField
        label={text.expires}
        disabled={fixed}
        checked={expiresIn !== null}
        change={(expires) => put({ expiresIn: expires ? { value: weekDays, unit: 'days' } : null })}
      />
      {expiresIn !== null && (
        <Pair>
          <SpanFields
            label={text.expiresIn}
            unitLabel={text.expiresUnit}
            value={expiresIn}
            change={(span) => put({ expiresIn: span })}
            disabled={fixed}
            least={1}
            error={error}
          />
        </Pair>
      )}
    </>
  )
}
