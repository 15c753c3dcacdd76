import type { Task } from '@overture/sdk'
import { useState } from 'react'
import { usePaths } from '../paths.ts'
import { Filters, SelectField, useSearchParams } from '../platform/form/index.ts'
import { useKeys } from '../platform/keys/keys.ts'
import { numberText } from '../platform/time/format.ts'
import { useTenantTime } from '../platform/time/now.tsx'
import { Button, Empty, LinkButton, Page, Row, Shown } from '../platform/ui/index.ts'
import { RelatedTagFilter } from '../tags/index.ts'
import { useColleagues, useMe, userChoices } from '../users/index.ts'
import { OwnTaskActs, TaskEditor } from './task-editor.panel.tsx'
import { OneTask } from './task.panel.tsx'
import { text } from './tasks.messages.ts'
import { useOpenTasks } from './tasks.queries.ts'

/** The open tasks, one at a time. The list is the earliest due first, and a closed task makes room for the next one. */
export function TasksPage() {
  const me = useMe().data
  const [{ who, lead, tag }, change] = useSearchParams()
  const [adding, setAdding] = useState(lead !== undefined)
  const colleagues = useColleagues()
  const { now } = useTenantTime()
  const { query, items, more } = useOpenTasks({ assigneeId: who === 'me' ? me?.id : who || undefined, tagId: tag })
  const close = (): void => {
    setAdding(false)
    if (lead !== undefined) change({ lead: '' })
  }
  const shown = items.filter(({ snoozedUntil }) => snoozedUntil === null || snoozedUntil <= now)
  return (
    <Page
      title={text.title}
      lead={text.lead}
      actions={
        <Button operation="createTask" onClick={() => setAdding(true)}>
          {text.add}
        </Button>
      }
    >
      {adding && <TaskEditor task={null} leadId={lead ?? null} close={close} />}
      <Filters label={text.filters}>
        <SelectField
          label={text.who}
          value={who ?? ''}
          change={(value) => change({ who: value })}
          choices={[
            { value: '', label: text.everyone },
            { value: 'me', label: text.me },
            ...userChoices(colleagues.filter(({ id }) => id !== me?.id)),
          ]}
        />
        <RelatedTagFilter />
      </Filters>
      <Shown of={query}>
        {() =>
          shown.length === 0 && more === null ? (
            <NoTasks filtered={(tag ?? who) !== undefined} />
          ) : (
            <Work tasks={shown} more={more} />
          )
        }
      </Shown>
    </Page>
  )
}

function NoTasks({ filtered }: { filtered: boolean }) {
  const paths = usePaths()
  if (filtered) return <Empty title={text.noneFit}>{text.noneFitText}</Empty>
  return (
    <Empty title={text.none} action={<LinkButton to={paths.campaigns}>{text.openCampaigns}</LinkButton>}>
      {text.noneText}
    </Empty>
  )
}

function Work({ tasks, more }: { tasks: readonly Task[]; more: (() => void) | null }) {
  const [id, setId] = useState<string | null>(null)
  const at = Math.max(
    0,
    tasks.findIndex((task) => task.id === id),
  )
  const task = tasks[at]
  const [editedId, setEditedId] = useState<string | null>(null)
  const isEdited = task !== undefined && task.id === editedId
  const go = (by: number): void => setId(tasks[Math.min(tasks.length - 1, Math.max(0, at + by))]?.id ?? null)
  useKeys([
    { keys: 'j', label: text.next, act: () => go(1) },
    { keys: 'k', label: text.previous, act: () => go(-1) },
  ])
  return (
    <>
      <Row>
        <span>{text.place(numberText(Math.min(at + 1, tasks.length)), numberText(tasks.length))}</span>
        <Button small onClick={() => go(-1)}>
          {text.previous} <kbd>k</kbd>
        </Button>
        <Button small onClick={() => go(1)}>
          {text.next} <kbd>j</kbd>
        </Button>
        {more !== null && (
          <Button small onClick={more}>
            {text.more}
          </Button>
        )}
      </Row>
      {task !== undefined && task.stepId === null && !isEdited && (
        <Row>
          <OwnTaskActs key={task.id} task={task} edit={() => setEditedId(task.id)} />
        </Row>
      )}
      {isEdited && (
        <TaskEditor key={`edit ${task.id}`} task={task} leadId={task.leadId} close={() => setEditedId(null)} />
      )}
      {task !== undefined && !isEdited && (
        <OneTask key={task.id} task={task} closed={() => setId(tasks[at + 1]?.id ?? null)} />
      )}
    </>
  )
}
