import type { Task, TaskStepChannel } from '@overture/sdk'
import { taskStepChannels } from '@overture/contract/vocabularies.ts'
import { useState } from 'react'
import { AreaField, Form, SelectField, TextField } from '../platform/form/index.ts'
import { typedMoment, toTyped } from '../platform/time/days.ts'
import { useTenantTime } from '../platform/time/now.tsx'
import { AskFirst, Button, findIssue, Panel, say, Soft } from '../platform/ui/index.ts'
import { channelText } from '../sequence/index.ts'
import { AssigneeField } from '../users/index.ts'
import { useDeleteTask, useSaveTask, type TaskToSave } from './tasks.actions.ts'
import { text } from './tasks.messages.ts'

interface TaskEditorProps {
  /** The task to change; null for a new one. */
  task: Task | null
  /** The lead of a new task. */
  leadId: string | null
  close: () => void
}

const newTask = { channel: 'call', title: '', instructions: '', assigneeId: null } as const

/** The form of a task that no step opened. */
export function TaskEditor({ task, leadId, close }: TaskEditorProps) {
  const [fields, setFields] = useState<TaskToSave>(() => toFields(task))
  const due = useDue(task)
  const put = (part: Partial<TaskToSave>): void => setFields({ ...fields, ...part })
  const save = useSaveTask(task, leadId, () => {
    say(text.saved)
    close()
  })
  return (
    <Panel title={task === null ? text.add : text.edit}>
      <Form
        operation={task === null ? 'createTask' : 'updateTask'}
        submit={() => save.mutate({ ...fields, ...(due.at !== null && { dueAt: due.at }) })}
        submitLabel={text.save}
        busy={save.isPending}
        error={save.error}
        reason={fields.title.trim() === '' ? text.titleReason : due.reason}
        beside={<Button onClick={close}>{text.cancel}</Button>}
      >
        {leadId !== null && <Soft>{text.forLead}</Soft>}
        {task === null && (
          <SelectField
            label={text.channel}
            value={fields.channel}
            choices={taskStepChannels.map((value) => ({ value, label: channelText[value] }))}
            change={(channel) => put({ channel: channel as TaskStepChannel })}
          />
        )}
        <TextField
          label={text.taskTitle}
          autoFocus
          maxLength={200}
          value={fields.title}
          change={(title) => put({ title })}
          error={findIssue(save.error, 'title')}
        />
        <AreaField
          label={text.instructions}
          optional
          value={fields.instructions}
          change={(instructions) => put({ instructions })}
          error={findIssue(save.error, 'instructions')}
        />
        <DueField due={due} error={findIssue(save.error, 'dueAt')} />
        <AssigneeField
          label={text.who}
          unassignedLabel={text.unassigned}
          value={fields.assigneeId}
          change={(assigneeId) => put({ assigneeId })}
          error={findIssue(save.error, 'assigneeId')}
        />
      </Form>
    </Panel>
  )
}

function toFields(task: Task | null): TaskToSave {
  if (task === null) return newTask
  const { title, instructions, assigneeId } = task
  return { channel: newTask.channel, title, instructions, assigneeId }
}

interface Due {
  typed: string
  type: (typed: string) => void
  hint: string
  /** The time to save; null if it is the old one, or now for a new task. */
  at: string | null
  /** Why it can't be saved. */
  reason: string | null
}

function useDue(task: Task | null): Due {
  const { zone } = useTenantTime()
  const before = task === null ? '' : toTyped(task.dueAt, zone)
  const [typed, type] = useState(before)
  const hint = task === null ? text.dueHint(zone) : text.dueEditHint(zone)
  if (typed === before) return { typed, type, hint, at: null, reason: null }
  const at = typedMoment(typed, zone)
  return { typed, type, hint, at, reason: at === null && task !== null ? text.dueReason : null }
}

function DueField({ due: { typed, type, hint }, error }: { due: Due; error: string | undefined }) {
  return <TextField label={text.dueField} hint={hint} type="datetime-local" value={typed} change={type} error={error} />
}

/** Changes or deletes a task that no step opened. */
export function OwnTaskActs({ task, edit }: { task: Task; edit: () => void }) {
  const remove = useDeleteTask(task.id, () => say(text.removed))
  return (
    <>
      <Button small operation="updateTask" onClick={edit}>
        {text.edit}
      </Button>
      <AskFirst operation="deleteTask" small danger label={text.remove} title={text.removeTitle} action={remove}>
        {text.removeText}
      </AskFirst>
    </>
  )
}
