import type { SandboxTasks } from '@overture/contract/tasks/tasks.ts'
import type { Executor } from '../platform/db/database.ts'
import type { Tenant } from '../platform/tenant.ts'

/** Sets when the test clock completes tasks. */
export async function updateTaskSimulation(
  db: Executor,
  tenant: Tenant,
  { completeAfter, outcome }: SandboxTasks,
): Promise<void> {
  await db.execute(
    `insert into sandbox_clocks (account_id, tasks_complete_after, tasks_outcome) values ($1, $2, $3)
     on conflict (account_id) do update set tasks_complete_after = $2, tasks_outcome = $3`,
    [tenant.accountId, completeAfter, outcome],
    'update_task_simulation',
  )
}
