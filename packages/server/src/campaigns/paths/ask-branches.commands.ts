import type { Transaction } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { notifyPlanner, upsertPlanning } from '../campaigns.sql.ts'
import { updateLeadsToDecideNow, type LeadKey } from './decisions.sql.ts'

/** Something happened with these leads: branches that decide immediately are asked about it at once. */
export async function askBranches(
  tx: Transaction,
  tenant: Tenant,
  asked: { leads: readonly LeadKey[]; now: Date },
): Promise<void> {
  if (asked.leads.length === 0) return
  if ((await updateLeadsToDecideNow(tx, tenant, asked)) === 0) return
  await upsertPlanning(tx, tenant, asked.now)
  await notifyPlanner(tx)
}
