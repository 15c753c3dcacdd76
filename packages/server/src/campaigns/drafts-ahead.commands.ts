import type { Transaction } from '../platform/db/database.ts'
import { enqueueJob } from '../platform/jobs/jobs.shell.ts'
import type { Tenant } from '../platform/tenant.ts'
import { hasAiVariants } from './sequence/sequence.sql.ts'

/** The job that writes the texts of AI steps before they are due. Delivery runs it. */
export const draftsAheadJob = 'delivery.drafts_ahead'

/** Enqueues the job for a campaign with AI steps. Called when the campaign starts, and when its leads or texts change. */
export async function lookAheadForDrafts(
  tx: Transaction,
  tenant: Tenant,
  { campaignId, at }: { campaignId: string; at: Date },
): Promise<void> {
  if (!(await hasAiVariants(tx, tenant, campaignId))) return
  await enqueueJob(tx, { kind: draftsAheadJob, tenant, payload: { campaignId }, runAt: at, key: campaignId })
}
