import { paceMark, recovers } from '@overture/planner/deliverability/pace.ts'
import type { PlanResult } from '@overture/planner/plan.types.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { storePacing } from '../../sending-accounts/index.ts'

interface PlannedRecoveries {
  result: PlanResult
  now: Date
  /** Writes what earlier plans changed. */
  before: () => Promise<void>
}

/** Stores senders that became healthy. Their events come before those of the messages of the plan. */
export async function storeRecoveries(
  db: Executor,
  tenant: Tenant,
  { result, now, before }: PlannedRecoveries,
): Promise<void> {
  const healthy = result.senderUpdates.filter(recovers)
  if (healthy.length === 0) return
  await before()
  await storePacing(db, tenant, healthy, now)
  // The stored pace is the one that later plans of this batch read.
  for (const update of healthy) update.paceRead = paceMark(update.pace ?? null)
}
