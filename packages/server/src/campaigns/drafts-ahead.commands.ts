import type { Transaction } from '../platform/db/database.ts'
import { enqueueJob } from '../platform/jobs/jobs.shell.ts'
import type { Tenant } from '../platform/tenant.ts'
import { hasAiVariants } from './sequence/sequence.sql.ts'

/** The job that has AI steps written before they are due; delivery runs it. */
export const draftsAheadJob = 'delivery.drafts_ahead'

/** Has a campaign's AI steps looked at, where it has any: it begins, or leads or texts changed. */
export async function lookAheadForDrafts(
  tx: Transaction,
  tenant: Tenant,
  { campaignId, at }: { campaignId: string; at: Date },
): Promise<void> {
  if (!(await hasAiVariants(tx, tenant, campaignId))) return
  await enqueueJob(tx, { kind: draftsAheadJob, tenant, payload: { campaignId }, runAt: at, key: campaignId })
}
