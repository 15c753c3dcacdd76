import { notFound } from '@overture/contract/errors.ts'
import { taskEndpoints as api } from '@overture/contract/tasks/task-endpoints.ts'
import type { Caller } from '../platform/http/admission.ts'
import { answerList, byTime } from '../platform/http/paging.ts'
import { command, query, type Route } from '../platform/http/route.ts'
import { changeTasks } from './bulk-tasks.commands.ts'
import { updateTaskSimulation } from './simulation.sql.ts'
import { presentTask, type TaskRow } from './task.ts'
import {
  changeTask,
  completeTask,
  createTask,
  removeTask,
  reopenTask,
  skipTask,
  snoozeTask,
  type TaskTools,
} from './tasks.commands.ts'
import { countTasks, findTask, listTasks } from './tasks.sql.ts'

const byDueTime = byTime<TaskRow>((row) => row.dueAt)

export function taskRoutes(tools: TaskTools): Route[] {
  return [
    query(api.listTasks, ({ app, tenant }, { query: listQuery }) => {
      const {
        status = null,
        assigneeId = null,
        channel = null,
        campaignId = null,
        leadId = null,
        tagId = null,
      } = listQuery
      const dueBefore = listQuery.dueBefore === undefined ? null : new Date(listQuery.dueBefore)
      const filter = { status, assigneeId, channel, campaignId, leadId, tagId, dueBefore }
      return answerList(listQuery, {
        key: byDueTime,
        list: (range) => listTasks(app.db, tenant, filter, range),
        count: () => countTasks(app.db, tenant, filter),
        present: (rows) => rows.map(presentTask),
      })
    }),
    command(api.createTask, async ({ tenant, now }, { body }, tx) =>
      presentTask(await createTask(tx, tenant, { input: body, now })),
    ),
    query(api.getTask, async ({ app, tenant }, { params }) => {
      const row = await findTask(app.db, tenant, params.id)
      if (row === undefined) throw notFound()
      return presentTask(row)
    }),
    command(api.updateTask, async ({ tenant, now }, { params, body }, tx) =>
      presentTask(await changeTask(tx, tenant, { id: params.id, input: body, now })),
    ),
    command(api.deleteTask, ({ tenant }, { params }, tx) => removeTask(tx, tenant, params.id)),
    ...closingRoutes(tools),
    command(api.setSandboxTasks, async ({ tenant }, { body }, tx) => {
      const simulation = { completeAfter: body.completeAfter, outcome: body.outcome ?? 'connected' }
      await updateTaskSimulation(tx, tenant, simulation)
      return simulation
    }),
  ]
}

function closingRoutes(tools: TaskTools): Route[] {
  return [
    command(api.completeTask, async ({ tenant, now, caller }, { params, body }, tx) =>
      presentTask(await completeTask(tx, tenant, { ...body, id: params.id, tools, by: callerName(caller), now })),
    ),
    command(api.skipTask, async ({ tenant, now, caller }, { params, body }, tx) =>
      presentTask(await skipTask(tx, tenant, { ...body, id: params.id, tools, by: callerName(caller), now })),
    ),
    command(api.snoozeTask, async ({ tenant, now }, { params, body }, tx) =>
      presentTask(await snoozeTask(tx, tenant, { id: params.id, until: new Date(body.until), now })),
    ),
    command(api.reopenTask, async ({ tenant, now }, { params }, tx) =>
      presentTask(await reopenTask(tx, tenant, { id: params.id, now })),
    ),
    command(api.bulkUpdateTasks, ({ tenant, now, caller }, { body }, tx) =>
      changeTasks(tx, tenant, { input: body, tools, by: callerName(caller), now }),
    ),
  ]
}

function callerName({ userId, id }: Caller): string {
  return userId ?? id
}
