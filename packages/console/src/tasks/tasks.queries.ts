import type { Approval, Task } from '@overture/sdk'
import { useListReading, useReading } from '../platform/api/query.ts'
import { useTenantTime } from '../platform/time/now.tsx'

/** The open tasks, the earliest due first. Snoozed tasks are left out by the page. */
export function useOpenTasks({ assigneeId, tagId }: { assigneeId: string | undefined; tagId: string | undefined }) {
  const filter = { ...(assigneeId !== undefined && { assigneeId }), ...(tagId !== undefined && { tagId }) }
  return useListReading<Task>({
    key: ['tasks', 'open', filter],
    page: (api, place) => api.tasks.list({ ...place, status: 'open', ...filter }).page(),
  })
}

const minuteLength = 16

/** The number of open tasks that are due. It is read again each minute of the tenant's time. */
export function useDueTasks(): number {
  const minute = useTenantTime().now.slice(0, minuteLength)
  const due = useReading({
    key: ['tasks', 'due', minute],
    read: (api) => api.tasks.list({ status: 'open', dueBefore: `${minute}:59.999Z`, limit: 1 }).page(),
    keepOld: true,
  })
  return due.data?.pagination.totalCount ?? 0
}

/** The text that an email by hand waits with. */
export function useTaskText({ campaignId, approvalId }: Task) {
  return useReading<Approval>({
    key: ['texts', 'task', approvalId],
    enabled: approvalId !== null && campaignId !== null,
    read: (api) => api.campaigns.approvals.get(campaignId ?? '', approvalId ?? ''),
  })
}
