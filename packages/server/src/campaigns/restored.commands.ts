import type { Transaction } from '../platform/db/database.ts'
import { pauseCampaign } from './pause-campaign.commands.ts'
import { listLiveRunningCampaignsAcrossAccounts } from './restored.sql.ts'

/**
 * Pauses live campaigns after a restore, because their leads may have got more messages than the restored database contains. A
 * person reviews and resumes each campaign. Returns how many were paused; if that is `campaignsMax`, there may be more.
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
