import type { Transaction } from '../../platform/db/database.ts'
import { appendEvents } from '../../platform/events/events.sql.ts'
import type { Tenant } from '../../platform/tenant.ts'
import type { LeadKey } from './decisions.sql.ts'
import {
  updateCampaignTasksCanceled,
  updateSuppressedTasksCanceled,
  updateTasksCanceled,
  type ToldTask,
} from './tasks.sql.ts'

/** Cancels the open tasks of leads that ended. */
export async function cancelTasks(
  tx: Transaction,
  tenant: Tenant,
  { leads, reason, now }: { leads: readonly LeadKey[]; reason: string; now: Date },
): Promise<void> {
  await appendCanceled(tx, tenant, { tasks: await updateTasksCanceled(tx, tenant, { leads, now }), reason, now })
}

/** Cancels the open tasks of leads whose address or domain was suppressed. */
export async function cancelSuppressedTasks(
  tx: Transaction,
  tenant: Tenant,
  address: { email: string | null; domain: string | null; now: Date },
): Promise<void> {
  const tasks = await updateSuppressedTasksCanceled(tx, tenant, address)
  await appendCanceled(tx, tenant, { tasks, reason: 'suppressed', now: address.now })
}

const canceledAtOnceMax = 1000

/** Cancels the open tasks of a deleted campaign, or those of removed steps. */
export async function cancelCampaignTasks(
  tx: Transaction,
  tenant: Tenant,
  { campaignId, reason, now }: { campaignId: string; reason: 'campaign_deleted' | 'step_removed'; now: Date },
): Promise<void> {
  const batch = { campaignId, isDeleted: reason === 'campaign_deleted', now, limit: canceledAtOnceMax }
  for (let more = true; more;) {
    const tasks = await updateCampaignTasksCanceled(tx, tenant, batch)
    await appendCanceled(tx, tenant, { tasks, reason, now })
    more = tasks.length === canceledAtOnceMax
  }
}

async function appendCanceled(
  tx: Transaction,
  tenant: Tenant,
  { tasks, reason, now }: { tasks: readonly ToldTask[]; reason: string; now: Date },
): Promise<void> {
  if (tasks.length === 0) return
  await appendEvents(
    tx,
    tenant,
    tasks.map((task) => ({
      ...ofTask(task),
      type: 'task.canceled' as const,
      occurredAt: now,
      data: { ...taskData(task), reason },
    })),
  )
}

/** The ids of an event about a task. */
export function ofTask({ campaignId, leadId, stepId, email }: ToldTask) {
  return {
    ...(campaignId === null ? {} : { campaignId }),
    ...(leadId === null ? {} : { leadId }),
    ...(stepId === null ? {} : { stepId }),
    ...(email === null ? {} : { leadEmail: email }),
  }
}

/** The data of an event about a task. */
export function taskData({ id, channel, assigneeId, dueAt }: ToldTask) {
  return { taskId: id, channel, assigneeId, dueAt: dueAt.toISOString() }
}
