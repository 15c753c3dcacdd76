import type { Executor } from '../platform/db/database.ts'
import type { Tenant } from '../platform/tenant.ts'
import type { TaskLine } from './breakdown.ts'

/** Counts what happened to the tasks of a campaign's steps in [from, to). */
export async function listTaskLines(
  db: Executor,
  tenant: Tenant,
  of: { campaignId: string; from: Date; to: Date },
): Promise<TaskLine[]> {
  return db.query<TaskLine>(
    `select e.step_id, e.type, e.data->>'outcome' as outcome, count(*)::int as count from events e
     where e.account_id = $1 and e.environment = $2 and e.campaign_id = $3 and e.step_id is not null
       and e.type in ('task.created', 'task.completed', 'task.skipped', 'task.overdue')
       and e.occurred_at >= $4 and e.occurred_at < $5
     group by 1, 2, 3`,
    [tenant.accountId, tenant.environment, of.campaignId, of.from, of.to],
    'list_task_lines',
  )
}
