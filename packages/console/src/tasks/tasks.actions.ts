import { type InfiniteData, useQueryClient } from '@tanstack/react-query'
import type { Approval, Task, TaskOutcome, TaskStepChannel } from '@overture/sdk'
import { useAction } from '../platform/api/action.ts'
import { useEnvironment } from '../platform/api/environment.tsx'

const changed = [['tasks'], ['leads'], ['campaigns'], ['texts']] as const

export type TaskAct =
  | { kind: 'complete'; outcome: TaskOutcome; stop: boolean }
  | { kind: 'approve'; text: Approval }
  | { kind: 'skip' }
  | { kind: 'snooze'; until: string }

/** The acts of a person on a task. An email by hand is approved exactly as it was shown. */
export function useTaskAct(task: Task, note: string, done: (act: TaskAct) => void) {
  const written = note.trim() === '' ? {} : { note: note.trim() }
  const leave = useLeaveList()
  return useAction<TaskAct>({
    act: (api, act) => {
      switch (act.kind) {
        case 'complete':
          return api.tasks.complete(task.id, { outcome: act.outcome, ...written, ...(act.stop && { stop: true }) })
        case 'approve': {
          const { campaignId, id, textDigest } = act.text
          return api.campaigns.approvals.approve(campaignId, id, textDigest === null ? {} : { textDigest })
        }
        case 'skip':
          return api.tasks.skip(task.id, written)
        case 'snooze':
          return api.tasks.snooze(task.id, { until: act.until })
      }
    },
    stale: () => changed,
    done(_answer, act) {
      leave(task.id)
      done(act)
    },
  })
}

/** Removes a closed or snoozed task from the list, which is read again later. Otherwise the page would offer its outcomes again. */
function useLeaveList(): (id: string) => void {
  const client = useQueryClient()
  const environment = useEnvironment()
  return (id) =>
    void client.setQueriesData<InfiniteData<{ results: Task[] }>>(
      { queryKey: [environment, 'tasks', 'open'] },
      (data) =>
        data && {
          ...data,
          pages: data.pages.map((page) => ({ ...page, results: page.results.filter((task) => task.id !== id) })),
        },
    )
}

export interface TaskToSave {
  channel: TaskStepChannel
  title: string
  instructions: string
  assigneeId: string | null
  /** Undefined keeps the time; a new task without it is due now. */
  dueAt?: string
}

/** Creates a task without a step, or changes it. */
export function useSaveTask(task: Task | null, leadId: string | null, done: () => void) {
  return useAction<TaskToSave, Task>({
    act: (api, { channel, ...fields }) => {
      if (task !== null) return api.tasks.update(task.id, fields)
      const { assigneeId, ...rest } = fields
      return api.tasks.create({
        channel,
        ...rest,
        ...(leadId !== null && { leadId }),
        ...(assigneeId !== null && { assigneeId }),
      })
    },
    stale: () => changed,
    done,
  })
}

export function useDeleteTask(id: string, done: () => void) {
  const leave = useLeaveList()
  return useAction({
    act: (api) => api.tasks.delete(id),
    stale: () => changed,
    done() {
      leave(id)
      done()
    },
  })
}
