import { z } from 'zod'
import { AppError } from '@overture/contract/errors.ts'
import { taskOutcome } from '@overture/contract/tasks/tasks.ts'
import { outcomesForChannel } from '@overture/contract/vocabularies.ts'
import { dueTasksJobKind, ofTask, simulatedTaskJobKind, taskData } from '../campaigns/index.ts'
import type { Transaction } from '../platform/db/database.ts'
import { appendEvents, type NewEvent } from '../platform/events/events.sql.ts'
import type { JobContext, JobHandler } from '../platform/jobs/job.ts'
import { enqueueJob } from '../platform/jobs/jobs.shell.ts'
import type { Tenant } from '../platform/tenant.ts'
import { completeTask, type TaskTools } from './tasks.commands.ts'
import { findNextTaskTime, findTask, updateTasksExpired, updateTasksOverdue } from './tasks.sql.ts'

const dueAtOnceMax = 500
const simulated = z.object({ taskId: z.string(), outcome: taskOutcome })

export function taskJobs(tools: TaskTools): JobHandler[] {
  return [
    {
      kind: dueTasksJobKind,
      maxAttempts: 20,
      run: ({ app, tenant, now }) => app.db.transaction((tx) => tellDueTasks(tx, tenant, now)),
    },
    {
      kind: simulatedTaskJobKind,
      maxAttempts: 5,
      run: (context, payload) => simulate(context, tools, simulated.parse(payload)),
    },
  ]
}

/** Logs tasks that became overdue and skips expired ones that hold no lead, in batches. The next job runs when there are more. */
async function tellDueTasks(tx: Transaction, tenant: Tenant, now: Date): Promise<void> {
  const batch = { now, limit: dueAtOnceMax }
  const overdue = await updateTasksOverdue(tx, tenant, batch)
  const expired = await updateTasksExpired(tx, tenant, batch)
  await appendEvents(tx, tenant, [
    ...overdue.map((task): NewEvent => ({
      ...ofTask(task),
      type: 'task.overdue',
      occurredAt: now,
      data: taskData(task),
    })),
    ...expired.map((task): NewEvent => ({
      ...ofTask(task),
      type: 'task.skipped',
      occurredAt: now,
      data: { ...taskData(task), reason: 'expired' },
    })),
  ])
  const runAt = await findNextTaskTime(tx, tenant)
  if (runAt !== null) await enqueueJob(tx, { kind: dueTasksJobKind, tenant, runAt, key: 'all' })
}

/** The test clock completes a task. A task that is closed already stays as it is. */
async function simulate(
  { app, tenant, now }: JobContext,
  tools: TaskTools,
  { taskId: id, outcome }: z.infer<typeof simulated>,
): Promise<void> {
  await app.db.transaction(async (tx) => {
    const task = await findTask(tx, tenant, id)
    if (task?.status !== 'open') return
    const possible = outcomesForChannel(task.channel)
    const closing = { id, tools, by: null, now, outcome: possible.includes(outcome) ? outcome : possible[0] }
    try {
      await completeTask(tx, tenant, closing)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
    }
  })
}
