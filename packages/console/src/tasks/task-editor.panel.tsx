import type { Task, TaskStepChannel } from '@overture/sdk'
import { taskStepChannels } from '@overture/contract/vocabularies.ts'
import { useState } from 'react'
import { AreaField, Form, SelectField, TextField } from '../platform/form/index.ts'
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
  const put = (part: Partial<TaskToSave>): void => setFields({ ...fields, ...part })
  const save = useSaveTask(task, leadId, () => {
    say(text.saved)
    close()
  })
  return (
    <Panel title={task === null ? text.add : text.edit}>
      <Form
        operation={task === null ? 'createTask' : 'updateTask'}
        submit={() => save.mutate(fields)}
        submitLabel={text.save}
        busy={save.isPending}
        error={save.error}
        reason={fields.title.trim() === '' ? text.titleReason : null}
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
