import type { Transaction } from '../platform/db/database.ts'
import { pauseCampaign } from './campaigns.commands.ts'
import { listLiveRunningCampaignsAcrossAccounts } from './restored.sql.ts'

/**
 * Whose leads may have got more than a restored database knows of: somebody looks, and resumes one after the other.
 * Answers how many it paused, `campaignsMax` where there may be more.
 */
export async function pauseRestoredCampaigns(
  tx: Transaction,
  { campaignsMax, now }: { campaignsMax: number; now: Date },
): Promise<number> {
  const campaigns = await listLiveRunningCampaignsAcrossAccounts(tx, campaignsMax)
  for (const { accountId, id } of campaigns)
    await pauseCampaign(tx, { accountId, environment: 'live' }, { campaignId: id, reason: 'restored', now })
  return campaigns.length
}
