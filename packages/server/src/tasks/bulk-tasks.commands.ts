import type { BulkTasksInput } from '@overture/contract/tasks/tasks.ts'
import { AppError, notFound } from '@overture/contract/errors.ts'
import type { Transaction } from '../platform/db/database.ts'
import { isStorable } from '@overture/ground/text/storable-text.ts'
import type { Tenant } from '../platform/tenant.ts'
import { completeTask, removeTask, reopenTask, skipTask, snoozeTask, type TaskTools } from './tasks.commands.ts'

interface BulkResult {
  id: string
  outcome: 'changed' | 'not_found' | 'conflict' | 'invalid'
  message: string | null
}

/** Changes each task as one request does. Tasks are locked in the order of their ids. */
export async function changeTasks(
  tx: Transaction,
  tenant: Tenant,
  { input, ...by }: { input: BulkTasksInput; tools: TaskTools; by: string; now: Date },
): Promise<{ results: BulkResult[] }> {
  const found = new Map<string, BulkResult>()
  for (const id of [...new Set(input.ids)].sort()) {
    try {
      if (!isStorable(id)) throw notFound()
      await act(tx, tenant, { id, input, ...by })
      found.set(id, { id, outcome: 'changed', message: null })
    } catch (error) {
      found.set(id, { id, ...toRefusal(error) })
    }
  }
  return { results: input.ids.flatMap((id) => found.get(id) ?? []) }
}

function act(
  tx: Transaction,
  tenant: Tenant,
  { id, input, ...by }: { id: string; input: BulkTasksInput; tools: TaskTools; by: string; now: Date },
): Promise<unknown> {
  const { outcome, note, stop, until } = input
  switch (input.action) {
    case 'complete':
      return completeTask(tx, tenant, { id, outcome, note, stop, ...by })
    case 'skip':
      return skipTask(tx, tenant, { id, note, ...by })
    case 'snooze':
      return snoozeTask(tx, tenant, { id, until: new Date(until ?? ''), now: by.now })
    case 'reopen':
      return reopenTask(tx, tenant, { id, now: by.now })
    case 'delete':
      return removeTask(tx, tenant, id)
  }
}

function toRefusal(error: unknown): Omit<BulkResult, 'id'> {
  if (!(error instanceof AppError)) throw error
  if (error.code === 'NOT_FOUND') return { outcome: 'not_found', message: error.message }
  if (error.code === 'CONFLICT') return { outcome: 'conflict', message: error.message }
  if (error.code !== 'VALIDATION_ERROR') throw error
  return { outcome: 'invalid', message: error.details?.issues?.[0]?.message ?? error.message }
}
