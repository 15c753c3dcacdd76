import type { Transaction } from '../../platform/db/database.ts'
import { appendEvents } from '../../platform/events/events.sql.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { pauseCampaign } from '../pause-campaign.commands.ts'
import { lockCampaignRow, updateCampaignStatus } from '../campaigns.sql.ts'
import { listRelievedCampaigns, listStrandedCampaigns } from './stranded.sql.ts'

/**
 * Pauses campaigns that have no sender left after one was lost to a refused login or to a breaker. Not called if a person
 * pauses a sender, who then wants just that. Source: docs/contract.md, "Campaigns".
 */
export async function pauseStrandedCampaigns(
  tx: Transaction,
  tenant: Tenant,
  lost: { sendingAccountId: string; now: Date },
): Promise<void> {
  for (const campaignId of await listStrandedCampaigns(tx, tenant, lost.sendingAccountId))
    await pauseCampaign(tx, tenant, { campaignId, reason: 'sending_accounts_unavailable', now: lost.now })
}

/** Resumes these campaigns when a sender can send again. */
export async function resumeRelievedCampaigns(tx: Transaction, tenant: Tenant, now: Date): Promise<void> {
  for (const id of await listRelievedCampaigns(tx, tenant)) {
    const row = await lockCampaignRow(tx, tenant, id)
    if (row?.status !== 'paused' || row.statusReason !== 'sending_accounts_unavailable') continue
    await updateCampaignStatus(tx, tenant, { id, status: 'active', reason: null, now })
    await appendEvents(tx, tenant, [{ type: 'campaign.resumed', occurredAt: now, campaignId: id }])
  }
}
